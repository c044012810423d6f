// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of many points: the arrays that everybody else reads are made at load of rows of text
 * (struct stp_point_rows). So neither the C compiler nor the kernel's loader has to do with
 * pointers in tens of thousands of rows; texts stay where they are.
 */
#include "../compat/portable.h"

/* A number in hexadecimal, digits in lower case, up to NUL. */
static stp_u64 number(const char *text)
{
	stp_u64 n = 0;

	for (; *text; text++)
		n = n << 4 | (stp_u64)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
	return n;
}

static void field_set(struct stp_point *p, const struct stp_point_rows *rows,
		      const struct stp_column *column, const char *text)
{
	void *at = (char *)p + column->offset;
	stp_u64 n;

	if (column->kind == STP_COLUMN_TEXT) {
		*(const char **)at = *text ? text : NULL;
		return;
	}
	n = number(text);
	if (column->kind == STP_COLUMN_ADDRESS)
		*(const void **)at = n ? rows->addresses[n - 1] : NULL;
	else if (column->size == sizeof(stp_u64))
		*(stp_u64 *)at = n;
	else
		*(stp_u32 *)at = (stp_u32)n;
}

/* The probe's array. */
static int points_make(struct stp_probe *p)
{
	const struct stp_point_rows *rows = p->rows;
	struct stp_point *points = stp_mem_alloc((unsigned long)p->n_points * sizeof(*points));
	const char *text = rows->text;
	stp_u32 i, k;

	if (!points) {
		stp_log("not enough memory for the %u points of probe %s", p->n_points, p->pn);
		return -ENOMEM;
	}
	for (i = 0; i < p->n_points; i++) {
		points[i] = rows->common;
		for (k = 0; k < rows->n_columns; k++) {
			field_set(&points[i], rows, &rows->columns[k], text);
			text += strlen(text) + 1;
		}
		stp_resched();
	}
	p->points = points;
	return 0;
}

static void points_exit(void)
{
	stp_u32 i;

	for (i = 0; i < stp_script.n_probes; i++) {
		struct stp_probe *p = &stp_script.probes[i];

		if (!p->rows)
			continue;
		stp_mem_free((void *)p->points);
		p->points = NULL;
	}
}

static int points_init(void)
{
	int err = 0;
	stp_u32 i;

	for (i = 0; i < stp_script.n_probes && !err; i++) {
		if (stp_script.probes[i].rows)
			err = points_make(&stp_script.probes[i]);
	}
	if (err)
		points_exit();
	return err;
}

const struct stp_member stp_member_points = { .init = points_init, .exit = points_exit };
