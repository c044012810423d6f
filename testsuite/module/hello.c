/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe begin { println("hello") } as the translator might write it */
#include "script.h"

static const char *const formats[] = { "hello\n" };
static const char *const positions[] = { "" };

static void probe_0(struct stp_ctx *c)
{
	if (stp_actions(c, 1))
		return;
	stp_print_0(c, 0);
}

extern const struct stp_family stp_family_begin;

static const struct stp_point points_0[] = { { .pp = "begin" } };

static struct stp_probe probes[] = {
	{ .family = &stp_family_begin,
	  .handler = probe_0,
	  .points = points_0,
	  .n_points = 1,
	  .pn = "begin",
	  .location = "hello:1:1" },
};

struct stp_script stp_script = {
	.abi = STP_SCRIPT_ABI,
	.probes = probes,
	.n_probes = 1,
	.n_points = 1,
	.formats = formats,
	.n_formats = 1,
	.positions = positions,
	.n_positions = 1,
	.max_string = 512,
	.max_action = 1000,
	.max_action_interruptible = 10000,
	.max_nesting = 32,
	.max_skipped = 100,
	.max_trylock = 1000,
	.trylock_delay_us = 10,
	.min_stack = 1024,
	.scratch_size = 8192,
	.script_name = "hello",
	.module_name = "hello",
};
