/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a function of a program is left by one of its instructions. */
#ifndef STP_UAPI_EXITS_H
#define STP_UAPI_EXITS_H

enum stp_exit_kind {
	STP_EXIT_RETURN,
	STP_EXIT_JUMP, /* it may go to another function, whose return is then its own */
	STP_EXIT_LEAF, /* to one that calls nothing: its return address may be replaced */
	STP_EXIT_KINDS
};

#endif
