/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of process probes, for all families of them: which programs process("PATH") means, which
 * process process(PID), which program process alone; and the scope of a point. Nothing here looks
 * into a file beyond its first bytes. Strings are in env->arena.
 */
#ifndef SPILE_PROBE_PROCESS_H
#define SPILE_PROBE_PROCESS_H

#include <limits.h>

#include "probe/family.h"

/* Canonical absolute paths, each once, in order of their names. */
struct process_files {
	const char **data;
	size_t n, cap;
};

/*
 * The files that the text of process("TEXT") means: with a slash relative to the working directory,
 * else looked for in $PATH; with wildcards all programs that it matches, without $PATH; through
 * symlinks, and instead of a script the program that #! names, itself or by way of env; or the file
 * that has the build-id TEXT. ELF files only. None: *why says what is wrong, " (...)" for the
 * message.
 */
void process_find_files(struct probe_env *env, const char *text, struct process_files *ret,
			const char **why);
/*
 * As realpath(3), of a path as the probed system writes it, or one below env->sysroot; links lead
 * to files of that system. False with errno: there is no such file.
 */
bool process_resolve(const struct probe_env *env, const char *path, char real[PATH_MAX]);
/* Is the file of that canonical path ELF of MACHINE? */
bool process_file_is_for(const char *path, const struct machine *machine);
/* What --sysenv says of a variable of the probed system's environment; NULL: nothing. */
const char *process_variable(const struct probe_env *env, const char *name);
/* Is the text a build-id: 40 hexadecimal digits or more, and nothing else? */
bool process_is_build_id(const char *text);
/* The same for a text that is one: a program or library of this machine that has it. */
void process_find_build_id(struct probe_env *env, const char *text, struct process_files *ret,
			   const char **why);
/*
 * The program of the session's target, which there is: of the process of -x or of -c; NULL with
 * *why: none.
 */
const char *process_target_file(struct probe_env *env, const char **why);
/* Is it a shell, since only that can run the command of -c? */
bool process_is_shell(struct probe_env *env);
/*
 * The file that a link in /proc/PID leads to ("exe": the program that runs) of a process of this
 * machine, by a path that leads to it from here, whatever the process' name space calls it, and
 * when it has been deleted; NULL with *why: it cannot be told.
 */
const char *process_file(struct probe_env *env, int64_t pid, const char *link, const char **why);
/*
 * The root of a process of this machine, when its files are others than here: a directory for
 * probe_env.sysroot; NULL: they are not.
 */
const char *process_root(const struct probe_env *env, int64_t pid);
/* Is there a process of that number? Where the script runs elsewhere: it is believed. */
bool process_exists(struct probe_env *env, int64_t pid);

/* A scope: FILE or PID or, with neither, every process; all limited to the session's target. */
const struct ir_scope *process_scope(struct probe_env *env, const char *file, int64_t pid);

#endif
