/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module's files in /proc/systemtap/NAME/: opening, mapping, commands and messages
 * (runtime/uapi/wire.h).
 */
#ifndef SPILE_READER_CONTROL_H
#define SPILE_READER_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reader/ring.h"
#include "reader/tables.h"

/*
 * An attached module. Everything is released by control_close(); the rings are mappings, of
 * map_len bytes each, shared with the kernel.
 */
struct control {
	char *dir;
	int fd; /* cmd, non-blocking; -1 when closed */
	struct tables tables;
	struct ring *rings; /* in CPU order */
	size_t n_rings;
	size_t map_len; /* of each ring */
	struct stp_msg *msg;
	size_t msg_cap;
};

/*
 * Attach: opens the command channel, reads and checks the script's tables, maps the rings. One
 * reader at a time: a second one gets an error. root: normally STP_PROC_ROOT. On failure
 * control_close() is still to be called.
 */
struct error *control_open(struct control *c, const char *root,
			   const char *module) ERROR_MUST_CHECK;
/* Closing cmd without a detach command stops the session. Accepts a zeroed or half-open control. */
void control_close(struct control *c);
/*
 * One command; arg is what its type says in wire.h. errnum of the error is the module's answer
 * (EALREADY for a session that was started).
 */
struct error *control_send(struct control *c, enum stp_cmd_type type,
			   stp_long arg) ERROR_MUST_CHECK;
/*
 * Tells the module the time zone of this process. Before STP_CMD_START, to a script that asks for
 * it.
 */
struct error *control_send_zone(struct control *c) ERROR_MUST_CHECK;
/*
 * The next message, NULL when there is none now; valid until the next call. An error: the module is
 * gone, has sent what is no message, or there is no memory for a long one.
 */
struct error *control_receive(struct control *c, const struct stp_msg **ret) ERROR_MUST_CHECK;
/* The text of a message, "" when it has none. */
const char *control_text(const struct stp_msg *msg);
/*
 * A snapshot of the ledger: a row per probe, *n of them, and behind them for each point of the
 * tables how many hits it has missed (stp_u64); on the heap, the caller frees.
 */
struct error *control_ledger(struct control *c, struct stp_ledger_row **ret,
			     size_t *n) ERROR_MUST_CHECK;
/*
 * What -t wants to know beside that; behind it a row for each lock of the tables (struct
 * stp_lock_row), then one for each point (struct stp_timing_stat). Caller frees.
 */
struct error *control_timing(struct control *c, struct stp_timing **ret) ERROR_MUST_CHECK;

#endif
