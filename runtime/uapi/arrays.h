/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays and statistics: the part of script.h for scripts that have such globals.
 *
 * Context: as script.h has it.
 */
#ifndef STP_UAPI_ARRAYS_H
#define STP_UAPI_ARRAYS_H

#include "hist.h"
#include "script.h"

enum stp_type { STP_LONG = 0, STP_STRING = 1, STP_STATS = 2 };

/* What an aggregate must collect; from the extractors the script uses. */
#define STP_STAT_COUNT 1u
#define STP_STAT_SUM 2u
#define STP_STAT_MIN 4u
#define STP_STAT_MAX 8u
#define STP_STAT_AVG 16u
#define STP_STAT_VARIANCE 32u
#define STP_STAT_SUM_FED 64u /* of reads: the sum, and an error where nothing was fed */
struct stp_stat_desc {
	stp_u32 collect;   /* STP_STAT_* */
	stp_u32 bit_shift; /* @variance(s, b) */
	struct stp_hist_shape hist;
};

/*
 * A statistics scalar: per CPU, no lock to feed. Declared static in script.c, listed in
 * stp_script.stats.
 */
struct stp_stat {
	const char *name;
	struct stp_stat_desc desc;
	void *impl;
};

void stp_stat_add(struct stp_ctx *c, struct stp_stat *st, stp_long v);
void stp_stat_clear(struct stp_ctx *c, struct stp_stat *st);
/* One of STP_STAT_*; "empty aggregate" error for all but COUNT and SUM. */
stp_long stp_stat_get(struct stp_ctx *c, struct stp_stat *st, stp_u32 what);
stp_long stp_stat_bucket(struct stp_ctx *c, struct stp_stat *st,
			 stp_long index);                           /* @hist_x(s)[i] */
stp_u32 stp_stat_n_buckets(struct stp_ctx *c, struct stp_stat *st); /* foreach over a histogram */
void stp_stat_print_hist(struct stp_ctx *c, struct stp_stat *st, stp_u32 hist_id);
struct stp_str stp_stat_sprint_hist(struct stp_ctx *c, struct stp_stat *st);

/* ---- arrays ---- */
#define STP_MAX_KEYS 9
#define STP_MAP_WRAP 1u
struct stp_map {
	const char *name;
	stp_u8 n_keys;
	stp_u8 value;        /* enum stp_type */
	stp_u16 string_keys; /* bit i: key i is a string */
	stp_u32 capacity;
	stp_u32 flags;             /* STP_MAP_* ; capacity given explicitly: STP_MAP_SIZED */
	stp_u32 string_size;       /* MAXSTRINGLEN */
	struct stp_stat_desc desc; /* value == STP_STATS: per-CPU instances, merged on read */
	void *impl;                /* runtime's: memory is taken at load */
};

#define STP_MAP_SIZED 2u

/* k: n_keys values. Reads of an absent element give 0/"" and create nothing. */
stp_long stp_map_get(struct stp_ctx *c, struct stp_map *m, const union stp_val *k);
struct stp_str stp_map_get_str(struct stp_ctx *c, struct stp_map *m, const union stp_val *k);
/* What a probe at the entry of a call kept there; if nothing, stp_error_skip(). */
stp_u64 stp_entry_value(struct stp_ctx *c, struct stp_map *m, const union stp_val *k);
void stp_map_set(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_long v);
void stp_map_set_str(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
		     struct stp_str v);
/* value += d, creating it; returns the new value (x++ yields it minus d) */
stp_long stp_map_add(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_long d);
void stp_map_append_str(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			struct stp_str v); /* .= */
/* wild: bit i set when key i is '*' */
int stp_map_has(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_u32 wild);
void stp_map_delete(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_u32 wild);
void stp_map_clear(struct stp_ctx *c, struct stp_map *m);
void stp_map_stat_add(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
		      stp_long v); /* a[k] <<< v */
stp_long stp_map_stat_get(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			  stp_u32 what);
stp_long stp_map_stat_bucket(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			     stp_long index);
stp_u32 stp_map_stat_n_buckets(struct stp_ctx *c, struct stp_map *m, const union stp_val *k);
void stp_map_print_hist(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			stp_u32 hist_id);
struct stp_str stp_map_sprint_hist(struct stp_ctx *c, struct stp_map *m, const union stp_val *k);

/* foreach: begin sorts (the array keeps that order) and for STATS merges the CPUs. */
struct stp_iter {
	void *node;
	void *next;   /* the next node; or where a snapshot has its address. NULL: none */
	stp_u64 left; /* elements still allowed by limit */
	struct stp_map *map;
	const union stp_val *slice;
	/* slice: bit i set when key i is '*'; all set: no slice; and STP_ITER_SNAPSHOT */
	stp_u32 wild;
	stp_u32 passed; /* elements that the slice did not take, since they were last charged for */
	/* of the array when the loop began: it ends when all elements are deleted inside */
	stp_u32 clears;
};

#define STP_SORT_NONE 0
#define STP_SORT_BY_VALUE (-1) /* else 0-based key index + 1 in `by`, see below */
/*
 * In wild: the body may come to another loop over the same array that puts it into another order
 * or, of statistics, merges it again. The elements are noted before the first, in scratch.
 */
#define STP_ITER_SNAPSHOT 0x80000000u
/*
 * Scratch that a snapshot takes at most: for each element, and once. Of statistics the keys are
 * copied too, with a node's head.
 */
#define STP_SNAPSHOT_SLOT 8u
#define STP_SNAPSHOT_HEAD 40u
#define STP_SNAPSHOT_STRING(max_string) (((max_string) + 4u + 7u) & ~7u)
#define STP_NO_LIMIT ((stp_long)(~0ull >> 1))
/*
 * by: 0 no sort, -1 the value (for STATS: extractor `what`, STP_STAT_*), n >= 1 the nth key; dir +1
 * ascending, -1 descending. slice NULL: all.
 */
void stp_foreach_begin(struct stp_ctx *c, struct stp_iter *it, struct stp_map *m, int by, int dir,
		       stp_u32 what, stp_long limit, const union stp_val *slice, stp_u32 wild);
/* 1: an element is current; 0: the end, or an error of a loop over a slice */
int stp_foreach_next(struct stp_ctx *c, struct stp_iter *it);
stp_long stp_iter_key(struct stp_ctx *c, const struct stp_iter *it, stp_u32 i);
struct stp_str stp_iter_key_str(struct stp_ctx *c, const struct stp_iter *it, stp_u32 i);
stp_long stp_iter_value(struct stp_ctx *c, const struct stp_iter *it);
struct stp_str stp_iter_value_str(struct stp_ctx *c, const struct stp_iter *it);

#endif
