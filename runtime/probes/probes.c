// SPDX-License-Identifier: GPL-2.0-or-later
/* All probes of the script: prepared at load, armed at start, disarmed in reverse at the end. */
#include <linux/mm.h>
#include <linux/mutex.h>
#include "probes/probes.h"

char stp_arm_text[512];
static u32 n_prepared, n_armed;
static DEFINE_MUTEX(arming); /* n_armed, and what each family holds for it */
static u32 *rearmed;         /* by probe: stp_probe_rearmed() */

/**
 * stp_probes_prepare - take the memory of every probe
 *
 * Context: process, at load.
 */
int stp_probes_prepare(void)
{
	int err = 0;

	rearmed = kvcalloc(stp_script.n_probes + 1, sizeof(*rearmed), GFP_KERNEL);
	if (!rearmed)
		return -ENOMEM;
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
 * Context: process, at unload.
 */
void stp_probes_release(void)
{
	while (n_prepared) {
		struct stp_probe *p = &stp_script.probes[--n_prepared];
		const struct stp_family *family = p->family;

		if (family->release)
			family->release(p);
	}
	stp_optimise_close();
	kvfree(rearmed);
	rearmed = NULL;
}

static int arm_all(void)
{
	int err = 0;

	stp_objects_locate();
	for (n_armed = 0; n_armed < stp_script.n_probes && !err; n_armed++) {
		struct stp_probe *p = &stp_script.probes[n_armed];
		const struct stp_family *family = p->family;

		if (!family->arm)
			continue;
		err = family->arm(p);
		if (err && !stp_arm_text[0])
			scnprintf(stp_arm_text, sizeof(stp_arm_text),
				  "probe %s: registration error (rc %d)", stp_probe_name(p), err);
	}
	return err;
}

/**
 * stp_probes_arm - attach all probes, in the script's order
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
	err = stp_modules_follow();
	if (err)
		return err;
	mutex_lock(&arming);
	err = arm_all();
	stp_optimise_resume();
	mutex_unlock(&arming);
	if (err)
		stp_probes_disarm();
	return err;
}

static int is_in(const struct stp_probe *p, const char *module)
{
	u32 i;

	for (i = 0; i < p->n_points; i++) {
		if (p->points[i].module && (!module || !strcmp(p->points[i].module, module)))
			return 1;
	}
	return 0;
}

/* Has it points that stay when the module (NULL: any) goes? */
static int is_elsewhere(const struct stp_probe *p, const char *module)
{
	u32 i;

	for (i = 0; i < p->n_points; i++) {
		const char *where = p->points[i].module;

		if (!where || (module && strcmp(where, module)))
			return 1;
	}
	return 0;
}

/* The lock of arming is held. module: NULL for any */
static void rearm(const char *module)
{
	u32 i;

	stp_objects_locate();
	for (i = 0; i < n_armed; i++) {
		struct stp_probe *p = &stp_script.probes[i];
		const struct stp_family *family = p->family;

		if (!family->arm || !is_in(p, module))
			continue;
		stp_arm_text[0] = '\0';
		if (is_elsewhere(p, module))
			rearmed[i]++; /* hits there are not seen meanwhile */
		family->disarm(p);
		if (family->arm(p))
			stp_control_warn("%s", stp_arm_text[0] ? stp_arm_text : stp_probe_name(p));
	}
	stp_optimise_resume();
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
	for (i = 0; i < stp_script.n_probes; i++) {
		if (is_in(&stp_script.probes[i], module))
			return 1;
	}
	return 0;
}

/**
 * stp_probes_follow - arm anew what has a point in a module
 * @module: comes or goes
 *
 * Of the armed probes only. One that cannot be armed any more warns, and is as it is after a failed
 * arm. At once when nothing is being armed, so that the module's init function is seen; else by
 * stp_modules_later(), because whoever loads or unloads a module does not wait for thousands of probes.
 *
 * Context: process, may sleep: the kernel's notifier of modules. Takes the lock of arming if it is free.
 */
void stp_probes_follow(const char *module)
{
	if (!is_object(module))
		return;
	if (!mutex_trylock(&arming)) {
		stp_modules_later();
		return;
	}
	rearm(module);
	mutex_unlock(&arming);
}

/**
 * stp_probes_rearm_modules - arm anew what has a point in any module
 *
 * Context: process, may sleep: a work item. Waits for the lock of arming.
 */
void stp_probes_rearm_modules(void)
{
	mutex_lock(&arming);
	rearm(NULL);
	mutex_unlock(&arming);
}

/**
 * stp_probe_rearmed - how often a probe was armed anew that has points elsewhere too
 *
 * Context: any.
 */
u32 stp_probe_rearmed(const struct stp_probe *p)
{
	return READ_ONCE(rearmed[p->index]);
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
 * stp_probes_disarm - detach what is attached, the last first
 *
 * Afterwards no handler of an event runs or will run. Harmless when nothing is armed.
 *
 * Context: process, may sleep: the session's worker. Takes the lock of arming.
 */
void stp_probes_disarm(void)
{
	stp_modules_leave(); /* first: it waits for those who wait for the lock */
	mutex_lock(&arming);
	while (n_armed) {
		struct stp_probe *p = &stp_script.probes[--n_armed];
		const struct stp_family *family = p->family;

		if (family->disarm)
			family->disarm(p);
	}
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
 * stp_probe_missed - how many hits the kernel left out, of all armings
 *
 * Those of kprobes and of an fprobe are known when they are disarmed. Context: process.
 */
u64 stp_probe_missed(const struct stp_probe *p)
{
	const struct stp_family *family = p->family;

	return family->missed ? family->missed(p) : 0;
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
