/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Talking to a guest: frames to and from its agent, its kernel's log, QEMU's own messages, and a
 * command's input, output and signals, all in one poll loop. How a guest is started is
 * guest_boot.c's.
 */
#include "remote/guest.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/signals.h"
#include "base/strbuf.h"
#include "remote/agent_protocol.h"
#include "remote/guest_internal.h"
#include "unpack/kernel_image.h"

/* After the first line of an oops the rest of it is still on the wire. */
#define FAILURE_GRACE 3.0
#define INPUT_CHUNK (32u << 10)

/* All that is there now. */
static void read_log(struct guest *g)
{
	char buf[16384];
	ssize_t n;

	while ((n = recv(g->qemu.log, buf, sizeof(buf), MSG_DONTWAIT)) > 0)
		kernel_log_add(&g->log, buf, n);
}

/* QEMU's messages, about the first 4 KB of them. */
static void read_errors(struct guest *g)
{
	struct pollfd p = { .fd = g->qemu.errors, .events = POLLIN };
	char buf[1024];
	ssize_t n;

	while (poll(&p, 1, 0) > 0 && (n = read(g->qemu.errors, buf, sizeof(buf))) > 0)
		if (g->errors.len < 4096)
			strbuf_add(&g->errors, buf, n);
}

/* QEMU is gone, or must go: the best explanation there is. */
static struct error *guest_lost(struct guest *g, const char *when)
{
	size_t n;

	read_log(g);
	read_errors(g);
	if (g->log.failure[0]) {
		struct error *err = error_create("the guest's kernel failed: %s", g->log.failure);

		err->errnum = EIO;
		return err;
	}
	n = strcspn(strbuf_cstr(&g->errors), "\n");
	if (n)
		return error_create("the guest ended %s: %.*s", when, (int)n, g->errors.s);
	return error_create("the guest ended %s; its last words: %s", when,
			    kernel_log_tail(&g->log, 3));
}

/* what: "while ..."; limit in seconds. */
static struct error *guest_late(const char *what, double limit)
{
	struct error *err = error_create("time-out after %.0f s %s", limit, what);

	err->errnum = ETIMEDOUT;
	return err;
}

/* Blocks until all is sent; the agent reads its port whatever its command does. */
static struct error *send_frame(struct guest *g, enum agent_frame type, const void *data,
				size_t len)
{
	struct agent_header h = { .type = type, .len = len };
	struct iovec iov[2] = { { &h, sizeof(h) }, { (void *)data, len } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	size_t left = sizeof(h) + len;

	while (left) {
		ssize_t n = sendmsg(g->qemu.port, &msg, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return guest_lost(g, "while it was spoken to");
		left -= n;
		for (int i = 0; i < 2; i++) {
			size_t take = (size_t)n < iov[i].iov_len ? (size_t)n : iov[i].iov_len;

			iov[i].iov_base = (char *)iov[i].iov_base + take;
			iov[i].iov_len -= take;
			n -= take;
		}
	}
	return NULL;
}

/* Take the frames that are complete; the handler says whether what is waited for has come. */
static bool take_frames(struct guest *g, frame_handler *handler, void *data)
{
	size_t pos = 0;
	bool done = false;

	while (!done && g->in_len - pos >= sizeof(struct agent_header)) {
		struct agent_header h;

		memcpy(&h, g->in + pos, sizeof(h));
		if (h.len > AGENT_DATA_MAX || g->in_len - pos < sizeof(h) + h.len)
			break;
		done = handler(g, data, h.type, g->in + pos + sizeof(h), h.len);
		pos += sizeof(h) + h.len;
	}
	memmove(g->in, g->in + pos, g->in_len - pos);
	g->in_len -= pos;
	return done;
}

struct error *guest_wait(struct guest *g, const struct guest_wait *w, frame_handler *handler,
			 void *data)
{
	double start = monotonic_seconds(), failed_at = 0;

	for (;;) {
		struct pollfd p[] = {
			{ .fd = g->qemu.port, .events = POLLIN },
			{ .fd = g->qemu.log, .events = POLLIN },
			{ .fd = g->qemu.errors, .events = POLLIN },
			{ .fd = w->extra ? w->extra(data, WAIT_INPUT_FD) : -1, .events = POLLIN },
			{ .fd = w->extra ? w->extra(data, WAIT_SIGNAL_FD) : -1, .events = POLLIN },
		};
		double now = monotonic_seconds();
		struct error *err;
		ssize_t n;

		if (failed_at && now > failed_at + FAILURE_GRACE)
			return guest_lost(g, w->what);
		if (w->timeout && now > start + w->timeout)
			return guest_late(w->what, w->timeout);
		if (poll(p, 5, 200) < 0 && errno != EINTR)
			return error_create_errno(errno, "poll");
		if (p[1].revents)
			read_log(g);
		if (p[2].revents)
			read_errors(g);
		if (g->log.is_panic && !failed_at)
			failed_at = now;
		if (p[4].revents && (err = w->ready(g, data, WAIT_SIGNAL_FD)) != NULL)
			return err;
		if (p[3].revents && (err = w->ready(g, data, WAIT_INPUT_FD)) != NULL)
			return err;
		if (!p[0].revents)
			continue;
		n = read(g->qemu.port, g->in + g->in_len, sizeof(g->in) - g->in_len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return guest_lost(g, w->what);
		g->in_len += n;
		if (take_frames(g, handler, data))
			return NULL;
	}
}

/* One command. */
struct session {
	const struct guest_command *command;
	int signals;     /* signalfd or -1 */
	bool input_busy; /* a chunk of input is not taken yet, or the input has ended */
	bool interrupted;
	bool cut; /* the frame of its end has no status */
	int status;
};

/*
 * Input is read only when the agent has taken the chunk before, so what waits in the guest is
 * bounded.
 */
static int session_fd(void *data, enum wait_fd which)
{
	struct session *s = data;

	if (which == WAIT_SIGNAL_FD)
		return s->signals;
	return s->input_busy ? -1 : s->command->stdin_fd;
}

/* The first signal goes to the command, a second one gives up. */
static struct error *forward_signal(struct guest *g, struct session *s)
{
	struct signalfd_siginfo si;

	if (read(s->signals, &si, sizeof(si)) != sizeof(si))
		return NULL;
	if (s->interrupted) {
		struct error *err = error_create("interrupted twice: the guest was given up");

		err->errnum = EINTR;
		return err;
	}
	s->interrupted = true;
	if (si.ssi_signo == SIGQUIT && s->command->quit_signal)
		return guest_signal(g, s->command->quit_signal);
	return guest_signal(g, si.ssi_signo);
}

/* Input that ends or fails is told by an empty frame, once. */
static struct error *session_ready(struct guest *g, void *data, enum wait_fd which)
{
	struct session *s = data;
	char buf[INPUT_CHUNK];
	ssize_t n;

	if (which == WAIT_SIGNAL_FD)
		return forward_signal(g, s);
	n = read(s->command->stdin_fd, buf, sizeof(buf));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return NULL;
	s->input_busy = true;
	return send_frame(g, AGENT_INPUT, buf, n < 0 ? 0 : n);
}

/* True at the command's exit. */
static bool session_frame(struct guest *g, void *data, uint32_t type, const char *bytes, size_t len)
{
	struct session *s = data;
	uint32_t status;

	switch (type) {
	case AGENT_OUTPUT:
	case AGENT_ERRORS:
		s->command->output(s->command->data, type == AGENT_OUTPUT ? 1 : 2, bytes, len);
		return false;
	case AGENT_INPUT:
		s->input_busy = false;
		return false;
	case AGENT_EXIT:
		s->cut = len < sizeof(status);
		if (s->cut)
			return true;
		memcpy(&status, bytes, sizeof(status));
		s->status = status;
		return true;
	default:
		return false;
	}
}

/* The command as one frame, with its directory and environment complete. */
static struct error *send_run(struct guest *g, const struct guest_command *c)
{
	const char *const *env = c->env ? c->env : (const char *const *)environ;
	struct agent_run run = { .has_input = c->stdin_fd >= 0 };
	struct strbuf text;
	struct error *err;
	char *cwd = NULL;

	while (c->argv[run.n_args])
		run.n_args++;
	while (env[run.n_env])
		run.n_env++;
	if (!c->cwd)
		cwd = getcwd(NULL, 0);
	strbuf_init(&text);
	strbuf_add(&text, (const char *)&run, sizeof(run));
	strbuf_adds(&text, c->cwd ? c->cwd : cwd ? cwd : "/");
	strbuf_addc(&text, '\0');
	for (uint32_t i = 0; i < run.n_args; i++)
		strbuf_add(&text, c->argv[i], strlen(c->argv[i]) + 1);
	for (uint32_t i = 0; i < run.n_env; i++)
		strbuf_add(&text, env[i], strlen(env[i]) + 1);
	if (text.len > AGENT_RUN_MAX)
		err = error_create_errno(E2BIG, "%s", c->argv[0]);
	else
		err = send_frame(g, AGENT_RUN, text.s, text.len);
	strbuf_deinit(&text);
	free(cwd);
	return err;
}

struct error *guest_run(struct guest *guest, const struct guest_command *command, int *ret_status)
{
	struct session s = { .command = command, .signals = -1 };
	struct guest_wait w = { "while the command ran", command->timeout, session_fd,
				session_ready };
	sigset_t set, old;
	struct error *err;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (!signal_stays_ignored(SIGHUP))
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	if (command->forward_signals) {
		sigprocmask(SIG_BLOCK, &set, &old);
		s.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	}
	err = send_run(guest, command);
	if (!err)
		err = guest_wait(guest, &w, session_frame, &s);
	if (command->forward_signals) {
		close(s.signals);
		sigprocmask(SIG_SETMASK, &old, NULL);
	}
	/* A warning on the last line of work must be seen with the command it belongs to. */
	read_log(guest);
	if (!err && s.cut)
		err = error_create("the guest told the end of the command without its status");
	if (err)
		return err;
	*ret_status = s.status;
	return NULL;
}

struct error *guest_signal(struct guest *guest, int sig)
{
	uint32_t n = sig;

	return send_frame(guest, AGENT_SIGNAL, &n, sizeof(n));
}

static bool booted_frame(struct guest *g, void *data, uint32_t type, const char *bytes, size_t len)
{
	return type == AGENT_BOOTED;
}

struct error *guest_wait_booted(struct guest *g, double timeout)
{
	struct guest_wait w = { "while it booted", timeout, NULL, NULL };

	return guest_wait(g, &w, booted_frame, NULL);
}

static bool ready_frame(struct guest *g, void *data, uint32_t type, const char *bytes, size_t len)
{
	struct error **err = data;

	if (type != AGENT_READY)
		return false;
	if (len)
		*err = error_create("%.*s", (int)len, bytes);
	return true;
}

struct error *guest_setup(struct guest *g)
{
	struct guest_wait w = { "while it mounted the host's files", 30.0, NULL, NULL };
	struct error *err, *refused = NULL;
	struct agent_setup setup = { 0 };
	struct timespec ts;
	struct strbuf text;

	clock_gettime(CLOCK_REALTIME, &ts);
	setup.sec = ts.tv_sec;
	setup.nsec = ts.tv_nsec;
	if (getrandom(setup.seed, sizeof(setup.seed), 0) < 0)
		return error_create_errno(errno, "getrandom");
	strbuf_init(&text);
	strbuf_add(&text, (const char *)&setup, sizeof(setup));
	strbuf_adds(&text, g->kernel.installed ? "" : g->kernel.modules);
	err = send_frame(g, AGENT_SETUP, text.s, text.len);
	strbuf_deinit(&text);
	if (!err)
		err = guest_wait(g, &w, ready_frame, &refused);
	return err ? err : refused;
}

const char *guest_kernel_failure(const struct guest *guest)
{
	return guest->log.failure[0] ? guest->log.failure : NULL;
}

const char *guest_kernel_log(const struct guest *guest, unsigned int n_lines)
{
	return kernel_log_report(&guest->log, n_lines);
}

const char *guest_release(const struct guest *guest)
{
	return guest->kernel.release;
}

double guest_cpu_seconds(const struct guest *guest)
{
	struct timespec t;
	clockid_t clock;

	if (guest->qemu.pid <= 0 || clock_getcpuclockid(guest->qemu.pid, &clock) ||
	    clock_gettime(clock, &t) < 0)
		return 0;
	return t.tv_sec + t.tv_nsec / 1e9;
}

struct guest_times guest_times(const struct guest *guest)
{
	return guest->times;
}
