// SPDX-License-Identifier: GPL-2.0-or-later
/* The `script` file: formats, histogram shapes and probe names for the reader, in one block. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "relay/relay.h"

char *stp_blob;
u32 stp_blob_len;

static size_t text_size(const char *s)
{
	return s ? strlen(s) + 1 : 1;
}

static size_t points_size(const struct stp_probe *p)
{
	size_t n = p->n_points * sizeof(u32);
	u32 i;

	for (i = 0; i < p->n_points; i++)
		n += text_size(p->points[i].pp);
	return n;
}

/* Room for all that stp_blob_init() puts there: each text_put() of it is counted here. */
static size_t blob_size(const struct stp_script *s)
{
	size_t n = sizeof(struct stp_script_info) + s->n_formats * sizeof(u32) +
		   s->n_hists * sizeof(struct stp_hist_shape) +
		   s->n_probes * sizeof(struct stp_probe_info) + s->n_locks * sizeof(u32) + 32;
	u32 i;

	for (i = 0; i < s->n_formats; i++)
		n += text_size(s->formats[i]);
	for (i = 0; i < s->n_probes; i++)
		n += text_size(stp_probe_name(&s->probes[i])) + text_size(s->probes[i].pn) +
		     text_size(s->probes[i].location) + text_size(s->probes[i].from);
	for (i = 0; i < s->n_probes; i++)
		n += points_size(&s->probes[i]);
	for (i = 0; i < s->n_locks; i++)
		n += text_size(s->locks[i]->name);
	return n;
}

/* Append a text; returns its offset. */
static u32 text_put(u32 *end, const char *s)
{
	u32 at = *end;
	size_t n = text_size(s);

	memcpy(stp_blob + at, s ? s : "", n);
	*end += n;
	return at;
}

static void points_put(u32 *end, const struct stp_probe *p, u32 *points)
{
	u32 i;

	for (i = 0; i < p->n_points; i++)
		points[p->first_point + i] = text_put(end, p->points[i].pp);
}

/* Those of profile count once for each CPU in the ledger. */
static u32 n_attach(const struct stp_script *s)
{
	u32 i, n = 0;

	for (i = 0; i < s->n_probes; i++) {
		if (stp_probe_phase(&s->probes[i]) == STP_PHASE_NONE)
			n += s->probes[i].n_points;
	}
	return n;
}

/**
 * stp_blob_init - build the block
 *
 * Context: process, at load. 0 or -ENOMEM.
 */
int stp_blob_init(void)
{
	const struct stp_script *s = &stp_script;
	size_t room = blob_size(s);
	struct stp_script_info *info;
	struct stp_probe_info *probes;
	u32 end, *formats, *locks, *points, i;

	stp_blob = kvzalloc(room, GFP_KERNEL);
	if (!stp_blob)
		return -ENOMEM;
	info = (struct stp_script_info *)stp_blob;
	info->magic = STP_WIRE_MAGIC;
	info->version = STP_WIRE_VERSION;
	info->n_cpus = nr_cpu_ids;
	info->flags = s->flags;
	info->ring_len = stp_relay_len;
	info->n_hists = s->n_hists;
	info->hists_off = ALIGN(sizeof(*info), 8);
	info->n_formats = s->n_formats;
	info->formats_off = info->hists_off + s->n_hists * sizeof(struct stp_hist_shape);
	info->n_probes = s->n_probes;
	info->probes_off = info->formats_off + s->n_formats * sizeof(u32);
	info->n_locks = s->n_locks;
	info->n_attach = n_attach(s);
	info->locks_off = info->probes_off + s->n_probes * sizeof(struct stp_probe_info);
	info->n_points = s->n_points;
	info->points_off = info->locks_off + s->n_locks * sizeof(u32);
	end = info->points_off + s->n_points * sizeof(u32);
	if (s->n_hists)
		memcpy(stp_blob + info->hists_off, s->hists,
		       s->n_hists * sizeof(struct stp_hist_shape));
	formats = (u32 *)(stp_blob + info->formats_off);
	for (i = 0; i < s->n_formats; i++)
		formats[i] = text_put(&end, s->formats[i]);
	points = (u32 *)(stp_blob + info->points_off);
	probes = (struct stp_probe_info *)(stp_blob + info->probes_off);
	for (i = 0; i < s->n_probes; i++) {
		probes[i].pp = text_put(&end, stp_probe_name(&s->probes[i]));
		probes[i].pn = text_put(&end, s->probes[i].pn);
		probes[i].location = text_put(&end, s->probes[i].location);
		probes[i].from = text_put(&end, s->probes[i].from);
		probes[i].first_point = s->probes[i].first_point;
		probes[i].n_points = s->probes[i].n_points;
		points_put(&end, &s->probes[i], points);
	}
	locks = (u32 *)(stp_blob + info->locks_off);
	for (i = 0; i < s->n_locks; i++)
		locks[i] = text_put(&end, s->locks[i]->name);
	info->size = end;
	stp_blob_len = end;
	return 0;
}

/**
 * stp_blob_exit - give the block back
 *
 * Context: process, at unload, after the files over it are gone. Also after a failed init.
 */
void stp_blob_exit(void)
{
	kvfree(stp_blob);
	stp_blob = NULL;
}
