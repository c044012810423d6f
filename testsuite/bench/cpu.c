/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-cpu COMMAND...: runs it; its CPU milliseconds and the largest resident set (kB) of any
 * process in it, on descriptor 3.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double ms(struct timeval t)
{
	return t.tv_sec * 1e3 + t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	struct rusage ru;
	int status;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: bench-cpu COMMAND [ARGUMENT...] 3>RESULT\n");
		return 1;
	}
	pid = fork();
	if (pid == 0) {
		close(3);
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 1;
	getrusage(RUSAGE_CHILDREN, &ru);
	dprintf(3, "%.1f %ld\n", ms(ru.ru_utime) + ms(ru.ru_stime), ru.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
