/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding base.o, or having it made. A directory per base lies in CACHE/kernels; it appears by
 * rename, so whoever sees it sees all of it. While one process makes it, others wait on the lock
 * file beside it. Bases nobody used for a while go.
 */
#include "module/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "module/flags.h"

#define DAY (24 * 60 * 60)
#define KEEP_SAME_RELEASE (1 * DAY) /* an older runtime or compiler of the same kernel */
#define KEEP_OTHERS (60 * DAY)

/* A file of the base's directory, in the arena. */
static struct error *read_text(struct module_base *base, const char *name, const char **ret)
{
	char *text;
	size_t len;
	struct error *err = file_read(path_join(base->arena, base->dir, name), &text, &len);

	if (err)
		return err;
	*ret = arena_strndup(base->arena, text, len);
	free(text);
	return NULL;
}

/* Lines of a file as a NULL-terminated list. */
static struct error *read_lines(struct module_base *base, const char *name, const char *const **ret)
{
	char *line, *save;
	const char *text;
	struct argv lines;
	struct error *err = read_text(base, name, &text);

	if (err)
		return err;
	argv_init(&lines, base->arena);
	save = (char *)text;
	while ((line = strsep(&save, "\n")))
		if (*line)
			argv_add(&lines, line);
	*ret = argv_done(&lines);
	return NULL;
}

/* Reads what base_build() wrote; a part that is missing or empty is an error. */
static struct error *load(struct module_base *base)
{
	const char *const *tools;
	struct error *err;

	err = read_lines(base, "kernel.flags", &base->kernel_flags);
	if (!err)
		err = read_lines(base, "script.flags", &base->script_flags);
	if (!err)
		err = read_lines(base, "objtool.flags", &base->objtool);
	if (!err)
		err = read_lines(base, "notes", &base->notes);
	if (!err)
		err = read_lines(base, "tools", &tools);
	if (!err && (!tools[0] || !tools[1] || !tools[2] || !base->kernel_flags[0] ||
		     !base->script_flags[0]))
		err = error_hint(error_create("%s is damaged", base->dir),
				 "delete it: it is made again");
	if (!err)
		err = read_text(base, "provided", &base->provided);
	if (!err)
		err = read_text(base, "index", &base->index);
	if (!err)
		err = units_read(base->runtime_dir, base->arena, &base->units);
	if (err)
		return err;
	base->index_len = strlen(base->index);
	base->cc1 = strcmp(tools[0], "-") ? tools[0] : NULL;
	base->as = tools[1];
	base->ld = tools[2];
	return NULL;
}

/* Marks the base as used now; false when it is not there. */
static bool touch_stamp(const char *dir)
{
	char *path;
	bool ret;

	if (asprintf(&path, "%s/stamp", dir) < 0)
		return false;
	ret = !utimensat(AT_FDCWD, path, NULL, 0) || (errno != ENOENT && file_exists(path));
	free(path);
	return ret;
}

/*
 * It is there, and as it was made. Marks it as used now. A damaged one is reported by who may make
 * it anew.
 */
static bool is_usable(const struct module_base *base, bool report)
{
	char *why;

	if (!touch_stamp(base->dir))
		return false;
	why = seal_broken(path_join(base->arena, base->dir, "seal"), base->dir);
	if (!why)
		return true;
	if (report)
		seal_report(base->dir, why);
	free(why);
	return false;
}

/* ".ID.new" without anyone who holds its lock: its maker was killed. */
static void remove_rest(struct module_base *base, const char *kernels, const char *name)
{
	int id_len = (int)(strlen(name) - strlen(".new"));
	const char *path = arena_printf(base->arena, "%s/%.*s.lock", kernels, id_len, name);
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	/* the lock file stays: someone may be waiting on it */
	if (!flock(fd, LOCK_EX | LOCK_NB))
		error_destroy(dir_remove_all(path_join(base->arena, kernels, name)));
	close(fd);
}

/*
 * Bases that are out of use. The lock of the one just made is held; the stamps of those in use are
 * young.
 */
static void prune(struct module_base *base, const char *kernels)
{
	size_t release_len = strlen(base->kernel->release);
	DIR *d = opendir(kernels);
	time_t now = time(NULL);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		const char *path = path_join(base->arena, kernels, e->d_name);
		const char *dash = strrchr(e->d_name, '-');
		struct stat st;
		size_t len = strlen(e->d_name);
		bool same;

		if (e->d_name[0] == '.' && len > 4 && !strcmp(e->d_name + len - 4, ".new"))
			remove_rest(base, kernels, e->d_name);
		if (e->d_name[0] == '.' || !dash || strlen(dash) != 17 ||
		    !strcmp(e->d_name, base->id))
			continue;
		same = (size_t)(dash - e->d_name) == release_len &&
		       !strncmp(e->d_name, base->kernel->release, release_len);
		if (!stat(path_join(base->arena, path, "stamp"), &st) &&
		    now - st.st_mtime > (same ? KEEP_SAME_RELEASE : KEEP_OTHERS))
			error_destroy(dir_remove_all(path));
	}
	if (d)
		closedir(d);
}

/*
 * *ret is the descriptor; closing it releases the lock. The lock file stays. Waits as long as
 * another process takes to make the base.
 */
static struct error *lock(const char *path, int *ret)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0)
		return error_create_errno(errno, "cannot create %s", path);
	while (flock(fd, LOCK_EX)) {
		if (errno != EINTR) {
			struct error *err = error_create_errno(errno, "cannot lock %s", path);

			close(fd);
			return err;
		}
	}
	*ret = fd;
	return NULL;
}

/*
 * The lock is held. The directory is made under another name and renamed, and is listed for
 * cleanup meanwhile.
 */
static struct error *make(struct module_base *base, const char *cc, const char *kernels,
			  const struct module_progress *progress)
{
	const char *temp = arena_printf(base->arena, "%s/.%s.new", kernels, base->id);
	struct error *err;

	if (file_exists(temp)) {
		err = dir_remove_all(temp); /* of a process that was killed: the lock is ours */
		if (err)
			return err;
	}
	cleanup_hold();
	err = dir_create_all(temp);
	if (!err)
		cleanup_add_path(temp);
	cleanup_release();
	if (err)
		return err;
	err = base_build(base->kernel, base->runtime_dir, cc, temp, progress);
	/* what stands there is damaged, or without a stamp, the rest of something */
	if (!err && file_exists(base->dir))
		err = dir_remove_all(base->dir);
	if (!err && rename(temp, base->dir))
		err = error_create_errno(errno, "cannot create %s", base->dir);
	if (err)
		error_destroy(dir_remove_all(temp));
	else
		prune(base, kernels);
	cleanup_drop_path(temp);
	return err;
}

/*
 * A kernel with kCFI checks a hash in front of every function it calls by pointer
 * (arch/x86/include/asm/cfi.h). The runtime's callbacks and the script's handlers have none, and
 * the first call would stop the kernel: no base is made for it. CFI since 7.0, CFI_CLANG before.
 */
static struct error *refuse_cfi(struct module_kernel *kernel)
{
	const char *option = module_kernel_config(kernel, "CFI_CLANG") ? "CFI_CLANG"
			     : module_kernel_config(kernel, "CFI")     ? "CFI"
								       : NULL;

	if (!option)
		return NULL;
	return error_hint(error_create("kernel %s checks indirect calls (CONFIG_%s), and would "
				       "take those into a script's module for an attack",
				       kernel->release, option),
			  "use a kernel built without it: modules with the hashes it wants are not "
			  "built");
}

/* Looks without the lock first: a usable base costs no more than a look at its seal. */
static struct error *find_or_make(struct module_base *base, const char *cc, const char *kernels,
				  const struct module_progress *progress)
{
	struct error *err;
	int fd = -1;

	if (is_usable(base, false))
		return NULL;
	err = refuse_cfi(base->kernel);
	if (err)
		return err;
	err = dir_create_all(kernels);
	if (!err)
		err = lock(path_join(base->arena, kernels,
				     arena_printf(base->arena, ".%s.lock", base->id)),
			   &fd);
	if (err)
		return error_hint(
			err,
			"the cache directory must be writable: set SYSTEMTAP_DIR to one that is");
	if (!is_usable(base, true)) /* nobody else made it while we waited */
		err = make(base, cc, kernels, progress);
	close(fd);
	/* compilers only tell in their messages */
	if (err && (err->errnum == ENOSPC || strstr(err->text, "No space left on device"))) {
		error_destroy(err);
		err = error_hint(error_create_errno(ENOSPC, "cannot prepare for kernel %s in %s",
						    base->kernel->release, kernels),
				 "this takes about 60 MB for each kernel: free some space, or set "
				 "SYSTEMTAP_DIR");
	}
	return err;
}

/* By the working directory as it is now; in the arena. */
static const char *absolute(struct arena *arena, const char *path)
{
	char *cwd;
	const char *ret = path;

	if (*path == '/')
		return path;
	cwd = getcwd(NULL, 0);
	if (cwd)
		ret = path_join(arena, cwd, path);
	free(cwd);
	return arena_strdup(arena, ret);
}

struct error *base_check_tools(struct arena *arena, const char *cc1, const char *as, const char *ld)
{
	struct error *err = cc1 ? flags_check_program(arena, "compiler", cc1) : NULL;

	if (!err)
		err = flags_check_program(arena, "assembler", as);
	return err ? err : flags_check_program(arena, "linker", ld);
}

/* A base that was made before says what is run: by names, which may mean something else by now. */
static struct error *check_trust(const struct module_base *base)
{
	struct error *err = flags_check_build(base->kernel);

	if (!err)
		err = base_check_tools(base->arena, base->cc1, base->as, base->ld);
	return err ? err : flags_check_objtool(base->objtool);
}

struct error *module_base_prepare(struct module_kernel *kernel, const char *runtime_dir,
				  const char *cache_dir, const struct module_progress *progress,
				  struct module_base **ret)
{
	struct arena *arena = arena_create();
	struct module_base *base = arena_new(arena, struct module_base);
	const char *kernels, *cc;
	struct error *err;

	base->arena = arena;
	base->kernel = kernel;
	/* make runs elsewhere, so relative names would not do */
	base->runtime_dir = absolute(arena, runtime_dir);
	kernels = path_join(arena, absolute(arena, cache_dir), "kernels");
	err = flags_find_compiler(kernel, arena, &cc);
	if (!err)
		err = base_id(kernel, base->runtime_dir, cc, arena, &base->id);
	if (!err) {
		base->dir = path_join(arena, kernels, base->id);
		err = find_or_make(base, cc, kernels, progress);
	}
	if (!err)
		err = load(base);
	if (!err)
		err = check_trust(base);
	if (err) {
		module_base_close(base);
		return err;
	}
	*ret = base;
	return NULL;
}

void module_base_close(struct module_base *base)
{
	if (base)
		arena_destroy(base->arena);
}

const char *module_base_id(const struct module_base *base)
{
	return base->id;
}

const char *module_base_dir(const struct module_base *base)
{
	return base->dir;
}

const char *const *module_base_notes(const struct module_base *base)
{
	return base->notes;
}
