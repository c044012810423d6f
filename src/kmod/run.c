/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 5: staprun, on this machine or in a guest. The back end only builds the command line,
 * passes signals on and waits; staprun loads the module and reads its output. Requires k->ko.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "kmod/internal.h"
#include "remote/remote.h"
#include "runtime/uapi/wire.h"

/* staprun takes a word without a slash for a module's name; a guest may start elsewhere. */
static const char *absolute_path(struct arena *a, const char *path)
{
	char real[PATH_MAX];

	return realpath(path, real) ? arena_strdup(a, real) : path;
}

/*
 * The command line, NULL-terminated, in the arena. In a guest the output file is not named:
 * open_output() opens it on this side.
 */
static const char *const *staprun_arguments(struct backend_job *job)
{
	const struct backend_options *o = &job->options;
	VEC(const char *) argv = { 0 };
	struct arena *a = job->arena;

	vec_push(a, &argv, absolute_path(a, job->environment.loader));
	for (int i = 1; i < o->verbose[5]; i++)
		vec_push(a, &argv, "-v");
	if (o->verbose[5])
		vec_push(a, &argv, "--progress");
	if (o->no_warnings)
		vec_push(a, &argv, "-w");
	if (o->color != BACKEND_COLOR_AUTO) {
		vec_push(a, &argv, "-C");
		vec_push(a, &argv, o->color == BACKEND_COLOR_ALWAYS ? "always" : "never");
	}
	if (o->command) {
		vec_push(a, &argv, "-c");
		vec_push(a, &argv, o->command);
	}
	if (o->target_pid) {
		vec_push(a, &argv, "-x");
		vec_push(a, &argv, arena_printf(a, "%ld", o->target_pid));
	}
	if (o->namespaces_pid) {
		vec_push(a, &argv, "-N");
		vec_push(a, &argv, arena_printf(a, "%ld", o->namespaces_pid));
	}
	if (o->output && !o->remote) {
		vec_push(a, &argv, "-o");
		vec_push(a, &argv, o->output);
	}
	if (o->rotation) {
		vec_push(a, &argv, "-S");
		vec_push(a, &argv, o->rotation);
	}
	if (o->flight)
		vec_push(a, &argv, o->output ? "-D" : "-L");
	if (o->buffer_mb) {
		vec_push(a, &argv, "-b");
		vec_push(a, &argv, arena_printf(a, "%u", o->buffer_mb));
	}
	if (o->timeout)
		vec_push(a, &argv, arena_printf(a, "--timeout=%u", o->timeout));
	if (!o->flight && !o->remote)
		vec_push(a, &argv, arena_printf(a, "--parent=%d", (int)getpid()));
	vec_push(a, &argv, absolute_path(a, kmod_of(job)->ko));
	vec_push(a, &argv, NULL);
	return (const char *const *)argv.data;
}

/* For the signal handler; 0 until staprun has been started. */
static volatile sig_atomic_t child_pid;

static void pass_on(int sig, siginfo_t *info, void *context)
{
	/* what the terminal sends, it sends to staprun too */
	if (child_pid > 0 && info->si_code != SI_KERNEL)
		kill(child_pid, sig);
}

/*
 * The terminal's Ctrl-C reaches staprun and its reader without us; what is sent to stap alone is
 * passed on. Either way we wait for them to end in order.
 */
static struct error *run_here(struct backend_job *job, bool *ok)
{
	struct subprocess sp = { .argv = staprun_arguments(job),
				 .in = SUBPROCESS_INHERIT,
				 .out = SUBPROCESS_INHERIT,
				 .err = SUBPROCESS_INHERIT };
	struct sigaction forward = { .sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO };
	struct error *err;
	sigset_t taken;
	int status;
	pid_t pid;

	cleanup_pause(&taken);
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&taken, sig) > 0)
			sigaction(sig, &forward, NULL);
	err = subprocess_start(&sp, &pid);
	if (!err) {
		child_pid = pid;
		pthread_sigmask(SIG_UNBLOCK, &taken, NULL);
		err = subprocess_wait(pid, &status);
	}
	cleanup_resume();
	*ok = !err && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return err;
}

/*
 * The guest's files are forgotten with it: -o is opened here and given to the guest as its
 * standard output; -1 without -o.
 */
static struct error *open_output(struct backend_job *job, int *ret)
{
	struct error *err = NULL;
	char *path;

	*ret = -1;
	if (!job->options.output)
		return NULL;
	path = path_expand_time(job->options.output);
	if (!path)
		return &error_no_memory;
	*ret = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (*ret < 0)
		err = error_create_errno(errno, "%s", path);
	free(path);
	return err;
}

/* Whether the program has probes of our standard input; nobody else in a guest is given it. */
static bool reads_input(const struct ir_program *program)
{
	vec_foreach(p, &program->probes) {
		vec_foreach(point, &(*p)->points) {
			const char *path = ir_attach_proc_path(&point->attach);

			if (path &&
			    (!strcmp(path, STP_INPUT_CHARS) || !strcmp(path, STP_INPUT_LINES)))
				return true;
		}
	}
	return false;
}

/*
 * Takes over the guest that the driver may have started early; remote/ starts one when there is
 * none.
 */
static struct error *run_in_guest(struct backend_job *job, bool *ok)
{
	struct remote_request request = { .kernel = job->environment.kernel_spec,
					  .prepared = *job->environment.guest,
					  .argv = staprun_arguments(job),
					  .forward_input = reads_input(job->program),
					  .verbose = job->options.verbose[5] };
	int status = 1;
	struct error *err = open_output(job, &request.output_fd);

	if (!err) {
		*job->environment.guest = NULL;
		err = remote_vm_run(&request, &status);
	}
	if (request.output_fd >= 0 && close(request.output_fd) && !err)
		err = error_create_errno(errno, "%s", job->options.output);
	*ok = !err && status == 0;
	return err;
}

struct error *kmod_run(struct backend_job *job, bool *ok)
{
	fflush(stdout);
	return job->options.remote ? run_in_guest(job, ok) : run_here(job, ok);
}
