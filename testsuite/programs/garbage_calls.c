/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every system call with arguments that mean nothing, for syscall_garbage.stp: addresses where nothing is, numbers with all bits, some
 * bits, and none that any list has. Left out are calls that would end the program, wait, or do something even so. Between two calls of
 * chdir(), as in odd_calls.c.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LAST 450 /* what strace may know */

static const long nonsense[] = { 0x123000, -1, 0x5a5a5a5a, 0x7fffffff0, 0xdead000000000100 };

/* What does something whatever it is given. */
static const short left_out[] = {
	SYS_exit,
	SYS_exit_group,
	SYS_fork,
	SYS_vfork,
	SYS_clone,
	SYS_rt_sigreturn,
	SYS_restart_syscall,
	SYS_pause,
	SYS_vhangup,
	SYS_sync,
	SYS_umask,
	SYS_alarm,
	SYS_brk,
	SYS_munmap,
	SYS_set_tid_address,
	SYS_kexec_load,
	SYS_reboot,
	/* whose user, or way of calling, is any number */
	SYS_personality,
	SYS_setuid,
	SYS_setgid,
	SYS_setfsuid,
	SYS_setfsgid,
	SYS_setreuid,
	SYS_setregid,
	SYS_setresuid,
	SYS_setresgid,
	/* without arguments: what they give is not the same twice */
	SYS_getpid,
	SYS_gettid,
	SYS_getppid,
	SYS_times,
	SYS_time,
	SYS_sched_yield,
	SYS_getpgrp,
	SYS_inotify_init,
	SYS_setsid,
};

static int is_left_out(int number)
{
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++) {
		if (number == left_out[i])
			return 1;
	}
	return number > SYS_rseq && number < SYS_pidfd_send_signal; /* there are none */
}

int main(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	syscall(SYS_chdir, "/spile-begin");
	for (int number = 0; number <= LAST; number++) {
		if (is_left_out(number))
			continue;
		for (size_t i = 0; i < sizeof(nonsense) / sizeof(*nonsense); i++) {
			long n = nonsense[i];

			syscall(number, n, n, n, n, n, n);
		}
	}
	syscall(SYS_chdir, "/spile-end");
	return 0;
}
