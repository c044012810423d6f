/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A throwaway guest: an installed (or unpacked) kernel in QEMU, with the host's files as its
 * root, read-only below a writable overlay that is forgotten with the guest. Host programs run
 * inside it as they are. The kernel may crash as it likes; the host and its files are out of its
 * reach.
 *
 * guest_open boots, or clones a saved guest (snapshot.h); guest_run runs one command and streams
 * what it writes; guest_close kills it. A guest belongs to one thread. QEMU never outlives the
 * thread that opened it, and so not the process. No privileges are needed, except for kernels
 * without 9p (virtiofs.h). Nothing here prints: output comes through a callback, failures as
 * struct error with errnum
 *
 *   ETIMEDOUT  the command's or the boot's time limit passed
 *   EIO        the guest's kernel failed; guest_kernel_failure() has its message
 *   EINTR      a second interrupt asked to give up at once
 *
 * or without one when QEMU ended or the agent could not be talked to. After any failure of
 * guest_run() the guest must be closed.
 */
#ifndef SPILE_REMOTE_GUEST_H
#define SPILE_REMOTE_GUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct guest;

/* Zeroed: the newest installed kernel, in the default shape. Read during guest_open() only. */
struct guest_options {
	/* a release, an unpacked kernel's directory, or NULL: newest installed */
	const char *kernel;
	/* the spile-agent program; NULL: sought beside this program and where installed */
	const char *agent;
	const char *cache_dir;  /* NULL: cache_directory() */
	const char *append;     /* more kernel arguments, or NULL */
	unsigned int smp;       /* 0: GUEST_SMP */
	unsigned int memory_mb; /* 0: GUEST_MEMORY_MB */
	bool icount;            /* count instructions: one CPU, reproducible, three times slower */
	bool cold;              /* neither use nor make a snapshot */
	/*
	 * boot the compressed image, which moves the kernel at boot (KASLR), and cold; else it
	 * stays where it was linked
	 */
	bool kaslr;
	double boot_timeout; /* seconds; 0: GUEST_BOOT_TIMEOUT */
	/* NULL, or set once a kernel boots, because no snapshot serves; another thread may look */
	_Atomic(bool) *booting;
};

/* The default shape, the only one that is kept as a snapshot; the time limit is in seconds. */
#define GUEST_SMP 2
#define GUEST_MEMORY_MB 1024
#define GUEST_BOOT_TIMEOUT 300.0

/* How the guest came up; in seconds. */
struct guest_times {
	/* seconds from guest_open to the agent's first word, or to the clone running */
	double booted;
	double ready; /* to its root file system mounted */
	bool warm;    /* cloned from a snapshot */
	bool kvm;
};

/* One command; read until guest_run() returns. output is never called afterwards. */
struct guest_command {
	const char *const *argv; /* NULL-terminated; argv[0] sought in PATH */
	const char *const *env;  /* NULL-terminated and complete; NULL: ours */
	const char *cwd;         /* NULL: ours */
	int stdin_fd;            /* forwarded until it ends, or -1: /dev/null */
	/* What the command wrote, FD being 1 or 2; may call guest_signal. */
	void (*output)(void *data, int fd, const char *bytes, size_t n);
	void *data;
	double timeout; /* seconds, or 0 */
	/* our INT, TERM, HUP and QUIT go to the command while it runs; a second gives up */
	bool forward_signals;
	int quit_signal; /* what goes there for a QUIT, 0: that itself */
};

/*
 * Takes from a fraction of a second (a clone) to many seconds (a cold boot). On failure nothing
 * runs and *ret is untouched. The thread that opened it must live as long as the guest; another
 * may use it, one at a time.
 */
struct error *guest_open(const struct guest_options *options, struct guest **ret) ERROR_MUST_CHECK;
/* Kills the guest and frees it; NULL is fine. */
void guest_close(struct guest *guest);

/*
 * Runs a command to its end. *ret_status is as a shell has it: the exit status, or 128 + the
 * signal's number; untouched on failure. Commands of one guest run one after the other, in what
 * earlier ones left of its file system.
 */
struct error *guest_run(struct guest *guest, const struct guest_command *command,
			int *ret_status) ERROR_MUST_CHECK;
/*
 * To the process group of the command that runs; nothing when none does. From the output
 * callback, on the guest's thread.
 */
struct error *guest_signal(struct guest *guest, int sig) ERROR_MUST_CHECK;

/*
 * The first line in the kernel's log that says it is broken, or NULL. A warning does not end the
 * guest. A text of the guest.
 */
const char *guest_kernel_failure(const struct guest *guest);
/*
 * Its log from that line on, or the last lines when nothing failed; valid until the next call on
 * the guest.
 */
const char *guest_kernel_log(const struct guest *guest, unsigned int n_lines);
/* Its kernel's release; a text of the guest. */
const char *guest_release(const struct guest *guest);
/* CPU time QEMU has used for it, in seconds; 0 when the guest has gone. */
double guest_cpu_seconds(const struct guest *guest);
/* How long it took to be ready, and how it was started. */
struct guest_times guest_times(const struct guest *guest);

#endif
