/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saved machines in the cache: naming, saving, restoring, and removing those that are out of use.
 * A snapshot depends on everything that is part of its key; a change of any makes another name.
 */
#include "remote/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/seal.h"

#define FORMAT "2"

/* A file as it is now, by path, size and time. */
static const char *stamp(struct arena *arena, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return "missing";
	return arena_printf(arena, "%s %lld %lld.%09ld", path, (long long)st.st_size,
			    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

struct error *snapshot_init(struct snapshot *snap, const char *cache_dir,
			    const struct qemu_config *config, struct arena *arena)
{
	struct qemu_config shape = *config;
	const char *key;

	shape.ram = QEMU_RAM_SAVED;
	/* the initrd's name is made of what is in it; its time says when it was last used */
	key = arena_printf(arena, FORMAT "\n%s\n%s\n%s\n%s", stamp(arena, config->program),
			   stamp(arena, config->image), config->initrd,
			   qemu_describe(arena, &shape));
	snap->cache_dir = cache_dir;
	snap->prefix =
		arena_printf(arena, "snap-%08x-", hash_bytes(config->image, strlen(config->image)));
	snap->dir = arena_printf(arena, "%s/%s%016llx", cache_dir, snap->prefix,
				 (unsigned long long)hash_bytes64(key, strlen(key), 0));
	snap->fresh = arena_printf(arena, "%s.%d", snap->dir, (int)getpid());
	return dir_create_all(cache_dir);
}

bool snapshot_exists(const struct snapshot *snap)
{
	return access(snap->dir, R_OK | X_OK) == 0;
}

bool snapshot_usable(const struct snapshot *snap, struct arena *arena)
{
	char *why;

	if (!snapshot_exists(snap))
		return false;
	utimensat(AT_FDCWD, snap->dir, NULL, 0); /* when it was last used */
	why = seal_broken(path_join(arena, snap->dir, "seal"), snap->dir);
	if (!why)
		return true;
	seal_report(snap->dir, why);
	free(why);
	snapshot_discard(snap);
	return false;
}

/* What cannot be removed is tried again by a later prune(). */
static void remove_quietly(const char *dir)
{
	error_destroy(dir_remove_all(dir));
}

void snapshot_discard(const struct snapshot *snap)
{
	remove_quietly(snap->dir);
}

void snapshot_abandon(const struct snapshot *snap)
{
	if (file_exists(snap->fresh))
		remove_quietly(snap->fresh);
	cleanup_drop_path(snap->fresh);
}

bool snapshot_prepare(const struct snapshot *snap, struct qemu_config *config, struct arena *arena)
{
	struct statvfs vfs;
	bool made;

	/* A full disk under a mapped RAM file would be a SIGBUS in QEMU. */
	if (statvfs(snap->cache_dir, &vfs) < 0 ||
	    (unsigned long long)vfs.f_bavail * vfs.f_frsize < 2ull * config->memory_mb << 20)
		return false;
	remove_quietly(snap->fresh);
	cleanup_hold();
	made = !mkdir(snap->fresh, 0700);
	if (made)
		cleanup_add_path(snap->fresh);
	cleanup_release();
	if (!made)
		return false;
	config->ram = QEMU_RAM_SAVED;
	config->ram_file = path_join(arena, snap->fresh, "ram");
	return true;
}

/*
 * Another build or configuration may be using what is younger, and would make it again each time.
 */
#define STALE_SECONDS 3600

static bool is_old(const struct snapshot *snap, const char *name, struct arena *arena)
{
	struct stat st;

	return stat(path_join(arena, snap->cache_dir, name), &st) == 0 &&
	       time(NULL) - st.st_mtime > STALE_SECONDS;
}

/* snap-KERNEL-KEY.PID of a process that is no more, or another snap-KERNEL-KEY that is not used. */
static bool is_stale(const struct snapshot *snap, const char *name, struct arena *arena)
{
	const char *dot = strrchr(name, '.');

	if (strncmp(name, snap->prefix, strlen(snap->prefix)) != 0 ||
	    strcmp(name, path_base(snap->dir)) == 0)
		return false;
	return dot ? kill(atoi(dot + 1), 0) < 0 && errno == ESRCH : is_old(snap, name, arena);
}

static void prune(const struct snapshot *snap, struct arena *arena)
{
	DIR *d = opendir(snap->cache_dir);
	struct dirent *de;

	while (d && (de = readdir(d)) != NULL)
		if (is_stale(snap, de->d_name, arena))
			remove_quietly(path_join(arena, snap->cache_dir, de->d_name));
	if (d)
		closedir(d);
}

struct error *snapshot_save(const struct snapshot *snap, struct qemu *qemu, struct arena *arena)
{
	struct error *err;
	size_t len = 0;
	bool renamed;
	char *state;
	int errnum;

	err = qemu_save(qemu, &state, &len);
	if (err)
		return err;
	err = file_write_atomic(path_join(arena, snap->fresh, "state"), state, len, 0600);
	free(state);
	if (!err)
		err = seal_write(path_join(arena, snap->fresh, "seal"), snap->fresh,
				 (const char *const[]){ "ram", "state", NULL });
	if (err)
		return err;
	prune(snap, arena);
	/*
	 * Another process may have been faster: then its snapshot is as good. Held, because what is
	 * being removed must not appear under the name of what is finished.
	 */
	cleanup_hold();
	renamed = !rename(snap->fresh, snap->dir);
	errnum = errno;
	cleanup_release();
	if (!renamed && !snapshot_exists(snap))
		return error_create_errno(errnum, "%s", snap->dir);
	snapshot_abandon(snap);
	return NULL;
}

struct error *snapshot_restore(const struct snapshot *snap, struct qemu_config *config,
			       struct arena *arena, struct qemu *ret)
{
	struct qemu qemu = { 0 };
	struct error *err;
	size_t len = 0;
	char *state;

	config->ram = QEMU_RAM_CLONED;
	config->ram_file = path_join(arena, snap->dir, "ram");
	config->incoming = true;
	err = file_read(path_join(arena, snap->dir, "state"), &state, &len);
	if (err)
		return err;
	err = qemu_start(config, &qemu);
	if (!err)
		err = qemu_monitor_open(&qemu);
	if (!err)
		err = qemu_restore(&qemu, state, len);
	free(state);
	if (err) {
		qemu_stop(&qemu);
		return err;
	}
	*ret = qemu;
	return NULL;
}
