/* links: loader */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of staprun needs no module: going to the background. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "loader/daemon.h"

static void ended(int sig)
{
	_exit(3);
}

static void nothing(int sig)
{
}

/*
 * The child of daemon_fork(): sends SIG to who waits for it, again and again, as that needs a while
 * to have its handlers. Ends with 3 when the answer is SIGTERM, and is ready if there is none.
 */
static void child(int sig, int ready)
{
	struct timespec pause = { .tv_nsec = 10000000 };

	signal(SIGTERM, ended);
	for (int i = 0; i < 50; i++) {
		kill(getppid(), sig);
		nanosleep(&pause, NULL);
	}
	_exit(write(ready, "", 1) == 1 ? 0 : 4);
}

/* The exit status of a parent that gets SIG while it waits. hup: of SIGHUP, as inherited. */
static int status_after(int sig, void (*hup)(int))
{
	pid_t pid = fork();
	int status, ready;

	if (!pid) {
		signal(SIGTERM, nothing);
		signal(SIGHUP, hup);
		status = daemon_fork(&ready);
		if (status < 0)
			child(sig, ready);
		_exit(status);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Asked to end before the session has started, the parent ends it. */
static void test_daemon_ended(void **state)
{
	assert_int_equal(status_after(SIGTERM, nothing), 3);
	assert_int_equal(status_after(SIGHUP, nothing), 3);
}

/* nohup staprun -D: a terminal that goes while the session starts ends nothing. */
static void test_daemon_nohup(void **state)
{
	assert_int_equal(status_after(SIGTERM, SIG_IGN), 3);
	assert_int_equal(status_after(SIGHUP, SIG_IGN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_daemon_ended),
		cmocka_unit_test(test_daemon_nohup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
