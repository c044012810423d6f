// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of files that user stacks meet and that the module does not carry. A handler notes such a
 * file, once, and holds it: the map that it was found in is held too, so the file is not on its way
 * out. The reader is woken, takes a descriptor of that very file, whatever has become of the
 * process and of the path, makes the table with what pass 3 makes tables with, and hands it in; it
 * is checked (table_check.c), and later handlers search it.
 *
 * A file is known by device, number, generation, size and the time of its last change. The first
 * four alone are those of another file too where a file system has subvolumes (btrfs), each with
 * numbers of its own, and after it was written anew in place. Its slot goes one way, and belongs to
 * who has changed its state:
 *
 *   FREE -> CLAIMED -> NOTED -> TAKEN -> READY or REFUSED
 *              |         |        |
 *            IDLE <------+--------+   the reader has gone; noted again when there is one
 *
 * FREE and IDLE become CLAIMED in a handler, by cmpxchg, and NOTED when the file is in the slot.
 * All other changes are made in process context under `lock`. No slot becomes FREE again and no
 * table goes before the module does, when no handler can run any more, so the state is all that a
 * look-up has to read, and it takes no lock.
 *
 * Only for root: the reader of anybody else would be given files that he may not read.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include "compat/file.h"
#include "relay/relay.h"
#include "unwind/table_check.h"
#include "unwind/user_tables.h"
#include "uapi/wire.h"

#define SLOT_BITS 9
#define N_SLOTS (1u << SLOT_BITS)
#define MAX_LOOKS 16      /* a file that finds no slot among so many is not noted */
#define TABLES_MAX SZ_64M /* bytes of all together */

enum state { FREE, CLAIMED, NOTED, TAKEN, READY, REFUSED, IDLE };

struct slot {
	u32 state; /* enum state */
	u32 generation;
	u64 ino;
	dev_t dev;
	loff_t size;
	struct timespec64 changed;
	struct file *file;            /* NOTED: held */
	struct stp_user_table *table; /* READY */
};

static struct slot *slots; /* NULL: the script has no use for them */
static u32 noting;         /* somebody reads what is noted */
static u32 news;           /* and has not been woken yet */
static u32 met_foreign;    /* files that others than root own or may write */
static atomic_t n_noted;
static atomic_t n_beyond; /* look-ups of files that found no slot */
static DEFINE_MUTEX(lock);
static int made;         /* the file in /proc */
static u64 n_bytes;      /* of tables */
static u32 n_too_big;    /* tables that were not kept */
static u32 n_distrusted; /* files that were not read */
static atomic_t opened = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(waiting);

/* ---- in handlers ---- */

static int is_of(const struct slot *s, const struct inode *inode)
{
	const struct timespec64 changed = stp_inode_changed(inode);

	return s->ino == inode->i_ino && s->dev == inode->i_sb->s_dev &&
	       s->generation == inode->i_generation && s->size == i_size_read(inode) &&
	       timespec64_equal(&s->changed, &changed);
}

static int is_roots_inode(const struct inode *inode)
{
	return uid_eq(inode->i_uid, GLOBAL_ROOT_UID) && !(inode->i_mode & (S_IWGRP | S_IWOTH));
}

/*
 * The slot of a file; when it has none, the one it could have, or one that is being filled; NULL:
 * there is no place.
 */
static struct slot *slot_of(const struct inode *inode, u32 *state)
{
	u32 at = hash_64(inode->i_ino ^ (u64)inode->i_sb->s_dev << 40, SLOT_BITS), i;

	for (i = 0; i < MAX_LOOKS; i++) {
		struct slot *s = &slots[(at + i) % N_SLOTS];

		/* pairs with the release of who set it: what belongs to the state is there */
		*state = smp_load_acquire(&s->state);
		if (*state == FREE || *state == CLAIMED || is_of(s, inode))
			return s;
	}
	return NULL;
}

static void note(struct slot *s, u32 was, struct file *file)
{
	const struct inode *inode = file_inode(file);

	if (cmpxchg(&s->state, was, CLAIMED) != was)
		return;
	s->ino = inode->i_ino;
	s->dev = inode->i_sb->s_dev;
	s->generation = inode->i_generation;
	s->size = i_size_read(inode);
	s->changed = stp_inode_changed(inode);
	s->file = get_file(file);
	atomic_inc(&n_noted);
	/* pairs with the acquire in slot_of() and first_noted() */
	smp_store_release(&s->state, NOTED);
	WRITE_ONCE(news, 1);
}

/**
 * stp_user_table_met - the table of what is mapped, which is a file that the module does not carry
 * @wanted: set when it has none yet, but may get one
 *
 * NULL: it has none. The file is noted then. Good while interrupts are off, as they are while the
 * map is held.
 * Context: any handler.
 */
const struct stp_user_table *stp_user_table_met(const struct vm_area_struct *vma, int *wanted)
{
	const struct inode *inode = file_inode(vma->vm_file);
	struct slot *s;
	u32 state;

	if (!slots || !S_ISREG(inode->i_mode))
		return NULL;
	s = slot_of(inode, &state);
	if (s && state == READY)
		return s->table;
	if (!READ_ONCE(noting) || !(vma->vm_flags & VM_EXEC) || (s && state == REFUSED))
		return NULL;
	if (!is_roots_inode(inode)) {
		/* no slot for it: users have as many files as they like */
		WRITE_ONCE(met_foreign, 1);
		return NULL;
	}
	if (!s) {
		atomic_inc(&n_beyond);
		return NULL;
	}
	*wanted = 1;
	if (state == FREE || state == IDLE)
		note(s, state, vma->vm_file);
	return NULL;
}

/**
 * stp_user_tables_tell - wake the reader when there is something new
 *
 * Context: hardirq, not a handler: it takes the lock of a wait queue.
 */
void stp_user_tables_tell(void)
{
	if (READ_ONCE(news) && xchg(&news, 0))
		wake_up_interruptible(&waiting);
}

/* ---- the reader ---- */

static struct slot *first_noted(void)
{
	u32 i;

	for (i = 0; i < N_SLOTS; i++) {
		if (smp_load_acquire(&slots[i].state) == NOTED)
			return &slots[i];
	}
	return NULL;
}

/* The slot gives its file away. */
static struct file *leave_noted(struct slot *s, enum state state)
{
	struct file *file = s->file;

	s->file = NULL;
	atomic_dec(&n_noted);
	smp_store_release(&s->state, state);
	return file;
}

/*
 * Does nobody but root decide what is in the file? It is the kernel's rule for set-uid programs:
 * what users have mounted says of its files what they want, and opening one may wait for them
 * (FUSE).
 */
static int is_roots(const struct file *file)
{
	const struct path *path = stp_user_path(file);
	const struct inode *inode = file_inode(file);

	return inode->i_sb->s_user_ns == &init_user_ns &&
	       path->dentry->d_sb->s_user_ns == &init_user_ns &&
	       !(path->mnt->mnt_flags & MNT_NOSUID) && is_roots_inode(inode) &&
	       d_real_inode(path->dentry) == inode;
}

/* The next file for the reader; NULL: there is none. */
static struct slot *next_wanted(void)
{
	struct slot *s;

	while ((s = first_noted()) != NULL && !is_roots(s->file)) {
		n_distrusted++;
		fput(leave_noted(s, REFUSED));
	}
	return s;
}

/*
 * Opened anew: what is mapped has a position of its own, and below an overlay is of a kind that no
 * process has a descriptor of (since 6.5). An
 * ERR_PTR: there is no file, -ENOENT, or it cannot be opened.
 */
static struct file *open_next(struct slot **ret)
{
	struct slot *s = next_wanted();

	*ret = s;
	return s ? dentry_open(stp_user_path(s->file), O_RDONLY | O_LARGEFILE, current_cred())
		 : ERR_PTR(-ENOENT);
}

/* The file goes to the reader, under the descriptor FD. */
static ssize_t hand_out(char __user *buf, int fd)
{
	struct stp_table_wanted wanted = { .fd = fd };
	struct file *file;
	struct slot *s;

	while (IS_ERR(file = open_next(&s))) {
		if (!s)
			return 0;
		fput(leave_noted(s, REFUSED));
	}
	wanted.slot = s - slots;
	if (copy_to_user(buf, &wanted, sizeof(wanted))) {
		fput(file);
		return -EFAULT;
	}
	fput(leave_noted(s, TAKEN));
	fd_install(fd, file);
	return sizeof(wanted);
}

static ssize_t tables_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	int fd, err;
	ssize_t n;

	if (count < sizeof(struct stp_table_wanted))
		return -EINVAL;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	err = mutex_lock_interruptible(&lock);
	n = err;
	if (!err) {
		n = hand_out(buf, fd);
		mutex_unlock(&lock);
	}
	if (n <= 0)
		put_unused_fd(fd);
	return n;
}

/* A copy of a table in user space, checked; an ERR_PTR. */
static struct stp_user_table *copy_table(const char __user *from, u32 size)
{
	struct stp_user_table *t;

	if (n_bytes + size > TABLES_MAX || !stp_mem_fits(size)) {
		n_too_big++;
		return ERR_PTR(-ENOSPC);
	}
	t = kvmalloc(size, GFP_KERNEL | __GFP_NOWARN);
	if (!t) {
		n_too_big++;
		return ERR_PTR(-ENOMEM);
	}
	if (!copy_from_user(t, from, size) && stp_user_table_valid(t, size))
		return t;
	kvfree(t);
	return ERR_PTR(-EINVAL);
}

/* SIZE 0: there is no table of that file. Whatever comes of it, it is not asked for again. */
static int take_in(const struct stp_table_given *given, const char __user *from)
{
	struct stp_user_table *t;
	struct slot *s;

	if (given->slot >= N_SLOTS || slots[given->slot].state != TAKEN)
		return -ESTALE;
	s = &slots[given->slot];
	t = given->size ? copy_table(from, given->size) : NULL;
	if (IS_ERR_OR_NULL(t)) {
		smp_store_release(&s->state, REFUSED);
		return PTR_ERR_OR_ZERO(t);
	}
	s->table = t;
	n_bytes += given->size;
	/* pairs with the acquire in slot_of(): the table is whole before it is seen */
	smp_store_release(&s->state, READY);
	return 0;
}

static ssize_t tables_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct stp_table_given given;
	int err;

	if (count < sizeof(given) || count - sizeof(given) > STP_USER_TABLE_MAX)
		return -EINVAL;
	if (copy_from_user(&given, buf, sizeof(given)))
		return -EFAULT;
	if (given.size != count - sizeof(given))
		return -EINVAL;
	err = mutex_lock_interruptible(&lock);
	if (err)
		return err;
	err = take_in(&given, buf + sizeof(given));
	mutex_unlock(&lock);
	return err ? err : count;
}

static __poll_t tables_poll(struct file *file, struct poll_table_struct *wait)
{
	poll_wait(file, &waiting, wait);
	return atomic_read(&n_noted) ? EPOLLIN | EPOLLRDNORM : 0;
}

/*
 * Sleepers in poll() are in our wait queue: so an open file holds the module. What is read from it
 * is files of all processes.
 */
static int tables_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_ADMIN) || current->tgid != READ_ONCE(stp_reader_pid))
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	if (atomic_cmpxchg(&opened, 0, 1)) {
		module_put(THIS_MODULE);
		return -EBUSY;
	}
	WRITE_ONCE(noting, 1);
	return nonseekable_open(inode, file);
}

/*
 * Nobody reads any more: files that wait to be taken are let go, and those that were taken may be
 * noted again.
 */
static int tables_release(struct inode *inode, struct file *file)
{
	u32 i;

	WRITE_ONCE(noting, 0);
	if (READ_ONCE(stp_state) != STP_STATE_STOPPED)
		synchronize_rcu(); /* handlers that still note */
	mutex_lock(&lock);
	for (i = 0; i < N_SLOTS; i++) {
		if (slots[i].state == NOTED)
			fput(leave_noted(&slots[i], IDLE));
		else if (slots[i].state == TAKEN)
			smp_store_release(&slots[i].state, IDLE);
	}
	mutex_unlock(&lock);
	atomic_set(&opened, 0);
	module_put(THIS_MODULE);
	return 0;
}

static const struct proc_ops tables_ops = {
	.proc_open = tables_open,
	.proc_release = tables_release,
	.proc_read = tables_read,
	.proc_write = tables_write,
	.proc_poll = tables_poll,
	.proc_lseek = noop_llseek,
};

/* ---- the session ---- */

static int user_tables_init(void)
{
	slots = kvcalloc(N_SLOTS, sizeof(*slots), GFP_KERNEL);
	return slots ? 0 : -ENOMEM;
}

/* The file of the reader has been removed, and with it closed. */
static void user_tables_exit(void)
{
	u32 i;

	for (i = 0; i < N_SLOTS; i++) {
		if (slots[i].file)
			fput(slots[i].file);
		kvfree(slots[i].table);
	}
	kvfree(slots);
	slots = NULL;
}

/* Without the file there are tables of what the module carries, as for other users than root. */
static void user_tables_opened(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || stp_owner)
		return;
	mutex_lock(&lock);
	made = made || !stp_control_file("tables", &tables_ops);
	mutex_unlock(&lock);
}

static void user_tables_stop(void)
{
	if (n_distrusted || READ_ONCE(met_foreign))
		stp_control_warn(
			"No tables for user stacks were made of files where others than root decide what is in them: -d may name them.");
	if (atomic_read(&n_beyond))
		stp_control_warn(
			"User stacks met more files than are kept (%u): some have no names.",
			N_SLOTS);
	if (n_too_big)
		stp_control_warn(
			"No stacks and symbols of %u files: there was no room for their tables, which may have %u MB in all.",
			n_too_big, TABLES_MAX >> 20);
}

const struct stp_member stp_member_user_tables = {
	.init = user_tables_init,
	.exit = user_tables_exit,
	.opened = user_tables_opened,
	.stop = user_tables_stop,
};
