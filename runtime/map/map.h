/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind struct stp_map.impl. A plain array is one table, `main`. An array of statistics has one table per
 * context in `per_ctx`, each value a struct stp_agg; its `main` holds struct stp_agg_sum and is what the last
 * foreach merged. Reads of single elements look into every context's table and need no merge.
 *
 * Context: the layouts, the list of tables and the texts are made at load and constant; who may touch main and the
 * tables is said in table.h.
 */
#ifndef STP_MAP_MAP_H
#define STP_MAP_MAP_H

#include "../stat/agg.h"
#include "table.h"

struct stp_map_impl {
	struct stp_layout layout;     /* of main */
	struct stp_layout agg_layout; /* of the tables in per_ctx */
	struct stp_table main;
	struct stp_table *
		*per_ctx;  /* stp_n_ctx, NULL for CPUs that cannot exist; NULL: a plain array */
	stp_u64 sequence;  /* number of the next insertion; added to by every context, atomically */
	char overflow[80]; /* error text: no room for another element */
	char merge_overflow[80]; /* error text: the contexts' keys do not fit into main */
};

void stp_map_merge(struct stp_ctx *c, struct stp_map *m);

#endif
