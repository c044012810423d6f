/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a translated script in user space: the parts of the runtime that are portable (map/,
 * stat/, print/) as they are, and plain stand-ins for the rest. Handlers run in this order:
 * begin; every other handler but end twice, as events would; end. Locks are checked: each that
 * is taken must be given back, on every way out. Output goes to stdout, errors as the reader
 * prints them.
 */
#include <inttypes.h>
#include <stdarg.h>

#include "compat/portable.h"
#include "ir/kind.h"
#include "print/fmt.h"
#include "print/hist.h"
#include "regex/match.h"

#define N_CTX 2 /* 0: events, 1: begin and end */
#define MAX_COUNTERS 64

int stp_n_ctx = N_CTX;
static struct stp_ctx ctxs[N_CTX];
static stp_long counters[N_CTX][MAX_COUNTERS];
static char *scratch[N_CTX];
static int exiting, held, failed;
static stp_u32 calls[64], n_calls, at_call; /* an error on its way out */
static stp_u32 n_errors;

/* ---- errors ---- */
void stp_error(struct stp_ctx *c, const char *msg)
{
	if (c->error)
		return;
	c->error = msg;
	c->error_position = c->position;
	n_calls = at_call = 0;
}

/* Hits are not counted here: an error like others. */
void stp_error_skip(struct stp_ctx *c, const char *msg, stp_u32 reason)
{
	stp_error(c, msg);
}

void stp_called(struct stp_ctx *c, stp_u32 position)
{
	if (!n_calls && !at_call && (!c->error_position || position == c->error_position)) {
		c->error_position = position;
		at_call = 1;
	} else {
		calls[n_calls++ % 64] = position;
	}
}

void stp_errorf(struct stp_ctx *c, const char *fmt, ...)
{
	va_list ap;

	if (c->error)
		return;
	va_start(ap, fmt);
	vsnprintf(c->error_text, sizeof(c->error_text), fmt, ap);
	va_end(ap);
	stp_error(c, c->error_text);
}

struct stp_str stp_catch(struct stp_ctx *c)
{
	stp_u32 len = strlen(c->error);
	char *copy = stp_scratch(c, len + 1);

	if (!copy)
		return stp_empty();
	memcpy(copy, c->error, len);
	c->error = NULL;
	return (struct stp_str){ copy, len };
}

int stp_action_overflow(struct stp_ctx *c)
{
	c->error = NULL;
	stp_error(c, "MAXACTION exceeded");
	c->flags |= STP_CTX_FATAL;
	return 1;
}

int stp_call_enter(struct stp_ctx *c)
{
	if (c->depth >= (int)stp_script.max_nesting) {
		stp_error(c, "MAXNESTING exceeded");
		return 1;
	}
	c->depth++;
	return 0;
}

/* ---- values ---- */
void stp_skip_lock(struct stp_ctx *c)
{
}

stp_u64 stp_random_seed(void)
{
	return 1;
}

char *stp_scratch(struct stp_ctx *c, stp_u32 n)
{
	char *p = (char *)(((uintptr_t)c->top + 7) & ~(uintptr_t)7);

	if (p > c->limit || n > c->limit - p) {
		stp_error(c, "string scratch space exceeded");
		return NULL;
	}
	memset(p, 0xa5, n); /* what was there is gone */
	c->top = p + n;
	return p;
}

struct stp_str stp_string_get(struct stp_ctx *c, const struct stp_string *g)
{
	return stp_str_concat(c, stp_string_view(g), stp_empty());
}

void stp_string_set(struct stp_ctx *c, struct stp_string *g, struct stp_str v)
{
	g->len = v.len < g->size ? v.len : g->size - 1;
	memmove(g->text, v.s, g->len);
	g->text[g->len] = 0;
}

stp_long stp_counter_read(struct stp_ctx *c, stp_u32 counter)
{
	return counters[0][counter] + counters[1][counter];
}

void stp_counter_set(struct stp_ctx *c, stp_u32 counter, stp_long value)
{
	counters[0][counter] = counters[1][counter] = 0;
	c->counters[counter] = value;
}

stp_long stp_div(struct stp_ctx *c, stp_long a, stp_long b)
{
	if (!b) {
		stp_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? (stp_long)(0 - (stp_u64)a) : a / b;
}

stp_long stp_mod(struct stp_ctx *c, stp_long a, stp_long b)
{
	if (!b) {
		stp_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}

/* ---- locks ---- */
int stp_lock_all(struct stp_ctx *c, const struct stp_lock_use *uses, stp_u32 n)
{
	held++;
	for (stp_u32 i = 0; i < n; i++)
		uses[i].lock->word++;
	return 1;
}

void stp_unlock_all(struct stp_ctx *c, const struct stp_lock_use *uses, stp_u32 n)
{
	held--;
	for (stp_u32 i = 0; i < n; i++)
		uses[i].lock->word--;
}

/* ---- memory: small addresses fault, others are our own ---- */
stp_long stp_read_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)
{
	stp_long v = 0;

	if (addr < 4096) {
		stp_errorf(c, "read fault [man error::fault] at 0x%llx", addr);
		return 0;
	}
	memcpy(&v, (const void *)(uintptr_t)addr, size);
	if (is_signed && size < 8)
		v = (stp_long)((stp_u64)v << (64 - 8 * size)) >> (64 - 8 * size);
	return v;
}

stp_long stp_read_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)
{
	return stp_read_kernel(c, addr, size, is_signed);
}

void stp_write_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v)
{
	if (addr < 4096)
		stp_errorf(c, "write fault [man error::fault] at 0x%llx", addr);
	else
		memcpy((void *)(uintptr_t)addr, &v, size);
}

void stp_write_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v)
{
	stp_write_kernel(c, addr, size, v);
}

void stp_write_bits(struct stp_ctx *c, int user, stp_u64 addr, struct stp_field field, stp_long v)
{
	stp_u64 mask = ((field.bits < 64 ? 1ULL << field.bits : 0) - 1) << field.at;
	stp_u64 word = (stp_u64)stp_read_kernel(c, addr, field.size, 0);

	stp_write_kernel(c, addr, field.size,
			 (stp_long)((word & ~mask) | (((stp_u64)v << field.at) & mask)));
}

stp_u64 stp_kernel_address(stp_u64 link_addr)
{
	return link_addr;
}

stp_u64 stp_section_address(stp_u32 section, stp_u64 offset)
{
	return 0;
}

stp_u64 stp_mapped_address(struct stp_ctx *c, stp_u32 n, stp_u64 link_addr)
{
	return link_addr;
}

stp_u64 stp_user_address(struct stp_ctx *c, stp_u64 link_addr)
{
	return link_addr;
}

/* ---- records: written out at once ---- */
static char payload[65536] __attribute__((aligned(8)));
static stp_u32 rec_kind, rec_id, rec_len;

stp_u32 stp_rec_max(void)
{
	return 32768;
}

char *stp_rec_begin(struct stp_ctx *c, stp_u32 kind, stp_u32 id, stp_u32 payload_len)
{
	rec_kind = kind;
	rec_id = id;
	rec_len = payload_len;
	return payload_len <= sizeof(payload) ? payload : NULL;
}

void stp_rec_end(struct stp_ctx *c)
{
	static char text[65536];
	struct stp_fmt_args args = { .wire = (stp_u8 *)payload,
				     .end = (stp_u8 *)payload + rec_len };
	unsigned long len;

	if (rec_kind == STP_REC_HIST)
		len = stp_hist_format(text, sizeof(text), &stp_script.hists[rec_id],
				      (stp_u64 *)payload + 1);
	else
		len = stp_format(text, sizeof(text), stp_script.formats[rec_id], &args);
	fwrite(text, 1, len, stdout);
}

void stp_rec_text(struct stp_ctx *c, stp_u32 kind, const char *s, stp_u32 len)
{
	printf("%s%.*s%s", kind == STP_REC_WARNING ? "WARNING: " : "", (int)len, s,
	       kind == STP_REC_WARNING ? "\n" : "");
}

/* ---- the last match ---- */
static char match_text[1024];
static stp_u32 match_len;

int stp_regex_match(struct stp_ctx *c, const struct stp_regex *re, struct stp_str s)
{
	c->matched = NULL;
	if (!stp_regex_test(re, s))
		return 0;
	match_len = s.len < sizeof(match_text) ? s.len : sizeof(match_text);
	memcpy(match_text, s.s, match_len);
	c->matched = re;
	return 1;
}

/* the matches of this stand-in need no memory of their own */
const struct stp_member stp_member_matches;

struct stp_str stp_fn_matched(struct stp_ctx *c, stp_long n)
{
	struct stp_span spans[16];
	struct stp_regex_task tasks[64];
	stp_u16 trace[sizeof(match_text) + 1];
	struct stp_regex_work work = { spans, tasks, trace };

	if (!c->matched) {
		stp_errorf(c, "Attempted to get subexpression %lld from failed match", n);
		return stp_empty();
	}
	stp_regex_spans(c->matched, (struct stp_str){ match_text, match_len }, &work);
	if (spans[n].start == STP_SPAN_UNSET)
		return stp_empty();
	return stp_str_concat(
		c, stp_empty(),
		(struct stp_str){ match_text + spans[n].start, spans[n].end - spans[n].start });
}

struct stp_str stp_fn_matched_str(struct stp_ctx *c)
{
	return stp_fn_matched(c, 0);
}

stp_long stp_fn_ngroups(struct stp_ctx *c)
{
	if (c->matched)
		return c->matched->groups->n_groups;
	stp_error(c, "Attempted to get the number of subexpressions from failed match");
	return 0;
}

/* ---- a few tapset functions ---- */
void stp_fn_exit(struct stp_ctx *c)
{
	exiting = 1;
}

void stp_fn_abort(struct stp_ctx *c)
{
	c->flags |= STP_CTX_ABORT;
	stp_error(c, "abort");
	exiting = 1;
}

void stp_fn_error(struct stp_ctx *c, struct stp_str s)
{
	stp_errorf(c, "%.*s", (int)s.len, s.s);
}

void stp_fn_warn(struct stp_ctx *c, struct stp_str s)
{
	stp_rec_text(c, STP_REC_WARNING, s.s, s.len);
}

void stp_fn_log(struct stp_ctx *c, struct stp_str s)
{
	printf("%.*s\n", (int)s.len, s.s);
}

stp_long stp_fn_strlen(struct stp_ctx *c, struct stp_str s)
{
	return s.len;
}

stp_long stp_fn_pid(struct stp_ctx *c)
{
	return 42;
}

struct stp_str stp_fn_execname(struct stp_ctx *c)
{
	return stp_str_concat(c, STP_S("host"), stp_empty());
}

stp_long stp_fn_returnval(struct stp_ctx *c)
{
	stp_error(c, "register access fault");
	return 0;
}

/* ---- the run ---- */
static void report(struct stp_ctx *c)
{
	printf("ERROR: %s near %s", c->error,
	       stp_script.n_positions ? stp_script.positions[c->error_position] : "?");
	for (stp_u32 i = 0; i < n_calls; i++)
		printf(" (called from %s)", stp_script.positions[calls[i]]);
	printf(" in probe %s\n", c->point->pp);
	if (++n_errors > stp_script.max_errors)
		failed = exiting = 1;
}

stp_long stp_condition_failed(struct stp_ctx *c)
{
	report(c);
	return 0;
}

static void run(const struct stp_probe *p, int ctx)
{
	struct stp_ctx *c = &ctxs[ctx];

	c->error = NULL;
	c->top = scratch[ctx];
	c->flags = ctx ? STP_CTX_SLEEP | STP_CTX_ALONE : 0;
	c->depth = 0;
	c->position = 0;
	c->actions = ctx ? stp_script.max_action_interruptible : stp_script.max_action;
	c->probe = p;
	c->point = p->points;
	if (p->condition && !p->condition(c))
		return;
	p->handler(c);
	if (held || c->depth)
		printf("BUG: %d locks held, depth %d after %s\n", held, c->depth, p->pn);
	held = 0;
	if (c->error && !(c->flags & STP_CTX_ABORT))
		report(c);
}

/* Every event of a script is one that simply happens; only the session's are told apart. */
struct stp_family {
	int session;
};

#define KIND(name, attach, context, registers, flags)                                              \
	const struct stp_family stp_family_##name = { .session = IR_CONTEXT_##context ==           \
								 IR_CONTEXT_SESSION };
#include "ir/probe_kinds.def"
#undef KIND

#define MAX_PROBES 1024 /* of a script: what run_phase() keeps a note of */

/* In the order of their sequence numbers. */
static void run_phase(const struct stp_family *family)
{
	static char done[MAX_PROBES];

	for (;;) {
		const struct stp_probe *next = NULL;

		for (stp_u32 i = 0; i < stp_script.n_probes; i++) {
			const struct stp_probe *p = &stp_script.probes[i];

			if (p->family == family && !done[i] &&
			    (!next || p->points->session.sequence < next->points->session.sequence))
				next = p;
		}
		if (!next || (family == &stp_family_begin && exiting))
			return;
		done[next->index] = 1;
		run(next, 1);
	}
}

static void run_events(void)
{
	for (int round = 0; round < 2; round++)
		for (stp_u32 i = 0; i < stp_script.n_probes && !exiting; i++)
			if (!stp_script.probes[i].family->session)
				run(&stp_script.probes[i], 0);
}

int main(void)
{
	if (stp_script.n_probes > MAX_PROBES) {
		fprintf(stderr, "the script has %u probes, at most %d can be run here\n",
			stp_script.n_probes, MAX_PROBES);
		return 2;
	}
	for (int i = 0; i < N_CTX; i++) {
		scratch[i] = aligned_alloc(8, stp_script.scratch_size);
		ctxs[i].limit = scratch[i] + stp_script.scratch_size;
		ctxs[i].counters = counters[i];
		ctxs[i].cpu = i;
	}
	if (stp_script.n_counters > MAX_COUNTERS || stp_member_points.init() ||
	    stp_member_maps.init() || stp_member_stats.init())
		return 2;
	ctxs[1].top = scratch[1];
	if (stp_script.init && stp_script.init(&ctxs[1]))
		return 2;
	run_phase(&stp_family_begin);
	if (!exiting)
		run_events();
	run_phase(failed ? &stp_family_error : &stp_family_end);
	return 0;
}
