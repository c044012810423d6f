/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's monitor, as much of it as saving and restoring need. It speaks JSON, one object a line
 * (QMP, docs/interop/qmp-spec in QEMU's sources): an answer has a member "return" or "error",
 * anything else is an event.
 */
#include <errno.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "remote/qemu.h"

#define MONITOR_TIMEOUT 20.0

/* deadline: of monotonic_seconds(). */
static struct error *wait_readable(int fd, double deadline)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	double left = deadline - monotonic_seconds();

	if (left <= 0 || poll(&p, 1, left * 1000 + 1) == 0)
		return error_create("QEMU's monitor does not answer");
	return NULL;
}

/* One line; byte by byte, as there are only a dozen of them. */
static struct error *read_line(int fd, double deadline, struct strbuf *line)
{
	char c;

	strbuf_reset(line);
	for (;;) {
		struct error *err = wait_readable(fd, deadline);
		ssize_t n;

		if (err)
			return err;
		n = read(fd, &c, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_create("QEMU ended");
		if (c == '\n')
			return NULL;
		strbuf_addc(line, c);
	}
}

/*
 * The answer to a command, past the events before it: its "return" in *ret, to be given back with
 * json_object_put(). A refusal, and a line that is no JSON, are errors.
 */
static struct error *read_answer(int fd, const char *text, struct json_object **ret)
{
	double deadline = monotonic_seconds() + MONITOR_TIMEOUT;
	struct json_object *message = NULL, *value = NULL;
	struct error *err = NULL;
	struct strbuf line;

	strbuf_init(&line);
	while (!err && !value) {
		json_object_put(message);
		message = NULL;
		err = read_line(fd, deadline, &line);
		if (err)
			break;
		message = json_tokener_parse(strbuf_cstr(&line));
		if (!message)
			err = error_create("QEMU's monitor says what is no JSON: %.200s",
					   strbuf_cstr(&line));
		else if (json_object_object_get_ex(message, "error", &value))
			err = error_create("QEMU refused %.60s: %.200s", text, strbuf_cstr(&line));
		else if (json_object_object_get_ex(message, "return", &value))
			*ret = json_object_get(value);
	}
	json_object_put(message);
	strbuf_deinit(&line);
	return err;
}

/*
 * Send a command, with a descriptor to go along when PASS_FD >= 0; the answer as read_answer() has
 * it.
 */
static struct error *command(int fd, const char *text, int pass_fd, struct json_object **ret)
{
	struct iovec iov = { .iov_base = (void *)text, .iov_len = strlen(text) };
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (pass_fd >= 0) {
		struct cmsghdr *c;

		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &pass_fd, sizeof(int));
	}
	if (sendmsg(fd, &msg, MSG_NOSIGNAL) != (ssize_t)iov.iov_len)
		return error_create("QEMU's monitor takes no commands");
	return read_answer(fd, text, ret);
}

/* A command whose answer says nothing but that it worked. */
static struct error *simple_command(int fd, const char *text)
{
	struct json_object *answer = NULL;
	struct error *err = command(fd, text, -1, &answer);

	json_object_put(answer);
	return err;
}

struct error *qemu_monitor_open(struct qemu *qemu)
{
	struct strbuf greeting;
	struct error *err;

	strbuf_init(&greeting);
	err = read_line(qemu->qmp, monotonic_seconds() + MONITOR_TIMEOUT, &greeting);
	strbuf_deinit(&greeting);
	return err ? err : simple_command(qemu->qmp, "{\"execute\":\"qmp_capabilities\"}");
}

/* The RAM is in a file that both sides share: leave it out of the state. */
static struct error *ignore_shared(struct qemu *qemu)
{
	return simple_command(
		qemu->qmp,
		"{\"execute\":\"migrate-set-capabilities\",\"arguments\":{\"capabilities\":"
		"[{\"capability\":\"x-ignore-shared\",\"state\":true}]}}");
}

/* Gives QEMU one end of a socket pair under the name "state"; *ret is the other. */
static struct error *pass_channel(struct qemu *qemu, int *ret)
{
	struct json_object *answer = NULL;
	struct error *err;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return error_create_errno(errno, "socketpair");
	err = command(qemu->qmp, "{\"execute\":\"getfd\",\"arguments\":{\"fdname\":\"state\"}}",
		      pair[1], &answer);
	json_object_put(answer);
	close(pair[1]);
	if (err)
		close(pair[0]);
	else
		*ret = pair[0];
	return err;
}

/* The member "status" of an answer, "" without. */
static const char *status_of(struct json_object *answer)
{
	struct json_object *status;
	const char *text = NULL;

	if (json_object_object_get_ex(answer, "status", &status))
		text = json_object_get_string(status);
	return text ? text : "";
}

/* Ask QUERY until the status it gives is GOOD; an error when it is BAD. */
static struct error *await_status(struct qemu *qemu, const char *query, const char *good,
				  const char *bad)
{
	const struct timespec pause = { 0, 2000000 };
	double deadline = monotonic_seconds() + MONITOR_TIMEOUT;
	for (;;) {
		struct json_object *answer = NULL;
		struct error *err = command(qemu->qmp, query, -1, &answer);
		bool done = !err && !strcmp(status_of(answer), good);

		if (!err && !done &&
		    (!strcmp(status_of(answer), bad) || monotonic_seconds() > deadline))
			err = error_create("QEMU could not move the machine's state: %.200s",
					   json_object_to_json_string(answer));
		json_object_put(answer);
		if (err || done)
			return err;
		nanosleep(&pause, NULL);
	}
}

/* To the end that QEMU puts to it. */
static struct error *read_state(int fd, struct strbuf *state)
{
	double deadline = monotonic_seconds() + MONITOR_TIMEOUT;
	char buf[65536];

	for (;;) {
		struct error *err = wait_readable(fd, deadline);
		ssize_t n;

		if (err)
			return err;
		n = read(fd, buf, sizeof(buf));
		if (n == 0)
			return NULL;
		if (n < 0 && errno != EINTR)
			return error_create_errno(errno, "reading the machine's state");
		if (n > 0)
			strbuf_add(state, buf, n);
	}
}

struct error *qemu_save(struct qemu *qemu, char **ret, size_t *len)
{
	struct strbuf state;
	struct error *err;
	int fd = -1;

	strbuf_init(&state);
	err = simple_command(qemu->qmp, "{\"execute\":\"stop\"}");
	if (!err)
		err = ignore_shared(qemu);
	if (!err)
		err = pass_channel(qemu, &fd);
	if (!err)
		err = simple_command(
			qemu->qmp,
			"{\"execute\":\"migrate\",\"arguments\":{\"uri\":\"fd:state\"}}");
	if (!err)
		err = read_state(fd, &state);
	if (!err)
		err = await_status(qemu, "{\"execute\":\"query-migrate\"}", "completed", "failed");
	if (fd >= 0)
		close(fd);
	if (err) {
		strbuf_deinit(&state);
		return err;
	}
	*len = state.len;
	*ret = strbuf_steal(&state);
	return NULL;
}

struct error *qemu_continue(struct qemu *qemu)
{
	return simple_command(qemu->qmp, "{\"execute\":\"cont\"}");
}

struct error *qemu_restore(struct qemu *qemu, const char *state, size_t len)
{
	struct error *err = ignore_shared(qemu);
	int fd = -1;

	if (!err)
		err = pass_channel(qemu, &fd);
	if (!err)
		err = simple_command(
			qemu->qmp,
			"{\"execute\":\"migrate-incoming\",\"arguments\":{\"uri\":\"fd:state\"}}");
	while (!err && len) {
		ssize_t n = send(fd, state, len, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			err = error_create_errno(errno, "feeding QEMU the machine's state");
		if (n > 0) {
			state += n;
			len -= n;
		}
	}
	if (fd >= 0)
		close(fd);
	if (!err)
		err = await_status(qemu, "{\"execute\":\"query-status\"}", "paused",
				   "internal-error");
	return err ? err : qemu_continue(qemu);
}
