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

/*
 * Version of the set's own format; the indexes in it have INDEX_VERSION. The file's name has both.
 */
#define INDEX_SET_VERSION 1u

struct index_set;

/*
 * Opens the set in the file PATH; index_set_close() it. NULL: there is none, or it is damaged: then
 * that is reported (seal_report()) and the file removed.
 */
struct index_set *index_set_open(const char *path);
/* Unmaps the file: indexes that were found in it must not be used any more. NULL: nothing. */
void index_set_close(struct index_set *set);
/*
 * The index that was added with KEY and IDENTITY, in *RET, valid until index_set_close(). False:
 * there is none, or it is damaged: then that is reported and the file removed.
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
