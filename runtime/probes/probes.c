// SPDX-License-Identifier: GPL-2.0-or-later
/* All probes of the script: prepared at load, armed at start, disarmed in reverse at the end. */
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include "probes/probes.h"

char stp_arm_text[512];
static u32 n_prepared;
static int armed;            /* wholly or partly */
static DEFINE_MUTEX(arming); /* armed, and what each family holds for it */

/* What became of a probe, besides its hits. */
struct fate {
	u32 rearmed;     /* stp_probe_rearmed() */
	u32 refused;     /* stp_probe_refused(), of this arming, */
	const char *why; /* and what was said of the last */
	u64 missed;      /* of all armings: hits of points that cannot be told apart */
};

static struct fate *fates; /* by probe */
static atomic64_t *missed; /* by point, of all armings */

/**
 * stp_probes_prepare - take the memory of every probe
 *
 * Context: process, at load.
 */
int stp_probes_prepare(void)
{
	int err = 0;

	fates = kvcalloc(stp_script.n_probes + 1, sizeof(*fates), GFP_KERNEL);
	missed = kvcalloc(stp_script.n_points + 1, sizeof(*missed), GFP_KERNEL);
	if (!fates || !missed)
		return -ENOMEM;
	err = stp_modules_follow();
	if (err)
		return err;
	stp_objects_locate(); /* begin probes, which run before arming, may read data of modules */
	/* what fails half-way is released with the others */
	for (n_prepared = 0; n_prepared < stp_script.n_probes && !err; n_prepared++) {
		struct stp_probe *p = &stp_script.probes[n_prepared];
		const struct stp_family *family = p->family;

		err = family->prepare ? family->prepare(p) : 0;
	}
	return err;
}

/**
 * stp_probes_release - give it back
 *
 * Context: process, at unload, when nothing is armed.
 */
void stp_probes_release(void)
{
	stp_modules_leave(); /* first: it waits for those who look at what is given back here */
	while (n_prepared) {
		struct stp_probe *p = &stp_script.probes[--n_prepared];
		const struct stp_family *family = p->family;

		if (family->release)
			family->release(p);
	}
	kvfree(fates);
	kvfree(missed);
	fates = NULL;
	missed = NULL;
}

/*
 * Of a wildcard, points that cannot be attached are no news, but none that can be is.
 * Returns what family->arm() does.
 */
static int arm(struct stp_probe *p)
{
	struct fate *fate = &fates[p->index];
	int err;

	fate->refused = 0;
	err = p->family->arm(p);
	if (!err && fate->refused == p->n_points)
		stp_control_warn("probe %s: none of its points could be attached: %s", p->pn,
				 fate->why);
	return err;
}

/* Code that came or goes: of a module (NULL: of any), or only that of its init. */
struct change {
	const char *module;
	int of_init;
};

static int is_in(const struct stp_point *point, const struct change *change)
{
	return point->module && (!change->module || !strcmp(point->module, change->module)) &&
	       (!change->of_init || stp_point_of_init(point));
}

/* How many of its points are there that are armed anew? */
static u32 points_in(const struct stp_probe *p, const struct change *change)
{
	u32 i, n = 0;

	for (i = 0; i < p->n_points && !p->family->follows_modules; i++)
		n += is_in(&p->points[i], change);
	return n;
}

static int is_rearmed(const struct stp_probe *p, const struct change *change)
{
	return p->family->arm && points_in(p, change);
}

/*
 * CHANGE: NULL at the start, where the first that fails ends it; else those that have points in it,
 * and a failure is a warning, but for the end of the session, which cuts it short.
 */
static int arm_those(const struct change *change, int first)
{
	int err = 0;
	u32 i;

	for (i = 0; i < stp_script.n_probes && !err; i++) {
		struct stp_probe *p = &stp_script.probes[i];

		if (!p->family->arm || p->family->first != first ||
		    (change && !points_in(p, change)))
			continue;
		stp_arm_text[0] = '\0';
		err = arm(p);
		if (err && !stp_arm_text[0])
			scnprintf(stp_arm_text, sizeof(stp_arm_text),
				  "probe %s: registration error (rc %d)", stp_probe_name(p), err);
		if (err && change) {
			if (!stp_session_ending())
				stp_control_warn("%s", stp_arm_text);
			err = 0;
		}
	}
	return err;
}

static int arm_all(void)
{
	int err;

	stp_objects_locate();
	armed = 1;
	err = arm_those(NULL, 1);
	return err ? err : arm_those(NULL, 0);
}

/**
 * stp_probes_arm - attach all probes, returns first, else in the script's order
 *
 * Returns 0, or a negative errno with everything disarmed again; stp_arm_text says why when a probe
 * is to blame. Hits come in as soon as their probe is attached; the session's state has them
 * skipped until all are.
 *
 * Context: process, may sleep: the session's worker. Takes the lock of arming.
 */
int stp_probes_arm(void)
{
	int err;

	stp_arm_text[0] = '\0';
	mutex_lock(&arming);
	err = arm_all();
	stp_members_armed();
	mutex_unlock(&arming);
	if (err)
		stp_probes_disarm();
	return err;
}

/* Detach it; and note that hits elsewhere are not seen meanwhile. */
static void detach(struct stp_probe *p, const struct change *change)
{
	if (!change->module || points_in(p, change) < p->n_points)
		fates[p->index].rearmed++;
	p->family->disarm(p);
}

/*
 * The lock of arming is held. Before arming and behind disarming there are still handlers that read
 * in modules: those of begin and end.
 */
static void rearm(const struct change *change)
{
	u32 i;

	stp_objects_locate();
	if (!armed)
		return;
	for (i = stp_script.n_probes; i--;) {
		if (is_rearmed(&stp_script.probes[i], change))
			detach(&stp_script.probes[i], change);
	}
	arm_those(change, 1);
	arm_those(change, 0);
	stp_members_armed();
}

/* Has the script points or variables in a module of that name? */
static int is_object(const char *module)
{
	u32 i;

	for (i = 0; i < stp_script.n_objects; i++) {
		const char *name = stp_script.objects[i].name;

		if (name && !strcmp(name, module))
			return 1;
	}
	return 0;
}

/* Arming so many takes a tenth of a second: nobody who loads a module waits for more. */
#define MANY_POINTS 2000

/* How many points do the probes have that are armed anew? */
static u32 points_armed_anew(const struct change *change)
{
	u32 i, n = 0;

	for (i = 0; i < stp_script.n_probes; i++)
		if (points_in(&stp_script.probes[i], change))
			n += stp_script.probes[i].n_points;
	return n;
}

static void follow(const struct change *change)
{
	if (points_armed_anew(change) > MANY_POINTS || !mutex_trylock(&arming)) {
		stp_modules_later();
		return;
	}
	rearm(change);
	mutex_unlock(&arming);
}

/**
 * stp_probes_follow - arm anew what has a point in a module
 * @module: comes or goes
 *
 * Of the armed probes only. One that cannot be armed any more warns, and is as it is after a failed
 * arm. At once when nothing is being armed and few points are to be, so that the module's init
 * function is seen; else by stp_modules_later(), because whoever loads or unloads a module does not
 * wait for thousands of probes.
 *
 * Context: process, may sleep: the kernel's notifier of modules. Takes the lock of arming if it is
 * free.
 */
void stp_probes_follow(const char *module)
{
	struct change change = { .module = module };

	if (is_object(module))
		follow(&change);
}

/**
 * stp_probes_init_done - arm anew what has a point in a module's init, which is over
 *
 * Its memory is about to be given back, and the code of another module may come to stand there. As
 * stp_probes_follow() otherwise.
 */
void stp_probes_init_done(const char *module)
{
	struct change change = { .module = module, .of_init = 1 };
	u32 i;

	for (i = 0; i < stp_script.n_probes; i++) {
		if (points_in(&stp_script.probes[i], &change)) {
			follow(&change);
			return;
		}
	}
}

/**
 * stp_probes_rearm_modules - arm anew what has a point in any module
 *
 * Context: process, may sleep: a work item. Waits for the lock of arming.
 */
void stp_probes_rearm_modules(void)
{
	struct change any = {};

	mutex_lock(&arming);
	rearm(&any);
	mutex_unlock(&arming);
}

/**
 * stp_probe_rearmed - how often a probe was armed anew that has points elsewhere too
 *
 * Context: any.
 */
u32 stp_probe_rearmed(const struct stp_probe *p)
{
	return READ_ONCE(fates[p->index].rearmed);
}

/**
 * stp_point_refused - one of a wildcard's points could not be attached
 * @why: a literal
 *
 * Context: process, when arming.
 */
void stp_point_refused(const struct stp_probe *p, const char *why)
{
	fates[p->index].refused++;
	fates[p->index].why = why;
}

/**
 * stp_point_failed - say that a point could not be attached
 * @why: goes with the probe point and @err into the text
 *
 * Returns 0 when the point is optional: one of a wildcard is only counted, others are a warning to
 * the reader. Else @err, with stp_arm_text filled. Context: process, may sleep.
 */
int stp_point_failed(const struct stp_probe *p, u32 point, int err, const char *why)
{
	const char *pp = p->points[point].pp;

	if (p->points[point].flags & STP_POINT_WILD) {
		stp_point_refused(p, why);
		return 0;
	}
	if (p->points[point].flags & STP_POINT_OPTIONAL) {
		stp_control_warn("probe %s: %s (rc %d)", pp, why, err);
		return 0;
	}
	scnprintf(stp_arm_text, sizeof(stp_arm_text), "probe %s: %s (rc %d)", pp, why, err);
	return err;
}

/**
 * stp_probe_refused - how many points of a wildcard could not be attached
 *
 * Context: process.
 */
u32 stp_probe_refused(const struct stp_probe *p)
{
	return fates[p->index].refused;
}

/**
 * stp_point_missed - hits that the kernel left out at a point
 *
 * Context: any. What the kernel counts itself is told when the point is disarmed, and no sooner.
 */
void stp_point_missed(const struct stp_probe *p, u32 point, u64 n)
{
	atomic64_add(n, &missed[p->first_point + point]);
}

/**
 * stp_probe_missed - hits that the kernel left out at one of several points
 *
 * Where all have one counter. Context: process, when they are disarmed.
 */
void stp_probe_missed(const struct stp_probe *p, u64 n)
{
	if (p->n_points == 1)
		stp_point_missed(p, 0, n);
	else
		fates[p->index].missed += n;
}

/**
 * stp_missed_fill - what the kernel left out, of all armings
 * @rows: of all probes, gets the hits that are of no one point
 * @points: of all points
 *
 * Context: process.
 */
void stp_missed_fill(struct stp_ledger_row *rows, u64 *points)
{
	u32 i;

	for (i = 0; i < stp_script.n_probes; i++)
		rows[i].missed = fates[i].missed;
	for (i = 0; i < stp_script.n_points; i++)
		points[i] = atomic64_read(&missed[i]);
}

/**
 * stp_probe_left_out - points of a wildcard that are not attached for want of a patchable call
 *
 * Context: process.
 */
u32 stp_probe_left_out(const struct stp_probe *p)
{
	return p->family->left_out ? p->family->left_out(p) : 0;
}

/**
 * stp_probe_overruns - ticks of a timer that were left out
 *
 * Context: process.
 */
u64 stp_probe_overruns(const struct stp_probe *p)
{
	return p->family->overruns ? p->family->overruns(p) : 0;
}

/**
 * stp_probes_disarm - detach what is attached
 *
 * Afterwards no handler of an event runs or will run. Harmless when nothing is armed.
 *
 * Context: process, may sleep: the session's worker. Takes the lock of arming.
 */
void stp_probes_disarm(void)
{
	u32 i;

	mutex_lock(&arming);
	for (i = stp_script.n_probes; armed && i--;) {
		struct stp_probe *p = &stp_script.probes[i];

		if (p->family->disarm)
			p->family->disarm(p);
	}
	armed = 0;
	mutex_unlock(&arming);
}

/**
 * stp_probe_attached - at how many points a probe is attached now
 *
 * Context: any; beside arming it is the number so far.
 */
u32 stp_probe_attached(const struct stp_probe *p)
{
	const struct stp_family *family = p->family;

	return family->attached ? family->attached(p) : 0;
}

/**
 * stp_point_find - c->point, for a handler that reads what its point has
 *
 * Returns 0 with the error set when it cannot be told. Context: any handler.
 */
int stp_point_find(struct stp_ctx *c)
{
	if (stp_ctx_point(c))
		return 1;
	stp_errorf(c, "hit at 0x%llx, where no point is", (u64)c->point_addr);
	return 0;
}

/**
 * stp_probe_phase - when the session runs its handler
 *
 * Context: any; constant.
 */
enum stp_phase stp_probe_phase(const struct stp_probe *p)
{
	return p->family->phase;
}

/**
 * stp_ctx_point - the point this hit is at, or NULL when it cannot be told
 *
 * A look-up by address when the probe has several, unless the way in noted it. Found once a hit:
 * c->point holds it afterwards.
 *
 * Context: any handler.
 */
const struct stp_point *stp_ctx_point(struct stp_ctx *c)
{
	const struct stp_probe *p = c->probe;

	if (c->point)
		return c->point;
	if (p->n_points == 1)
		c->point = p->points;
	else if (p->family->point)
		c->point = p->family->point(p, c->point_addr);
	return c->point;
}
