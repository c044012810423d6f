/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The indexes of many modules in one file of the cache. A list of all functions asks for thousands
 * of them, and to create a file and a seal for each cost more than to make what is in them.
 *
 * The file is not sealed (base/seal.h) but has a sum of each index and one of their table, which
 * are checked when they are used: so it is replaced at one stroke, and of two processes that make
 * it at once either leaves a whole one.
 */
#ifndef SPILE_TARGET_INDEX_SET_H
#define SPILE_TARGET_INDEX_SET_H

#include "base/error.h"
#include "target/index.h"

/* Of the file; what is in it has INDEX_VERSION. Both are in its name. */
#define INDEX_SET_VERSION 1u

struct index_set;

/*
 * The file PATH; NULL: there is none, or a damaged one, which is reported (seal_report()) and
 * removed.
 */
struct index_set *index_set_open(const char *path);
/* Ends all indexes that were found in it. NULL is fine. */
void index_set_close(struct index_set *set);
/*
 * The index of what has that key and identity, for as long as the set is open. A damaged one is
 * reported, and the file goes.
 */
bool index_set_find(struct index_set *set, uint64_t key, uint64_t identity, struct index *ret);

/* A file that is being made; children add to it too. */
struct index_set_maker;

/* Room for N indexes. NULL: it cannot be written. */
struct index_set_maker *index_set_begin(const char *path, size_t n);
/*
 * Adds number I, below N, as builder_write() made it. What cannot be written is left out: whoever
 * looks for it sees that it is missing.
 */
void index_set_add(struct index_set_maker *maker, size_t i, uint64_t key, uint64_t identity,
		   const void *bytes, size_t len);
/* Replaces PATH, and gives MAKER back. Of the process that began. */
struct error *index_set_finish(struct index_set_maker *maker) ERROR_MUST_CHECK;

#endif
