/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See user_tables.h. */
#include "reader/user_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "reader/signals.h"
#include "runtime/uapi/user_table.h"

#define MAKER_MEMORY (4ul << 30) /* bytes of addresses */

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* stap-table beside this program. False: it is not installed. */
static bool find_program(struct user_tables *u)
{
	static const char name[] = "stap-table";
	ssize_t n = readlink("/proc/self/exe", u->program, sizeof(u->program) - sizeof(name));
	char *slash;

	u->program[n > 0 ? n : 0] = '\0';
	slash = strrchr(u->program, '/');
	if (!slash)
		return false;
	memcpy(slash + 1, name, sizeof(name));
	return !access(u->program, X_OK);
}

void user_tables_open(struct user_tables *u, const char *dir)
{
	int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	*u = (struct user_tables){ .fd = -1, .said = -1, .made = -1 };
	if (at < 0)
		return;
	if (!faccessat(at, "tables", F_OK, 0) && find_program(u))
		u->fd = openat(at, "tables", O_RDWR | O_CLOEXEC);
	close(at);
}

int user_tables_poll(const struct user_tables *u)
{
	return u->said >= 0 ? u->said : u->fd;
}

/* ---- a file ---- */

/* NULL: it may be read; else why not. */
static const char *distrust(int fd)
{
	struct statvfs fs;
	struct stat st;

	if (fstat(fd, &st) || fstatvfs(fd, &fs))
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "it is no regular file";
	if (st.st_uid || st.st_mode & (S_IWGRP | S_IWOTH))
		return "others than root may change it";
	if (fs.f_flag & ST_NOSUID)
		return "its file system is mounted nosuid";
	return NULL;
}

static void tell(const struct user_tables *u, struct messages *messages, const char *why)
{
	if (messages->verbose)
		messages_line(messages, "No table of %s: %s", u->path, why);
}

/*
 * The answer to what was asked last: the table in MADE, of SIZE bytes with what stands before it,
 * or none.
 */
static bool answer(struct user_tables *u, size_t size)
{
	struct stp_table_given given = { .slot = u->slot };
	void *map = MAP_FAILED;
	bool taken;

	if (size <= sizeof(given))
		return write(u->fd, &given, sizeof(given)) == (ssize_t)sizeof(given);
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, u->made, 0);
	if (map == MAP_FAILED) {
		answer(u, 0);
		return false;
	}
	given.size = (stp_u32)(size - sizeof(given));
	memcpy(map, &given, sizeof(given));
	taken = write(u->fd, map, size) == (ssize_t)size;
	munmap(map, size);
	return taken;
}

/* ---- the maker ---- */

static _Noreturn void become_maker(const struct user_tables *u, pid_t reader, int file, int said)
{
	const struct rlimit memory = { MAKER_MEMORY, MAKER_MEMORY },
			    cpu = { USER_TABLE_CPU_MAX,
				    USER_TABLE_CPU_MAX + 5 }; /* SIGXCPU first */
	char *const argv[] = { (char *)u->program, NULL };

	signals_reset();
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != reader)
		_exit(1);
	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_CPU, &cpu);
	if (dup2(file, STDIN_FILENO) >= 0 && dup2(u->made, STDOUT_FILENO) >= 0 &&
	    dup2(said, STDERR_FILENO) >= 0)
		execv(u->program, argv);
	_exit(1);
}

/* False: it could not be started, and nothing is open. */
static bool start_maker(struct user_tables *u, int file)
{
	pid_t reader = getpid();
	int said[2];

	u->made = memfd_create("stap-table", MFD_CLOEXEC);
	if (u->made < 0 || lseek(u->made, sizeof(struct stp_table_given), SEEK_SET) < 0 ||
	    pipe2(said, O_CLOEXEC | O_NONBLOCK)) {
		close_one(&u->made);
		return false;
	}
	u->why[0] = '\0';
	u->maker = fork();
	if (!u->maker)
		become_maker(u, reader, file, said[1]);
	close(said[1]);
	u->said = said[0];
	if (u->maker > 0)
		return true;
	close_one(&u->said);
	close_one(&u->made);
	return false;
}

/* The maker has ended, with all it started. */
static void finish(struct user_tables *u, struct messages *messages)
{
	struct stat st = { 0 };
	size_t size = fstat(u->made, &st) ? 0 : (size_t)st.st_size;
	bool has_room = size <= sizeof(struct stp_table_given) + STP_USER_TABLE_MAX;

	if (!answer(u, has_room ? size : 0))
		tell(u, messages, strerror(errno));
	else if (!has_room)
		tell(u, messages, "it would be too large");
	else if (size <= sizeof(struct stp_table_given))
		tell(u, messages, *u->why ? u->why : "stap-table failed");
	close_one(&u->made);
	close_one(&u->said);
}

/* Only the first words are kept. */
static void listen(struct user_tables *u, struct messages *messages)
{
	char text[sizeof(u->why)];
	ssize_t n;

	while ((n = read(u->said, text, sizeof(text) - 1)) > 0) {
		text[n] = '\0';
		text[strcspn(text, "\n")] = '\0';
		if (!*u->why)
			memcpy(u->why, text, sizeof(text));
	}
	if (!n || (errno != EAGAIN && errno != EINTR))
		finish(u, messages);
}

/* False: nothing is wanted. */
static bool take_next(struct user_tables *u, struct messages *messages)
{
	struct stp_table_wanted wanted;
	const char *why;
	char link[32];
	ssize_t n;

	n = read(u->fd, &wanted, sizeof(wanted));
	if (n < 0 && errno != EINTR)
		close_one(&u->fd); /* poll() would say again and again that there is something */
	if (n != (ssize_t)sizeof(wanted))
		return false;
	u->slot = wanted.slot;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", wanted.fd);
	n = readlink(link, u->path, sizeof(u->path) - 1);
	u->path[n > 0 ? n : 0] = '\0';
	why = distrust(wanted.fd);
	if (!why && !start_maker(u, wanted.fd))
		why = strerror(errno);
	if (why) {
		tell(u, messages, why);
		answer(u, 0);
	}
	close(wanted.fd);
	return true;
}

void user_tables_serve(struct user_tables *u, struct messages *messages)
{
	if (u->said >= 0)
		listen(u, messages);
	while (u->said < 0 && take_next(u, messages))
		;
}

/*
 * As long as nobody has closed his end of the pipe, somebody is in the group, and its number no
 * other's.
 */
void user_tables_close(struct user_tables *u)
{
	struct pollfd said = { u->said, 0, 0 };

	if (u->said >= 0 && !poll(&said, 1, 0) && kill(-u->maker, SIGTERM))
		kill(u->maker, SIGTERM); /* it does not lead the group yet */
	close_one(&u->said);
	close_one(&u->made);
	close_one(&u->fd);
}
