/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader as a child: found, given its arguments, started without privileges, waited for.
 * Signals that arrive before there is a child are kept and passed on to it.
 */
#include "loader/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/signals.h"
#include "loader/daemon.h"

#define MAX_ARGS 32

static const int caught[] = { SIGNALS_SESSION };
#define N_CAUGHT (sizeof(caught) / sizeof(caught[0]))
/*
 * What a handler needs: the reader to pass signals on to, and one that came before there was one.
 */
static volatile pid_t reader;
static volatile sig_atomic_t early;

/*
 * Async-signal-safe. Signals by kill() are passed on; those of the terminal go to the whole
 * foreground group.
 */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	/* one from the terminal has reached the reader too */
	if (reader <= 0)
		early = sig;
	else if (info->si_code <= 0)
		kill(reader, sig);
	errno = saved;
}

void loader_catch_signals(pid_t parent)
{
	struct sigaction sa = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };

	sigfillset(&sa.sa_mask);
	signals_set(caught, N_CAUGHT, &sa);
	if (!parent)
		return;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* what PARENT has started may have started us; died PARENT before, no signal comes */
	if (getppid() != parent && kill(parent, 0) && errno == ESRCH)
		raise(SIGTERM);
}

/* how: SIG_BLOCK or SIG_UNBLOCK. */
static void block_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < N_CAUGHT; i++)
		sigaddset(&set, caught[i]);
	sigprocmask(how, &set, NULL);
}

/* For the child: its own handlers follow after exec. */
static void reset_signals(void)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };

	signals_set(caught, N_CAUGHT, &sa);
}

/*
 * stapio stands beside us, in the tree we were installed into, or where we were configured to be
 * installed.
 */
static struct error *find_reader(char *path, size_t size)
{
	static const char *const paths[] = { "stapio", "../libexec/spile/stapio" };
	const char *env = getuid() == geteuid() ? getenv("SYSTEMTAP_STAPIO") : NULL;
	char dir[3000], *slash;
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	size_t i;

	if (env) {
		snprintf(path, size, "%s", env);
		return NULL;
	}
	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	for (i = 0; slash && i < sizeof(paths) / sizeof(paths[0]); i++) {
		snprintf(path, size, "%.*s/%s", (int)(slash - dir), dir, paths[i]);
		if (file_exists(path))
			return NULL;
	}
	snprintf(path, size, "%s/stapio", SPILE_LIBEXECDIR);
	return file_exists(path)
		       ? NULL
		       : error_create("couldn't find stapio beside staprun or at %s", path);
}

/* The reader's command line; texts made here live in it, the others are borrowed. */
struct arguments {
	const char *argv[MAX_ARGS];
	int n;
	char parent[32], timeout[64], ready[32];
};

/* Nothing when there is no value. */
static void add_pair(struct arguments *a, const char *option, const char *value)
{
	if (!value)
		return;
	a->argv[a->n++] = option;
	a->argv[a->n++] = value;
}

/* At most MAX_ARGS words come together here; ready < 0: no daemon. */
static void build_arguments(struct arguments *a, const struct loader_options *opt, const char *path,
			    const char *module, int ready)
{
	memset(a, 0, sizeof(*a));
	a->argv[a->n++] = path;
	if (opt->verbose)
		a->argv[a->n++] = "-v";
	if (opt->progress)
		a->argv[a->n++] = "--progress";
	if (opt->no_warnings)
		a->argv[a->n++] = "-w";
	if (opt->attach)
		a->argv[a->n++] = "-A";
	if (opt->load_only)
		a->argv[a->n++] = "-L";
	add_pair(a, "-c", opt->command);
	add_pair(a, "-x", opt->target);
	add_pair(a, "-N", opt->namespaces);
	add_pair(a, "-o", opt->output);
	add_pair(a, "-S", opt->rotation);
	add_pair(a, "-C", opt->color);
	add_pair(a, "-T", opt->poll_ms);
	if (opt->timeout) {
		snprintf(a->timeout, sizeof(a->timeout), "--timeout=%s", opt->timeout);
		a->argv[a->n++] = a->timeout;
	}
	if (ready >= 0) {
		snprintf(a->ready, sizeof(a->ready), "--ready=%d", ready);
		a->argv[a->n++] = a->ready;
	}
	snprintf(a->parent, sizeof(a->parent), "--parent=%d", (int)getpid());
	a->argv[a->n++] = a->parent;
	a->argv[a->n++] = module;
}

/* In the child: become the user who called us, then the reader. */
static void exec_reader(const struct arguments *a, int ready)
{
	reset_signals();
	if (ready >= 0)
		fcntl(ready, F_SETFD, 0);
	if (setresgid(getgid(), getgid(), getgid()) || setresuid(getuid(), getuid(), getuid())) {
		fprintf(stderr, "ERROR: couldn't drop privileges: %s\n", strerror(errno));
		_exit(1);
	}
	execv(a->argv[0], (char *const *)a->argv);
	fprintf(stderr, "ERROR: couldn't run %s: %s\n", a->argv[0], strerror(errno));
	_exit(1);
}

struct error *loader_run_reader(const struct loader_options *opt, const char *module, int ready,
				int *status)
{
	struct arguments args;
	struct error *err;
	char path[3100];
	pid_t pid;
	int st;

	err = find_reader(path, sizeof(path));
	if (err)
		return err;
	build_arguments(&args, opt, path, module, ready);
	/* blocked until the reader has its handlers, so that an early Ctrl-C stops it in order */
	block_signals(SIG_BLOCK);
	pid = fork();
	if (!pid)
		exec_reader(&args, ready);
	reader = pid;
	block_signals(SIG_UNBLOCK);
	if (pid < 0)
		return error_create_errno(errno, "fork");
	if (ready >= 0) {
		close(ready);
		daemon_leave_terminal();
	}
	if (early)
		kill(pid, early);
	while (waitpid(pid, &st, 0) < 0 && errno == EINTR)
		;
	reader = 0;
	*status = WIFSIGNALED(st) ? 1 : WEXITSTATUS(st);
	if (WIFSIGNALED(st))
		return error_create("stapio was killed by signal %d (%s); the session was stopped",
				    WTERMSIG(st), strsignal(WTERMSIG(st)));
	return NULL;
}
