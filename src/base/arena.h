/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arenas: memory by lifetime. Everything the compiler builds lives in an arena and is released with
 * it in one stroke; passes never free. Three lifetimes exist: session (files, interned names,
 * tapset), compilation (AST, IR) and pass scratch. File descriptors and mappings never live here.
 *
 * Allocation failure ends the process through one funnel (arena_out_of_memory), with a message and
 * status 1: passes need no error paths for memory. Memory is zeroed. Not thread-safe: one arena,
 * one thread.
 */
#ifndef SPILE_BASE_ARENA_H
#define SPILE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/*
 * Says so on standard error without allocating and ends the process with status 1; no exit
 * handlers run. Anything that cannot go on for lack of memory ends here.
 */
void arena_out_of_memory(void) __attribute__((noreturn));

/* Never NULL. The caller destroys it; there are no reference counts and no sub-arenas. */
struct arena *arena_create(void);
/*
 * Frees everything that was allocated from it; NULL is allowed. Pointers into it are invalid from
 * here on.
 */
void arena_destroy(struct arena *arena);

/* Zeroed, aligned for any type; size 0 gives a unique non-NULL pointer. */
void *arena_alloc(struct arena *arena, size_t size);
/*
 * Copies, NUL-terminated. arena_strndup copies exactly n bytes, NULs among them included, so s
 * must have that many.
 */
char *arena_strdup(struct arena *arena, const char *s);
char *arena_strndup(struct arena *arena, const char *s, size_t n);
/* The formatted text, in the arena. */
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *fmt, va_list ap);

/* The texts one behind the other, up to a NULL: several times as fast as arena_printf(). */
char *arena_concat(struct arena *arena, const char *first, ...) __attribute__((sentinel));

/* Bytes handed out so far, for -v and tests. */
size_t arena_used(const struct arena *arena);

/*
 * A zeroed object, or n of them. The product of size and n is not checked for overflow: n is a
 * count of things already in memory.
 */
#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_new_array(arena, type, n) ((type *)arena_alloc((arena), sizeof(type) * (n)))

#endif
