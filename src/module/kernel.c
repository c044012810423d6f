/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a kernel's build tree is. Three shapes occur: the system's own /lib/modules/RELEASE/build;
 * a tree of source or headers given by path; packages unpacked somewhere, whose links and makefiles
 * still say /usr/src. The last is told from the second by its lib/modules directory.
 */
#include "module/kernel.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "unpack/kernel_tree.h"

static const char *const x86_as_flags[] = { "--64", NULL };
static const char *const x86_compiler_symbols[] = {
	"__x86_return_thunk",
	"__stack_chk_fail",
	"memcpy",
	"memmove",
	"memset",
	"memcmp",
	"strlen",
	"strcmp",
	"__x86_indirect_thunk_rax",
	"__x86_indirect_thunk_rbx",
	"__x86_indirect_thunk_rcx",
	"__x86_indirect_thunk_rdx",
	"__x86_indirect_thunk_rsi",
	"__x86_indirect_thunk_rdi",
	"__x86_indirect_thunk_rbp",
	"__x86_indirect_thunk_r8",
	"__x86_indirect_thunk_r9",
	"__x86_indirect_thunk_r10",
	"__x86_indirect_thunk_r11",
	"__x86_indirect_thunk_r12",
	"__x86_indirect_thunk_r13",
	"__x86_indirect_thunk_r14",
	"__x86_indirect_thunk_r15",
	NULL,
};
static const struct module_arch archs[] = {
	{ .machine = "x86_64",
	  .srcarch = "x86",
	  .config = "X86_64",
	  .ld_emulation = "elf_x86_64",
	  .loader = "lib64/ld-linux-x86-64.so.2",
	  .triplet = "x86_64-linux-gnu",
	  .as_flags = x86_as_flags,
	  .compiler_symbols = x86_compiler_symbols },
};

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* " -r RELEASE" for each installed kernel that has a build tree; in the arena, "" when none has. */
static const char *installed_choices(struct arena *arena)
{
	struct kernel_releases there;
	const char *text = "";

	kernel_tree_releases(arena, "", &there);
	for (size_t i = 0; i < there.n; i++)
		if (kernel_tree_file(arena, "", there.data[i], "build/Makefile"))
			text = arena_printf(arena, "%s%s -r %s", text, *text ? "," : "",
					    there.data[i]);
	return text;
}

/*
 * The error for a release without a build tree; its hint names what can be installed or chosen
 * instead.
 */
static struct error *missing_headers(struct arena *arena, const char *release, const char *path)
{
	const char *choices = installed_choices(arena);

	return error_hint(
		error_create("no build tree of kernel %s: %s does not lead to one", release, path),
		"install the package linux-headers-%s (kernel-devel-%s on Fedora and its kin), or "
		"name a build tree with -r DIRECTORY%s%s",
		release, release, *choices ? "; there are headers here for" : "", choices);
}

/* Where LINK leads, when it is absolute below ROOT if there is such a path; heap, or NULL. */
static char *follow_link(struct arena *arena, const char *root, const char *link)
{
	char *target = NULL, to[PATH_MAX];
	ssize_t n = *root ? readlink(link, to, sizeof(to) - 1) : 0;

	if (n > 0 && to[0] == '/') {
		to[n] = '\0';
		target = realpath(arena_printf(arena, "%s%s", root, to), NULL);
	}
	return target ? target : realpath(link, NULL);
}

/* Where lib/modules/RELEASE/build below ROOT leads; in the arena, NULL when nowhere. */
static const char *follow_build(struct arena *arena, const char *root, const char *release)
{
	const char *ret = NULL;

	for (size_t i = 0; kernel_tree_dirs[i] && !ret; i++) {
		const char *link =
			arena_printf(arena, "%s/%s/%s/build", root, kernel_tree_dirs[i], release);
		char *target = follow_link(arena, root, link);

		if (target)
			ret = arena_strdup(arena, target);
		free(target);
	}
	return ret;
}

/*
 * UTS_RELEASE rather than kernel.release: Debian overrides the latter and its file keeps the
 * upstream version.
 */
static char *read_release(const char *build)
{
	char *path, *text = NULL, *ret = NULL;
	size_t len;

	if (asprintf(&path, "%s/include/generated/utsrelease.h", build) < 0)
		return NULL;
	if (file_exists(path)) {
		struct error *err = file_read(path, &text, &len);
		char *p = err ? NULL : strstr(text, "UTS_RELEASE \"");

		error_destroy(err);
		if (p) {
			p += strlen("UTS_RELEASE \"");
			ret = strndup(p, strcspn(p, "\"\n"));
		}
	}
	free(text);
	free(path);
	return ret;
}

/* By its Makefile; whether it is configured is seen later. */
static bool is_build_tree(const char *path)
{
	char *makefile;
	bool ret;

	if (asprintf(&makefile, "%s/Makefile", path) < 0)
		return false;
	ret = file_exists(makefile);
	free(makefile);
	return ret;
}

/* The kernel below ROOT that has a build tree; returns how many have, and sets the first. */
static size_t find_build(struct module_kernel *kernel, const char *root)
{
	struct kernel_releases there;
	size_t n = 0;

	kernel_tree_releases(kernel->arena, root, &there);
	for (size_t i = 0; i < there.n; i++) {
		const char *build = follow_build(kernel->arena, root, there.data[i]);

		if (build && !n++) {
			kernel->release = there.data[i];
			kernel->build = build;
		}
	}
	return n;
}

/* What stands for "/" is put in front of other paths, so it has no links; "/" itself is "". */
static const char *resolve_root(struct arena *arena, const char *path)
{
	char *real = *path ? realpath(path, NULL) : NULL;
	const char *ret = path;

	if (real)
		ret = arena_strdup(arena, strcmp(real, "/") ? real : "");
	free(real);
	return ret;
}

/* -r with a path: sets root, build and, where the path tells it, release. */
static struct error *locate_path(struct module_kernel *kernel, const char *spec)
{
	const char *root, *release, *real;
	char *path;
	size_t n;

	/* before links are followed: in an unpacked tree "build" leads out of it */
	if ((!is_build_tree(spec) || strstr(spec, "/modules/")) &&
	    kernel_tree_split(kernel->arena, spec, &root, &release)) {
		kernel->build = follow_build(kernel->arena, root, release);
		if (kernel->build) {
			kernel->root = resolve_root(kernel->arena, root);
			kernel->release = release;
			return NULL;
		}
	}
	path = realpath(spec, NULL);
	if (!path)
		return error_hint(
			error_create_errno(errno, "cannot use %s as a kernel's build tree", spec),
			"-r takes a release, a kernel build tree, or a directory of unpacked "
			"packages");
	real = arena_strdup(kernel->arena, path);
	free(path);
	kernel->root = "";
	if (is_build_tree(real)) {
		kernel->build = real;
		return NULL;
	}
	kernel->root = strcmp(real, "/") ? real : "";
	n = find_build(kernel, kernel->root);
	if (n > 1)
		return error_hint(error_create("%s holds the build trees of %zu kernels", spec, n),
				  "name one: -r %s/lib/modules/RELEASE", spec);
	if (!n)
		return error_hint(error_create("%s is no kernel build tree: no Makefile and no "
					       "lib/modules/RELEASE/build",
					       spec),
				  "-r takes a release, a kernel build tree, or a directory of "
				  "unpacked packages, linux-headers of the kernel among them");
	return NULL;
}

/* By release or path; sets root and build. */
static struct error *locate(struct module_kernel *kernel, const char *spec)
{
	struct utsname uts;

	if (spec && strchr(spec, '/'))
		return locate_path(kernel, spec);
	if (uname(&uts))
		return error_create_errno(errno, "cannot ask for the running kernel's release");
	kernel->root = "";
	kernel->release = arena_strdup(kernel->arena, spec ? spec : uts.release);
	kernel->build = follow_build(kernel->arena, "", kernel->release);
	if (!kernel->build || !is_build_tree(kernel->build))
		return missing_headers(
			kernel->arena, kernel->release,
			arena_printf(kernel->arena, "/lib/modules/%s/build", kernel->release));
	return NULL;
}

/* Maps .config. */
static struct error *open_config(struct module_kernel *kernel)
{
	const char *path = path_join(kernel->arena, kernel->build, ".config");

	/* source trees cleaned for packaging keep only this one; it has the same lines */
	if (!file_exists(path))
		path = path_join(kernel->arena, kernel->build, "include/config/auto.conf");
	if (!file_exists(path))
		return error_hint(
			error_create("%s has no .config: it is not a configured kernel build tree",
				     kernel->build),
			"run make olddefconfig modules_prepare there, or install linux-headers-%s",
			kernel->release ? kernel->release : "RELEASE");
	return file_map_open(path, &kernel->config);
}

/* The machines of archs, "x86_64"; in the arena. */
static const char *known_machines(struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", archs[i].machine);
	return text;
}

/* Is it a tree that modules can be built with? Sets release, arch and symvers_path. */
static struct error *check_tree(struct module_kernel *kernel)
{
	char *release = read_release(kernel->build);
	struct error *err;

	if (release)
		kernel->release = arena_strdup(kernel->arena, release);
	free(release);
	if (!kernel->release)
		return error_hint(
			error_create("%s does not tell its kernel's release", kernel->build),
			"it has no include/generated/utsrelease.h: run make modules_prepare there");
	err = open_config(kernel);
	if (err)
		return err;
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]) && !kernel->arch; i++)
		if (module_kernel_config(kernel, archs[i].config))
			kernel->arch = &archs[i];
	if (!kernel->arch)
		return error_create("kernel %s is for a machine that modules cannot be built for "
				    "(those that can: %s)",
				    kernel->release, known_machines(kernel->arena));
	kernel->symvers_path = (char *)path_join(kernel->arena, kernel->build, "Module.symvers");
	if (!file_exists(kernel->symvers_path))
		return error_hint(error_create("%s is missing", kernel->symvers_path),
				  "it lists what the kernel exports: build the kernel's modules in "
				  "that tree, or install "
				  "linux-headers-%s again",
				  kernel->release);
	return NULL;
}

struct error *module_kernel_open(const char *spec, struct module_kernel **ret)
{
	struct arena *arena = arena_create();
	struct module_kernel *kernel = arena_new(arena, struct module_kernel);
	struct error *err;

	kernel->arena = arena;
	err = locate(kernel, spec);
	if (!err && !is_dir(kernel->build))
		err = missing_headers(arena, kernel->release ? kernel->release : spec,
				      kernel->build);
	if (!err)
		err = check_tree(kernel);
	if (err) {
		module_kernel_close(kernel);
		return err;
	}
	*ret = kernel;
	return NULL;
}

void module_kernel_close(struct module_kernel *kernel)
{
	if (!kernel)
		return;
	symvers_close(kernel->symvers);
	file_map_close(&kernel->config);
	arena_destroy(kernel->arena);
}

const char *module_kernel_release(const struct module_kernel *kernel)
{
	return kernel->release;
}

const char *module_kernel_build_dir(const struct module_kernel *kernel)
{
	return kernel->build;
}

const char *module_kernel_root(const struct module_kernel *kernel)
{
	return kernel->root;
}

const char *module_kernel_arch(const struct module_kernel *kernel)
{
	return kernel->arch->machine;
}

const char *module_kernel_make_arch(const struct module_kernel *kernel)
{
	return kernel->arch->srcarch;
}

void module_kernel_set_make(struct module_kernel *kernel, const char *const *variables, size_t n)
{
	kernel->make_variables = variables;
	kernel->n_make_variables = n;
}

const char *module_kernel_config(struct module_kernel *kernel, const char *name)
{
	char *needle = arena_printf(kernel->arena,
				    "\n%s%s=", strncmp(name, "CONFIG_", 7) ? "CONFIG_" : "", name);
	const char *start = (const char *)kernel->config.data, *end = start + kernel->config.len,
		   *p, *nl;

	if (!kernel->config.len)
		return NULL;
	if (kernel->config.len >= strlen(needle) &&
	    !memcmp(start, needle + 1, strlen(needle) - 1)) {
		p = start + strlen(needle) - 1; /* the first line has no newline before it */
	} else {
		p = memmem(start, kernel->config.len, needle, strlen(needle));
		if (!p)
			return NULL;
		p += strlen(needle);
	}
	nl = memchr(p, '\n', (size_t)(end - p));
	if (!nl)
		nl = end;
	if (nl - p >= 2 && *p == '"' && nl[-1] == '"') {
		p++;
		nl--;
	}
	return arena_strndup(kernel->arena, p, (size_t)(nl - p));
}

struct error *kernel_symvers(struct module_kernel *kernel, struct symvers **ret)
{
	struct error *err = NULL;

	if (!kernel->symvers)
		err = symvers_open(kernel->symvers_path, &kernel->symvers);
	if (!err)
		*ret = kernel->symvers;
	return err;
}
