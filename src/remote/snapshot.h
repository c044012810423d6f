/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warm guests. After a cold boot the machine is saved once: its RAM is a sparse file, its devices
 * half a megabyte beside it. Later guests are copy-on-write clones of that file and are ready in a
 * fraction of a second. A snapshot is a directory snap-KERNEL-KEY in the cache; KEY covers QEMU,
 * its arguments, the kernel and the initrd. It appears by rename, whole. Saving a new one removes
 * those of the same kernel that were not used for an hour, and what dead processes left.
 */
#ifndef SPILE_REMOTE_SNAPSHOT_H
#define SPILE_REMOTE_SNAPSHOT_H

#include <stdbool.h>

#include "remote/qemu.h"

/* Names only: nothing is open, and nothing is to be released. */
struct snapshot {
	const char *cache_dir;
	const char *prefix; /* snap-KERNEL- */
	const char *dir;    /* where it is or will be */
	const char *fresh;  /* where ours is made before it is renamed */
};

/* Name the snapshot of CONFIG; everything lives in ARENA. */
struct error *snapshot_init(struct snapshot *snap, const char *cache_dir,
			    const struct qemu_config *config, struct arena *arena) ERROR_MUST_CHECK;
/* Whether there is one, whole or damaged. */
bool snapshot_exists(const struct snapshot *snap);
/*
 * It exists and is as it was saved. A damaged one is reported and discarded. Counts as use: its
 * time is set to now.
 */
bool snapshot_usable(const struct snapshot *snap, struct arena *arena);
/* Forget one that did not restore. */
void snapshot_discard(const struct snapshot *snap);

/*
 * Point CONFIG at a new RAM file; false when there is no room for one or it cannot be made, and
 * CONFIG is unchanged. To be followed by snapshot_save() or snapshot_abandon().
 */
bool snapshot_prepare(const struct snapshot *snap, struct qemu_config *config, struct arena *arena);
/*
 * Save the booted machine, whose monitor is open. When it worked, the machine must be stopped: its
 * RAM file is the snapshot's now. When it did not, it may go on by qemu_continue(), and
 * snapshot_abandon() is still to be called.
 */
struct error *snapshot_save(const struct snapshot *snap, struct qemu *qemu,
			    struct arena *arena) ERROR_MUST_CHECK;
/* What snapshot_prepare made and nobody saved. */
void snapshot_abandon(const struct snapshot *snap);

/*
 * Start a clone: it runs from where the saved machine stood. CONFIG is changed to that of a
 * clone. On failure nothing runs.
 */
struct error *snapshot_restore(const struct snapshot *snap, struct qemu_config *config,
			       struct arena *arena, struct qemu *ret) ERROR_MUST_CHECK;

#endif
