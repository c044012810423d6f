/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What core/, relay/ and access/ give to map/, stat/ and print/ in the kernel, for tests of those in user space. */
#ifndef SPILE_UNIT_RT_HOST_H
#define SPILE_UNIT_RT_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "runtime/compat/portable.h"

#define HOST_CTXS 4
#define HOST_SCRATCH 16384

struct stp_script stp_script = { .max_string = 64 };
int stp_n_ctx = HOST_CTXS;

struct host_record {
	stp_u32 kind, id, len;
	char payload[8192] __attribute__((aligned(8)));
};
static struct host_record host_records[8];
static int host_n_records;
static char host_scratch[HOST_CTXS][HOST_SCRATCH] __attribute__((aligned(8)));
static struct stp_ctx host_ctx[HOST_CTXS];

void stp_error(struct stp_ctx *c, const char *msg)
{
	if (!c->error)
		c->error = msg;
}

void stp_errorf(struct stp_ctx *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->error_text, sizeof(c->error_text), fmt, ap);
	va_end(ap);
	stp_error(c, c->error_text);
}

int stp_action_overflow(struct stp_ctx *c)
{
	c->error = "MAXACTION exceeded";
	return 1;
}

static int host_lock_skips;
void stp_error_skip(struct stp_ctx *c, const char *msg, stp_u32 reason)
{
	stp_error(c, msg);
	(void)reason;
}

void stp_skip_lock(struct stp_ctx *c)
{
	host_lock_skips++;
}

static stp_u64 host_seed = 0x123456789abcdefull;
stp_u64 stp_random_seed(void)
{
	stp_u64 z = host_seed += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	return z ^ z >> 31;
}

char *stp_scratch(struct stp_ctx *c, stp_u32 n)
{
	char *p = c->top;

	n = (n + 7) & ~7u;
	if (n > c->limit - c->top) {
		stp_error(c, "scratch");
		return NULL;
	}
	c->top += n;
	return p;
}

char *stp_rec_begin(struct stp_ctx *c, stp_u32 kind, stp_u32 id, stp_u32 payload_len)
{
	struct host_record *r = &host_records[host_n_records];

	if (host_n_records == 8 || payload_len > sizeof(r->payload))
		return NULL;
	*r = (struct host_record){ .kind = kind, .id = id, .len = payload_len };
	return r->payload;
}

void stp_rec_end(struct stp_ctx *c)
{
	host_n_records++;
}

void stp_rec_text(struct stp_ctx *c, stp_u32 kind, const char *s, stp_u32 len)
{
	char *p = stp_rec_begin(c, kind, 0, len + 4);

	if (!p)
		return;
	memcpy(p, &len, 4);
	memcpy(p + 4, s, len);
	stp_rec_end(c);
}

stp_u32 stp_rec_max(void)
{
	return 1000;
}

stp_long stp_read_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)
{
	stp_long v = 0;

	if (addr < 4096) {
		stp_errorf(c, "read fault [man error::fault] at 0x%llx", addr);
		return 0;
	}
	memcpy(&v, (const void *)addr, size);
	return v;
}

stp_long stp_read_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)
{
	return stp_read_kernel(c, addr, size, is_signed);
}

/* A clean context for CPU cpu. */
static inline struct stp_ctx *host_begin(int cpu)
{
	struct stp_ctx *c = &host_ctx[cpu];

	memset(c, 0, sizeof(*c));
	c->cpu = cpu;
	c->actions = 1000;
	c->top = host_scratch[cpu];
	c->limit = host_scratch[cpu] + HOST_SCRATCH;
	host_n_records = 0;
	return c;
}

#define assert_error(c, text)                                                                      \
	do {                                                                                       \
		assert_non_null((c)->error);                                                       \
		assert_string_equal((c)->error, text);                                             \
		(c)->error = NULL;                                                                 \
	} while (0)

#define assert_str(v, text)                                                                        \
	do {                                                                                       \
		struct stp_str v_ = (v);                                                           \
		assert_int_equal(v_.len, strlen(text));                                            \
		assert_memory_equal(v_.s, text, v_.len);                                           \
	} while (0)

#endif
