// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paths of directory entries, put together without the kernel's locks: d_path() may spin on one
 * that the interrupted code holds. What is renamed meanwhile may give a mixture of both paths. All
 * of it is read fault-safely.
 *
 * A path whose beginning does not fit, or is more than MAX_STEPS entries and mounts away, begins
 * with "..." in its place.
 *
 * Context: any handler. At most MAX_STEPS entries and mounts are visited.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/ns_common.h>
#include <linux/proc_ns.h>
#include "access/access.h"
#include "tapset/functions.h"

#define MAX_STEPS 512
#define PID_FS 0x50494446 /* PID_FS_MAGIC, which uapi/linux/magic.h has from 6.9 on */

/* Where struct mount, which is private to the kernel's fs/, has its members. */
struct mount_layout {
	u64 mnt, parent, mountpoint;
};

/* A path under construction, from its end to its beginning. */
struct walk {
	struct stp_ctx *c;
	char *text;
	u32 at; /* index of its first byte */
};

#define POINTER(w, addr, type, member)                                                             \
	((u64)stp_read_kernel((w)->c, (addr) + offsetof(type, member), sizeof(void *), 0))

static void prepend(struct walk *w, const char *s, u32 len)
{
	len = min(len, w->at);
	w->at -= len;
	memcpy(w->text + w->at, s, len);
}

/* What comes before what there is does not fit: say so, instead of its first bytes if need be. */
static void cut(struct walk *w)
{
	static const char dots[] = { '.', '.', '.' };

	w->at = max(w->at, (u32)sizeof(dots)) - sizeof(dots);
	memcpy(w->text + w->at, dots, sizeof(dots));
}

/*
 * The name of an entry, for which and a character more there must be room; 0 when it does not fit,
 * or with the error set when it cannot be read.
 */
static int prepend_component(struct walk *w, u64 dentry)
{
	u32 len = stp_read_kernel(w->c, dentry + offsetof(struct dentry, d_name.len), 4, 0);
	u64 name = POINTER(w, dentry, struct dentry, d_name.name);

	if (w->c->error)
		return 0;
	len = min_t(u32, len, NAME_MAX);
	if (w->at < len + 1) {
		cut(w);
		return 0;
	}
	w->at -= len;
	if (stp_copy_from(STP_KERNEL, w->text + w->at, name, len)) {
		stp_errorf(w->c, "read fault [man error::fault] at 0x%llx", name);
		return 0;
	}
	return 1;
}

/* "/NAME" of an entry; 0 as from prepend_component(). */
static int prepend_name(struct walk *w, u64 dentry)
{
	if (!prepend_component(w, dentry))
		return 0;
	prepend(w, "/", 1);
	return 1;
}

/* From the root of a mount to what it is mounted on; 0 at the mount that has no parent. */
static int step_out(struct walk *w, const struct mount_layout *at, u64 *dentry, u64 *mnt)
{
	u64 mount = *mnt - at->mnt, parent;

	parent = stp_read_kernel(w->c, mount + at->parent, sizeof(void *), 0);
	*dentry = stp_read_kernel(w->c, mount + at->mountpoint, sizeof(void *), 0);
	*mnt = parent + at->mnt;
	return !w->c->error && parent != mount;
}

/*
 * The entry that a mount begins at; 0 for no mount. A mount of a part of a file system, a bind
 * mount say, begins below the root of the file system.
 */
static u64 mount_root(struct walk *w, u64 mnt)
{
	return mnt ? POINTER(w, mnt, struct vfsmount, mnt_root) : 0;
}

/* From dentry up to root, or to where there is no more. */
static void walk_up(struct walk *w, u64 dentry, u64 mnt, u64 root, u64 root_mnt,
		    const struct mount_layout *at)
{
	u64 mnt_root = mount_root(w, mnt), parent;
	u32 steps;

	for (steps = 0; steps < MAX_STEPS && !w->c->error; steps++) {
		if (mnt && dentry == root && mnt == root_mnt)
			return;
		if (mnt && dentry == mnt_root) {
			if (!step_out(w, at, &dentry, &mnt))
				return;
			mnt_root = mount_root(w, mnt);
			continue;
		}
		parent = POINTER(w, dentry, struct dentry, d_parent);
		if (w->c->error || parent == dentry || !prepend_name(w, dentry))
			return;
		dentry = parent;
	}
	if (!w->c->error)
		cut(w);
}

/*
 * Is the entry one that has no place in a tree? d_path() of fs/d_path.c asks the same: whether its
 * file system spells a name for it, unless it is what is mounted, which then has a place.
 */
static int is_nameless(struct walk *w, u64 dentry, u64 mnt)
{
	u64 ops = POINTER(w, dentry, struct dentry, d_op);

	if (w->c->error || !ops || !POINTER(w, ops, struct dentry_operations, d_dname) ||
	    w->c->error)
		return 0;
	return !mnt || POINTER(w, dentry, struct dentry, d_parent) != dentry ||
	       mount_root(w, mnt) != dentry;
}

/* "KIND:[41]", of the inode's number. */
static void prepend_numbered(struct walk *w, u64 dentry, const char *kind)
{
	u64 inode = POINTER(w, dentry, struct dentry, d_inode);
	char text[40];

	if (w->c->error)
		return;
	prepend(w, text,
		scnprintf(text, sizeof(text), "%s:[%llu]", kind,
			  POINTER(w, inode, struct inode, i_ino)));
}

/* "net:[4026531840]": a namespace has its kind from its operations. */
static void prepend_namespace(struct walk *w, u64 dentry)
{
	u64 inode = POINTER(w, dentry, struct dentry, d_inode);
	u64 ns = w->c->error ? 0 : POINTER(w, inode, struct inode, i_private);
	u64 ops = w->c->error ? 0 : POINTER(w, ns, struct ns_common, ops);
	u64 name = w->c->error ? 0 : POINTER(w, ops, struct proc_ns_operations, name);
	char kind[20];

	if (w->c->error)
		return;
	if (stp_copy_string(STP_KERNEL, kind, name, sizeof(kind)) < 0)
		stp_errorf(w->c, "read fault [man error::fault] at 0x%llx", name);
	else
		prepend_numbered(w, dentry, kind);
}

/* What the d_dname() of each file system makes of such an entry. */
static void prepend_nameless(struct walk *w, u64 dentry)
{
	u64 sb = POINTER(w, dentry, struct dentry, d_sb);

	if (w->c->error)
		return;
	switch (POINTER(w, sb, struct super_block, s_magic)) {
	case PIPEFS_MAGIC:
		prepend_numbered(w, dentry, "pipe");
		break;
	case SOCKFS_MAGIC:
		prepend_numbered(w, dentry, "socket");
		break;
	case NSFS_MAGIC:
		prepend_namespace(w, dentry);
		break;
	case ANON_INODE_FS_MAGIC: /* "[eventfd]" */
		if (prepend_component(w, dentry))
			prepend(w, "anon_inode:", 11);
		break;
	case PID_FS:
		prepend(w, "anon_inode:[pidfd]", 18);
		break;
	default: /* simple_dname(): memory files, System V's shared memory */
		prepend(w, " (deleted)", 10);
		prepend_name(w, dentry);
	}
}

/* _stp_dentry_path(): mnt 0 leaves the walk in the file system of dentry. */
struct stp_str stp_fn_dentry_path(struct stp_ctx *c, stp_long dentry, stp_long mnt, stp_long root,
				  stp_long root_mnt, stp_long mnt_offset, stp_long parent_offset,
				  stp_long mountpoint_offset)
{
	const struct mount_layout at = { mnt_offset, parent_offset, mountpoint_offset };
	struct walk w = { .c = c, .at = stp_script.max_string - 1 };
	u32 end = w.at;

	w.text = stp_scratch(c, stp_script.max_string);
	if (!w.text)
		return stp_empty();
	w.text[end] = '\0';
	if (is_nameless(&w, dentry, mnt)) {
		prepend_nameless(&w, dentry);
	} else if (!c->error) {
		if (POINTER(&w, dentry, struct dentry, d_parent) != (u64)dentry &&
		    !POINTER(&w, dentry, struct dentry, d_hash.pprev))
			prepend(&w, " (deleted)", 10);
		walk_up(&w, dentry, mnt, root, root_mnt, &at);
		if (w.at == end)
			prepend(&w, "/", 1);
	}
	return c->error ? stp_empty() : (struct stp_str){ w.text + w.at, end - w.at };
}
