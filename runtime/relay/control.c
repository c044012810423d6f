// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/systemtap/MODULE/: the control channel `cmd` and the files beside it, see wire.h.
 *
 * poll() on cmd gives POLLIN when a message waits and POLLPRI when a producer found `waiting` set
 * in its ring. read() blocks for a message unless O_NONBLOCK.
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/umh.h>
#include <linux/user_namespace.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "compat/procfs.h"
#include "relay/relay.h"

#define MAX_WARNINGS 256
#define ORPHAN_DELAY (2 * HZ)

struct message {
	struct list_head list;
	struct stp_msg msg;
};

unsigned int stp_owner;
unsigned long long stp_cookie;
struct task_struct *stp_reader;
struct stp_zone stp_zone = { .name = "UTC" };
u32 stp_reader_pid;
struct pid *stp_namespaces;
static LIST_HEAD(messages);
static u32 n_messages;
static DEFINE_SPINLOCK(messages_lock);
static DEFINE_MUTEX(reading); /* one message goes to one read(), whoever shares the file */
static DECLARE_WAIT_QUEUE_HEAD(readers);
static atomic_t attached = ATOMIC_INIT(0);
static int detaching;
static struct proc_dir_entry *directory;

/**
 * stp_control_send - queue a message for the reader
 * @text: copied; NULL when there is none
 *
 * Cannot fail: the messages that count are few. Of warnings no more than MAX_WARNINGS wait; later
 * ones are dropped, since nobody may be reading.
 *
 * Context: process, may sleep; no lock of ours is needed.
 */
void stp_control_send(u32 type, stp_long arg, const char *text)
{
	u32 len = text ? strlen(text) + 1 : 0;
	struct message *m;

	if (type == STP_MSG_WARNING && READ_ONCE(n_messages) >= MAX_WARNINGS)
		return;
	m = kzalloc(sizeof(*m) + len, GFP_KERNEL | __GFP_NOFAIL);
	m->msg.type = type;
	m->msg.size = sizeof(m->msg) + len;
	m->msg.arg = arg;
	if (len)
		memcpy(m->msg.text, text, len);
	spin_lock(&messages_lock);
	list_add_tail(&m->list, &messages);
	n_messages++;
	spin_unlock(&messages_lock);
	wake_up_interruptible(&readers);
}

/**
 * stp_control_warn - queue a warning with a formatted text
 *
 * Dropped when there is no memory for it. Context: process, may sleep.
 */
void stp_control_warn(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = kvasprintf(GFP_KERNEL, fmt, ap);
	va_end(ap);
	if (!text)
		return;
	stp_control_send(STP_MSG_WARNING, 0, text);
	kfree(text);
}

/**
 * stp_control_poke - wake the reader
 *
 * Takes the lock of a wait queue, which a handler may have interrupted the holder of: handlers get
 * here by way of an irq_work.
 *
 * Context: process, softirq or hardirq, not NMI; not a handler.
 */
void stp_control_poke(void)
{
	wake_up_interruptible(&readers);
}

/**
 * stp_control_attached - does a reader hold cmd open?
 *
 * Context: any.
 */
int stp_control_attached(void)
{
	return atomic_read(&attached);
}

static struct message *message_first(void)
{
	struct message *m;

	spin_lock(&messages_lock);
	m = list_first_entry_or_null(&messages, struct message, list);
	spin_unlock(&messages_lock);
	return m;
}

/*
 * Whoever let cmd go should have removed us. When nobody is left who would (staprun and its reader
 * were both killed), this is the last that can be done: the session has ended, nothing is armed.
 * Who reads a file of ours at that moment holds the module, so it is tried until it is gone.
 */
static void orphan_leave(struct work_struct *work)
{
	char *argv[] = { "/sbin/rmmod", THIS_MODULE->name, NULL };
	char *envp[] = { "PATH=/sbin:/bin:/usr/sbin:/usr/bin", "HOME=/", NULL };

	if (atomic_read(&attached))
		return;
	if (READ_ONCE(stp_state) == STP_STATE_STOPPED)
		call_usermodehelper(argv[0], argv, envp, UMH_WAIT_EXEC);
	schedule_delayed_work(to_delayed_work(work), ORPHAN_DELAY);
}

static DECLARE_DELAYED_WORK(orphaned, orphan_leave);

/* An open cmd holds the module: sleepers in poll() are in its wait queue. */
static int cmd_open(struct inode *inode, struct file *file)
{
	struct task_struct *old;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	if (atomic_cmpxchg(&attached, 0, 1)) {
		module_put(THIS_MODULE);
		return -EBUSY;
	}
	detaching = 0;
	if (mutex_lock_interruptible(&stp_process_mutex)) {
		atomic_set(&attached, 0);
		module_put(THIS_MODULE);
		return -EINTR;
	}
	old = stp_reader;
	stp_reader = get_task_struct(current);
	WRITE_ONCE(stp_reader_pid, current->tgid);
	mutex_unlock(&stp_process_mutex);
	if (old)
		put_task_struct(old);
	stp_members_opened();
	return nonseekable_open(inode, file);
}

static int cmd_release(struct inode *inode, struct file *file)
{
	int left = !detaching;

	if (left)
		stp_session_abandon();
	else
		stp_relay_overwrite(1);
	WRITE_ONCE(stp_reader_pid, 0); /* it may become another process's */
	atomic_set(&attached, 0);
	if (left)
		schedule_delayed_work(&orphaned, ORPHAN_DELAY);
	module_put(THIS_MODULE);
	return 0;
}

/* Hand the first message out; 0 when there is none. */
static ssize_t message_read(char __user *buf, size_t count)
{
	struct message *m = message_first();
	ssize_t size;

	if (!m)
		return 0;
	size = m->msg.size;
	if (count < size)
		return -EMSGSIZE;
	if (copy_to_user(buf, &m->msg, size))
		return -EFAULT;
	spin_lock(&messages_lock);
	list_del(&m->list);
	n_messages--;
	spin_unlock(&messages_lock);
	kfree(m);
	return size;
}

static ssize_t cmd_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	ssize_t n;
	int err;

	for (;;) {
		err = mutex_lock_interruptible(&reading);
		if (err)
			return err;
		n = message_read(buf, count);
		mutex_unlock(&reading);
		if (n)
			return n;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		err = wait_event_interruptible(readers, message_first());
		if (err)
			return err;
	}
}

/*
 * Before the session starts, so that no handler reads it meanwhile. Threads may share cmd: one of
 * them sets it.
 */
static int set_namespaces(stp_long pid)
{
	int err = -EALREADY;

	mutex_lock(&stp_process_mutex);
	if (!stp_namespaces && READ_ONCE(stp_state) == STP_STATE_LOADED) {
		rcu_read_lock();
		stp_namespaces = get_pid(find_vpid(pid));
		rcu_read_unlock();
		err = stp_namespaces ? 0 : -ESRCH;
	}
	mutex_unlock(&stp_process_mutex);
	return err;
}

/*
 * By which the kernel, and scripts, know the process that the caller's namespace has as PID; else
 * PID.
 */
static stp_long global_pid(stp_long pid)
{
	struct pid *found;

	rcu_read_lock();
	found = find_vpid(pid);
	if (found)
		pid = pid_nr(found);
	rcu_read_unlock();
	return pid;
}

static ssize_t cmd_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct stp_cmd cmd;
	int err;

	if (count != sizeof(cmd))
		return -EINVAL;
	if (copy_from_user(&cmd, buf, sizeof(cmd)))
		return -EFAULT;
	switch (cmd.type) {
	case STP_CMD_START:
		stp_relay_overwrite(0);
		if (!stp_session_start(global_pid(cmd.arg)))
			return -EALREADY;
		break;
	case STP_CMD_EXIT:
		stp_session_stop();
		break;
	case STP_CMD_DETACH:
		detaching = 1;
		break;
	case STP_CMD_TARGET:
		WRITE_ONCE(stp_target, global_pid(cmd.arg));
		break;
	case STP_CMD_ZONE:
		stp_zone.west = cmd.more;
		memcpy(stp_zone.name, &cmd.arg, sizeof(cmd.arg));
		break;
	case STP_CMD_NAMESPACES:
		err = set_namespaces(cmd.arg);
		if (err)
			return err;
		break;
	default:
		return -EINVAL;
	}
	return count;
}

static __poll_t cmd_poll(struct file *file, struct poll_table_struct *wait)
{
	__poll_t mask = 0;

	poll_wait(file, &readers, wait);
	if (message_first())
		mask |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(stp_data_ready) && xchg(&stp_data_ready, 0))
		mask |= EPOLLPRI;
	return mask;
}

static const struct proc_ops cmd_ops = {
	.proc_open = cmd_open,
	.proc_release = cmd_release,
	.proc_read = cmd_read,
	.proc_write = cmd_write,
	.proc_poll = cmd_poll,
	.proc_lseek = noop_llseek,
};

static int ring_mmap(struct file *file, struct vm_area_struct *vma)
{
	return stp_relay_mmap((int)(long)stp_pde_data(file_inode(file)), vma);
}

static const struct proc_ops ring_ops = {
	.proc_mmap = ring_mmap,
	.proc_lseek = noop_llseek,
};

static ssize_t script_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	return simple_read_from_buffer(buf, count, pos, stp_blob, stp_blob_len);
}

static const struct proc_ops script_ops = {
	.proc_read = script_read,
	.proc_lseek = default_llseek,
};

/* A file of figures, which are put together at each read. */
static ssize_t figures_read(char __user *buf, size_t count, loff_t *pos, size_t size,
			    void (*fill)(void *figures))
{
	void *figures;
	ssize_t n;

	if (!size || *pos >= size)
		return 0;
	figures = kvmalloc(size, GFP_KERNEL);
	if (!figures)
		return -ENOMEM;
	fill(figures);
	n = simple_read_from_buffer(buf, count, pos, figures, size);
	kvfree(figures);
	return n;
}

static void ledger_fill(void *rows)
{
	stp_ledger_fill(rows);
}

static ssize_t ledger_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	return figures_read(buf, count, pos, stp_ledger_size(), ledger_fill);
}

static const struct proc_ops ledger_ops = {
	.proc_read = ledger_read,
	.proc_lseek = default_llseek,
};

static void timing_fill(void *timing)
{
	stp_timing_fill(timing);
}

static ssize_t timing_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	return figures_read(buf, count, pos, stp_timing_size(), timing_fill);
}

static const struct proc_ops timing_ops = {
	.proc_read = timing_read,
	.proc_lseek = default_llseek,
};

static int directory_make(void)
{
	char name[sizeof(STP_PROC_NAME "/") + MODULE_NAME_LEN];
	int err = stp_root_make();

	if (err)
		return err;
	snprintf(name, sizeof(name), STP_PROC_NAME "/%s", THIS_MODULE->name);
	directory = proc_mkdir(name, NULL);
	return directory ? 0 : -ENOMEM;
}

static int file_make(const char *name, const struct proc_ops *ops, long data)
{
	struct proc_dir_entry *entry;
	kuid_t uid = make_kuid(&init_user_ns, stp_owner);

	entry = proc_create_data(name, 0600, directory, ops, (void *)data);
	if (!entry)
		return -ENOMEM;
	if (uid_valid(uid))
		proc_set_user(entry, uid, GLOBAL_ROOT_GID);
	return 0;
}

/**
 * stp_control_init - publish the files
 *
 * Context: process, last at load.
 */
int stp_control_init(void)
{
	char name[24];
	int err, cpu;

	err = stp_blob_init();
	if (!err)
		err = directory_make();
	if (!err)
		err = file_make("script", &script_ops, 0);
	if (!err)
		err = file_make("ledger", &ledger_ops, 0);
	if (!err && stp_script.flags & STP_SCRIPT_TIMING)
		err = file_make("timing", &timing_ops, 0);
	for_each_possible_cpu(cpu)
	{
		if (err)
			break;
		snprintf(name, sizeof(name), "ring%d", cpu);
		err = file_make(name, &ring_ops, cpu);
	}
	if (!err)
		err = file_make("cmd", &cmd_ops, 0);
	return err;
}

/**
 * stp_control_directory - /proc/systemtap/MODULE
 *
 * From stp_control_init() to stp_control_exit(). Context: process.
 */
struct proc_dir_entry *stp_control_directory(void)
{
	return directory;
}

/**
 * stp_control_file - one more file beside cmd, for the owner
 *
 * It goes with the others. 0 or -ENOMEM. From stp_control_init() to stp_control_exit(). Context:
 * process.
 */
int stp_control_file(const char *name, const struct proc_ops *ops)
{
	return file_make(name, ops, 0);
}

/**
 * stp_control_exit - take the files away, closing what is open
 *
 * Context: process, at unload, after the session ended.
 */
void stp_control_exit(void)
{
	struct message *m, *next;

	proc_remove(directory);
	directory = NULL;
	cancel_delayed_work_sync(&orphaned);
	list_for_each_entry_safe(m, next, &messages, list)
	{
		list_del(&m->list);
		kfree(m);
	}
	if (stp_reader)
		put_task_struct(stp_reader);
	stp_reader = NULL;
	put_pid(stp_namespaces);
	stp_namespaces = NULL;
	stp_blob_exit();
}
