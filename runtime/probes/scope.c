// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scopes: which processes a point in user space means. A session with a target (-c, -x) limits each
 * of them to the target and its descendants, whatever else it says. Files and processes are looked
 * up when the module is loaded, by whoever loads it; files are compared by inode, that of the file
 * system at the bottom: so a container's own path to the same file is the same, and a file of the
 * same name another one.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sort.h>
#include "compat/portable.h"
#include "probes/probes.h"
#include "probes/processes.h"
#include "probes/scope.h"

static struct path *paths;    /* by scope; empty: it has no file, or that is not there */
static struct inode **inodes; /* of the paths, in order */
static int started;

static struct inode *inode_of(u32 scope)
{
	return paths[scope].dentry ? d_real_inode(paths[scope].dentry) : NULL;
}

static int compare(const void *a, const void *b)
{
	const struct inode *x = *(struct inode *const *)a, *y = *(struct inode *const *)b;

	return x < y ? -1 : x > y;
}

/* The list of distinct inodes, by which processes know the file they run. */
static void list_files(void)
{
	u32 i, n = 0, distinct = 0;

	for (i = 0; i < stp_script.n_scopes; i++) {
		if (inode_of(i))
			inodes[n++] = inode_of(i);
	}
	sort(inodes, n, sizeof(*inodes), compare, NULL);
	for (i = 0; i < n; i++) {
		if (!distinct || inodes[distinct - 1] != inodes[i])
			inodes[distinct++] = inodes[i];
	}
	stp_processes_wanted.files = inodes;
	stp_processes_wanted.n_files = distinct;
}

/*
 * The process that has the number, or one of whose threads has, for who loads the module; NULL:
 * none. The caller puts it.
 */
static struct pid *process_of(pid_t nr)
{
	struct task_struct *task;
	struct pid *ret;

	rcu_read_lock();
	task = pid_task(find_vpid(nr), PIDTYPE_PID);
	ret = task ? get_pid(task_tgid(task)) : NULL;
	rcu_read_unlock();
	return ret;
}

/* A file or process that is not there refuses the points that name it, not the module. */
static int scopes_init(void)
{
	u32 i;

	paths = stp_mem_alloc(array_size(stp_script.n_scopes + 1, sizeof(*paths)));
	inodes = stp_mem_alloc(array_size(stp_script.n_scopes + 1, sizeof(*inodes)));
	if (!paths || !inodes) {
		stp_mem_free(paths);
		stp_mem_free(inodes);
		return -ENOMEM;
	}
	for (i = 0; i < stp_script.n_scopes; i++) {
		struct stp_scope *scope = &stp_script.scopes[i];

		if (scope->file && kern_path(scope->file, LOOKUP_FOLLOW, &paths[i]))
			paths[i] = (struct path){};
		if (scope->pid)
			scope->process = process_of(scope->pid);
	}
	list_files();
	return 0;
}

static void scopes_exit(void)
{
	u32 i;

	if (started)
		stp_processes_exit();
	for (i = 0; i < stp_script.n_scopes; i++) {
		path_put(&paths[i]);
		put_pid(stp_script.scopes[i].process);
	}
	stp_mem_free(paths);
	stp_mem_free(inodes);
}

/* Are processes to be followed for their own sake? A PID needs no table. */
static int scope_resolve(struct stp_scope *scope, u32 index)
{
	u32 limits = stp_target ? STP_LIMIT_TARGET : 0;

	if (scope->pid)
		limits |= STP_LIMIT_PID;
	if (scope->file) {
		limits |= STP_LIMIT_FILE;
		scope->number = inode_of(index) ? stp_file_number(inode_of(index)) : 0;
	}
	WRITE_ONCE(scope->limits, limits);
	return !!(limits & (STP_LIMIT_TARGET | STP_LIMIT_FILE));
}

/* Once: what is attached does not change any more. */
static int scopes_start(void)
{
	int follow = !!stp_processes_wanted.hooks;
	u32 i;

	for (i = 0; i < stp_script.n_scopes; i++)
		follow |= scope_resolve(&stp_script.scopes[i], i);
	if (!follow && !stp_target)
		return 0;
	started = 1;
	return stp_processes_start();
}

static void scopes_running(void)
{
	if (started)
		stp_processes_running();
}

static void scopes_stop(void)
{
	u32 refused = stp_processes_refused();

	if (refused)
		stp_control_warn("Too many processes at once: %u were not followed.", refused);
}

const struct stp_member stp_member_scopes = {
	.init = scopes_init,
	.exit = scopes_exit,
	.start = scopes_start,
	.running = scopes_running,
	.stop = scopes_stop,
};

/**
 * stp_scope_holds - is a task in a process that the scope means?
 *
 * Context: any handler; a task that is not the current one does not go away meanwhile.
 */
int stp_scope_holds(const struct stp_scope *scope, const struct task_struct *task)
{
	const struct stp_process *process;
	u32 limits = scope->limits;

	if (limits & STP_LIMIT_PID &&
	    (!scope->process || task_tgid((void *)task) != scope->process))
		return 0;
	if (!(limits & (STP_LIMIT_TARGET | STP_LIMIT_FILE)))
		return 1;
	process = stp_process_find(task->signal);
	if (!process || (limits & STP_LIMIT_TARGET && !stp_process_is_targets(process)))
		return 0;
	return !(limits & STP_LIMIT_FILE) ||
	       (scope->number && READ_ONCE(process->file) == scope->number);
}

int stp_scope_admits_current(const struct stp_point *point)
{
	return stp_scope_admits(point);
}

/**
 * stp_scope_refused - why a point's scope can mean no process at all; NULL: it can
 *
 * Context: process, when arming.
 */
const char *stp_scope_refused(const struct stp_point *point)
{
	const struct stp_scope *scope = point->scope;

	if (scope && scope->file && !scope->number)
		return "there is no such file any more";
	if (scope && scope->pid && !scope->process)
		return "there is no such process";
	return NULL;
}
