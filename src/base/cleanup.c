/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guard thread and the list it works on. The thread waits in sigwait() for blocked signals,
 * so what it does is no signal handler and may allocate, lock and remove. SIGPIPE alone is served
 * by a handler, in the thread whose write failed.
 */
#include "base/cleanup.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/signals.h"

/* How long children may take to put away their own temporary files. */
#define PATIENCE_MS 1000
/* How long a signal to the process group takes to come to each of it, on a busy machine. */
#define EXPECTED_MS 200
#define PAUSE SIGUSR1 /* ends the thread; sent to it alone */

struct entry {
	struct entry *next;
	pid_t pid; /* or 0: a path */
	bool group;
	char path[];
};

/*
 * One list for the process: see the header. The lock covers it, and the creation of what goes in.
 * It is recursive, so that removing a file may unlist it in there.
 */
static struct {
	pthread_mutex_t lock;
	pthread_t thread;
	bool guarded, running;
	sigset_t signals;
	void (*ending)(void *cookie, int sig);
	void *cookie;
	struct entry *entries;
} state = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP };

static void sleep_ms(long ms)
{
	struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

/* Reaps it too: a zombie would be taken for alive. */
static bool is_alive(const struct entry *e)
{
	waitpid(e->pid, NULL, WNOHANG);
	return !kill(e->group ? -e->pid : e->pid, 0);
}

/*
 * SIGTERM to all, then up to PATIENCE_MS for them to go, then SIGKILL for those that are left.
 * The lock is held.
 */
static void end_children(void)
{
	bool alive = true;

	for (const struct entry *e = state.entries; e; e = e->next)
		if (e->pid)
			kill(e->group ? -e->pid : e->pid, SIGTERM);
	for (int ms = 0; alive && ms < PATIENCE_MS; ms += 5) {
		alive = false;
		for (const struct entry *e = state.entries; e; e = e->next)
			alive |= e->pid && is_alive(e);
		if (alive)
			sleep_ms(5);
	}
	for (const struct entry *e = state.entries; alive && e; e = e->next)
		if (e->pid)
			kill(e->group ? -e->pid : e->pid, SIGKILL);
}

/* Ends the process by the signal itself, so that whoever waits for it sees which one it was. */
static void die_of(int sig)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigaction(sig, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
}

/*
 * Does not return. The lock is taken and kept: threads that want to create something wait in
 * cleanup_hold() until the process is gone.
 */
static void end(int sig)
{
	struct entry *e;

	cleanup_hold();
	end_children();
	while ((e = state.entries)) {
		state.entries = e->next;
		if (!e->pid)
			error_destroy(dir_remove_all(e->path));
		free(e);
	}
	die_of(sig);
}

/* The guard thread: one signal, or PAUSE, and it ends. */
static void *serve(void *arg)
{
	sigset_t set = state.signals;
	int sig = 0;

	sigaddset(&set, PAUSE);
	while (sigwait(&set, &sig))
		continue;
	if (sig != PAUSE) {
		if (state.ending)
			state.ending(state.cookie, sig);
		end(sig);
	}
	return NULL;
}

/*
 * All signals are blocked in the new thread, those served in this one and in threads it creates
 * later.
 */
static void start(void)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	state.running = !pthread_create(&state.thread, NULL, serve, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	/* without a thread signals act as if there were no guard */
	pthread_sigmask(state.running ? SIG_BLOCK : SIG_UNBLOCK, &state.signals, NULL);
}

void cleanup_guard(void (*ending)(void *cookie, int sig), void *cookie)
{
	static const int taken[] = { SIGNALS_END, SIGQUIT, SIGXCPU };
	struct sigaction old;

	sigemptyset(&state.signals);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		if (signal_stays_ignored(taken[i]))
			continue;
		signal(taken[i], SIG_DFL); /* for the children */
		sigaddset(&state.signals, taken[i]);
	}
	state.ending = ending;
	state.cookie = cookie;
	state.guarded = true;
	/* this one comes out of a write, to the thread that writes: nothing is half done there */
	if (!sigaction(SIGPIPE, NULL, &old) && old.sa_handler != SIG_IGN)
		signal(SIGPIPE, end);
	start();
}

void cleanup_pause(sigset_t *ret)
{
	*ret = state.signals;
	if (!state.running)
		return;
	pthread_kill(state.thread, PAUSE);
	pthread_join(state.thread, NULL);
	state.running = false;
}

void cleanup_resume(void)
{
	if (state.guarded && !state.running)
		start();
}

void cleanup_hold(void)
{
	pthread_mutex_lock(&state.lock);
}

void cleanup_release(void)
{
	pthread_mutex_unlock(&state.lock);
}

void cleanup_expect(int sig)
{
	if (state.running && sigismember(&state.signals, sig) == 1)
		sleep_ms(EXPECTED_MS);
}

/* Nothing is listed without a guard. The lock is held by the caller. */
static void add(pid_t pid, bool group, const char *path)
{
	struct entry *e;

	if (!state.guarded)
		return;
	e = malloc(sizeof(*e) + strlen(path) + 1);
	if (!e)
		return; /* no memory: then it may be left behind */
	*e = (struct entry){ .next = state.entries, .pid = pid, .group = group };
	strcpy(e->path, path);
	state.entries = e;
}

static void drop(pid_t pid, const char *path)
{
	for (struct entry **at = &state.entries; *at; at = &(*at)->next) {
		struct entry *e = *at;

		if (e->pid != pid || strcmp(e->path, path))
			continue;
		*at = e->next;
		free(e);
		return;
	}
}

void cleanup_add_path(const char *path)
{
	add(0, false, path);
}

void cleanup_add_child(pid_t pid, bool group)
{
	add(pid, group, "");
}

void cleanup_drop_child(pid_t pid)
{
	drop(pid, "");
}

void cleanup_drop_path(const char *path)
{
	cleanup_hold();
	drop(0, path);
	cleanup_release();
}

void cleanup_in_child(void)
{
	state.lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	state.ending = NULL;  /* it was said there */
	state.entries = NULL; /* the parent's; a forked process leaves its copies */
	state.running = false;
	if (state.guarded)
		start();
}
