/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the host and the agent inside a guest say to each other over one virtio serial port:
 * frames of a header and LEN bytes, both directions, little-endian (both ends are the same
 * machine). One command runs at a time, so frames carry no command number; a guest whose command
 * overstays is killed, never reused.
 *
 *   agent -> host   BOOTED   the drivers are in; a snapshot may be taken now
 *   host -> agent   SETUP    struct agent_setup, then the modules directory as text (may be empty)
 *   agent -> host   READY    LEN 0, or the reason why the host's files could not be mounted
 *   host -> agent   RUN      struct agent_run, then NUL-terminated strings: directory, arguments,
 *                            environment
 *   host -> agent   INPUT    bytes for the command's standard input; LEN 0 is its end
 *   agent -> host   INPUT    LEN 0: the command has taken it, more may come
 *   host -> agent   SIGNAL   uint32_t, sent to the command's process group
 *   agent -> host   OUTPUT, ERRORS   what the command wrote to its standard output and error
 *   agent -> host   EXIT     uint32_t: the exit status as a shell has it (128 + signal);
 *                            everything written came before
 *
 * The protocol has no version: agent and host are of one build, and snapshots are told apart by
 * the initrd that holds the agent.
 */
#ifndef SPILE_REMOTE_AGENT_PROTOCOL_H
#define SPILE_REMOTE_AGENT_PROTOCOL_H

#include <stdint.h>

/* The types of frames, as above. */
enum agent_frame {
	AGENT_BOOTED = 1,
	AGENT_SETUP,
	AGENT_READY,
	AGENT_RUN,
	AGENT_INPUT,
	AGENT_SIGNAL,
	AGENT_OUTPUT,
	AGENT_ERRORS,
	AGENT_EXIT,
};

/* Before each frame; len is without the header. */
struct agent_header {
	uint32_t type; /* enum agent_frame */
	uint32_t len;
};

/* A restored guest has the clock and the random state of the moment it was saved. */
struct agent_setup {
	uint64_t sec, nsec;
	uint8_t seed[32];
};

/* Counts of the strings that follow, without the directory. */
struct agent_run {
	uint32_t n_args, n_env;
	uint32_t has_input; /* else standard input is /dev/null */
};

/*
 * The driver takes 32 KB a write; larger frames cost nothing and save headers. Commands must fit
 * one frame.
 */
#define AGENT_DATA_MAX (64u << 10)
#define AGENT_RUN_MAX (1u << 20)

#define AGENT_PORT "spile"    /* the virtio port's name */
#define AGENT_ROOT_TAG "root" /* the 9p tag of the host's file system */

#endif
