/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "remote/remote.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/kernel_image.h"
#include "remote/guest.h"
#include "remote/guest_kernel.h"

struct sink {
	int out;
	int failed; /* errno of the first write that did not work: the rest is dropped, the session
		       goes on */
};

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

static void report_times(const struct guest *guest)
{
	struct guest_times t = guest_times(guest);

	fprintf(stderr, "guest %s, %s%s: ready in %.2f s\n", guest_release(guest),
		t.warm ? "warm" : "cold", t.kvm ? ", kvm" : "", t.ready);
}

struct error *remote_vm_run(const struct remote_request *request, int *ret_status)
{
	struct guest_options options = { .kernel = request->kernel };
	struct sink sink = { .out = request->output_fd ? request->output_fd : STDOUT_FILENO };
	struct guest_command command = {
		.argv = request->argv,
		.env = request->env,
		.stdin_fd = request->forward_input ? STDIN_FILENO : -1,
		.output = write_all,
		.data = &sink,
		.timeout = request->timeout,
		.forward_signals = true,
	};
	struct guest *guest;
	struct error *err;
	int status = 0;

	err = guest_open(&options, &guest);
	if (err)
		return error_context(err, "guest");
	if (request->verbose)
		report_times(guest);
	err = guest_run(guest, &command, &status);
	if (err && err->errnum == EIO)
		fprintf(stderr, "%.6000s", guest_kernel_log(guest, 40));
	else if (!err && guest_kernel_failure(guest))
		fprintf(stderr, "WARNING: the guest's kernel complained: %s\n",
			guest_kernel_failure(guest));
	guest_close(guest);
	if (!err && sink.failed)
		err = error_create_errno(sink.failed, "writing the session's output");
	if (err)
		return err;
	*ret_status = status;
	return NULL;
}

struct error *remote_vm_kernel(const char *kernel, char **ret_release, char **ret_modules)
{
	struct arena *arena = arena_create();
	struct guest_kernel found;
	struct error *err;

	err = guest_kernel_find(kernel, cache_directory(arena), arena, &found);
	if (!err) {
		*ret_release = strdup(found.release);
		*ret_modules = strdup(found.modules);
		if (!*ret_release || !*ret_modules)
			err = &error_no_memory;
	}
	arena_destroy(arena);
	return err;
}
