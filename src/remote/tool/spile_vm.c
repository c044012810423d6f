/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-vm: run one command in a throwaway guest, over the host's files. The front end of
 * guest.h, for tests and for people.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "remote/guest.h"

enum { STATUS_LATE = 124, STATUS_FAILED = 125, STATUS_KERNEL = 126 };

static void usage(FILE *to)
{
	fputs("usage: spile-vm [-k RELEASE|DIR] [-t SECONDS] [-n CPUS] [-m MB] [-a "
	      "KERNEL-ARGUMENTS] [-civ] -- COMMAND...\n"
	      "Run COMMAND in a throwaway guest whose root is the host's, with changes forgotten "
	      "at its end.\n"
	      "  -c  cold: neither use nor make a snapshot\n"
	      "  -i  count instructions instead of time\n"
	      "  -s  pass standard input on\n"
	      "  -v  say how long the guest took, and its kernel's log at the end\n"
	      "Status: the command's; 124 when it took too long, 125 when there is no guest, 126 "
	      "when its kernel failed.\n",
	      to);
}

/* For guest_command.output; what cannot be written is dropped. */
static void write_out(void *data, int fd, const char *bytes, size_t n)
{
	file_write_all(fd, bytes, n);
}

/* Shows and destroys the error; the exit status for it. */
static int fail(struct error *err)
{
	int status = err->errnum == ETIMEDOUT ? STATUS_LATE
		     : err->errnum == EIO     ? STATUS_KERNEL
					      : STATUS_FAILED;

	fprintf(stderr, "spile-vm: %s\n", err->text);
	if (err->hint)
		fprintf(stderr, "spile-vm: hint: %s\n", err->hint);
	error_destroy(err);
	return status;
}

static int run(const struct guest_options *options, const struct guest_command *command,
	       int verbose)
{
	struct guest *guest;
	struct guest_times t;
	struct error *err;
	int status = 0;

	err = guest_open(options, &guest);
	if (err)
		return fail(err);
	t = guest_times(guest);
	if (verbose)
		fprintf(stderr, "spile-vm: %s, %s%s: booted %.2f s, ready %.2f s\n",
			guest_release(guest), t.warm ? "warm" : "cold", t.kvm ? ", kvm" : "",
			t.booted, t.ready);
	err = guest_run(guest, command, &status);
	if (err)
		status = fail(err);
	if (guest_kernel_failure(guest) && status != STATUS_LATE) {
		if (!err)
			fprintf(stderr, "spile-vm: the guest's kernel complained: %s\n",
				guest_kernel_failure(guest));
		status = STATUS_KERNEL;
	}
	if (verbose || status == STATUS_KERNEL)
		fprintf(stderr, "--- kernel log ---\n%.8000s", guest_kernel_log(guest, 60));
	guest_close(guest);
	return status;
}

int main(int argc, char **argv)
{
	struct guest_options options = { 0 };
	struct guest_command command = { .stdin_fd = -1,
					 .output = write_out,
					 .forward_signals = true };
	int c, verbose = 0;

	while ((c = getopt(argc, argv, "+k:t:n:m:a:cisvh")) != -1) {
		switch (c) {
		case 'k':
			options.kernel = optarg;
			break;
		case 't':
			command.timeout = atof(optarg);
			break;
		case 'n':
			options.smp = atoi(optarg);
			break;
		case 'm':
			options.memory_mb = atoi(optarg);
			break;
		case 'a':
			options.append = optarg;
			break;
		case 'c':
			options.cold = true;
			break;
		case 'i':
			options.icount = true;
			break;
		case 's':
			command.stdin_fd = 0;
			break;
		case 'v':
			verbose = 1;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return STATUS_FAILED;
		}
	}
	if (optind == argc) {
		usage(stderr);
		return STATUS_FAILED;
	}
	command.argv = (const char *const *)argv + optind;
	return run(&options, &command, verbose);
}
