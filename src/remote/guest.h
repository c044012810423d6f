/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A throwaway guest: an installed (or unpacked) kernel in QEMU, with the host's files as its root,
 * read-only below a writable overlay that is forgotten with the guest. Host programs run inside it
 * as they are. The kernel may crash as it likes; the host and its files are out of its reach.
 *
 * guest_open boots, or clones a saved guest (snapshot.h); guest_run runs one command and streams
 * what it writes; guest_close kills it. A guest belongs to one thread. QEMU never outlives the
 * process that opened it. Nothing here prints: output comes through a callback, failures as struct
 * error with errnum ETIMEDOUT  the command's or the boot's time limit passed EIO        the guest's
 * kernel failed; guest_kernel_failure() has its message EINTR      a second interrupt asked to give
 * up at once After any of the three the guest must be closed.
 */
#ifndef SPILE_REMOTE_GUEST_H
#define SPILE_REMOTE_GUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct guest;

struct guest_options {
	const char
		*kernel; /* a release, an unpacked kernel's directory, or NULL: newest installed */
	const char *agent; /* the spile-agent program; NULL: sought beside this program and where
			      installed */
	const char *cache_dir;  /* NULL: cache_directory() */
	const char *append;     /* more kernel arguments, or NULL */
	unsigned int smp;       /* 0: GUEST_SMP */
	unsigned int memory_mb; /* 0: GUEST_MEMORY_MB */
	bool icount;            /* count instructions: one CPU, reproducible, three times slower */
	bool cold;              /* neither use nor make a snapshot */
	double boot_timeout;    /* seconds; 0: GUEST_BOOT_TIMEOUT */
};

#define GUEST_SMP 2
#define GUEST_MEMORY_MB 1024
#define GUEST_BOOT_TIMEOUT 120.0

struct guest_times {
	double booted; /* seconds from guest_open to the agent's first word, or to the clone running */
	double ready; /* to its root file system mounted */
	bool warm;    /* cloned from a snapshot */
	bool kvm;
};

struct guest_command {
	const char *const *argv; /* NULL-terminated; argv[0] sought in PATH */
	const char *const *env;  /* NULL-terminated and complete; NULL: ours */
	const char *cwd;         /* NULL: ours */
	int stdin_fd;            /* forwarded until it ends, or -1: /dev/null */
	/* What the command wrote, FD being 1 or 2; may call guest_signal. */
	void (*output)(void *data, int fd, const char *bytes, size_t n);
	void *data;
	double timeout;       /* seconds, or 0 */
	bool forward_signals; /* our INT, TERM, HUP and QUIT go to the command while it runs; a
				 second gives up */
	int quit_signal;      /* what goes there for a QUIT, 0: that itself */
};

struct error *guest_open(const struct guest_options *options, struct guest **ret) ERROR_MUST_CHECK;
void guest_close(struct guest *guest); /* NULL is fine */

/* *ret_status as a shell has it: the exit status, or 128 + the signal's number. */
struct error *guest_run(struct guest *guest, const struct guest_command *command,
			int *ret_status) ERROR_MUST_CHECK;
/* To the process group of the command that runs. */
struct error *guest_signal(struct guest *guest, int sig) ERROR_MUST_CHECK;

/* The first line in the kernel's log that says it is broken, or NULL. A warning does not end the
 * guest. */
const char *guest_kernel_failure(const struct guest *guest);
/* Its log from that line on, or the last lines when nothing failed; valid until the next call on
 * the guest. */
const char *guest_kernel_log(const struct guest *guest, unsigned int n_lines);
const char *guest_release(const struct guest *guest);
/* Where its modules are on the host. */
const char *guest_modules(const struct guest *guest);
struct guest_times guest_times(const struct guest *guest);

#endif
