/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arenas: a list of blocks, bump-allocated; the newest block is first. Blocks double from 4 KB
 * to 1 MB, so small sessions stay small and large ones need few of them. vec_grow() is here too,
 * for it is nothing but an allocation.
 */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

#define ARENA_ALIGN _Alignof(max_align_t)
#define ARENA_BLOCK_MIN ((size_t)4 << 10)
#define ARENA_BLOCK_MAX ((size_t)1 << 20)

struct arena_block {
	struct arena_block *next;
	size_t size, used; /* of data */
	_Alignas(max_align_t) unsigned char data[];
};

struct arena {
	struct arena_block *head;
	size_t used;
	size_t next_size;
};

void arena_out_of_memory(void)
{
	static const char msg[] = "out of memory\n";

	/* Not stdio: it may allocate. Nothing can be done when this write fails. */
	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(1);
	_exit(1);
}

struct arena *arena_create(void)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	if (!arena)
		arena_out_of_memory();
	arena->next_size = ARENA_BLOCK_MIN;
	return arena;
}

void arena_destroy(struct arena *arena)
{
	struct arena_block *next;

	if (!arena)
		return;
	for (struct arena_block *b = arena->head; b; b = next) {
		next = b->next;
		free(b);
	}
	free(arena);
}

/* Never NULL. The data is zeroed and unused; the caller links it in. */
static struct arena_block *arena_block_create(size_t size)
{
	struct arena_block *b;

	if (size > SIZE_MAX - sizeof(*b))
		arena_out_of_memory();
	/*
	 * calloc: fresh pages from the kernel are zero already, so big blocks cost nothing until
	 * touched
	 */
	b = calloc(1, sizeof(*b) + size);
	if (!b)
		arena_out_of_memory();
	b->size = size;
	return b;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *b = arena->head;
	void *p;

	if (size > SIZE_MAX - ARENA_ALIGN)
		arena_out_of_memory();
	if (!size)
		size = 1;
	size = (size + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
	arena->used += size;
	if (b && b->size - b->used >= size) {
		p = b->data + b->used;
		b->used += size;
		return p;
	}
	if (size > arena->next_size / 4 && b) {
		/* A big one gets its own block behind the head, whose rest stays useful. */
		struct arena_block *own = arena_block_create(size);

		own->used = size;
		own->next = b->next;
		b->next = own;
		return own->data;
	}
	b = arena_block_create(size > arena->next_size ? size : arena->next_size);
	if (arena->next_size < ARENA_BLOCK_MAX)
		arena->next_size *= 2;
	b->next = arena->head;
	arena->head = b;
	b->used = size;
	return b->data;
}

char *arena_strndup(struct arena *arena, const char *s, size_t n)
{
	char *copy;

	if (n == SIZE_MAX)
		arena_out_of_memory();
	copy = arena_alloc(arena, n + 1);
	memcpy(copy, s, n);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *s)
{
	return arena_strndup(arena, s, strlen(s));
}

/*
 * Into what is free of the newest block, so that most texts are formatted once; what does not stay
 * there is zeroed again.
 */
char *arena_vprintf(struct arena *arena, const char *fmt, va_list ap)
{
	struct arena_block *b = arena->head;
	size_t room = b ? b->size - b->used : 0, len;
	char *tried = room ? (char *)b->data + b->used : NULL, *s;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(tried, room, fmt, again);
	va_end(again);
	if (n < 0)
		arena_out_of_memory();
	len = (size_t)n + 1;
	s = arena_alloc(arena, len);
	if (s == tried)
		return s;
	if (room)
		memset(tried, 0, len < room ? len : room);
	vsnprintf(s, len, fmt, ap);
	return s;
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(arena, fmt, ap);
	va_end(ap);
	return s;
}

char *arena_concat(struct arena *arena, const char *first, ...)
{
	char *ret, *end;
	size_t len = 0;
	va_list ap;

	va_start(ap, first);
	for (const char *s = first; s; s = va_arg(ap, const char *))
		len += strlen(s);
	va_end(ap);
	ret = end = arena_alloc(arena, len + 1);
	va_start(ap, first);
	for (const char *s = first; s; s = va_arg(ap, const char *))
		end = stpcpy(end, s);
	va_end(ap);
	return ret;
}

size_t arena_used(const struct arena *arena)
{
	return arena->used;
}

/* What was allocated last, of OLD bytes, gets NEW where it is, if the newest block has them. */
static bool arena_extend(struct arena *arena, const void *last, size_t old, size_t new)
{
	struct arena_block *b = arena->head;
	size_t from;

	old = (old + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
	new = (new + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
	if (!b || !old || old > b->used || last != b->data + b->used - old)
		return false;
	from = b->used - old;
	if (b->size - from < new)
		return false;
	b->used = from + new;
	arena->used += new - old;
	return true;
}

void *vec_resize(struct arena *arena, void *data, size_t n, size_t old, size_t cap, size_t size)
{
	void *grown;

	if (cap > SIZE_MAX / 2 / size)
		arena_out_of_memory();
	if (data && cap > old && arena_extend(arena, data, old * size, cap * size))
		return data;
	grown = arena_alloc(arena, cap * size);
	if (n)
		memcpy(grown, data, n * size);
	return grown;
}

void *vec_grow(struct arena *arena, void *data, size_t n, size_t *cap, size_t size)
{
	size_t old = *cap;

	*cap = old ? old * 2 : 4;
	return vec_resize(arena, data, n, old, *cap, size);
}
