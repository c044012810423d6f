// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registering many kprobes. The kernel turns their breakpoints into jumps (optimises them) from a
 * work item that runs 20 ms after a registration, and holds the lock that the next one needs while
 * it waits until every task has left the old instructions: 100 ms and more for each ten or twenty
 * kprobes. So while many are registered the kernel is told not to, by its own switch,
 * /proc/sys/debug/kprobes-optimization, and told to go on behind that: then it optimises them 256
 * at a time, beside us. The switch is the machine's: kprobes of others are breakpoints meanwhile,
 * slower by some 100 ns a hit. Where it is off already, or cannot be had, it stays as it is.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include "probes/probes.h"

#define SWITCH "/proc/sys/debug/kprobes-optimization"
#define MANY 16

static struct file *file;
static int paused;

/*
 * Finds the switch in the mount namespace of the caller, the first that has one. Does nothing for a
 * script that cannot need it. Not within a write to another file of /proc: opening to write takes
 * the superblock's lock that a write holds.
 *
 * Context: process, may sleep: whoever attaches to the session, then its worker.
 */
static void find_switch(void)
{
	struct file *f;

	if (READ_ONCE(file) || stp_script.n_points < MANY)
		return;
	f = filp_open(SWITCH, O_RDWR, 0);
	if (IS_ERR(f))
		return;
	/* 5.11, commit 4bd6a7353ee1: it can be read and written from here */
	if (!f->f_op->read_iter || !f->f_op->write_iter || cmpxchg(&file, NULL, f))
		filp_close(f, NULL); /* or both of those who look for it have found it */
}

static int turn(const char *to)
{
	loff_t pos = 0;

	return kernel_write(file, to, strlen(to), &pos) < 0;
}

/**
 * stp_optimise_pause - @n kprobes are about to be registered
 *
 * Until this round of arming is over. Harmless when it is paused already. Context: process, may
 * sleep; the lock of arming is held.
 */
void stp_optimise_pause(u32 n)
{
	loff_t pos = 0;
	char now;

	if (paused || n < MANY)
		return;
	find_switch();
	if (file && kernel_read(file, &now, 1, &pos) == 1 && now == '1')
		paused = !turn("0\n");
}

static void resume(void)
{
	if (paused && turn("1\n"))
		stp_control_warn("couldn't turn " SWITCH " on again");
	paused = 0;
}

static void forget_switch(void)
{
	if (file)
		filp_close(file, NULL);
	file = NULL;
}

/* Of scripts with probes in the kernel's text, any of which may need a kprobe. */
const struct stp_member stp_member_optimise = {
	.opened = find_switch,
	.armed = resume,
	.exit = forget_switch,
};
