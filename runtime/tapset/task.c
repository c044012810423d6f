// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks in the namespaces that ns_*() count by, and what a script would need a long loop for. A
 * task given by a script is a number that may point anywhere, so its fields are read fault-safely.
 *
 * The namespaces are those of the process that the session was given (--target-namespaces), else of
 * its reader; the initial ones while there is no such process.
 *
 * Context: any handler.
 */
#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/nodemask.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/loadavg.h>
#include <linux/sched/signal.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "access/access.h"
#include "tapset/functions.h"

/* ---- namespaces ---- */

/* Whose namespaces are meant. Under RCU; NULL when it is gone, or nobody reads. */
static struct task_struct *reader_task(void)
{
	u32 pid = READ_ONCE(stp_reader_pid);

	if (stp_namespaces)
		return pid_task(stp_namespaces, PIDTYPE_PID);
	return pid ? pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID) : NULL;
}

/* What the second argument of _stp_task_ns_id() asks for. */
enum ns_id { NS_TGID, NS_TID, NS_PGRP, NS_SID, NS_UID, NS_EUID, NS_GID, NS_EGID };

/* Where a task has the pointer to its struct pid of that kind. */
static u64 pid_pointer(struct stp_ctx *c, u64 task, enum ns_id id)
{
	static const u8 types[] = {
		[NS_TGID] = PIDTYPE_TGID, [NS_PGRP] = PIDTYPE_PGID, [NS_SID] = PIDTYPE_SID
	};
	u64 signal;

	if (id == NS_TID)
		return task + offsetof(struct task_struct, thread_pid);
	signal = stp_read_kernel(c, task + offsetof(struct task_struct, signal), sizeof(void *), 0);
	return signal + offsetof(struct signal_struct, pids) + types[id] * sizeof(void *);
}

/* The number of a struct pid in a namespace; 0 if it has none there. Under RCU. */
static stp_long pid_in(struct stp_ctx *c, u64 pointer, const struct pid_namespace *ns)
{
	u64 pid = c->error ? 0 : stp_read_kernel(c, pointer, sizeof(void *), 0), level;
	struct upid number;

	if (c->error || !pid)
		return 0;
	level = stp_read_kernel(c, pid + offsetof(struct pid, level), sizeof(unsigned int), 0);
	if (c->error || level < ns->level)
		return 0;
	pid += offsetof(struct pid, numbers) + ns->level * sizeof(number);
	if (stp_copy_from(STP_KERNEL, &number, pid, sizeof(number))) {
		stp_errorf(c, "read fault [man error::fault] at 0x%llx", pid);
		return 0;
	}
	return number.ns == ns ? number.nr : 0;
}

/* An id of the task's credentials in a namespace, or the overflow id. Under RCU. */
static stp_long cred_in(struct stp_ctx *c, u64 task, enum ns_id id, struct user_namespace *ns)
{
	static const u8 offsets[] = { [NS_UID] = offsetof(struct cred, uid),
				      [NS_EUID] = offsetof(struct cred, euid),
				      [NS_GID] = offsetof(struct cred, gid),
				      [NS_EGID] = offsetof(struct cred, egid) };
	u64 cred = stp_read_kernel(c, task + offsetof(struct task_struct, real_cred),
				   sizeof(void *), 0);
	u32 value = c->error ? 0 : stp_read_kernel(c, cred + offsets[id], sizeof(u32), 0);

	if (c->error)
		return 0;
	return id >= NS_GID ? from_kgid_munged(ns, KGIDT_INIT(value))
			    : from_kuid_munged(ns, KUIDT_INIT(value));
}

stp_long stp_fn_task_ns_id(struct stp_ctx *c, stp_long task, stp_long id)
{
	struct task_struct *reader;
	struct pid_namespace *ns;
	stp_long result;

	if (id < 0 || id > NS_EGID) {
		stp_errorf(c, "a task has no id %lld", id);
		return 0;
	}
	rcu_read_lock();
	reader = reader_task();
	ns = reader ? task_active_pid_ns(reader) : NULL; /* NULL of one that is dying, too */
	if (id >= NS_UID)
		result =
			cred_in(c, task, id, reader ? __task_cred(reader)->user_ns : &init_user_ns);
	else
		result = pid_in(c, pid_pointer(c, task, id), ns ? ns : &init_pid_ns);
	rcu_read_unlock();
	return result;
}

/* ---- bits, load, nodes ---- */

/*
 * A table of descriptors has no more: fs/file.c, sysctl_nr_open_max is the limit, this is what
 * Linux starts with.
 */
#define MAX_BITS (1024 * 1024)
#define STEPS_PER_ACTION 32 /* of 128 bytes */

stp_long stp_fn_bits_set(struct stp_ctx *c, stp_long addr, stp_long n)
{
	unsigned long words[16];
	stp_long count = 0, left = clamp_t(stp_long, n, 0, MAX_BITS) / BITS_PER_LONG;
	u32 i, steps = 0;

	while (left > 0) {
		u32 step = min_t(stp_long, left, ARRAY_SIZE(words));

		if (stp_copy_from(STP_KERNEL, words, addr, step * sizeof(long))) {
			stp_errorf(c, "read fault [man error::fault] at 0x%llx", (u64)addr);
			return 0;
		}
		for (i = 0; i < step; i++)
			count += hweight_long(words[i]);
		addr += step * sizeof(long);
		left -= step;
		if (++steps % STEPS_PER_ACTION == 0 && stp_actions(c, 1))
			return 0;
	}
	return count;
}

stp_long stp_fn_loadavg(struct stp_ctx *c, stp_long index)
{
	if (index < 0 || index > 2) {
		stp_error(c, "load average index out of range");
		return 0;
	}
	return READ_ONCE(avenrun[index]);
}

stp_long stp_fn_mem_page_size(struct stp_ctx *c)
{
	return PAGE_SIZE;
}

stp_long stp_fn_addr_to_node(struct stp_ctx *c, stp_long addr)
{
	if (!virt_addr_valid((unsigned long)addr))
		return -1;
	return page_to_nid(virt_to_page((void *)(unsigned long)addr));
}
