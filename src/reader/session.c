/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loop. Records are printed once they are MARGIN old, when every CPU must have delivered what
 * happened before them; with one CPU at once. While records are held back or come thick the loop
 * sleeps a few milliseconds, and only an idle loop asks producers to wake it.
 */
#include "reader/session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/module_cookie.h"
#include "reader/command.h"
#include "reader/control.h"
#include "reader/input.h"
#include "reader/messages.h"
#include "reader/orphan.h"
#include "reader/output.h"
#include "reader/progress.h"
#include "reader/render.h"
#include "reader/report.h"
#include "reader/ring.h"
#include "reader/signals.h"
#include "reader/user_tables.h"

#define MS 1000000ull
#define MARGIN (8 * MS)
#define CROWDED_MARGIN (MS / 5)
#define BUSY_SLEEP_MS 4
#define COMMAND_PATIENCE_MS 5000

struct session {
	const struct session_options *opt;
	struct control control;
	struct output out;
	struct bulk
		/* in use: the script's text goes there, and to out what is not a processor's */
		bulk;
	struct messages messages;
	struct perf_maps perf_maps;
	struct render render;
	struct command command;
	struct progress progress;
	struct input input;
	struct user_tables user_tables;
	int signal_fd;
	stp_u64 deadline;
	unsigned long long cookie; /* of the module, see base/module_cookie.h */
	bool started, stop_sent, stopped, gone, orphaned;
	bool detach_wanted;
	/* -L: what is printed before the session has started is kept for who attaches */
	bool holding;
	bool command_ended_by_us;
	bool ended_itself; /* by its script, or for lack of a probe, before it ran */
	int stops_seen;
	int stop_signal; /* the first signal that asked to stop, 0: none */
	bool output_reported;
	bool status_1; /* the run failed without an ERROR line of its own */
};

static stp_u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void show_error(struct session *s, struct error *err)
{
	messages_errorf(&s->messages, "%s", err->text);
	error_destroy(err);
}

/*
 * Ask the module to stop, once. Its end probes run, and STOPPED follows; when the request fails
 * the module is gone.
 */
static void request_stop(struct session *s)
{
	struct error *err;

	if (s->stop_sent || s->stopped || s->gone)
		return;
	s->stop_sent = true;
	progress_stop(&s->progress, now_ns());
	err = control_send(&s->control, STP_CMD_EXIT, 0);
	if (!err)
		return;
	s->gone = true;
	show_error(s, err);
}

/* A second Ctrl-C: stop waiting; closing the control channel ends the session. */
static bool insisted(const struct session *s)
{
	return s->stops_seen > 1;
}

/*
 * Time to leave the session to itself? Only one that was started: until then it may fail, and must
 * not stay.
 */
static bool leaving(const struct session *s)
{
	return s->detach_wanted && s->started && !s->stop_sent && !s->stopped && !s->gone;
}

/*
 * Acts on what has arrived since the last call. Called from the loop and while a write is
 * interrupted.
 */
static void take_signals(struct session *s)
{
	struct signal_state sig = signals_take();
	struct error *err;

	s->stops_seen = sig.stops;
	s->stop_signal = sig.stop_signal;
	if (sig.orphaned && !s->orphaned) {
		s->orphaned = true;
		messages_errorf(&s->messages, "staprun has died; stopping the session");
	}
	if (sig.stops || s->orphaned)
		request_stop(s);
	if (sig.rotate) {
		err = s->bulk.n ? bulk_switch(&s->bulk) : output_switch(&s->out);
		if (err)
			show_error(s, err);
	}
	s->detach_wanted |= sig.detach;
	if (!sig.child)
		return;
	command_reap(&s->command);
	if (s->command.ended)
		request_stop(s);
}

/*
 * While a write to a stalled pipe is interrupted: keep the session's promises, and tell whether to
 * give up.
 */
static bool output_interrupted(void *cookie)
{
	struct session *s = cookie;

	take_signals(s);
	return insisted(s);
}

/*
 * The first failed write is reported and ends the session, for nobody gets its output any more. One
 * that was there before this reader goes on, for the next: it is only left, without a word when
 * somebody has read enough of it (staprun -A NAME | head).
 */
static void check_one(struct session *s, const struct output *out)
{
	if (!out->errnum || s->output_reported)
		return;
	s->output_reported = true;
	s->detach_wanted |= s->opt->attach;
	if (s->opt->attach && out->errnum == EPIPE)
		return;
	s->status_1 = true;
	if (out->errnum == EINTR)
		messages_warningf(&s->messages,
				  "Nobody read the output in time; the rest of it is lost.");
	else
		messages_errorf(&s->messages, "couldn't write %s: %s",
				out->path ? out->path : "standard output", strerror(out->errnum));
	if (!s->opt->attach)
		request_stop(s);
}

static void check_output(struct session *s)
{
	check_one(s, &s->out);
	for (size_t i = 0; i < s->bulk.n; i++)
		check_one(s, &s->bulk.files[i]);
}

static void set_printing(struct session *s, bool printing)
{
	size_t i;

	for (i = 0; i < s->control.n_rings; i++)
		ring_set_printing(&s->control.rings[i], printing);
}

/*
 * Prints records up to limit, in order, and flushes. ~0: everything there is. Whoever takes the
 * output may hold it up, as pagers do.
 */
static struct merge_result drain(struct session *s, stp_u64 limit)
{
	struct merge_result res;

	set_printing(s, true);
	res = merge_drain(s->control.rings, s->control.n_rings, limit, render_record, &s->render);
	if (res.damaged_cpu >= 0)
		messages_errorf(&s->messages, "the output ring of CPU %d is damaged",
				res.damaged_cpu);
	output_flush(&s->out);
	bulk_flush(&s->bulk);
	set_printing(s, false);
	check_output(s);
	return res;
}

/*
 * Nothing failed: the terminal is not needed any more. What is to be said from now on goes to the
 * system's log.
 */
static void become_daemon(struct session *s)
{
	int fd = s->opt->ready_fd < 0 ? -1 : open("/dev/null", O_RDWR | O_CLOEXEC), i;

	if (fd < 0)
		return;
	for (i = 0; i <= 2; i++)
		dup2(fd, i);
	close(fd);
	messages_use_log(&s->messages);
	if (write(s->opt->ready_fd, "", 1) < 0)
		messages_errorf(&s->messages, "staprun does not listen: %s", strerror(errno));
	close(s->opt->ready_fd);
}

/* Everything is armed: from now on time counts. */
static void session_started(struct session *s)
{
	s->started = true;
	if (!s->opt->load_only && s->opt->ready_fd < 0)
		input_open(&s->input, s->control.dir);
	if (s->opt->timeout > 0)
		s->deadline = now_ns() + (stp_u64)(s->opt->timeout * 1e9);
}

/*
 * STARTED: 0 when the probes are armed, positive when the session was ended before that, a
 * negative errno when arming failed.
 */
static void handle_started(struct session *s, const struct stp_msg *msg)
{
	const char *text = control_text(msg);

	progress_attached(&s->progress);
	if (!msg->arg && !s->stop_sent) {
		session_started(s);
		command_release(&s->command);
		become_daemon(s);
		return;
	}
	s->ended_itself |= !s->stop_sent;
	command_kill(&s->command);
	s->holding = false;
	if (msg->arg >= 0)
		return;
	drain(s, ~0ull);
	if (*text)
		messages_errorf(&s->messages, "%s", text);
	else
		messages_errorf(&s->messages, "couldn't start the probes: %s",
				strerror((int)-msg->arg));
	s->stopped = true; /* everything is disarmed; no STOPPED follows */
}

static void handle_message(struct session *s, const struct stp_msg *msg)
{
	const char *text = control_text(msg);

	switch ((enum stp_msg_type)msg->type) {
	case STP_MSG_STARTED:
		handle_started(s, msg);
		break;
	case STP_MSG_STOPPED:
		s->stopped = true;
		s->status_1 |= msg->arg != 0;
		break;
	case STP_MSG_REQUEST_EXIT:
		s->ended_itself |= !s->stop_sent;
		request_stop(s);
		break;
	case STP_MSG_WARNING:
		messages_warning(&s->messages, text, strlen(text));
		break;
	case STP_MSG_ERROR:
		drain(s, ~0ull);
		messages_error(&s->messages, text, strlen(text));
		break;
	}
}

static void take_messages(struct session *s)
{
	const struct stp_msg *msg;
	struct error *err = NULL;

	/* when leaving, what follows is for the next reader */
	while (!s->stopped && !leaving(s) && !(err = control_receive(&s->control, &msg)) && msg)
		handle_message(s, msg);
	if (!err)
		return;
	s->gone = true;
	show_error(s, err);
}

static void set_waiting(struct session *s, bool waiting)
{
	size_t i;

	for (i = 0; i < s->control.n_rings; i++)
		ring_set_waiting(&s->control.rings[i], waiting);
}

/* Looked at after producers were told to wake us: what came before that is not lost. */
static bool any_unread(struct session *s)
{
	size_t i;

	for (i = 0; i < s->control.n_rings; i++)
		if (ring_refresh(&s->control.rings[i]))
			return true;
	return false;
}

/*
 * Sleep until something happens, and see to signals and messages. Reads only what poll() announced:
 * a script may well be tracing reads.
 */
static void sleep_for(struct session *s, int ms)
{
	struct pollfd fds[5] = { { s->control.fd, POLLIN | POLLPRI, 0 },
				 { s->signal_fd, POLLIN, 0 },
				 { s->out.errnum ? -1 : s->out.fd, 0, 0 },
				 { s->stop_sent ? -1 : s->input.from, POLLIN, 0 },
				 { s->stop_sent ? -1 : user_tables_poll(&s->user_tables), POLLIN,
				   0 } };

	if (poll(fds, 5, ms) < 0)
		fds[1].revents = POLLIN; /* a signal */
	if (fds[1].revents)
		take_signals(s);
	if (fds[2].revents & POLLERR) {
		s->out.errnum =
			/*
			 * whoever read the pipe has left: do not wait until there is more to
			 * write
			 */
			EPIPE;
		check_output(s);
	}
	if (fds[3].revents)
		input_forward(&s->input);
	if (fds[4].revents)
		user_tables_serve(&s->user_tables, &s->messages);
	if (fds[0].revents & ~POLLPRI)
		take_messages(s);
}

/* Sleep as long as the last drain, which found res, allows. */
static void wait_for_work(struct session *s, struct merge_result res, bool printed)
{
	stp_u64 now = now_ns();
	int ms = s->opt->poll_ms;
	bool idle = false;

	if (res.crowded) {
		ms = 0;
	} else if (res.held) {
		stp_u64 due = res.oldest_ts + MARGIN;

		ms = due > now ? (int)((due - now) / MS) + 1 : 0;
		if (ms < BUSY_SLEEP_MS)
			ms = BUSY_SLEEP_MS;
	} else if (printed) {
		ms = BUSY_SLEEP_MS;
	} else {
		idle = true;
		set_waiting(s, true);
		if (any_unread(s))
			ms = 0;
	}
	ms = progress_due(&s->progress, now, ms);
	if (s->deadline && !s->stop_sent && now + ms * MS > s->deadline)
		ms = s->deadline > now ? (int)((s->deadline - now) / MS) + 1 : 0;
	sleep_for(s, ms);
	if (idle)
		set_waiting(s, false);
}

/* Changes exactly when something was read. */
static stp_u64 read_so_far(const struct session *s)
{
	stp_u64 n = 0;
	size_t i;

	for (i = 0; i < s->control.n_rings; i++)
		n += s->control.rings[i].pos;
	return n;
}

/*
 * Until the module has stopped or is gone, or this reader is to leave. What is left in the rings
 * is printed at the end, unless it is kept for another reader.
 */
static void loop(struct session *s)
{
	stp_u64 margin = s->control.n_rings > 1 ? MARGIN : 0;
	bool crowded = false;

	while (!s->stopped && !s->gone && !insisted(s) && !leaving(s)) {
		stp_u64 before = read_so_far(s), now = now_ns();
		struct merge_result res;

		if (s->stop_sent && s->progress.shown && any_unread(s))
			progress_end(
				/* the session's last words are not written behind it */
				&s->progress);
		progress_show(&s->progress, &s->control, now);
		if (s->holding) {
			sleep_for(s, s->opt->poll_ms);
			continue;
		}
		res = drain(s, now - (crowded && margin ? CROWDED_MARGIN : margin));
		crowded = res.crowded;
		if (s->deadline && now >= s->deadline)
			request_stop(s);
		wait_for_work(s, res, read_so_far(s) != before);
	}
	progress_end(&s->progress);
	if (!s->holding && !(leaving(s) && s->out.errnum))
		drain(s, ~0ull);
}

/* It was started for this session, which has ended before it. */
static void end_command(struct session *s)
{
	struct pollfd fd = { s->signal_fd, POLLIN, 0 };
	stp_u64 until = now_ns() + COMMAND_PATIENCE_MS * MS;

	command_reap(&s->command);
	if (!s->command.pid || s->command.ended)
		return;
	s->command_ended_by_us = !kill(s->command.pid, SIGTERM);
	while (!s->command.ended && !insisted(s) && now_ns() < until) {
		poll(&fd, 1, s->opt->poll_ms);
		take_signals(s);
	}
	if (!s->command.ended)
		messages_warningf(&s->messages, "The command goes on running as process %d.",
				  (int)s->command.pid);
}

/* The status of -c's command, when it failed by itself: then the run has failed, too. */
static void report_command(struct session *s)
{
	int status = s->command.status;

	if (!s->command.ended || !status || s->command_ended_by_us)
		return;
	/* Ctrl-C reaches the command too: that is no failure of its own */
	if (s->stops_seen && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
		return;
	s->status_1 = true;
	if (WIFSIGNALED(status))
		messages_warningf(&s->messages, "Child process exited with signal %d (%s)",
				  WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		messages_warningf(&s->messages, "Child process exited with status %d",
				  WEXITSTATUS(status));
}

static void report_timing_of(struct session *s, const struct stp_ledger_row *rows, size_t n)
{
	struct stp_timing *timing;
	struct error *err = control_timing(&s->control, &timing);

	if (err) {
		show_error(s, err);
		return;
	}
	report_skips(&s->messages, &s->control.tables, rows, n, timing);
	report_timing(&s->out, &s->control.tables, timing);
	free(timing);
}

/*
 * Reads the counters of the rings and the ledger; the module must still be attached, unless it is
 * gone.
 */
static void report(struct session *s)
{
	struct losses losses = { .ring_len = s->control.tables.info->ring_len,
				 .damaged = s->render.n_damaged };
	struct stp_ledger_row *rows = NULL;
	struct error *err;
	size_t i, n = 0;

	for (i = 0; i < s->control.n_rings; i++) {
		losses.records += s->control.rings[i].ctl->lost_records;
		losses.bytes += s->control.rings[i].ctl->lost_bytes;
	}
	report_losses(&s->messages, &losses);
	report_command(s);
	if (s->gone)
		return;
	err = control_ledger(&s->control, &rows, &n);
	if (err) {
		show_error(s, err);
		return;
	}
	report_ledger(&s->messages, &s->control.tables, rows, n);
	if (s->control.tables.info->flags & STP_SCRIPT_TIMING)
		report_timing_of(s, rows, n);
	free(rows);
}

static void run_shell(void *cookie, const char *command, size_t len)
{
	struct session *s = cookie;
	int errnum = command_shell(command, len);

	if (errnum)
		messages_warningf(&s->messages, "system() couldn't run '%.*s': %s", (int)len,
				  command, strerror(errnum));
}

/* A script may be about a process that is yet to come, but mostly this is a mistake. */
static void check_target(struct session *s)
{
	if (s->opt->target && kill(s->opt->target, 0) && errno == ESRCH)
		messages_warningf(&s->messages,
				  "There is no process %d; target() is %d all the same.",
				  (int)s->opt->target, (int)s->opt->target);
}

/* -N. The module finds the process, which therefore must be there now. */
static struct error *send_namespaces(struct session *s)
{
	struct error *err = NULL;

	if (s->opt->namespaces && kill(s->opt->namespaces, 0) && errno == ESRCH)
		err = error_create("there is no process %d whose namespaces could be meant",
				   (int)s->opt->namespaces);
	else if (s->opt->namespaces)
		err = control_send(&s->control, STP_CMD_NAMESPACES, s->opt->namespaces);
	return err;
}

/* Goes on with a session that somebody detached from; one that was only loaded is started. */
static struct error *resume(struct session *s)
{
	struct error *err = send_namespaces(s);
	stp_u64 overwritten = 0;
	size_t i;

	if (err && err->errnum == EALREADY) {
		error_destroy(err);
		return error_create("the session has started: -N comes too late");
	}
	if (err)
		return err;
	err = control_send(&s->control, STP_CMD_START, 0);
	if (!err)
		return NULL;
	if (err->errnum != EALREADY)
		return err;
	error_destroy(err);
	for (i = 0; i < s->control.n_rings; i++) {
		ring_restart(&s->control.rings[i]);
		overwritten += s->control.rings[i].ctl->overwritten;
	}
	if (overwritten)
		messages_warningf(
			&s->messages,
			"%llu earlier records were overwritten while nobody was attached.",
			overwritten);
	session_started(s);
	become_daemon(s);
	return NULL;
}

/* The output, or with -b one for each processor and standard output for the rest. */
static struct error *open_output(struct session *s)
{
	static const struct output_options standard;
	bool bulk = s->control.tables.info->flags & STP_SCRIPT_BULK;
	size_t n = s->control.n_rings;
	struct error *err;
	int *cpus;

	err = output_init(&s->out, bulk ? &standard : &s->opt->output, STDOUT_FILENO);
	if (err || !bulk)
		return err;
	cpus = calloc(n, sizeof(*cpus));
	if (!cpus)
		return &error_no_memory;
	for (size_t i = 0; i < n; i++)
		cpus[i] = s->control.rings[i].cpu;
	err = bulk_open(&s->bulk, &s->opt->output, cpus, n);
	free(cpus);
	for (size_t i = 0; i < s->bulk.n; i++) {
		s->bulk.files[i].interrupted = output_interrupted;
		s->bulk.files[i].cookie = s;
	}
	return err;
}

/*
 * Everything up to the start command. On failure what was set up stays for give_up() and the
 * caller to release.
 */
static struct error *begin(struct session *s)
{
	const struct session_options *opt = s->opt;
	struct error *err;

	err = signals_init(opt->parent, &s->signal_fd);
	if (!err)
		err = control_open(&s->control, opt->root, opt->module);
	if (!err) {
		s->cookie = module_cookie(opt->module);
		user_tables_open(&s->user_tables, s->control.dir);
		err = open_output(s);
	}
	if (!err && opt->command)
		err = command_prepare(&s->command, opt->command);
	if (err)
		return err;
	s->out.interrupted = output_interrupted;
	s->out.cookie = s;
	s->render = (struct render){ &s->control.tables,
				     s->bulk.n ? &s->bulk.text : &s->out,
				     &s->messages,
				     run_shell,
				     s,
				     0,
				     s->bulk.n ? &s->bulk : NULL,
				     &s->perf_maps };
	if (opt->attach)
		return resume(s);
	check_target(s);
	progress_begin(&s->progress, opt->progress || opt->verbose, now_ns());
	if (s->control.tables.info->flags & STP_SCRIPT_ZONE)
		err = control_send_zone(&s->control);
	if (!err)
		err = send_namespaces(s);
	if (err)
		return err;
	return control_send(&s->control, STP_CMD_START,
			    s->command.pid ? s->command.pid : opt->target);
}

/* Leave the session running; false when that failed: it ends then. */
static bool detach(struct session *s)
{
	struct error *err = control_send(&s->control, STP_CMD_DETACH, 0);

	if (err) {
		show_error(s, err);
		return false;
	}
	messages_line(&s->messages, "Disconnecting from systemtap module.");
	messages_line(&s->messages, "To reconnect, type \"staprun -A %s\"", s->opt->module);
	messages_line(&s->messages, "To remove it, type \"staprun -d %s\"", s->opt->module);
	return true;
}

/* Children of system() may still be printing: the run is over when they are. */
static void wait_for_shells(struct session *s)
{
	struct pollfd fd = { s->signal_fd, POLLIN, 0 };

	while (command_reap(&s->command) && !insisted(s)) {
		poll(&fd, 1, s->opt->poll_ms);
		take_signals(s);
	}
}

/*
 * Of a session whose probes were not armed: has a begin probe run, or printed, if it has not ended?
 */
static bool begin_ran(struct session *s)
{
	struct stp_ledger_row *rows = NULL;
	stp_u64 ran = read_so_far(s);
	size_t i, n = 0;

	if (!s->gone)
		error_destroy(control_ledger(&s->control, &rows, &n));
	for (i = 0; i < n; i++)
		ran += rows[i].ran;
	free(rows);
	return ran;
}

/*
 * Somebody else than the script has ended it while its probes were being armed: what it printed is
 * no result.
 */
static void report_not_run(struct session *s)
{
	const char *when;

	if (s->started || s->ended_itself)
		return;
	when = begin_ran(s) ? "when nothing but its begin probes had run" : "before it ran";
	if (s->stop_signal)
		messages_errorf(&s->messages, "The session was ended by SIG%s %s.",
				sigabbrev_np(s->stop_signal), when);
	else if (s->command.ended)
		messages_errorf(&s->messages, "The session was ended by its command %s.", when);
}

/* The end of a session that nobody goes on with. */
static void finish(struct session *s)
{
	report_not_run(s);
	end_command(s);
	report(s);
	wait_for_shells(s);
}

/* What could not be begun. A session that somebody else started is left as it was found. */
static bool give_up(struct session *s, struct error *err)
{
	bool refused = s->opt->attach;

	command_kill(&s->command);
	show_error(s, err);
	if (refused && s->control.fd >= 0) {
		err = control_send(&s->control, STP_CMD_DETACH, 0);
		refused = !err;
		error_destroy(err);
	}
	return refused;
}

int session_run(const struct session_options *opt)
{
	struct session s = { .opt = opt,
			     .detach_wanted = opt->load_only,
			     .holding = opt->load_only };
	bool detached = false, refused = false;
	struct error *err;

	s.control.fd = -1;
	s.input = (struct input){ .from = -1, .chars = -1, .lines = -1 };
	s.user_tables = (struct user_tables){ .fd = -1, .said = -1, .made = -1 };
	messages_init(&s.messages, STDERR_FILENO);
	s.messages.verbose = opt->verbose > 0;
	s.messages.no_warnings = opt->no_warnings;
	if (opt->color)
		messages_set_color(&s.messages, opt->color);
	err = begin(&s);
	if (err) {
		refused = give_up(&s, err);
	} else {
		loop(&s);
		user_tables_close(&s.user_tables);
		detached = leaving(&s) && detach(&s);
		if (!detached)
			finish(&s);
	}
	input_close(&s.input);
	user_tables_close(&s.user_tables);
	control_close(&s.control);
	output_deinit(&s.out);
	perf_maps_deinit(&s.perf_maps);
	bulk_end(&s.bulk);
	if (!err)
		check_output(&s);
	bulk_close(&s.bulk);
	if (refused)
		return STP_READER_REFUSED;
	if (detached)
		return s.status_1 ? STP_READER_FAILED : STP_READER_DETACHED;
	if (s.orphaned || (opt->parent && getppid() != opt->parent))
		orphan_remove_module(&s.messages, opt->module, s.cookie);
	return s.messages.failed || s.status_1 ? 1 : 0;
}
