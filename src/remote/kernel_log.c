/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a broken kernel says. The lines are those of the kernel's own messages; fatal ones are
 * those after which it does not go on, as guests run with oops=panic.
 */
#include "remote/kernel_log.h"

#include <string.h>

static const struct {
	const char *text, *also; /* both must be in the line */
	bool fatal;
} failures[] = {
	{ "Kernel panic", "", true },
	{ "Oops: ", "", true },
	{ "BUG: ", "", false },
	{ "kernel BUG at ", "", true },
	{ "general protection", "fault", false },
	{ "unable to handle", "", true },
	{ "invalid opcode: ", "", true },
	{ "WARNING: ", "", false },
	{ "KASAN: ", "", false },
	{ "UBSAN: ", "", false },
	{ "INFO: possible", "", false },
	{ "soft lockup", "", false },
	{ "hard LOCKUP", "", false },
	{ "blocked for more than", "", false },
	{ "rcu", "detected stalls", false },
	{ "rcu", "self-detected stall", false },
	{ "ODEBUG: ", "", false },
	{ "list_add corruption", "", false },
	{ "list_del corruption", "", false },
	{ "kmemleak: ", "new suspected memory leaks", false },
};

/*
 * A user program's own crash is reported in nearly the same words and says nothing about the
 * kernel.
 */
static bool is_user_fault(const char *line)
{
	return strstr(line, "traps: ") != NULL;
}

/* The row that a line matches, or -1. */
static int find_failure(const char *line)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		if (strstr(line, failures[i].text) && strstr(line, failures[i].also) &&
		    !is_user_fault(line))
			return i;
	return -1;
}

bool kernel_log_line_fails(const char *line)
{
	return find_failure(line) >= 0;
}

void kernel_log_init(struct kernel_log *log)
{
	memset(log, 0, sizeof(*log));
}

/* Looks at the lines that have become complete. */
static void scan(struct kernel_log *log)
{
	for (;;) {
		char *start = log->text + log->scanned, *end = strchr(start, '\n');
		size_t n;
		int found;

		if (!end)
			return;
		*end = '\0';
		found = find_failure(start);
		if (found >= 0) {
			log->is_panic |= failures[found].fatal;
			n = end - start;
			if (n && start[n - 1] == '\r')
				n--;
			if (n >= sizeof(log->failure))
				n = sizeof(log->failure) - 1;
			if (!log->failure[0]) {
				memcpy(log->failure, start, n);
				log->failure_at = log->scanned;
			}
		}
		*end = '\n';
		log->scanned = end + 1 - log->text;
	}
}

void kernel_log_add(struct kernel_log *log, const char *bytes, size_t n)
{
	while (n) {
		size_t take = sizeof(log->text) - 1 - log->len;

		if (take == 0 && log->failure[0] && !log->failure_at)
			return; /* what came first explains most */
		if (take == 0 && log->failure[0]) {
			log->len -= log->failure_at;
			log->scanned -= log->failure_at;
			memmove(log->text, log->text + log->failure_at, log->len);
			log->failure_at = 0;
			continue;
		}
		if (take == 0) {
			memmove(log->text, log->text + KERNEL_LOG_MAX, log->len - KERNEL_LOG_MAX);
			log->len -= KERNEL_LOG_MAX;
			log->scanned =
				log->scanned > KERNEL_LOG_MAX ? log->scanned - KERNEL_LOG_MAX : 0;
			continue;
		}
		if (take > n)
			take = n;
		/* A NUL would hide the rest of the line. */
		for (size_t i = 0; i < take; i++)
			log->text[log->len + i] = bytes[i] ? bytes[i] : '?';
		log->len += take;
		log->text[log->len] = '\0';
		bytes += take;
		n -= take;
		scan(log);
	}
}

const char *kernel_log_tail(const struct kernel_log *log, unsigned int n_lines)
{
	const char *p = log->text + log->len;

	if (p > log->text && p[-1] == '\n')
		p--;
	while (p > log->text) {
		if (p[-1] == '\n' && --n_lines == 0)
			break;
		p--;
	}
	return p;
}

const char *kernel_log_report(const struct kernel_log *log, unsigned int n_lines)
{
	return log->failure[0] ? log->text + log->failure_at : kernel_log_tail(log, n_lines);
}
