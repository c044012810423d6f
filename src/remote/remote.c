/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --remote=vm: a guest is opened in a thread while stap compiles, then runs the session in place
 * of this machine. Output is passed on as it comes, signals go to the session, and the guest is
 * given up at the end.
 */
#include "remote/remote.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/cleanup.h"
#include "remote/guest.h"
#include "remote/guest_kernel.h"
#include "unpack/kernel_image.h"

/* Where the session's output goes. */
struct sink {
	int out;
	/* errno of the first write that did not work: the rest is dropped, the session goes on */
	int failed;
};

/* For guest_command.output. */
static void write_all(void *data, int fd, const char *bytes, size_t n)
{
	struct sink *sink = data;
	struct pollfd p = { .fd = fd == 1 ? sink->out : STDERR_FILENO, .events = POLLOUT };

	while (n && !sink->failed) {
		ssize_t done = write(p.fd, bytes, n);

		if (done >= 0) {
			bytes += done;
			n -= done;
		} else if (errno == EAGAIN) {
			poll(&p, 1, -1);
		} else if (errno != EINTR) {
			sink->failed = errno;
		}
	}
}

/*
 * The thread opens the guest and then stays: QEMU is set to die with the thread that started it.
 * Guest and error change hands at the semaphores.
 */
struct remote_guest {
	pthread_t thread;
	sem_t opened, done;
	_Atomic(bool) booting; /* set by the thread */
	char *kernel;
	struct guest *guest;
	struct error *err;
};

/* The thread's life is the guest's. */
static void *open_and_stay(void *arg)
{
	struct remote_guest *r = arg;
	struct guest_options options = { .kernel = r->kernel, .booting = &r->booting };

	r->err = guest_open(&options, &r->guest);
	sem_post(&r->opened);
	while (sem_wait(&r->done) < 0)
		continue;
	return NULL;
}

/* For one whose thread has ended or never ran. */
static void free_guest(struct remote_guest *r)
{
	sem_destroy(&r->opened);
	sem_destroy(&r->done);
	free(r->kernel);
	free(r);
}

struct remote_guest *remote_vm_prepare(const char *kernel)
{
	struct remote_guest *r = calloc(1, sizeof(*r));
	sigset_t all, old;
	int failed;

	if (!r)
		return NULL;
	sem_init(&r->opened, 0, 0);
	sem_init(&r->done, 0, 0);
	r->kernel = kernel ? strdup(kernel) : NULL;
	failed = kernel && !r->kernel;
	/* Signals are the main thread's business. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (!failed)
		failed = pthread_create(&r->thread, NULL, open_and_stay, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!failed)
		return r;
	free_guest(r);
	return NULL;
}

/* The first boot of a kernel takes seconds: from the second one on not without a word. */
static void wait_opened(struct remote_guest *r)
{
	struct timespec next;
	bool said = false;

	clock_gettime(CLOCK_REALTIME, &next);
	next.tv_sec++;
	while (said ? sem_wait(&r->opened) : sem_timedwait(&r->opened, &next)) {
		if (errno != ETIMEDOUT)
			continue;
		next.tv_sec++;
		said = r->booting;
		if (said)
			fputs("Booting a guest; it is kept for the next time.\n", stderr);
	}
}

/* Only when the guest was opened, or failed to be. */
static void close_guest(struct remote_guest *r)
{
	guest_close(r->guest);
	sem_post(&r->done);
	pthread_join(r->thread, NULL);
	free_guest(r);
}

void remote_vm_forget(struct remote_guest *r)
{
	/* One that still boots is not waited for: QEMU ends with this process. */
	if (!r || sem_trywait(&r->opened) < 0)
		return;
	error_destroy(r->err);
	close_guest(r);
}

static void report_times(const struct guest *guest)
{
	struct guest_times t = guest_times(guest);

	fprintf(stderr, "guest %s, %s%s: ready in %.2f s\n", guest_release(guest),
		t.warm ? "warm" : "cold", t.kvm ? ", kvm" : "", t.ready);
}

/* The session itself, in an open guest. */
static struct error *run_command(const struct remote_request *request, struct guest *guest,
				 int *ret_status)
{
	struct sink sink = { .out = request->output_fd >= 0 ? request->output_fd : STDOUT_FILENO };
	struct guest_command command = {
		.argv = request->argv,
		.env = request->env,
		.stdin_fd = request->forward_input ? STDIN_FILENO : -1,
		.output = write_all,
		.data = &sink,
		.timeout = request->timeout,
		.forward_signals = true,
		.quit_signal = SIGINT, /* nothing can stay in a guest that ends with us */
	};
	sigset_t forwarded;
	struct error *err;
	int status = 0;

	if (request->verbose)
		report_times(guest);
	/* until here a signal gives the guest up at once; now it goes to the session */
	cleanup_pause(&forwarded);
	err = guest_run(guest, &command, &status);
	cleanup_resume();
	if (err && err->errnum == EIO)
		fprintf(stderr, "%.6000s", guest_kernel_log(guest, 40));
	else if (!err && guest_kernel_failure(guest))
		fprintf(stderr, "WARNING: the guest's kernel complained: %s\n",
			guest_kernel_failure(guest));
	if (!err && sink.failed)
		err = error_create_errno(sink.failed, "writing the session's output");
	if (err)
		return err;
	*ret_status = status;
	return NULL;
}

struct error *remote_vm_run(const struct remote_request *request, int *ret_status)
{
	struct remote_guest *r = request->prepared;
	struct error *err;

	if (!r)
		r = remote_vm_prepare(request->kernel);
	if (!r)
		return &error_no_memory;
	wait_opened(r);
	if (r->err)
		err = error_context(r->err, "guest");
	else
		err = run_command(request, r->guest, ret_status);
	close_guest(r);
	return err;
}

struct error *remote_vm_kernel(const char *kernel, char **ret_release, char **ret_modules)
{
	struct arena *arena = arena_create();
	struct guest_kernel found;
	struct error *err;

	err = guest_kernel_find(kernel, cache_directory(arena), arena, &found);
	if (!err) {
		char *release = strdup(found.release), *modules = strdup(found.modules);

		if (release && modules) {
			*ret_release = release;
			*ret_modules = modules;
		} else {
			free(release);
			free(modules);
			err = &error_no_memory;
		}
	}
	arena_destroy(arena);
	return err;
}
