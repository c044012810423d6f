// SPDX-License-Identifier: GPL-2.0-or-later
/* sprintf: the only formats that become text in the kernel. */
#include "../compat/portable.h"
#include "dump.h"
#include "fmt.h"

static struct stp_str sprint(struct stp_ctx *c, const char *format, struct stp_fmt_args *args)
{
	stp_u32 max = stp_script.max_string - 1;
	char *text = stp_scratch(c, stp_script.max_string);
	unsigned long len;

	if (!text)
		return stp_empty();
	len = stp_format(text, max, format, args);
	if (c->error)
		len = 0;
	if (len > max)
		len = max;
	c->top = text + ((len + 7) & ~7ul);
	return (struct stp_str){ text, len };
}

/**
 * stp_sprint - sprintf: the text of a format, in scratch
 *
 * At most MAXSTRINGLEN - 1 bytes, the rest is cut. "" with the error set when scratch is used up or
 * an address for %m or %M is bad. Context: any handler.
 */
struct stp_str stp_sprint(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n,
			  stp_u32 strings)
{
	struct stp_fmt_args cursor = { .vals = args, .n = n, .fetch = stp_dump_fetch, .cookie = c };

	return sprint(c, stp_script.formats[id], &cursor);
}

/**
 * stp_point_text - a text that the point which was hit has of its own
 * @k: which of them; c->point is known
 *
 * As stp_sprint(); the error may also be that of a value. Context: any handler.
 */
struct stp_str stp_point_text(struct stp_ctx *c, stp_u32 k)
{
	const struct stp_point_text *t = &c->point->texts[k];
	union stp_val *args = (union stp_val *)stp_scratch(c, t->n * sizeof(*args));
	struct stp_fmt_args cursor = { .vals = args, .n = t->n };
	stp_u32 i;

	if (!t->n || !args)
		return args ? stp_point_literal(c, k) : stp_empty();
	for (i = 0; i < t->n; i++)
		args[i].l = stp_value_get(c, &t->values[i]);
	return sprint(c, t->text, &cursor);
}
