// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procfs probes: files below the module's directory in /proc. Opening one to read takes a buffer;
 * the first read and each from its beginning run the handler, which fills it. A write runs the
 * handler once for each portion that fits a string; more is for the next write() of the caller's.
 *
 * Handlers run on this CPU's context with interrupts off, as those of events do, because they hold
 * locks of globals that events wait for. Where nobody but the owner and root makes them run they
 * may take longer than those of events: see max_action().
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "compat/procfs.h"
#include "core/enter.h"
#include "probes/probes.h"
#include "relay/relay.h"
#include "tapset/functions.h"

#define WAIT_TRIES 100 /* for the session to run, of WAIT_MS each */
#define WAIT_MS 10

/* A file, with the probes of both kinds; or a directory on the way to one, with neither. */
struct proc_node {
	struct list_head list;
	char *path;
	const struct stp_probe *read, *write;
	struct proc_dir_entry *entry; /* NULL: not there now */
};

/* What a handler's $value is about. */
struct hit {
	struct stp_str written;
	char *text; /* to be read: size bytes, len of them used */
	u32 len, size;
};

/* A file opened for reading. */
struct opened {
	struct mutex lock; /* of hit: one reader fills it at a time, whoever shares the file */
	int filled;
	struct hit hit;
	char text[];
};

/*
 * Changed at load and unload only, but for the entries: those when arming. Directories before what
 * is in them.
 */
static LIST_HEAD(nodes);

/* ---- running a handler ---- */

/* Files are there before the session runs. Bounded: who removes the file waits for us. */
static int wait_until_running(void)
{
	int tries = WAIT_TRIES;

	while (READ_ONCE(stp_state) < STP_STATE_RUNNING) {
		if (!tries-- || msleep_interruptible(WAIT_MS))
			return -EAGAIN;
	}
	return 0;
}

/*
 * MAXACTION_INTERRUPTIBLE statements, though interrupts are off: so no more than a handler of the
 * session has at a stretch, or than MAXACTION if that is more. Where the file's mode admits others
 * than the owner, MAXACTION.
 */
static int max_action(const struct stp_probe *p)
{
	if (p->points->procfs.mode & (S_IRWXG | S_IRWXO))
		return stp_max_action;
	return max_t(int, stp_max_action,
		     min_t(u32, stp_script.max_action_interruptible, STP_ACTIONS_PORTION));
}

/*
 * Of those that had their turn, whatever came of it: a condition that is false is an answer, being
 * skipped is none.
 */
static u64 answered(const struct stp_count *count)
{
	return count->ran + count->skipped[STP_SKIP_CONDITION];
}

/* 0; -EIO: the handler failed; -EAGAIN: it did not run, or not to its end, and may another time. */
static int run(const struct stp_probe *p, struct hit *hit)
{
	const struct stp_count *count;
	struct stp_cpu *cpu;
	unsigned long flags;
	u64 errors, before;
	int err = wait_until_running();

	if (err)
		return err;
	cpu = stp_enter(p, &flags);
	if (!cpu)
		return -EAGAIN;
	stp_counters_renew(cpu);
	cpu->c.point = p->points;
	cpu->c.actions = max_action(p);
	cpu->event = hit;
	count = &cpu->counts[p->index];
	errors = count->errors;
	before = answered(count);
	stp_run(cpu, p);
	if (count->errors != errors)
		err = -EIO;
	else if (answered(count) == before)
		err = -EAGAIN;
	stp_leave(cpu, flags);
	return err;
}

/* ---- files ---- */

static u32 read_size(const struct stp_probe *p)
{
	return p->points->procfs.max_size ? p->points->procfs.max_size : stp_script.max_string;
}

static int procfs_open(struct inode *inode, struct file *file)
{
	const struct proc_node *node = stp_pde_data(inode);
	struct opened *opened;

	if ((file->f_mode & FMODE_READ && !node->read) ||
	    (file->f_mode & FMODE_WRITE && !node->write))
		return -EACCES;
	if (!(file->f_mode & FMODE_READ))
		return 0;
	opened = kvmalloc(sizeof(*opened) + read_size(node->read), GFP_KERNEL_ACCOUNT);
	if (!opened)
		return -ENOMEM;
	mutex_init(&opened->lock);
	opened->filled = 0;
	opened->hit = (struct hit){ .text = opened->text, .size = read_size(node->read) };
	file->private_data = opened;
	return 0;
}

static int procfs_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

static ssize_t procfs_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	const struct proc_node *node = stp_pde_data(file_inode(file));
	struct opened *opened = file->private_data;
	ssize_t n = mutex_lock_interruptible(&opened->lock);

	if (n)
		return n;
	if (!*pos || !opened->filled) {
		opened->hit.len = 0;
		n = run(node->read, &opened->hit);
		opened->filled = !n;
	}
	if (!n)
		n = simple_read_from_buffer(buf, count, pos, opened->text, opened->hit.len);
	mutex_unlock(&opened->lock);
	return n;
}

static ssize_t procfs_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	const struct proc_node *node = stp_pde_data(file_inode(file));
	size_t n = min_t(size_t, count, stp_script.max_string - 1);
	struct hit hit = {};
	char *text;
	int err;

	if (!n)
		return 0;
	text = memdup_user_nul(buf, n);
	if (IS_ERR(text))
		return PTR_ERR(text);
	hit.written = stp_cstr(text);
	err = run(node->write, &hit);
	kfree(text);
	if (err)
		return err;
	*pos += n;
	return n;
}

static const struct proc_ops procfs_ops = {
	.proc_open = procfs_open,
	.proc_release = procfs_release,
	.proc_read = procfs_read,
	.proc_write = procfs_write,
	.proc_lseek = default_llseek,
};

/* ---- nodes ---- */

static struct proc_node *node_find(const char *path, size_t len)
{
	struct proc_node *node;

	list_for_each_entry(node, &nodes, list)
	{
		if (strlen(node->path) == len && !memcmp(node->path, path, len))
			return node;
	}
	return NULL;
}

static struct proc_node *node_get(const char *path, size_t len)
{
	struct proc_node *node = node_find(path, len);

	if (node)
		return node;
	node = kzalloc(sizeof(*node), GFP_KERNEL);
	if (!node)
		return NULL;
	node->path = kstrndup(path, len, GFP_KERNEL);
	if (!node->path) {
		kfree(node);
		return NULL;
	}
	list_add_tail(&node->list, &nodes);
	return node;
}

/* All directories on the way, then the file. */
static int procfs_prepare(struct stp_probe *p)
{
	const struct stp_procfs_attach *at = &p->points->procfs;
	const char *slash = at->path;
	struct proc_node *node;

	while ((slash = strchr(slash, '/')) != NULL) {
		if (!node_get(at->path, slash++ - at->path))
			return -ENOMEM;
	}
	node = node_get(at->path, strlen(at->path));
	if (!node)
		return -ENOMEM;
	if (at->write)
		node->write = p;
	else
		node->read = p;
	p->impl = node;
	return 0;
}

/* Whoever is released first frees all: none is armed any more. */
static void procfs_release_nodes(struct stp_probe *p)
{
	struct proc_node *node, *next;

	p->impl = NULL;
	list_for_each_entry_safe(node, next, &nodes, list)
	{
		list_del(&node->list);
		kfree(node->path);
		kfree(node);
	}
}

/* The directory that an entry of that path belongs in; its node is there, and it is made. */
static struct proc_dir_entry *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? node_find(path, slash - path)->entry : stp_control_directory();
}

static int failed(const struct proc_node *node, const char *why, int err)
{
	scnprintf(stp_arm_text, sizeof(stp_arm_text), "procfs file %s: %s", node->path, why);
	return err;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int directories_make(const char *path)
{
	const char *slash = path;

	while ((slash = strchr(slash, '/')) != NULL) {
		struct proc_node *node = node_find(path, slash++ - path);

		if (node->read || node->write)
			return failed(node, "it is to be a directory, too", -ENOTDIR);
		if (!node->entry)
			node->entry = proc_mkdir(base_name(node->path), parent_of(node->path));
		if (!node->entry)
			return -ENOMEM;
	}
	return 0;
}

static u32 mode_of(const struct stp_probe *p)
{
	return p ? p->points->procfs.mode : 0;
}

/* The second probe of a file finds it made. */
static int procfs_arm(struct stp_probe *p)
{
	struct proc_node *node = p->impl;
	kuid_t uid = make_kuid(&init_user_ns, stp_owner);
	int err = directories_make(node->path);

	if (err)
		return err;
	if (node->entry)
		return 0;
	/*
	 * without any bit the kernel would let everybody read (proc_create_reg(),
	 * fs/proc/generic.c)
	 */
	node->entry = proc_create_data(base_name(node->path),
				       (mode_of(node->read) | mode_of(node->write)) ?: S_IRUSR,
				       parent_of(node->path), &procfs_ops, node);
	if (!node->entry)
		return failed(node, "the kernel does not make it", -ENOMEM);
	if (uid_valid(uid))
		proc_set_user(node->entry, uid, GLOBAL_ROOT_GID);
	return 0;
}

static int is_empty(const struct proc_node *directory)
{
	size_t len = strlen(directory->path);
	struct proc_node *node;

	list_for_each_entry(node, &nodes, list)
	{
		if (node->entry && !strncmp(node->path, directory->path, len) &&
		    node->path[len] == '/')
			return 0;
	}
	return 1;
}

static void node_remove(struct proc_node *node)
{
	proc_remove(node->entry);
	node->entry = NULL;
}

/*
 * Waits for reads and writes on their way. With a last file go its directories, the inner ones
 * first.
 */
static void procfs_disarm(struct stp_probe *p)
{
	struct proc_node *node;

	if (p->impl)
		node_remove(p->impl);
	list_for_each_entry_reverse(node, &nodes, list)
	{
		if (!node->read && !node->write && is_empty(node))
			node_remove(node);
	}
}

static u32 procfs_attached(const struct stp_probe *p)
{
	const struct proc_node *node = p->impl;

	return node && READ_ONCE(node->entry) != NULL;
}

STP_FAMILY(stp_family_procfs) = {
	.type = "procfs",
	.prepare = procfs_prepare,
	.release = procfs_release_nodes,
	.arm = procfs_arm,
	.disarm = procfs_disarm,
	.attached = procfs_attached,
};

/* ---- $value ---- */

/* The hit, when it is of a procfs probe of that sort; else NULL with the error set. */
static struct hit *hit_of(struct stp_ctx *c, u32 write)
{
	if (c->probe->family == &stp_family_procfs && c->probe->points->procfs.write == write)
		return stp_cpu_of(c)->event;
	stp_error(c, "there is no $value: this is another kind of probe");
	return NULL;
}

/**
 * stp_fn_procfs_value - $value of a write probe
 *
 * Context: the handler of one; another raises an error.
 */
struct stp_str stp_fn_procfs_value(struct stp_ctx *c)
{
	const struct hit *hit = hit_of(c, 1);

	return hit ? hit->written : stp_empty();
}

/**
 * stp_fn_procfs_append - $value .= of a read probe
 *
 * What is more than .maxsize is cut off. Context: the handler of one; another raises an error.
 */
struct stp_str stp_fn_procfs_append(struct stp_ctx *c, struct stp_str text)
{
	struct hit *hit = hit_of(c, 0);
	u32 n;

	if (!hit)
		return stp_empty();
	n = min(text.len, hit->size - hit->len);
	memcpy(hit->text + hit->len, text.s, n);
	hit->len += n;
	return text;
}

/**
 * stp_fn_procfs_set - $value = of a read probe
 *
 * As stp_fn_procfs_append() otherwise.
 */
struct stp_str stp_fn_procfs_set(struct stp_ctx *c, struct stp_str text)
{
	struct hit *hit = hit_of(c, 0);

	if (hit)
		hit->len = 0;
	return stp_fn_procfs_append(c, text);
}
