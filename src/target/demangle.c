/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See demangle.h. libiberty bounds its recursion itself, unless it is told not to, but not what it
 * writes.
 */
#include "target/demangle.h"

#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "target/index.h"

struct text {
	char data[DEMANGLE_MAX];
	size_t n;
	jmp_buf full;
};

/* libiberty cannot be told to stop; on its way here it has taken memory from the stack alone. */
static void add(const char *s, size_t n, void *arg)
{
	struct text *t = arg;

	if (n > sizeof(t->data) - t->n)
		longjmp(t->full, 1);
	memcpy(t->data + t->n, s, n);
	t->n += n;
}

/*
 * Rust's "f::<u8>" as debug information has it, "f<u8>"; what an impl is of is a scope and stays.
 */
static void join_arguments(struct text *t)
{
	static const char impl[] = "<impl ";
	size_t to = 0;

	for (size_t i = 0; i < t->n; i++) {
		const char *p = t->data + i;
		size_t left = t->n - i;

		if (to && left > 2 && !memcmp(p, "::<", 3) &&
		    (left < sizeof(impl) + 1 || memcmp(p + 2, impl, sizeof(impl) - 1) != 0))
			i += 2;
		t->data[to++] = t->data[i];
	}
	t->n = to;
}

static bool decode(const char *symbol, struct text *t)
{
	t->n = 0;
	if (setjmp(t->full))
		return false;
	if (rust_demangle_callback(symbol, DMGL_AUTO, add, t)) {
		join_arguments(t);
		return true;
	}
	t->n = 0;
	return cplus_demangle_v3_callback(symbol, DMGL_AUTO, add, t) != 0;
}

const char *demangle(struct arena *arena, const char *symbol)
{
	struct text t;

	return symbol_is_mangled(symbol) && decode(symbol, &t) ? arena_strndup(arena, t.data, t.n)
							       : NULL;
}

/* A template has its result before the name, and a clone a note behind the parameters. */
const char *demangle_parameters(struct arena *arena, const char *symbol, const char *name)
{
	struct text t = { .n = 0 };
	const char *text, *at, *end;
	size_t n = strlen(name);

	if (strncmp(symbol, "_Z", 2) != 0 || setjmp(t.full) ||
	    !cplus_demangle_v3_callback(symbol, DMGL_PARAMS | DMGL_ANSI, add, &t))
		return NULL;
	text = arena_strndup(arena, t.data, t.n);
	for (at = strstr(text, name); at && at[n] != '('; at = strstr(at + 1, name))
		;
	if (!at)
		return NULL;
	end = strstr(at + n, " [clone");
	return arena_strndup(arena, at + n, end ? (size_t)(end - at) - n : strlen(at + n));
}
