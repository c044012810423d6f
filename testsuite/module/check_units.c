/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_units KERNEL RUNTIME DIR: every unit of the runtime, core and members, compiled for one kernel into DIR, an empty directory.
 *
 * - it compiles without a warning;
 * - the names that reading a member finds are those its object defines;
 * - no unit of the core refers to a member;
 * - the deepest chain of calls within the runtime that a handler can start takes no more stack than STP_RUNTIME_STACK, which
 *   the test before a handler relies on. Frames and calls are what the compiler says (-fcallgraph-info=su, GCC 10); the
 *   kernel's own functions count nothing, as they do not in that promise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/map.h"
#include "module/base.h"
#include "module/object.h"
#include "runtime/uapi/script.h"

struct function {
	const char *name;
	unsigned frame;
	VEC(struct function *) calls;
	bool walking, done;
	unsigned depth; /* bytes, with the deepest of calls */
	struct function *deepest;
};

struct check {
	struct arena *arena;
	struct interner *names;
	struct map functions; /* by interned name */
	const char *dir;
	struct units units;
	struct strbuf index;
	const struct unit *unit; /* being looked at */
	unsigned failures, compiled;
};

static void complain(struct check *c, const char *what, const char *name)
{
	printf("FAIL: %s: %s %s\n", c->unit->source, what, name);
	c->failures++;
}

/* ---- names ---- */

static void check_symbol(void *arg, const char *name, bool defined)
{
	struct check *c = arg;
	const struct unit *member = units_find(&c->units, c->index.s, c->index.len, name);

	if (strncmp(name, "stp_", 4))
		return;
	if (c->unit->what && defined && member != c->unit)
		complain(c, "reading it does not find", name);
	if (!c->unit->what && member)
		complain(c, "the core uses a member's", name);
}

/* ---- stack ---- */

static struct function *function(struct check *c, const char *name, size_t len)
{
	const struct istr *key = intern_n(c->names, name, len);
	struct function *f = map_get(&c->functions, key);

	if (!f) {
		f = arena_new(c->arena, struct function);
		f->name = key->text;
		map_put(&c->functions, key, f);
	}
	return f;
}

/* The text behind WORD: "title: \"", up to the next quote. */
static const char *quoted(const char *line, const char *word, size_t *len)
{
	const char *p = strstr(line, word);

	if (!p)
		return NULL;
	p += strlen(word);
	*len = strcspn(p, "\"");
	return p;
}

/* Local functions are called "file.c:name" there: so they stay apart. */
static void read_line(struct check *c, const char *line)
{
	size_t n, m;
	const char *name = quoted(line, "node: { title: \"", &n), *to, *label;

	if (name) {
		label = strstr(line, " bytes (");
		while (label && label[-1] >= '0' && label[-1] <= '9')
			label--;
		if (label)
			function(c, name, n)->frame = (unsigned)strtoul(label, NULL, 10);
		return;
	}
	name = quoted(line, "edge: { sourcename: \"", &n);
	to = name ? quoted(line, "targetname: \"", &m) : NULL;
	if (to) {
		struct function *f = function(c, name, n);

		vec_push(c->arena, &f->calls, function(c, to, m));
	}
}

static void read_calls(struct check *c, const char *path)
{
	char *text, *rest, *line;
	size_t len;
	struct error *err = file_read(path, &text, &len);

	if (err) {
		complain(c, "no call graph:", err->text);
		error_destroy(err);
		return;
	}
	for (rest = text; (line = strsep(&rest, "\n"));)
		read_line(c, line);
	free(text);
}

static unsigned walk(struct check *c, struct function *f)
{
	if (f->done || f->walking) /* recursion is bounded by those who recurse */
		return f->depth;
	f->walking = true;
	vec_foreach(to, &f->calls) {
		unsigned below = walk(c, *to);

		if (below > f->depth) {
			f->depth = below;
			f->deepest = *to;
		}
	}
	/* the return address is pushed by the call */
	f->depth += f->frame + 8;
	f->walking = false;
	f->done = true;
	return f->depth;
}

/* What runs in process context, at load, arming and the end, has a stack of its own. */
static bool is_for_handlers(const struct check *c, const char *name)
{
	return units_find(&c->units, c->index.s, c->index.len, name) != NULL &&
	       strncmp(name, "stp_saved_strings_", 18) && strncmp(name, "stp_resolve", 11) &&
	       !strstr(name, "_arm") && !strstr(name, "_disarm") && !strstr(name, "_init") &&
	       !strstr(name, "_failed") && !strstr(name, "_family_");
}

static void check_depth(struct check *c)
{
	struct function *worst = NULL;

	map_foreach(it, &c->functions) {
		struct function *f = it->value;

		if (is_for_handlers(c, f->name) && (!worst || walk(c, f) > walk(c, worst)))
			worst = f;
	}
	if (!worst)
		return;
	printf("deepest: %u bytes of %u:", walk(c, worst), STP_RUNTIME_STACK);
	for (struct function *f = worst; f; f = f->deepest)
		printf(" %s %u", f->name, f->frame);
	printf("\n");
	if (worst->depth > STP_RUNTIME_STACK) {
		printf("FAIL: STP_RUNTIME_STACK (runtime/uapi/points.h) promises less\n");
		c->failures++;
	}
}

/* ---- compiling ---- */

static void compiled(void *arg, int status, char *text)
{
	struct check *c = arg;
	struct object object;
	const char *path;
	struct error *err;

	c->unit = &c->units.list.data[c->compiled++];
	path = arena_printf(c->arena, "%s/%s.o", c->dir, c->unit->stem);
	if (status || *text)
		complain(c, "does not compile without words:", text);
	free(text);
	if (status)
		return;
	err = object_open(path, &object);
	if (err) {
		complain(c, "no object:", err->text);
		error_destroy(err);
		return;
	}
	object_symbols(&object, check_symbol, c);
	object_close(&object);
	read_calls(c, arena_printf(c->arena, "%s/%s.ci", c->dir, c->unit->stem));
}

static struct error *compile_all(struct check *c, const struct module_base *base)
{
	struct tool_pool pool = { 0 };
	struct error *err = NULL;

	vec_foreach(unit, &c->units.list) {
		struct argv argv;

		argv_init(&argv, c->arena);
		units_command(&argv, base->kernel_flags, base->runtime_dir, base->dir);
		argv_add_all(&argv, (const char *const[]){ "-fcallgraph-info=su", "-c", NULL });
		argv_add(&argv, path_join(c->arena, base->runtime_dir, unit->source));
		argv_add(&argv, "-o");
		argv_addf(&argv, "%s/%s.o", c->dir, unit->stem);
		err = tool_pool_add(&pool, argv_done(&argv), compiled, c);
		if (err)
			return err;
	}
	return tool_pool_wait(&pool);
}

int main(int argc, char **argv)
{
	struct check c = { .arena = arena_create() };
	struct module_kernel *kernel = NULL;
	struct module_base *base = NULL;
	struct error *err;

	if (argc != 4)
		return 2;
	c.dir = argv[3];
	c.names = interner_create(c.arena);
	map_init(&c.functions, c.arena);
	strbuf_init(&c.index);
	err = module_kernel_open(argv[1], &kernel);
	if (!err)
		err = module_base_prepare(kernel, argv[2], argv[3], NULL, &base);
	if (!err)
		err = units_read(argv[2], c.arena, &c.units);
	if (!err)
		err = units_index(&c.units, argv[2], &c.index);
	if (!err)
		err = compile_all(&c, base);
	if (err) {
		printf("FAIL: %s\n", err->text);
		error_destroy(err);
		c.failures++;
	} else {
		check_depth(&c);
	}
	printf("%zu units, %u failures\n", c.units.list.n, c.failures);
	strbuf_deinit(&c.index);
	module_base_close(base);
	module_kernel_close(kernel);
	arena_destroy(c.arena);
	return c.failures != 0;
}
