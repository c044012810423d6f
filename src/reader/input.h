/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard input for scripts with input.char or input.line: what comes there is written to the
 * files that their probes have made, a character each time. A script without such probes leaves it
 * alone.
 */
#ifndef SPILE_READER_INPUT_H
#define SPILE_READER_INPUT_H

#include <stdbool.h>
#include <termios.h>

/* Opened by input_open(), released by input_close(). */
struct input {
	int from;           /* to be polled for reading; -1: nothing more is wanted or comes */
	int chars, lines;   /* what the two sorts of probe read from; -1: there are none */
	bool in_line;       /* the last character was no newline */
	bool unbuffered;    /* a terminal gives characters at once, as */
	struct termios was; /* it did not before */
};

/* Once the session runs. DIR is the module's directory below /proc. */
void input_open(struct input *in, const char *dir);
/*
 * from can be read: goes on with what is there. At its end, or when the probes are gone, from
 * becomes -1; the last line gets its newline then.
 */
void input_forward(struct input *in);
/* The terminal is as it was. */
void input_close(struct input *in);

#endif
