/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of the reader. Handlers set flags and wake poll() through an eventfd. A handler has no
 * argument of ours, so the flags are file-scope state; signals are blocked while one runs, which
 * makes the counting safe.
 */
#include "reader/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/signals.h"

#define PARENT_DIED SIGUSR1
#define FORWARD_NS 1000000000ll

/* A user's, the command's end, the alarm of a stop, the parent's death. */
static const int caught[] = { SIGNALS_SESSION, SIGCHLD, SIGALRM, PARENT_DIED };
#define N_CAUGHT (sizeof(caught) / sizeof(caught[0]))
static volatile sig_atomic_t stops, stop_signal, detach, rotate, child, orphaned;
static volatile int64_t last_stop;
static pid_t staprun;
static int wake_fd = -1;

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* Counts a request to stop. Async-signal-safe. */
static void note_stop(int sig, const siginfo_t *info)
{
	int64_t now = now_ns();

	/*
	 * What is sent to a process group, as by timeout(1), comes from its sender, from staprun,
	 * and once more from stap through it, in any order: that is one request. The terminal's
	 * Ctrl-C is passed on by nobody.
	 */
	if (stops && info->si_code <= 0 && now - last_stop < FORWARD_NS)
		return;
	if (!stops)
		stop_signal = sig;
	stops = stops + 1;
	last_stop = now;
	alarm(1);
}

/* Async-signal-safe. */
static void wake(void)
{
	uint64_t one = 1;

	if (write(wake_fd, &one, sizeof(one)) < 0) {
		/* the counter is full: it is readable then, which is all we want */
	}
}

/* Every signal of caught. PARENT_DIED may come from anybody, so the parent is looked at. */
static void handle(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	if (sig == SIGQUIT)
		detach = 1;
	else if (sig == SIGUSR2)
		rotate = 1;
	else if (sig == SIGCHLD)
		child = 1;
	else if (sig == SIGALRM)
		alarm(1);
	else if (sig == PARENT_DIED)
		orphaned = orphaned || getppid() != staprun;
	else
		note_stop(sig, info);
	wake();
	errno = saved;
}

struct error *signals_init(pid_t parent, int *ret_fd)
{
	struct sigaction sa = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	sigset_t none;

	staprun = parent;
	wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (wake_fd < 0)
		return error_create_errno(errno, "eventfd");
	sigfillset(&sa.sa_mask);
	signals_set(caught, N_CAUGHT, &sa);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (parent) {
		prctl(PR_SET_PDEATHSIG, PARENT_DIED);
		if (getppid() != parent) {
			orphaned = 1;
			wake();
		}
	}
	*ret_fd = wake_fd;
	return NULL;
}

struct signal_state signals_take(void)
{
	struct signal_state s;
	uint64_t n;

	if (read(wake_fd, &n, sizeof(n)) < 0) {
		/* nothing new: the flags below say so */
	}
	s.stops = stops;
	s.stop_signal = stop_signal;
	s.orphaned = orphaned;
	/* in one step: one that comes between a look and a reset would be lost */
	s.detach = __atomic_exchange_n(&detach, 0, __ATOMIC_RELAXED);
	s.rotate = __atomic_exchange_n(&rotate, 0, __ATOMIC_RELAXED);
	s.child = __atomic_exchange_n(&child, 0, __ATOMIC_RELAXED);
	return s;
}

void signals_reset(void)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };

	signals_set(caught, N_CAUGHT, &sa);
	sigaction(SIGPIPE, &sa, NULL);
}
