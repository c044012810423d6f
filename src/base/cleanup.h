/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must not outlive this process when a signal ends it: its children, and files and directories
 * that are not finished. They are kept in one list for the process, because signals are the
 * process's.
 *
 * cleanup_guard() starts a thread that takes INT, TERM, HUP, QUIT and XCPU. On the first it tells
 * so, ends the children, removes what is listed and dies of that signal, so a shell sees 128 + its
 * number; later ones change nothing. Without a guard the list is not kept and signals act as usual.
 * PIPE, unless it was inherited as ignored, does the same in the thread whose write failed, also
 * while the others are paused, but nobody is told: a reader that leaves ends stap.
 *
 * Something is created and listed between cleanup_hold() and cleanup_release(), so that no signal
 * comes between. Once a signal is being served cleanup_hold() does not return any more: whoever
 * creates or ends something stops there, silently.
 */
#ifndef SPILE_BASE_CLEANUP_H
#define SPILE_BASE_CLEANUP_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * For the start of main(), before threads. What was ignored stays so where base/signals.h says.
 * ending, which may be NULL, is called with cookie in that thread before anything else is done
 * about a signal.
 */
void cleanup_guard(void (*ending)(void *cookie, int sig), void *cookie);
/*
 * Hand the signals to the caller, who takes them his own way until cleanup_resume(). They stay
 * blocked; *ret is the set. What is listed stays listed, but nothing acts on it meanwhile.
 */
void cleanup_pause(sigset_t *ret);
/*
 * The guard takes the signals again; nothing happens without a guard, or when it was not paused.
 */
void cleanup_resume(void);

/*
 * Enter and leave the section in which something is created or ended and listed or unlisted.
 * Recursive within a thread; to be held for short, because a signal waits for it.
 */
void cleanup_hold(void);
void cleanup_release(void);
/*
 * A child was ended by that signal. A terminal sends it to the whole process group, and ours may
 * not have been seen yet: waits a moment for it, so that the child's end is not taken for a
 * failure. Not under cleanup_hold().
 */
void cleanup_expect(int sig);

/*
 * These need cleanup_hold(), cleanup_drop_path() does not. The path is copied; a file, or a
 * directory with all in it. Without memory for the entry it is not listed, and may be left
 * behind.
 */
void cleanup_add_path(const char *path); /* a file, or a directory with all in it */
/* group: it leads a process group, all of which goes */
void cleanup_add_child(pid_t pid, bool group);
/* It was waited for. To be called before its number can be another process's. */
void cleanup_drop_child(pid_t pid);
/*
 * The path is finished, removed, or to be kept: it is not removed any more. Unlisted paths are
 * ignored.
 */
void cleanup_drop_path(const char *path);

/*
 * In a child after fork, which works on its own: nothing is its to remove, and it has a guard
 * again.
 */
void cleanup_in_child(void);

#endif
