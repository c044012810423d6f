// SPDX-License-Identifier: GPL-2.0-or-later
/* Histograms of aggregates on their way out, as a record and as text. See agg.h. */
#include "../compat/portable.h"
#include "../print/hist.h"
#include "agg.h"

/**
 * stp_hist_print - write a histogram as a HIST record
 * @fold: puts the buckets together; called once, on scratch that is given back before the return
 *
 * Nothing is written when scratch is used up or nothing was sampled, which set the error, or when
 * the ring is full, which is counted there.
 *
 * Context: any handler, holding what @fold needs.
 */
void stp_hist_print(struct stp_ctx *c, const struct stp_hist_shape *shape, stp_u32 hist_id,
		    stp_hist_fold_fn *fold, void *source, const union stp_val *key)
{
	char *top = c->top, *p;
	stp_u64 *buckets = (stp_u64 *)stp_scratch(c, shape->n_buckets * sizeof(*buckets));
	stp_u64 count;

	c->top = top; /* nothing below wants scratch while buckets is in use */
	if (!buckets)
		return;
	count = fold(c, source, key, buckets);
	if (!count) {
		stp_error(c, "empty aggregate");
		return;
	}
	p = stp_rec_begin(c, STP_REC_HIST, hist_id, (1 + shape->n_buckets) * sizeof(stp_u64));
	if (!p)
		return;
	memcpy(p, &count, sizeof(count));
	memcpy(p + sizeof(count), buckets, shape->n_buckets * sizeof(*buckets));
	stp_rec_end(c);
}

/**
 * stp_hist_sprint - a histogram as text
 * @fold: as for stp_hist_print()
 *
 * At most MAXSTRINGLEN - 1 bytes in scratch, the rest is cut. "" with the error set when scratch is
 * used up or nothing was sampled. The table is at most 128 rows of a label, a bar of HIST_WIDTH and
 * a count.
 *
 * Context: any handler, holding what @fold needs.
 */
struct stp_str stp_hist_sprint(struct stp_ctx *c, const struct stp_hist_shape *shape,
			       stp_hist_fold_fn *fold, void *source, const union stp_val *key)
{
	stp_u32 size = stp_script.max_string - 1;
	char *text = stp_scratch(c, stp_script.max_string);
	stp_u64 *buckets = (stp_u64 *)stp_scratch(c, shape->n_buckets * sizeof(*buckets));
	unsigned long len;

	if (!text || !buckets)
		return stp_empty();
	if (!fold(c, source, key, buckets)) {
		stp_error(c, "empty aggregate");
		return stp_empty();
	}
	len = stp_hist_format(text, size, shape, buckets);
	if (len > size)
		len = size;
	c->top = text + ((len + 7) & ~7ul);
	return (struct stp_str){ text, len };
}
