/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checking what a module says about its script, once, so that users of the tables need no checks.
 * The module is ours and root's, but it may be of another version or damaged.
 */
#include "reader/tables.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/print/hist.h"

/* Does an array of n elements of that size lie within len bytes, aligned? */
static int fits(size_t len, stp_u32 off, stp_u32 n, size_t size, size_t align)
{
	return off % align == 0 && off <= len && n <= (len - off) / size;
}

/* Whether the blob is of this version, with all arrays inside. */
static struct error *check_header(const struct stp_script_info *info, size_t len)
{
	if (len < sizeof(*info) || info->magic != STP_WIRE_MAGIC)
		return error_create("this is no module of ours");
	if (info->version != STP_WIRE_VERSION)
		return error_create("the module speaks version %u, this reader version %u",
				    info->version, STP_WIRE_VERSION);
	if (info->size > len ||
	    !fits(len, info->formats_off, info->n_formats, sizeof(stp_u32), 4) ||
	    !fits(len, info->hists_off, info->n_hists, sizeof(struct stp_hist_shape), 8) ||
	    !fits(len, info->probes_off, info->n_probes, sizeof(struct stp_probe_info), 4) ||
	    !fits(len, info->points_off, info->n_points, sizeof(stp_u32), 4) ||
	    !fits(len, info->locks_off, info->n_locks, sizeof(stp_u32), 4))
		return error_create("the module's script tables are damaged");
	return NULL;
}

/*
 * Every offset and shape in the arrays; formats is filled on the way. The blob ends in a NUL, so
 * any offset inside leads to a text.
 */
static struct error *check_entries(const struct tables *t, size_t len)
{
	const stp_u32 *offsets = (const void *)(t->blob + t->info->formats_off);
	stp_u32 i;

	for (i = 0; i < t->info->n_formats; i++) {
		if (offsets[i] >= len)
			return error_create("format %u of the module is damaged", i);
		t->formats[i] = t->blob + offsets[i];
	}
	for (i = 0; i < t->info->n_hists; i++)
		if (!stp_hist_valid(&t->hists[i]) || t->hists[i].width > 4096)
			return error_create("histogram %u of the module is damaged", i);
	for (i = 0; i < t->info->n_probes; i++)
		if (t->probes[i].pp >= len || t->probes[i].pn >= len ||
		    t->probes[i].location >= len || t->probes[i].from >= len ||
		    t->probes[i].first_point > t->info->n_points ||
		    t->probes[i].n_points > t->info->n_points - t->probes[i].first_point)
			return error_create("probe %u of the module is damaged", i);
	for (i = 0; i < t->info->n_points; i++)
		if (t->points[i] >= len)
			return error_create("point %u of the module is damaged", i);
	for (i = 0; i < t->info->n_locks; i++)
		if (t->locks[i] >= len)
			return error_create("lock %u of the module is damaged", i);
	return NULL;
}

struct error *tables_init(struct tables *t, char *blob, size_t len)
{
	const struct stp_script_info *info = (const void *)blob;
	struct error *err;

	memset(t, 0, sizeof(*t));
	t->blob = blob;
	err = check_header(info, len);
	if (err)
		goto fail;
	t->info = info;
	t->hists = (const void *)(blob + info->hists_off);
	t->probes = (const void *)(blob + info->probes_off);
	t->points = (const void *)(blob + info->points_off);
	t->locks = (const void *)(blob + info->locks_off);
	t->formats = calloc(info->n_formats + 1ul, sizeof(*t->formats));
	if (!t->formats) {
		err = &error_no_memory;
		goto fail;
	}
	err = check_entries(t, len);
	if (!err)
		return NULL;
fail:
	tables_deinit(t);
	return err;
}

void tables_deinit(struct tables *t)
{
	free(t->formats);
	free(t->blob);
	memset(t, 0, sizeof(*t));
}
