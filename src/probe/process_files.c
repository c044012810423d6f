/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of process("..."): search, wildcards, links, scripts. See process.h. What is found is what
 * exec would run: the file at the end of symbolic links, or the interpreter of a script, since that
 * is where code is; where that is env, what env would run. *why, in the arena, is set only when
 * nothing is found, as the end of a "no match" message.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command_words.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/path_search.h"
#include "machine/machine.h"
#include "probe/point.h"
#include "probe/process.h"

#define MAX_INTERPRETERS                                                                           \
	4             /* scripts whose interpreter is a script; as many as the kernel follows */
#define HEAD_SIZE 256 /* bytes of a file in which the kernel looks for "#!" */

/* The first bytes of a regular file, NUL-terminated; false: it is none, or cannot be read. */
static bool read_head(const char *path, char head[HEAD_SIZE])
{
	/* a FIFO or a terminal of that name is not waited for, and does not become ours */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		n = read(fd, head, HEAD_SIZE - 1);
	close(fd);
	if (n >= 0)
		head[n] = '\0';
	return n >= 0;
}

bool process_file_is_for(const char *path, const struct machine *machine)
{
	char head[HEAD_SIZE] = { 0 };
	Elf32_Ehdr e; /* up to e_machine it is the same in both classes */

	if (!read_head(path, head))
		return false;
	memcpy(&e, head, sizeof(e));
	return !memcmp(e.e_ident, ELFMAG, SELFMAG) && e.e_machine == machine->e_machine &&
	       e.e_ident[EI_CLASS] == (machine->word == 4 ? ELFCLASS32 : ELFCLASS64);
}

/*
 * The interpreter after "#!", in the arena; NULL: none is named. *argument: what it is given before
 * the name of the script, the rest of the line without blanks around it.
 */
static const char *interpreter(struct arena *arena, const char *head, const char **argument)
{
	const char *start = head + 2 + strspn(head + 2, " \t"), *rest;
	size_t len = strcspn(start, " \t\r\n"), n;

	if (!len)
		return NULL;
	rest = start + len + strspn(start + len, " \t");
	n = strcspn(rest, "\r\n");
	while (n && strchr(" \t", rest[n - 1]))
		n--;
	*argument = arena_strndup(arena, rest, n);
	return arena_strndup(arena, start, len);
}

/*
 * What env(1) would run with that argument, in the arena: the argument is the name, or behind -S
 * the first word that is no assignment.
 * NULL: nothing, or it cannot be told without doing what env does (options, quotes, another $PATH).
 */
static const char *run_by_env(struct arena *arena, const char *argument)
{
	if (!strncmp(argument, "-S", 2)) {
		size_t n;

		if (strpbrk(argument, "'\"\\$#"))
			return NULL;
		for (argument += 2;; argument += n) {
			argument += strspn(argument, " \t");
			n = strcspn(argument, " \t");
			if (!memchr(argument, '=', n))
				break;
			if (!strncmp(argument, "PATH=", 5))
				return NULL;
		}
		argument = arena_strndup(arena, argument, n);
	}
	return *argument && *argument != '-' && !strchr(argument, '=') ? argument : NULL;
}

/* PATH, in the arena, when it is an ELF file; NULL with *why. */
static const char *as_program(struct probe_env *env, const char *path, const char **why)
{
	char head[HEAD_SIZE];

	if (!read_head(path, head))
		*why = arena_printf(env->arena, " (cannot read executable '%s')", path);
	else if (memcmp(head, ELFMAG, SELFMAG))
		*why = arena_printf(env->arena, " ('%s' is no program: it is not an ELF file)",
				    path);
	else
		return arena_strdup(env->arena, path);
	return NULL;
}

/* Where $PATH has an executable file of that name; NULL: nowhere. */
static const char *search_path(struct probe_env *env, const char *name)
{
	const char *dirs = process_variable(env, "PATH");
	char dir[PATH_MAX], real[PATH_MAX];

	if (!dirs)
		dirs = env->sysroot ? PATH_DEFAULT : path_directories();
	while (path_next(&dirs, dir)) {
		const char *path = path_join(env->arena, dir, name);

		if (process_resolve(env, path, real) && path_is_program(real))
			return path;
	}
	return NULL;
}

/* The path that a name without wildcards means; NULL with *why. */
static const char *locate(struct probe_env *env, const char *text, const char **why)
{
	const char *path = strchr(text, '/') ? text : search_path(env, text);

	if (!path)
		*why = arena_printf(env->arena, " (cannot find executable '%s' in $PATH)", text);
	return path;
}

/* The ELF file at the end of links and interpreters, canonical; NULL with *why. */
static const char *follow(struct probe_env *env, const char *path, const char **why)
{
	char real[PATH_MAX], head[HEAD_SIZE];

	for (int i = 0; i <= MAX_INTERPRETERS; i++) {
		const char *next, *argument, *name = NULL;

		if (!process_resolve(env, path, real)) {
			*why = arena_printf(env->arena, " (cannot find executable '%s': %s)", path,
					    strerror(errno));
			return NULL;
		}
		if (!read_head(real, head) || memcmp(head, "#!", 2))
			break;
		next = interpreter(env->arena, head, &argument);
		if (!next)
			break;
		if (!strcmp(path_base(next), "env"))
			name = run_by_env(env->arena, argument);
		path = name ? locate(env, name, why) : next;
		if (!path)
			return NULL;
	}
	return as_program(env, real, why);
}

/* As follow(), of a name without wildcards. */
static const char *find_one(struct probe_env *env, const char *text, const char **why)
{
	const char *path = locate(env, text, why);

	return path ? follow(env, path, why) : NULL;
}

/* A text that as a pattern means itself, in the arena. */
static const char *escape_glob(struct arena *arena, const char *text)
{
	char *ret = arena_new_array(arena, char, 2 * strlen(text) + 1), *to = ret;

	for (; *text; text++) {
		if (strchr("*?[\\", *text))
			*to++ = '\\';
		*to++ = *text;
	}
	*to = '\0';
	return ret;
}

/* What a wildcard finds that is no program is no mistake. */
static void find_all(struct probe_env *env, const char *text, struct process_files *ret,
		     const char **why)
{
	struct map seen;
	const char *ignored;
	glob_t found;

	map_init(&seen, env->arena);
	if (env->sysroot && text[0] == '/')
		text = arena_printf(env->arena, "%s%s", escape_glob(env->arena, env->sysroot),
				    text);
	if (glob(text, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *file = follow(env, found.gl_pathv[i], &ignored);
			const struct istr *name = file ? intern(env->in, file) : NULL;

			if (!name || map_has(&seen, name))
				continue;
			map_put(&seen, name, NULL);
			vec_push(env->arena, ret, name->text);
		}
	}
	globfree(&found);
	if (!ret->n)
		*why = arena_printf(env->arena, " (no program matches '%s')", text);
}

void process_find_files(struct probe_env *env, const char *text, struct process_files *ret,
			const char **why)
{
	const char *file;

	if (process_is_build_id(text)) {
		process_find_build_id(env, text, ret, why);
		return;
	}
	if (is_glob(text)) {
		find_all(env, text, ret, why);
		return;
	}
	file = find_one(env, text, why);
	if (file)
		vec_push(env->arena, ret, file);
}

/*
 * The text of the link is a path in the process' own name space, or of a file that is there no
 * more: it is taken where it leads to the file that the link leads to, here or below the process'
 * root; else the link itself is the file's path.
 */
const char *process_file(struct probe_env *env, int64_t pid, const char *link, const char **why)
{
	char *path = arena_printf(env->arena, "/proc/%lld/%s", (long long)pid, link);
	char *root = arena_printf(env->arena, "/proc/%lld/root", (long long)pid);
	const char *const roots[] = { "", root };
	char text[PATH_MAX];
	struct stat file, there;
	ssize_t n = readlink(path, text, sizeof(text) - 1);

	if (n < 0 && !process_exists(env, pid)) {
		*why = arena_printf(env->arena, " (there is no process %lld here)", (long long)pid);
		return NULL;
	}
	if (n < 0 || stat(path, &file)) {
		*why = arena_printf(env->arena, " (process %lld has no file at '%s': %s)",
				    (long long)pid, path,
				    errno == ENOENT ? "it is a thread of the kernel, or ends"
						    : strerror(errno));
		return NULL;
	}
	text[n] = '\0';
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		const char *candidate = arena_printf(env->arena, "%s%s", roots[i], text);

		if (!stat(candidate, &there) && there.st_dev == file.st_dev &&
		    there.st_ino == file.st_ino)
			return as_program(env, candidate, why);
	}
	return as_program(env, path, why);
}

bool process_is_shell(struct probe_env *env)
{
	wordexp_t words;

	if (env->target_pid || !env->command)
		return false;
	if (!command_words(env->command, &words))
		return true;
	wordfree(&words);
	return false;
}

const char *process_target_file(struct probe_env *env, const char **why)
{
	struct probe_env here = *env;
	const char *file = NULL;
	wordexp_t words;

	here.sysroot = NULL; /* it runs on this machine, by the PATH of this */
	here.n_variables = 0;

	if (env->target_pid)
		return process_file(env, env->target_pid, "exe", why);
	/* what only a shell understands is run by one */
	if (!command_words(env->command, &words))
		return find_one(&here, "/bin/sh", why);
	if (words.we_wordc)
		file = find_one(&here, words.we_wordv[0], why);
	wordfree(&words);
	return file;
}

bool process_exists(struct probe_env *env, int64_t pid)
{
	/* the processes of another machine are not known here */
	if (pid <= 0 || pid > INT_MAX)
		return false;
	return env->is_remote || !kill((pid_t)pid, 0) || errno != ESRCH;
}

const struct ir_scope *process_scope(struct probe_env *env, const char *file, int64_t pid)
{
	struct ir_scope *scope = arena_new(env->arena, struct ir_scope);

	scope->file = file;
	scope->pid = (uint32_t)pid;
	return scope;
}
