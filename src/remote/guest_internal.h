/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What guest.c (talking to a guest) and guest_boot.c (getting one) share. */
#ifndef SPILE_REMOTE_GUEST_INTERNAL_H
#define SPILE_REMOTE_GUEST_INTERNAL_H

#include <stdint.h>

#include "base/strbuf.h"
#include "remote/agent_protocol.h"
#include "remote/guest.h"
#include "remote/guest_kernel.h"
#include "remote/kernel_log.h"
#include "remote/qemu.h"

/* in holds the bytes of a frame that is not complete, in_len of them. */
struct guest {
	struct arena *arena;
	struct guest_kernel kernel;
	struct qemu qemu;
	struct kernel_log log;
	struct strbuf errors; /* QEMU's own messages */
	struct guest_times times;
	char in[sizeof(struct agent_header) + AGENT_DATA_MAX];
	size_t in_len;
};

/* The further descriptors of a guest_wait: the command's input, and our signals. */
enum wait_fd { WAIT_INPUT_FD, WAIT_SIGNAL_FD };

/*
 * A frame came; true ends the wait. bytes are valid during the call only, and frames behind it
 * stay for the next wait.
 */
typedef bool frame_handler(struct guest *g, void *data, uint32_t type, const char *bytes,
			   size_t len);

/* A wait, and what else happens meanwhile. */
struct guest_wait {
	const char *what; /* "while ...", for messages */
	double timeout;   /* seconds, or 0 */
	/*
	 * Further descriptors to watch (-1: none now), and what to do when one is readable; both or
	 * neither.
	 */
	int (*extra)(void *data, enum wait_fd which);
	struct error *(*ready)(struct guest *g, void *data, enum wait_fd which);
};

/*
 * Serve the guest's channels until HANDLER is content, the guest is lost or time is up. The
 * kernel's log is read meanwhile, so it never blocks the guest.
 */
struct error *guest_wait(struct guest *g, const struct guest_wait *w, frame_handler *handler,
			 void *data) ERROR_MUST_CHECK;
/* For the agent's first frame; timeout in seconds. */
struct error *guest_wait_booted(struct guest *g, double timeout) ERROR_MUST_CHECK;
/*
 * Gives the guest the clock, a seed and its root file system. Once, booted or cloned, before the
 * first command.
 */
struct error *guest_setup(struct guest *g) ERROR_MUST_CHECK;

#endif
