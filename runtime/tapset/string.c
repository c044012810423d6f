// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings of the script: parts, searches, escapes, tokens, numbers. Views where a part will do.
 *
 * Context: any handler. Loops are bounded by the strings, MAXSTRINGLEN each.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "access/access.h"
#include "core/scratch.h"
#include "tapset/functions.h"

stp_long stp_fn_strlen(struct stp_ctx *c, struct stp_str s)
{
	return s.len;
}

struct stp_str stp_fn_substr(struct stp_ctx *c, struct stp_str s, stp_long start, stp_long length)
{
	if (start < 0 || start >= s.len || length <= 0)
		return stp_empty();
	return (struct stp_str){ s.s + start, min_t(stp_long, length, s.len - start) };
}

stp_long stp_fn_stringat(struct stp_ctx *c, struct stp_str s, stp_long at)
{
	if (at < 0 || at >= s.len) {
		stp_error(c, "Position out of bounds");
		return 0;
	}
	return (unsigned char)s.s[at];
}

/* Index of part in s at or after from, or -1. */
static stp_long find(struct stp_str s, struct stp_str part, u32 from)
{
	u32 i;

	for (i = from; part.len <= s.len && i <= s.len - part.len; i++) {
		if (!memcmp(s.s + i, part.s, part.len))
			return i;
	}
	return -1;
}

stp_long stp_fn_strpos(struct stp_ctx *c, struct stp_str s, struct stp_str part)
{
	return find(s, part, 0);
}

stp_long stp_fn_isinstr(struct stp_ctx *c, struct stp_str s, struct stp_str part)
{
	return find(s, part, 0) >= 0;
}

struct stp_str stp_fn_str_replace(struct stp_ctx *c, struct stp_str s, struct stp_str what,
				  struct stp_str by)
{
	struct stp_text t;
	u32 at = 0;

	if (!what.len)
		return s;
	if (!stp_text_begin(c, &t))
		return stp_empty();
	for (;;) {
		stp_long next = find(s, what, at);

		if (next < 0)
			break;
		stp_text_add(&t, s.s + at, next - at);
		stp_text_add(&t, by.s, by.len);
		at = next + what.len;
	}
	stp_text_add(&t, s.s + at, s.len - at);
	return stp_text_end(c, &t);
}

stp_long stp_fn_strtol(struct stp_ctx *c, struct stp_str s, stp_long base)
{
	char copy[80];
	u32 len = min_t(u32, s.len, sizeof(copy) - 1);

	if (base < 0 || base == 1)
		return 0;
	memcpy(copy, s.s, len);
	copy[len] = '\0';
	return simple_strtoll(copy, NULL, base);
}

stp_long stp_fn_isdigit(struct stp_ctx *c, struct stp_str s)
{
	return s.len && s.s[0] >= '0' && s.s[0] <= '9';
}

static struct stp_str text_escaped(struct stp_ctx *c, struct stp_str s, stp_long limit, u32 flags)
{
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (limit <= 0 || limit >= stp_script.max_string)
		limit = stp_script.max_string - 1;
	stp_text_quote(&t, s.s, s.len, limit, flags | STP_QUOTE_UTF8, 0);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_text_str(struct stp_ctx *c, struct stp_str s)
{
	return text_escaped(c, s, 0, 0);
}

struct stp_str stp_fn_text_strn(struct stp_ctx *c, struct stp_str s, stp_long limit,
				stp_long quoted)
{
	return text_escaped(c, s, limit, quoted ? STP_QUOTE_MARKS : 0);
}

struct stp_str stp_fn_string_quoted(struct stp_ctx *c, struct stp_str s)
{
	return text_escaped(c, s, 0, STP_QUOTE_MARKS);
}

static int is_delimiter(char ch, struct stp_str delimiters)
{
	return !!memchr(delimiters.s, ch, delimiters.len);
}

/* tokenize(delim): the next token of this context's text, "" when there is none left. */
struct stp_str stp_fn_tokenize_next(struct stp_ctx *c, struct stp_str delimiters)
{
	struct stp_cpu *cpu = stp_cpu_of(c);
	u32 start, len;

	while (cpu->token_pos < cpu->token_len &&
	       is_delimiter(cpu->token_text[cpu->token_pos], delimiters))
		cpu->token_pos++;
	start = cpu->token_pos;
	while (cpu->token_pos < cpu->token_len &&
	       !is_delimiter(cpu->token_text[cpu->token_pos], delimiters))
		cpu->token_pos++;
	len = cpu->token_pos - start;
	if (cpu->token_pos < cpu->token_len)
		/* the delimiter goes with its token: the next call may name others */
		cpu->token_pos++;
	return stp_scratch_copy(c, cpu->token_text + start, len);
}

/* tokenize(input, delim): begin with a new text, unless that is empty. */
struct stp_str stp_fn_tokenize(struct stp_ctx *c, struct stp_str input, struct stp_str delimiters)
{
	struct stp_cpu *cpu = stp_cpu_of(c);

	if (input.len) {
		cpu->token_len = min(input.len, cpu->message_size);
		memcpy(cpu->token_text, input.s, cpu->token_len);
		cpu->token_pos = 0;
	}
	return stp_fn_tokenize_next(c, delimiters);
}
