// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of programs and shared libraries: one uprobe for each point, by inode and offset, so
 * every process that maps the file meets it, those that start later too.
 */
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include "core/enter.h"
#include "probes/scope.h"
#include "probes/uprobe.h"

static struct stp_object *object_of(const struct stp_point *point)
{
	return &stp_script.objects[point->user.object];
}

/**
 * stp_uprobes_init - room for a uprobe on each point of a probe and each of its exits, and the
 * files they are in
 *
 * Returns 0 or -ENOMEM; stp_uprobes_exit() is safe after either. Context: process, may sleep; at
 * load.
 */
int stp_uprobes_init(struct stp_uprobes *set, const struct stp_probe *p)
{
	size_t room = p->n_points;
	u32 i;
	int err = 0;

	for (i = 0; i < p->n_points; i++)
		room += p->points[i].user.n_exits;
	set->probe = p;
	set->list = kvcalloc(room, sizeof(*set->list), GFP_KERNEL);
	if (!set->list)
		return -ENOMEM;
	while (!err && set->n_files < p->n_points) {
		err = stp_file_get(object_of(&p->points[set->n_files]));
		set->n_files += !err;
	}
	return err;
}

/**
 * stp_uprobes_exit - give it back
 *
 * Context: process; nothing is attached.
 */
void stp_uprobes_exit(struct stp_uprobes *set)
{
	while (set->n_files)
		stp_file_put(object_of(&set->probe->points[--set->n_files]));
	kvfree(set->list);
	set->list = NULL;
}

/* One uprobe; what is attached stands in its place of the list. */
static int attach(struct stp_uprobe *u, struct stp_uprobe *entry, struct inode *inode,
		  const struct stp_user_exit *exit, const struct uprobe_consumer *handlers)
{
	const struct stp_user_attach *at = &entry->point->user;

	u->uc = *handlers;
	u->of = entry->of;
	u->point = entry->point;
	u->exit = exit;
	u->entry = entry;
	atomic64_set(&u->missed, 0);
	memset(&u->handle, 0, sizeof(u->handle));
	return stp_uprobe_register(&u->handle, inode, exit ? exit->offset : at->offset,
				   exit ? 0 : at->semaphore, &u->uc);
}

/* Afterwards no hit of theirs runs. */
static void detach(struct stp_uprobe *list, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		stp_uprobe_unregister(&list[i].handle, &list[i].uc);
	stp_uprobe_unregister_done();
}

/*
 * The exits go first, so that no call is seen without them. Those before one that is refused are
 * taken away again.
 */
static int attach_all(struct stp_uprobes *set, struct inode *inode, const struct stp_point *point,
		      const struct uprobe_consumer *handlers,
		      const struct uprobe_consumer exit_handlers[STP_EXIT_KINDS])
{
	struct stp_uprobe *entry = &set->list[set->n];
	u32 n = point->user.n_exits, done = 0;
	int err = 0;

	entry->of = set;
	entry->point = point;
	while (!err && done < n) {
		err = attach(&entry[1 + done], entry, inode, &point->user.exits[done],
			     &exit_handlers[point->user.exits[done].kind]);
		done += !err;
	}
	if (!err)
		err = attach(entry, entry, inode, NULL, handlers);
	if (!err) {
		set->n += 1 + n;
		set->n_points++;
		return 0;
	}
	if (done)
		detach(&entry[1], done);
	return err;
}

static const char *refusal(int err)
{
	return err == -EINVAL ? "the kernel refuses a probe there; somebody else may have one, "
				"and not with the same semaphore"
			      : "the kernel refuses a probe there";
}

static int arm_point(struct stp_uprobes *set, u32 i, const struct uprobe_consumer *handlers,
		     const struct uprobe_consumer exit_handlers[STP_EXIT_KINDS])
{
	const struct stp_point *point = &set->probe->points[i];
	const char *why = stp_scope_refused(point);
	struct inode *inode;
	int err;

	if (why)
		return stp_point_failed(set->probe, i, -ESRCH, why);
	inode = stp_file_inode(object_of(point), &why);
	if (IS_ERR(inode))
		return stp_point_failed(set->probe, i, PTR_ERR(inode), why);
	err = attach_all(set, inode, point, handlers, exit_handlers);
	return err ? stp_point_failed(set->probe, i, err, refusal(err)) : 0;
}

/**
 * stp_uprobes_arm - attach all points
 * @handlers: what each uprobe calls; copied
 * @exit_handlers: the same of those on exits of each kind; NULL: no point has any
 *
 * Returns 0; -EINTR when the session was told to end meanwhile; or the refusal of a point that is
 * not optional, with stp_arm_text filled. Those attached so far stay: stp_uprobes_detach() is for
 * every outcome.
 *
 * Context: process, may sleep.
 */
int stp_uprobes_arm(struct stp_uprobes *set, const struct uprobe_consumer *handlers,
		    const struct uprobe_consumer exit_handlers[STP_EXIT_KINDS])
{
	u32 i;
	int err = 0;

	for (i = 0; i < set->probe->n_points && !err; i++)
		err = stp_session_ending() ? -EINTR : arm_point(set, i, handlers, exit_handlers);
	return err;
}

static void count_missed(struct stp_uprobe *u)
{
	u64 n = atomic64_xchg(&u->missed, 0);

	if (n)
		stp_point_missed(u->of->probe, u->point - u->of->probe->points, n);
}

/**
 * stp_uprobes_detach - take them away
 *
 * Afterwards no hit of theirs runs, and stp_uprobes_count() follows. Harmless when nothing is
 * attached. Context: process, may sleep. The lock of arming is held.
 */
void stp_uprobes_detach(struct stp_uprobes *set)
{
	if (set->n)
		detach(set->list, set->n);
}

/**
 * stp_uprobes_count - tell what those that were taken away have missed, and forget them
 *
 * Context: process. The lock of arming is held.
 */
void stp_uprobes_count(struct stp_uprobes *set)
{
	u32 i;

	for (i = 0; i < set->n; i++)
		count_missed(&set->list[i]);
	set->n = set->n_points = 0;
}

struct uprobe_impl {
	struct stp_uprobes set;
};

static int uprobe_hit(struct uprobe_consumer *uc, struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);
	const struct stp_probe *p = u->of->probe;
	struct stp_cpu *cpu;

	if (!stp_scope_admits(u->point))
		return 0;
	cpu = stp_enter_task(p);
	if (!cpu)
		return 0;
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.point_addr = instruction_pointer(regs);
	cpu->c.point = u->point;
	cpu->c.flags = STP_CTX_USER_REGS;
	stp_run(cpu, p);
	stp_leave_task(cpu);
	return 0;
}

static int uprobe_prepare(struct stp_probe *p)
{
	struct uprobe_impl *impl = kzalloc(sizeof(*impl), GFP_KERNEL);

	p->impl = impl;
	return impl ? stp_uprobes_init(&impl->set, p) : -ENOMEM;
}

static void uprobe_release(struct stp_probe *p)
{
	struct uprobe_impl *impl = p->impl;

	if (!impl)
		return;
	stp_uprobes_exit(&impl->set);
	kfree(impl);
	p->impl = NULL;
}

static int uprobe_arm(struct stp_probe *p)
{
	static const struct uprobe_consumer handlers = { .handler = uprobe_hit };
	struct uprobe_impl *impl = p->impl;

	return stp_uprobes_arm(&impl->set, &handlers, NULL);
}

static void uprobe_disarm(struct stp_probe *p)
{
	struct uprobe_impl *impl = p->impl;

	stp_uprobes_detach(&impl->set);
	stp_uprobes_count(&impl->set);
}

static u32 uprobe_attached(const struct stp_probe *p)
{
	const struct uprobe_impl *impl = p->impl;

	return impl->set.n_points;
}

STP_FAMILY(stp_family_uprobe) = {
	.type = "uprobe",
	.prepare = uprobe_prepare,
	.release = uprobe_release,
	.arm = uprobe_arm,
	.disarm = uprobe_disarm,
	.attached = uprobe_attached,
};
