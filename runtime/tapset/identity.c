// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who it is: the current task, any task by address, and the session's own names. A task given by a
 * script is a number that may point anywhere, so its fields are read fault-safely.
 *
 * Context: any handler.
 */
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "access/access.h"
#include "tapset/functions.h"

static struct stp_str comm_copy(struct stp_ctx *c, struct task_struct *task)
{
	char *copy = stp_scratch(c, TASK_COMM_LEN);
	u32 len;

	if (!copy)
		return stp_empty();
	memcpy(copy, task->comm, TASK_COMM_LEN);
	len = strnlen(copy, TASK_COMM_LEN - 1);
	copy[len] = '\0';
	return (struct stp_str){ copy, len };
}

struct stp_str stp_fn_execname(struct stp_ctx *c)
{
	return comm_copy(c, stp_task(c));
}

/* Under RCU. NULL when the task has been reaped: nobody keeps its pointer to the parent up then. */
static struct task_struct *parent_of(struct task_struct *task)
{
	return pid_alive(task) ? rcu_dereference(task->real_parent) : NULL;
}

struct stp_str stp_fn_pexecname(struct stp_ctx *c)
{
	struct stp_str name = stp_empty();
	struct task_struct *parent;

	rcu_read_lock();
	parent = parent_of(stp_task(c));
	if (parent)
		name = comm_copy(c, parent);
	rcu_read_unlock();
	return name;
}

stp_long stp_fn_pid(struct stp_ctx *c)
{
	return stp_task(c)->tgid;
}

stp_long stp_fn_tid(struct stp_ctx *c)
{
	return stp_task(c)->pid;
}

stp_long stp_fn_ppid(struct stp_ctx *c)
{
	struct task_struct *parent;
	stp_long pid;

	rcu_read_lock();
	parent = parent_of(stp_task(c));
	pid = parent ? parent->tgid : 0;
	rcu_read_unlock();
	return pid;
}

/* The task's process group or session, as the initial namespace numbers it. */
static stp_long group_nr(struct stp_ctx *c, int session)
{
	struct task_struct *task = stp_task(c);
	struct pid *pid;
	stp_long nr;

	rcu_read_lock();
	pid = session ? task_session(task) : task_pgrp(task);
	nr = pid_nr(pid);
	rcu_read_unlock();
	return nr;
}

stp_long stp_fn_pgrp(struct stp_ctx *c)
{
	return group_nr(c, 0);
}

stp_long stp_fn_sid(struct stp_ctx *c)
{
	return group_nr(c, 1);
}

enum cred_field { CRED_UID, CRED_EUID, CRED_GID, CRED_EGID };

static stp_long cred_get(const struct cred *cred, enum cred_field field)
{
	switch (field) {
	case CRED_UID:
		return __kuid_val(cred->uid);
	case CRED_EUID:
		return __kuid_val(cred->euid);
	case CRED_GID:
		return __kgid_val(cred->gid);
	case CRED_EGID:
		return __kgid_val(cred->egid);
	}
	return 0;
}

static stp_long own_cred(struct stp_ctx *c, enum cred_field field)
{
	stp_long id;

	rcu_read_lock();
	id = cred_get(__task_cred(stp_task(c)), field);
	rcu_read_unlock();
	return id;
}

stp_long stp_fn_uid(struct stp_ctx *c)
{
	return own_cred(c, CRED_UID);
}

stp_long stp_fn_euid(struct stp_ctx *c)
{
	return own_cred(c, CRED_EUID);
}

stp_long stp_fn_gid(struct stp_ctx *c)
{
	return own_cred(c, CRED_GID);
}

stp_long stp_fn_egid(struct stp_ctx *c)
{
	return own_cred(c, CRED_EGID);
}

stp_long stp_fn_cpu(struct stp_ctx *c)
{
	return raw_smp_processor_id();
}

stp_long stp_fn_target(struct stp_ctx *c)
{
	return READ_ONCE(stp_target);
}

stp_long stp_fn_stp_pid(struct stp_ctx *c)
{
	return READ_ONCE(stp_reader_pid);
}

struct stp_str stp_fn_module_name(struct stp_ctx *c)
{
	return stp_cstr(THIS_MODULE->name);
}

stp_long stp_fn_remote_id(struct stp_ctx *c)
{
	return stp_script.remote ? 0 : -1;
}

struct stp_str stp_fn_remote_uri(struct stp_ctx *c)
{
	return stp_script.remote ? stp_cstr(stp_script.remote) : stp_empty();
}

/* ---- any task ---- */

#define task_field(c, task, field)                                                                 \
	stp_read_kernel(c, (task) + offsetof(struct task_struct, field),                           \
			sizeof(((struct task_struct *)0)->field), 1)

stp_long stp_fn_task_current(struct stp_ctx *c)
{
	return (unsigned long)stp_task(c);
}

stp_long stp_fn_task_pid(struct stp_ctx *c, stp_long task)
{
	return task_field(c, task, tgid);
}

stp_long stp_fn_task_tid(struct stp_ctx *c, stp_long task)
{
	return task_field(c, task, pid);
}

stp_long stp_fn_task_prio(struct stp_ctx *c, stp_long task)
{
	return task_field(c, task, prio) - MAX_RT_PRIO;
}

stp_long stp_fn_task_nice(struct stp_ctx *c, stp_long task)
{
	return PRIO_TO_NICE(task_field(c, task, static_prio));
}

/* 5.14, commit 2f064a59a11f: state became __state; task_is_running() came in the same release. */
stp_long stp_fn_task_state(struct stp_ctx *c, stp_long task)
{
#ifdef task_is_running
	return task_field(c, task, __state);
#else
	return task_field(c, task, state);
#endif
}

struct stp_str stp_fn_task_execname(struct stp_ctx *c, stp_long task)
{
	char *copy = stp_scratch(c, TASK_COMM_LEN);
	u64 addr = task + offsetof(struct task_struct, comm);
	u32 len;

	if (!copy)
		return stp_empty();
	if (stp_copy_from(STP_KERNEL, copy, addr, TASK_COMM_LEN)) {
		stp_errorf(c, "read fault [man error::fault] at 0x%llx", addr);
		return stp_empty();
	}
	len = strnlen(copy, TASK_COMM_LEN - 1);
	copy[len] = '\0';
	return (struct stp_str){ copy, len };
}

static stp_long task_cred_get(struct stp_ctx *c, stp_long task, enum cred_field field)
{
	u64 cred = task_field(c, task, real_cred);
	size_t offset = 0;

	switch (field) {
	case CRED_UID:
		offset = offsetof(struct cred, uid);
		break;
	case CRED_EUID:
		offset = offsetof(struct cred, euid);
		break;
	case CRED_GID:
		offset = offsetof(struct cred, gid);
		break;
	case CRED_EGID:
		offset = offsetof(struct cred, egid);
		break;
	}
	return c->error ? 0 : stp_read_kernel(c, cred + offset, 4, 0);
}

stp_long stp_fn_task_uid(struct stp_ctx *c, stp_long task)
{
	return task_cred_get(c, task, CRED_UID);
}

stp_long stp_fn_task_euid(struct stp_ctx *c, stp_long task)
{
	return task_cred_get(c, task, CRED_EUID);
}

stp_long stp_fn_task_gid(struct stp_ctx *c, stp_long task)
{
	return task_cred_get(c, task, CRED_GID);
}

stp_long stp_fn_task_egid(struct stp_ctx *c, stp_long task)
{
	return task_cred_get(c, task, CRED_EGID);
}

stp_long stp_fn_pid2task(struct stp_ctx *c, stp_long pid)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return (unsigned long)task;
}

struct stp_str stp_fn_pid2execname(struct stp_ctx *c, stp_long pid)
{
	struct task_struct *task;
	struct stp_str name = stp_empty();

	rcu_read_lock();
	task = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	if (task)
		name = comm_copy(c, task);
	rcu_read_unlock();
	return name;
}
