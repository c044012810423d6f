/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing arrays in an arena: VEC(struct foo *) members; vec_push(arena, &v, item); v.data[0 ..
 * v.n-1]. A zeroed vector is empty. It grows in place while it is what the arena gave last, else
 * the old block is left to the arena. Pointers into data die on push.
 */
#ifndef SPILE_BASE_VEC_H
#define SPILE_BASE_VEC_H

#include <stddef.h>

#include "base/arena.h"

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *data;                                                                        \
		size_t n, cap;                                                                     \
	}

/*
 * For vec_push: room for one more of elements of SIZE bytes. Returns the block, moved or
 * not, and sets *cap; n elements are kept.
 */
void *vec_grow(struct arena *arena, void *data, size_t n, size_t *cap, size_t size);

/* For vec_reserve: a block for CAP elements of SIZE bytes, instead of OLD, of which n are kept. */
void *vec_resize(struct arena *arena, void *data, size_t n, size_t old, size_t cap, size_t size);

/* Room for MORE elements behind those there are, and no block left behind by the way there. */
#define vec_reserve(arena, v, more)                                                                \
	do {                                                                                       \
		if ((v)->n + (more) > (v)->cap) {                                                  \
			(v)->data = vec_resize((arena), (v)->data, (v)->n, (v)->cap,               \
					       (v)->n + (more), sizeof(*(v)->data));               \
			(v)->cap = (v)->n + (more);                                                \
		}                                                                                  \
	} while (0)

/* Append item; v is evaluated several times. Never fails (see arena.h). */
#define vec_push(arena, v, item)                                                                   \
	do {                                                                                       \
		if ((v)->n == (v)->cap)                                                            \
			(v)->data = vec_grow((arena), (v)->data, (v)->n, &(v)->cap,                \
					     sizeof(*(v)->data));                                  \
		(v)->data[(v)->n++] = (item);                                                      \
	} while (0)

/* for each element, IT a pointer to it */
#define vec_foreach(it, v)                                                                         \
	for (__typeof__(*(v)->data) *it = (v)->data; it && it < (v)->data + (v)->n; it++)

#endif
