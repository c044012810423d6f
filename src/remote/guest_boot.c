/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Getting a guest: kernel, initrd, a clone of a saved machine or a cold boot that leaves one
 * behind. The quick ways are tried first, and each that fails leads to the next slower one:
 * clone, then boot; KVM, then emulation.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/file.h"
#include "base/intern.h"
#include "remote/guest_internal.h"
#include "remote/kvm.h"
#include "remote/snapshot.h"
#include "remote/virtiofs.h"
#include "unpack/kernel_image.h"

/*
 * Seconds. Under a KVM that works a machine boots in one; one that is not up by then is taken for
 * a KVM that does not.
 */
#define KVM_BOOT_TIMEOUT 20.0

/* The agent: beside the program, one or two folders up (a build tree), or where it is installed. */
static struct error *find_agent(struct arena *arena, const char **ret)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n > 0) {
		exe[n] = '\0';
		for (int up = 0; up < 4; up++) {
			char *slash = strrchr(exe, '/');
			const char *path;

			if (!slash)
				break;
			*slash = '\0';
			path = arena_printf(arena, "%s/spile-agent", exe);
			if (access(path, R_OK) != 0)
				path = arena_printf(arena, "%s/libexec/spile/spile-agent", exe);
			if (access(path, R_OK) == 0) {
				*ret = path;
				return NULL;
			}
		}
	}
	*ret = SPILE_LIBEXECDIR "/spile-agent";
	if (access(*ret, R_OK) == 0)
		return NULL;
	return error_hint(error_create("the guest's agent is missing: %s", *ret),
			  "install spile again");
}

/* Initrds that nobody used for a day are removed. */
#define STALE_SECONDS (24 * 3600)

/* Others may be about to boot one with another agent: only what nobody used lately goes. */
static void remove_stale_initrds(struct arena *arena, const char *dir, const char *prefix,
				 const char *keep)
{
	DIR *d = opendir(dir);
	time_t now = time(NULL);
	struct dirent *de;

	while (d && (de = readdir(d)) != NULL) {
		const char *path = path_join(arena, dir, de->d_name);
		struct stat st;

		if (strncmp(de->d_name, prefix, strlen(prefix)) == 0 &&
		    strcmp(de->d_name, keep) != 0 && !strchr(de->d_name + strlen(prefix), '.') &&
		    stat(path, &st) == 0 && now - st.st_mtime > STALE_SECONDS)
			unlink(path);
	}
	if (d)
		closedir(d);
}

/* The initrd of this kernel and agent, from the cache or built into it. */
static struct error *get_initrd(const struct guest_kernel *kernel, const char *agent,
				const char *cache_dir, struct arena *arena, const char **ret)
{
	const char *prefix, *name, *path;
	struct file_map map;
	struct strbuf data;
	struct error *err;
	uint64_t key[4];
	struct stat st;

	if (stat(kernel->modules, &st) < 0)
		return error_create_errno(errno, "%s", kernel->modules);
	err = file_map_open(agent, &map);
	if (err)
		return err;
	/* By content: the agents of several builds are mostly the same. */
	key[0] = hash_bytes64(map.data, map.len, 0);
	file_map_close(&map);
	key[1] = st.st_ino;
	key[2] = st.st_mtim.tv_sec;
	key[3] = st.st_mtim.tv_nsec;
	prefix = arena_printf(arena, "initrd-%08x-",
			      hash_bytes(kernel->modules, strlen(kernel->modules)));
	name = arena_printf(arena, "%s%016llx", prefix,
			    (unsigned long long)hash_bytes64(key, sizeof(key), 0));
	path = path_join(arena, cache_dir, name);
	*ret = path;
	/* its time says when it was last used */
	if (utimensat(AT_FDCWD, path, NULL, 0) == 0 || file_exists(path))
		return NULL;
	err = dir_create_all(cache_dir);
	if (err)
		return err;
	strbuf_init(&data);
	err = guest_initrd_build(kernel, agent, &data);
	if (!err)
		err = file_write_atomic(path, data.s, data.len, 0644);
	strbuf_deinit(&data);
	if (!err)
		remove_stale_initrds(arena, cache_dir, prefix, name);
	return err;
}

/* config is a copy, changed for the clone only. */
static struct error *clone(struct guest *g, const struct snapshot *snap, struct qemu_config config)
{
	struct error *err = snapshot_restore(snap, &config, g->arena, &g->qemu);

	if (err)
		return err;
	g->times.warm = true;
	return NULL;
}

/* Up to the agent's first frame. */
static struct error *boot(struct guest *g, const struct qemu_config *config, double timeout)
{
	struct error *err = qemu_start(config, &g->qemu);

	return err ? err : guest_wait_booted(g, timeout);
}

/* For another try: the guest as it was before a machine was started. */
static void forget_machine(struct guest *g)
{
	qemu_stop(&g->qemu);
	g->in_len = 0;
	kernel_log_init(&g->log);
	strbuf_reset(&g->errors);
	g->times.warm = false;
}

/*
 * Boot, save, and go on as a clone of what was saved: the saved RAM must stay as it is. Costs a
 * fifth of a second once. A machine that cannot be saved is used as it is.
 */
static struct error *boot_and_save(struct guest *g, const struct snapshot *snap,
				   struct qemu_config config, double timeout)
{
	bool keep = snapshot_prepare(snap, &config, g->arena);
	struct error *err = boot(g, &config, timeout);

	if (err || !keep) {
		snapshot_abandon(snap);
		return err;
	}
	err = qemu_monitor_open(&g->qemu);
	if (!err)
		err = snapshot_save(snap, &g->qemu, g->arena);
	if (!err) {
		qemu_stop(&g->qemu);
		config.ram = QEMU_RAM_PRIVATE;
		err = clone(g, snap, config);
		g->times.warm = false;
		if (!err)
			return NULL;
		snapshot_discard(snap);
		error_destroy(err);
		forget_machine(g);
		return boot(g, &config, timeout);
	}
	error_destroy(err);
	snapshot_abandon(snap);
	return qemu_continue(&g->qemu);
}

/* A clone that does not come up is no loss: its snapshot is dropped and the machine booted. */
static bool try_clone(struct guest *g, const struct snapshot *snap,
		      const struct qemu_config *config, double start)
{
	struct error *err;

	if (!snapshot_usable(snap, g->arena))
		return false;
	err = clone(g, snap, *config);
	g->times.booted = monotonic_seconds() - start;
	if (!err)
		err = guest_setup(g);
	if (!err)
		return true;
	error_destroy(err);
	snapshot_discard(snap);
	forget_machine(g);
	return false;
}

/* Boot and find out about KVM on the way, when that is still to be found out. */
static struct error *boot_with_trial(struct guest *g, const struct snapshot *snap,
				     const struct qemu_config *config, double timeout)
{
	bool try = kvm_verdict(g->arena, snap->cache_dir, config->program) == KVM_UNKNOWN;
	struct qemu trial = { 0 };
	struct error *err;

	if (try)
		kvm_trial_start(config, &trial);
	err = boot_and_save(g, snap, *config, timeout);
	if (try) {
		bool works = kvm_trial_end(&trial);

		if (!err)
			kvm_record(g->arena, snap->cache_dir, config->program, works);
	}
	return err;
}

/* A guest that is ready for commands. start is when guest_open() began, for times. */
static struct error *start_machine(struct guest *g, const struct guest_options *o,
				   const struct qemu_config *config, const char *cache_dir,
				   double start)
{
	bool standard = config->smp == GUEST_SMP && config->memory_mb == GUEST_MEMORY_MB &&
			!o->append && !config->virtiofsd;
	double timeout = o->boot_timeout ? o->boot_timeout
			 : config->kvm   ? KVM_BOOT_TIMEOUT
					 : GUEST_BOOT_TIMEOUT;
	/* One snapshot per kernel, so only of the shape everybody uses. */
	bool keep = standard && !o->cold && !o->kaslr && !o->icount;
	struct snapshot snap;
	struct error *err;

	if (keep) {
		err = snapshot_init(&snap, cache_dir, config, g->arena);
		if (err)
			return err;
		if (try_clone(g, &snap, config, start))
			return NULL;
	}
	if (o->booting)
		*o->booting = true;
	err = keep ? boot_with_trial(g, &snap, config, timeout) : boot(g, config, timeout);
	g->times.booted = monotonic_seconds() - start;
	return err ? err : guest_setup(g);
}

/* Under KVM when that is known to work; if it stops working, emulated. */
static struct error *start_any_machine(struct guest *g, const struct guest_options *o,
				       struct qemu_config *config, const char *cache_dir,
				       double start)
{
	struct error *err;

	if (o->icount || kvm_verdict(g->arena, cache_dir, config->program) != KVM_WORKS)
		return start_machine(g, o, config, cache_dir, start);
	config->kvm = g->times.kvm = true;
	err = start_machine(g, o, config, cache_dir, start);
	if (!err)
		return NULL;
	error_destroy(err);
	kvm_record(g->arena, cache_dir, config->program, false);
	forget_machine(g);
	config->kvm = g->times.kvm = false;
	return start_machine(g, o, config, cache_dir, start);
}

struct error *guest_open(const struct guest_options *options, struct guest **ret)
{
	struct arena *arena = arena_create();
	struct guest *g = arena_new(arena, struct guest);
	const char *cache_dir = options->cache_dir ? options->cache_dir : cache_directory(arena);
	double start = monotonic_seconds();
	const char *agent = options->agent;
	struct qemu_config config = {
		.smp = options->icount ? 1
		       : options->smp  ? options->smp
				       : GUEST_SMP,
		.memory_mb = options->memory_mb ? options->memory_mb : GUEST_MEMORY_MB,
		.icount = options->icount,
		.append = options->append,
	};
	struct error *err;

	g->arena = arena;
	strbuf_init(&g->errors);
	kernel_log_init(&g->log);
	err = qemu_find(arena, &config.program);
	if (!err && !agent)
		err = find_agent(arena, &agent);
	if (!err)
		err = guest_kernel_find(options->kernel, cache_dir, arena, &g->kernel);
	if (!err)
		err = get_initrd(&g->kernel, agent, cache_dir, arena, &config.initrd);
	if (!err && !guest_kernel_has_9p(&g->kernel, arena))
		err = virtiofs_find(arena, &config.virtiofsd);
	config.image = options->kaslr ? g->kernel.vmlinuz : g->kernel.image;
	if (!err)
		err = start_any_machine(g, options, &config, cache_dir, start);
	if (err) {
		guest_close(g);
		return err;
	}
	g->times.ready = monotonic_seconds() - start;
	*ret = g;
	return NULL;
}

void guest_close(struct guest *guest)
{
	if (!guest)
		return;
	qemu_stop(&guest->qemu);
	strbuf_deinit(&guest->errors);
	arena_destroy(guest->arena);
}
