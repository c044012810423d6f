/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An output for each processor, and one without a file in which portions are made. */
#include "reader/bulk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Heap text: the name without what a limit on its size adds; NULL without memory. */
static char *base_name(const struct output_options *options, int cpu)
{
	char *name;
	int n;

	if (!options->path)
		n = asprintf(&name, BULK_DEFAULT_BASE "%d", cpu);
	else if (options->limit)
		n = asprintf(&name, "%s_cpu%d", options->path, cpu);
	else
		n = asprintf(&name, "%s_%d", options->path, cpu);
	return n < 0 ? NULL : name;
}

static struct error *open_one(struct output *o, const struct output_options *options, int cpu)
{
	struct output_options own = *options;
	struct error *err;

	own.path = base_name(options, cpu);
	if (!own.path)
		return &error_no_memory;
	err = output_init(o, &own, -1);
	if (err)
		free((char *)own.path);
	return err;
}

struct error *bulk_open(struct bulk *b, const struct output_options *options, const int *cpus,
			size_t n)
{
	static const struct output_options nowhere;
	struct error *err = output_init(&b->text, &nowhere, -1);

	if (err)
		return err;
	b->n = 0;
	b->sequence = 0;
	b->files = calloc(n, sizeof(*b->files));
	b->cpus = calloc(n, sizeof(*b->cpus));
	if (!b->files || !b->cpus)
		err = &error_no_memory;
	for (size_t i = 0; i < n && !err; i++) {
		err = open_one(&b->files[i], options, cpus[i]);
		b->cpus[i] = cpus[i];
		b->n += !err;
	}
	if (err)
		bulk_close(b);
	return err;
}

void bulk_end(struct bulk *b)
{
	for (size_t i = 0; i < b->n; i++)
		output_deinit(&b->files[i]);
}

void bulk_close(struct bulk *b)
{
	bulk_end(b);
	for (size_t i = 0; i < b->n; i++)
		free((char *)b->files[i].options.path);
	free(b->files);
	free(b->cpus);
	if (b->text.buf)
		output_deinit(&b->text);
	*b = (struct bulk){ 0 };
}

void bulk_take(struct bulk *b, int cpu)
{
	struct bulk_header header = { b->sequence, (stp_u32)b->text.len };

	if (!b->text.len)
		return;
	for (size_t i = 0; i < b->n; i++)
		if (b->cpus[i] == cpu)
			output_write_pair(&b->files[i], &header, sizeof(header), b->text.buf,
					  b->text.len);
	b->sequence++;
	b->text.len = 0;
}

void bulk_flush(struct bulk *b)
{
	for (size_t i = 0; i < b->n; i++)
		output_flush(&b->files[i]);
}

struct error *bulk_switch(struct bulk *b)
{
	struct error *err = NULL;

	for (size_t i = 0; i < b->n; i++) {
		struct error *one = output_switch(&b->files[i]);

		if (err)
			error_destroy(one);
		else
			err = one;
	}
	return err;
}
