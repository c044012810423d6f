// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A table row is "label |@@@   count". Rows that are all zero around are left out and shown as one '~' line; the
 * rules are the language's and exact to the column, since scripts are compared by their output.
 */
#include "../compat/portable.h"
#include "fmt.h"
#include "hist.h"

#define WIDEN 2 /* empty rows shown on either side */

struct table {
	const struct stp_hist_shape *shape;
	const stp_u64 *buckets;
	int low, high; /* first and last visible bucket */
	int label_width, count_width, bar_width;
	stp_u64 scale;
	char *out;
	unsigned long size, len;
};

static stp_long label_of(const struct stp_hist_shape *shape, int i)
{
	int bucket;

	if (shape->kind == STP_HIST_LOG) {
		if (i == STP_HIST_LOG_ZERO)
			return 0;
		return i > STP_HIST_LOG_ZERO ? (stp_long)(1ull << (i - STP_HIST_LOG_ZERO - 1))
					     : (stp_long) - (1ull << (STP_HIST_LOG_ZERO - i - 1));
	}
	bucket = i - 1;
	if (bucket < 0)
		bucket = 0;
	if (bucket > (int)shape->n_buckets - 3)
		bucket = shape->n_buckets - 3;
	return (stp_long)((stp_u64)shape->low + (stp_u64)shape->step * bucket);
}

static void emit(struct table *t, const char *fmt, const union stp_val *vals, stp_u32 n)
{
	struct stp_fmt_args args = { .vals = vals, .n = n };
	unsigned long room = t->len < t->size ? t->size - t->len : 0;

	t->len += stp_format(room ? t->out + t->len : NULL, room, fmt, &args);
}

static int width_of(stp_long v)
{
	char buf[24];
	union stp_val val = { .l = v };
	struct stp_fmt_args args = { .vals = &val, .n = 1 };

	return stp_format(buf, sizeof(buf), "%d", &args);
}

/* 0 when every bucket is empty */
static int find_range(struct table *t)
{
	const struct stp_hist_shape *shape = t->shape;
	int n = shape->n_buckets, first = 0, last = n - 1;

	while (first < n && !t->buckets[first])
		first++;
	if (first == n)
		return 0;
	while (!t->buckets[last])
		last--;
	t->low = first > WIDEN ? first - WIDEN : 0;
	t->high = last < n - 1 - WIDEN ? last + WIDEN : n - 1;
	if (shape->kind == STP_HIST_LOG) {
		if (first >= STP_HIST_LOG_ZERO && t->low < STP_HIST_LOG_ZERO)
			t->low = STP_HIST_LOG_ZERO;
	} else {
		if (t->low == 0 && !t->buckets[0])
			t->low = 1;
		if (t->high == n - 1 && !t->buckets[n - 1])
			t->high = n - 2;
	}
	return 1;
}

static void find_widths(struct table *t)
{
	const struct stp_hist_shape *shape = t->shape;
	stp_u64 max = 0;
	int a, b, i;

	t->bar_width = shape->width ? shape->width : 50;
	for (i = t->low; i <= t->high; i++)
		if (t->buckets[i] > max)
			max = t->buckets[i];
	t->scale = max <= (stp_u64)t->bar_width ? 1 : (max - 1) / t->bar_width + 1;
	t->count_width = width_of((stp_long)max);
	if (shape->kind == STP_HIST_LOG) {
		a = width_of(label_of(shape, t->low));
		b = width_of(label_of(shape, t->high));
	} else {
		a = width_of(shape->low) + (t->low == 0);
		b = width_of((stp_long)((stp_u64)shape->low + (stp_u64)shape->step * t->high)) +
		    (t->high == (int)shape->n_buckets - 1);
	}
	t->label_width = a > b ? a : b;
	if (t->label_width < 5)
		t->label_width = 5;
}

/* Every bucket within the elision distance is empty, i's own included. */
static int is_elided(const struct table *t, int i)
{
	int e = (int)t->shape->elision, from, to;

	if (e < 0)
		return 0;
	from = e < i - t->low ? i - e : t->low;
	to = e < t->high - i ? i + e : t->high;
	for (; from <= to; from++)
		if (t->buckets[from])
			return 0;
	return 1;
}

static void emit_row(struct table *t, int i)
{
	const struct stp_hist_shape *shape = t->shape;
	stp_long bar = t->buckets[i] / t->scale;
	stp_long label = label_of(shape, i), room = t->label_width;
	const char *mark = "";

	if (shape->kind == STP_HIST_LINEAR && (i == 0 || i == (int)shape->n_buckets - 1)) {
		room -= width_of(label) + 1;
		mark = i == 0 ? "<" : ">";
		emit(t, "%*s%s%d |",
		     (union stp_val[]){ { .l = room },
					{ .s = { "", 0 } },
					{ .s = { mark, 1 } },
					{ .l = label } },
		     4);
	} else {
		emit(t, "%*d |", (union stp_val[]){ { .l = room }, { .l = label } }, 2);
	}
	while (bar-- > 0)
		emit(t, "@", NULL, 0);
	emit(t, "%*s %*u\n",
	     (union stp_val[]){ { .l = t->bar_width - (stp_long)(t->buckets[i] / t->scale) },
				{ .s = { "", 0 } },
				{ .l = t->count_width },
				{ .l = (stp_long)t->buckets[i] } },
	     4);
}

/**
 * stp_hist_format - write the table of a histogram
 * @out: at most @size bytes go there, without a NUL
 * @shape: a valid one
 *
 * Returns the length of the whole table, with the empty line at its end; 0 when all buckets are
 * empty. At most 128 rows, each looking at no more than all buckets around it, and HIST_WIDTH
 * marks.
 *
 * Context: any; also user space.
 */
unsigned long stp_hist_format(char *out, unsigned long size, const struct stp_hist_shape *shape,
			      const stp_u64 *buckets)
{
	struct table t = { .shape = shape, .buckets = buckets, .out = out, .size = size };
	int i, skipped = 0;

	if (!find_range(&t))
		return 0;
	find_widths(&t);
	emit(&t, "%*s |", (union stp_val[]){ { .l = t.label_width }, { .s = { "value", 5 } } }, 2);
	for (i = 0; i < t.bar_width; i++)
		emit(&t, "-", NULL, 0);
	emit(&t, " count\n", NULL, 0);
	for (i = t.low; i <= t.high; i++) {
		if (is_elided(&t, i)) {
			skipped = 1;
			continue;
		}
		if (skipped)
			emit(&t, "%*s ~\n",
			     (union stp_val[]){ { .l = t.label_width }, { .s = { "", 0 } } }, 2);
		skipped = 0;
		emit_row(&t, i);
	}
	emit(&t, "\n", NULL, 0);
	return t.len;
}
