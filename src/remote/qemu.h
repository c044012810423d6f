/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One QEMU process: its command line, its life, its monitor. All its channels are socket pairs made
 * here, so there are no names to clash and nothing to clean up; it is killed when we die, however
 * we die.
 */
#ifndef SPILE_REMOTE_QEMU_H
#define SPILE_REMOTE_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct arena;

/* What the guest's memory is. */
enum qemu_ram {
	QEMU_RAM_PRIVATE, /* anonymous */
	QEMU_RAM_SAVED,   /* in ram_file, written through: what a snapshot keeps */
	QEMU_RAM_CLONED,  /* from ram_file, copy on write */
};

/*
 * A machine to start; texts are borrowed. ram_file is used when ram says so, virtiofsd for
 * kernels without 9p.
 */
struct qemu_config {
	const char *program;
	const char *image, *initrd;
	unsigned int smp, memory_mb;
	bool icount; /* count instructions instead of time */
	bool kvm;
	/* serves the host's files instead of 9p, or NULL; not with a ram_file */
	const char *virtiofsd;
	const char *append; /* more kernel arguments, or NULL */
	enum qemu_ram ram;
	const char *ram_file;
	bool incoming; /* wait for a state instead of booting */
};

/* A machine that runs, or nothing (pid 0). Descriptors are ours to close; qemu_stop() does. */
struct qemu {
	pid_t pid;       /* 0: not running */
	int port;        /* the agent */
	int log;         /* the kernel's serial console */
	int qmp;         /* the monitor */
	int errors;      /* QEMU's own messages */
	pid_t virtiofsd; /* or 0 */
};

/* qemu-system-x86_64 in PATH; the error names the package. */
struct error *qemu_find(struct arena *arena, const char **ret) ERROR_MUST_CHECK;
/* Whatever of the command line a saved state depends on, as text. */
const char *qemu_describe(struct arena *arena, const struct qemu_config *config);
/*
 * Starts QEMU, and virtiofsd with it. It dies with the calling thread (PR_SET_PDEATHSIG). A
 * program that cannot be executed shows as channels that end, not as an error here. On failure
 * nothing runs and *ret is untouched.
 */
struct error *qemu_start(const struct qemu_config *config, struct qemu *ret) ERROR_MUST_CHECK;
/* Kill, reap and close; harmless on one that does not run, and twice. */
void qemu_stop(struct qemu *qemu);

/* Start the machine's monitor session; once, before any command. */
struct error *qemu_monitor_open(struct qemu *qemu) ERROR_MUST_CHECK;
/*
 * Save the stopped machine's device state: the bytes, on the heap, the caller's. Its RAM stays in
 * ram_file. The machine is stopped, also after a failure: see qemu_continue().
 */
struct error *qemu_save(struct qemu *qemu, char **ret, size_t *len) ERROR_MUST_CHECK;
/* Feed such a state to a machine started with incoming, and let it run. */
struct error *qemu_restore(struct qemu *qemu, const char *state, size_t len) ERROR_MUST_CHECK;
/* Let a machine run on after a failed qemu_save. */
struct error *qemu_continue(struct qemu *qemu) ERROR_MUST_CHECK;

/* Seconds on a clock that only goes forward. */
double monotonic_seconds(void);

#endif
