// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Modules that come and go while a session runs. A probe with a point in one is armed anew then:
 * what is there now is attached, what is leaving is not. ftrace and kallsyms know a module when
 * its notifier says it is coming, before its own init runs. When that is done, the sections of
 * init are given back, and the next module may have its code there: what is attached in them is
 * detached first. When the lock of arming is taken, which may last minutes, or thousands of points
 * are to be armed, it is done behind that, by a work item: the module's own init is missed then.
 * What scripts read in a module that goes, or in its sections of init when they are given back, is
 * out of reach at once. So all of this is followed from load to unload: handlers of begin and end
 * read in modules too.
 */
#include <linux/module.h>
#include <linux/workqueue.h>
#include "probes/probes.h"

static int module_event(struct notifier_block *nb, unsigned long what, void *data)
{
	const struct module *mod = data;

	if (what == MODULE_STATE_COMING || what == MODULE_STATE_GOING) {
		stp_objects_gone(mod->name, what == MODULE_STATE_GOING ? mod : NULL);
		stp_probes_follow(mod->name);
	}
	if (what == MODULE_STATE_LIVE) {
		stp_objects_init_done(mod->name);
		stp_probes_init_done(mod->name);
	}
	return NOTIFY_DONE;
}

/* Before kprobes' own notifier (0): our points are given back before it declares them gone. */
static struct notifier_block follower = { .notifier_call = module_event, .priority = 1 };
static int following;

static void rearm_work(struct work_struct *work)
{
	stp_probes_rearm_modules();
}

static DECLARE_WORK(rearming, rearm_work);

/**
 * stp_modules_later - arm anew what has a point in a module, when the lock of arming is free
 *
 * Context: process.
 */
void stp_modules_later(void)
{
	schedule_work(&rearming);
}

/**
 * stp_modules_follow - begin to follow the modules that come and go
 *
 * What is armed is armed anew with them from now on. Does nothing when no point or variable is in a
 * module. Returns 0 or a negative errno; stp_modules_leave() is safe after either, and before.
 *
 * Context: process, may sleep; without the lock of arming, since loading one takes it from inside
 * the notifier.
 */
int stp_modules_follow(void)
{
	int err = stp_script.n_sections ? register_module_notifier(&follower) : -ENOENT;

	following = !err;
	return err == -ENOENT ? 0 : err;
}

/**
 * stp_modules_leave - follow them no more
 *
 * Waits for a rearming that is under way. Context: process, may sleep; without the lock of arming.
 */
void stp_modules_leave(void)
{
	if (following)
		unregister_module_notifier(&follower);
	following = 0;
	cancel_work_sync(&rearming);
}
