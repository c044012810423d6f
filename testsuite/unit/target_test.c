/* links: target ir base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF written by the test, and what target/ makes of it: spellings, members, the calling convention, fetch programs,
 * messages. Then the kernel installed here, when there is one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "target/btf_types.h"
#include "target/convention.h"
#include "target/demangle.h"
#include "target/internal.h"
#include "target/scope.h"
#include "target/target.h"
#include "target/tracepoints.h"
#include "target/variables.h"

/* ---- a writer of BTF ---- */

struct writer {
	unsigned char types[8 << 20]; /* for hostile() */
	char strings[4096];
	uint32_t types_len, strings_len, n;
};

static uint32_t text(struct writer *w, const char *s)
{
	uint32_t at = w->strings_len;

	strcpy(w->strings + at, s);
	w->strings_len += strlen(s) + 1;
	return at;
}

static void word(struct writer *w, uint32_t v)
{
	memcpy(w->types + w->types_len, &v, 4);
	w->types_len += 4;
}

static uint32_t type(struct writer *w, const char *name, unsigned kind, unsigned vlen, bool flag,
		     uint32_t size_or_type)
{
	word(w, *name ? text(w, name) : 0);
	word(w, kind << 24 | (flag ? 1u << 31 : 0) | vlen);
	word(w, size_or_type);
	return ++w->n;
}

static uint32_t integer(struct writer *w, const char *name, unsigned size, unsigned encoding)
{
	uint32_t id = type(w, name, BTF_KIND_INT, 0, false, size);

	word(w, encoding << 24 | size * 8);
	return id;
}

static void member(struct writer *w, const char *name, uint32_t id, uint32_t offset)
{
	word(w, *name ? text(w, name) : 0);
	word(w, id);
	word(w, offset);
}

static void parameter(struct writer *w, const char *name, uint32_t id)
{
	word(w, *name ? text(w, name) : 0);
	word(w, id);
}

static void array(struct writer *w, uint32_t element, uint32_t count)
{
	type(w, "", BTF_KIND_ARRAY, 0, false, 0);
	word(w, element);
	word(w, 0);
	word(w, count);
}

static unsigned char *finish(struct writer *w, size_t *len)
{
	struct btf_header h = { .magic = BTF_MAGIC,
				.version = 1,
				.hdr_len = sizeof(h),
				.type_len = w->types_len,
				.str_off = w->types_len,
				.str_len = w->strings_len };
	unsigned char *p;

	*len = sizeof(h) + w->types_len + w->strings_len;
	p = malloc(*len);
	memcpy(p, &h, sizeof(h));
	memcpy(p + sizeof(h), w->types, w->types_len);
	memcpy(p + sizeof(h) + w->types_len, w->strings, w->strings_len);
	return p;
}

/* The declarations every test uses; the numbers are the ids that come out. */
static void declarations(struct writer *w)
{
	w->strings_len = 1;
	integer(w, "int", 4, BTF_INT_SIGNED);             /* 1 */
	integer(w, "char", 1, BTF_INT_SIGNED);            /* 2 */
	integer(w, "long unsigned int", 8, 0);            /* 3 */
	type(w, "size_t", BTF_KIND_TYPEDEF, 0, false, 3); /* 4 */
	type(w, "", BTF_KIND_CONST, 0, false, 2);         /* 5 const char */
	type(w, "", BTF_KIND_PTR, 0, false, 5);           /* 6 const char * */
	type(w, "", BTF_KIND_PTR, 0, false, 8);           /* 7 struct box * */
	type(w, "box", BTF_KIND_STRUCT, 6, true, 48);     /* 8 */
	member(w, "a", 1, 0);
	member(w, "flag", 3, 3 << 24 | 37); /* 3 bits at bit 37 */
	member(w, "", 9, 64);               /* anonymous union at 8 */
	member(w, "next", 7, 128);
	member(w, "name", 10, 192);
	member(w, "text", 6, 320);
	type(w, "", BTF_KIND_UNION, 2, true, 8); /* 9 */
	member(w, "u", 3, 0);
	member(w, "v", 1, 0);
	array(w, 2, 16); /* 10 char[16] */
	type(w, "", BTF_KIND_FUNC_PROTO, 3, false,
	     4); /* 11 size_t (struct box *, int, char const *) */
	parameter(w, "b", 7);
	parameter(w, "n", 1);
	parameter(w, "s", 6);
	type(w, "take", BTF_KIND_FUNC, 0, false, 11);  /* 12 */
	type(w, "", BTF_KIND_FUNC_PROTO, 8, false, 8); /* 13 struct box (8 x size_t) */
	for (int i = 0; i < 8; i++) {
		char name[] = { 'p', '0' + i, 0 };

		parameter(w, name, 4);
	}
	type(w, "make", BTF_KIND_FUNC, 0, false, 13);   /* 14 */
	type(w, "pair", BTF_KIND_STRUCT, 2, false, 16); /* 15 */
	member(w, "low", 3, 0);
	member(w, "high", 1, 64);
	type(w, "", BTF_KIND_FUNC_PROTO, 2, false, 0); /* 16 void (struct pair, int) */
	parameter(w, "p", 15);
	parameter(w, "n", 1);
	type(w, "pass", BTF_KIND_FUNC, 0, false, 16);  /* 17 */
	type(w, "", BTF_KIND_PTR, 0, false, 11);       /* 18 pointer to function */
	type(w, "", BTF_KIND_CONST, 0, false, 7);      /* 19 struct box * const */
	type(w, "", BTF_KIND_PTR, 0, false, 10);       /* 20 char (*)[16] */
	type(w, "gone", BTF_KIND_FWD, 0, false, 0);    /* 21 */
	type(w, "colour", BTF_KIND_ENUM, 2, false, 4); /* 22 */
	parameter(w, "RED", 3);
	parameter(w, "BLUE", (uint32_t)-1);
	type(w, "double", BTF_KIND_FLOAT, 0, false, 8);       /* 23 */
	type(w, "float", BTF_KIND_FLOAT, 0, false, 4);        /* 24 */
	type(w, "percpu", BTF_KIND_TYPE_TAG, 0, false, 8);    /* 25 */
	type(w, "", BTF_KIND_PTR, 0, false, 25);              /* 26 struct box __percpu * */
	type(w, "iomem", BTF_KIND_TYPE_TAG, 0, false, 8);     /* 27 */
	type(w, "", BTF_KIND_PTR, 0, false, 27);              /* 28 struct box __iomem * */
	type(w, "long double", BTF_KIND_FLOAT, 0, false, 16); /* 29 */
	type(w, "mixed", BTF_KIND_STRUCT, 5, false, 48);      /* 30 */
	member(w, "d", 23, 0);
	member(w, "f", 24, 64);
	member(w, "each", 26, 128);
	member(w, "io", 28, 192);
	member(w, "wide", 29, 256);
	type(w, "", BTF_KIND_PTR, 0, false, 30); /* 31 */
	type(w, "", BTF_KIND_FUNC_PROTO, 3, false,
	     23); /* 32 double (struct mixed *, double, int) */
	parameter(w, "m", 31);
	parameter(w, "x", 23);
	parameter(w, "n", 1);
	type(w, "calc", BTF_KIND_FUNC, 0, false, 32); /* 33 */
	/* 34 to 48: 15 levels, each of eight unnamed members of the next */
	for (uint32_t id = 34; id <= 48; id++) {
		type(w, id == 34 ? "maze" : "", BTF_KIND_STRUCT, 8, false, 8);
		for (int i = 0; i < 8; i++)
			member(w, "", id == 48 ? 9 : id + 1, 0);
	}
	type(w, "", BTF_KIND_PTR, 0, false, 34);       /* 49 */
	type(w, "", BTF_KIND_FUNC_PROTO, 1, false, 1); /* 50 int (struct maze *) */
	parameter(w, "m", 49);
	type(w, "lost", BTF_KIND_FUNC, 0, false, 50); /* 51 */
}

struct fixture {
	struct target target;
	unsigned char *data;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct writer *w = calloc(1, sizeof(*w));
	struct btf_name *names;
	struct error *err;
	size_t len;

	declarations(w);
	f->data = finish(w, &len);
	f->target.arena = arena_create();
	f->target.release = "test";
	f->target.kernel.is_loaded = true;
	f->target.kernel.has_sought_dwarf = true;
	f->target.kernel.has_types = true;
	f->target.machine = &machine_x86_64;
	f->target.none.target = &f->target;
	f->target.kernel.target = &f->target;
	f->target.none.object = &f->target.kernel;
	btf_types_init(&f->target.kernel.types, &f->target);
	err = btf_open(f->data, len, NULL, NULL, 0, f->target.arena, &f->target.kernel.types.btf);
	if (err)
		fprintf(stderr, "%s\n", err->text);
	assert_null(err);
	f->target.kernel.types.n_names =
		btf_names(&f->target.kernel.types.btf, f->target.arena, &names);
	f->target.kernel.types.names = names;
	assert_int_equal(f->target.kernel.types.btf.n, w->n);
	free(w);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	headers_close(&f->target);
	arena_destroy(f->target.arena);
	free(f->data);
	free(f);
	return 0;
}

static const char *spelling(struct fixture *f, uint32_t id)
{
	return target_type_name(type_get(&f->target.kernel.types.source, id));
}

static void spells_types(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(spelling(f, 0), "void");
	assert_string_equal(spelling(f, 1), "int");
	assert_string_equal(spelling(f, 4), "size_t");
	assert_string_equal(spelling(f, 6), "char const*");
	assert_string_equal(spelling(f, 7), "struct box*");
	assert_string_equal(spelling(f, 9), "union {...}");
	assert_string_equal(spelling(f, 10), "char[16]");
	assert_string_equal(spelling(f, 18), "size_t (*)(struct box*, int, char const*)");
	assert_string_equal(spelling(f, 19), "struct box* const");
	assert_string_equal(spelling(f, 20), "char (*)[16]");
}

static void parses_types(void **state)
{
	struct fixture *f = *state;
	struct btf_types *t = &f->target.kernel.types;

	assert_string_equal(target_type_name(type_parse(&t->source, "const struct box __user *")),
			    "struct box*");
	assert_int_equal(type_parse(&t->source, "const struct box __user *")->space, FETCH_USER);
	assert_string_equal(target_type_name(type_parse(&t->source, "unsigned long")),
			    "long unsigned int");
	assert_int_equal(target_type_kind(type_parse(&t->source, "box")), TARGET_TYPE_STRUCT);
	assert_int_equal(target_type_kind(type_parse(&t->source, "void *")), TARGET_TYPE_POINTER);
	assert_int_equal(target_type_kind(type_parse(&t->source, "enum colour")), TARGET_TYPE_ENUM);
	assert_true(target_type_signed(type_parse(&t->source, "enum colour")));
	assert_null(type_parse(&t->source, "struct nothing"));
	assert_null(type_parse(&t->source, "box box"));
	assert_null(type_parse(&t->source, "void"));
	assert_null(type_parse(&t->source, ""));
	assert_true(
		target_type_same(type_parse(&t->source, "struct box*"), type_get(&t->source, 19)));
	assert_false(target_type_same(type_parse(&t->source, "struct box*"),
				      type_parse(&t->source, "struct pair*")));
}

static void lists_members(void **state)
{
	struct fixture *f = *state;
	const struct target_member *m;
	size_t n = target_type_members(&f->target, type_get(&f->target.kernel.types.source, 8), &m);

	assert_int_equal(n, 6);
	assert_int_equal(m[1].bits, 3);
	assert_int_equal(m[1].bit_offset, 37);
	assert_string_equal(m[2].name, "");
	assert_int_equal(target_type_count(m[4].type), 16);
	assert_int_equal(
		target_type_members(&f->target, type_get(&f->target.kernel.types.source, 1), &m),
		0);
}

static void lists_enumerators(void **state)
{
	struct fixture *f = *state;
	struct target_scope scope = { .target = &f->target, .object = &f->target.kernel };
	const struct target_enumerator *e;
	struct target_type_result found;
	int64_t value;

	assert_true(target_enumerator(&scope, "BLUE", &value));
	assert_int_equal(value, -1);
	assert_false(target_enumerator(&scope, "GREEN", &value));
	type_find(&scope, "enum colour", NULL, &found);
	assert_int_equal(target_type_enumerators(found.type, &e), 2);
	assert_string_equal(e[1].name, "BLUE");
	assert_int_equal(e[1].value, -1);
	assert_int_equal(
		target_type_enumerators(type_parse(&f->target.kernel.types.source, "int"), &e), 0);
}

static void finds_types_by_place(void **state)
{
	struct fixture *f = *state;
	struct target_scope scope = { .target = &f->target, .object = &f->target.kernel };
	struct target_type_result found;

	type_find(&scope, "struct box", "kernel<vmlinux.h>", &found);
	assert_non_null(found.type);
	type_find(&scope, "struct box", "<sys/time.h>:kernel", &found);
	assert_non_null(found.type);
	type_find(&scope, "struct nothing", "kernel", &found);
	assert_string_equal(found.message,
			    "type definition 'struct nothing' not found in 'kernel'");
	type_find(&scope, "struct box", "<sys/time.h>", &found);
	assert_null(found.type);
	assert_string_equal(found.message,
			    "type definition 'struct box' not found in '<sys/time.h>'");
}

/* ---- programs ---- */

static void describe(const struct fetch_program *p, char *out)
{
	static const char *const names[] = {
		[FETCH_REG] = "reg",         [FETCH_ADD] = "add",    [FETCH_LOAD] = "load",
		[FETCH_EXTEND] = "extend",   [FETCH_BITS] = "bits",  [FETCH_INDEX] = "index",
		[FETCH_OPERAND] = "operand", [FETCH_WIDEN] = "widen"
	};

	for (size_t i = 0; i < p->n; i++) {
		const struct fetch_insn *n = &p->insns[i];

		out += sprintf(out, "%s%s", i ? " " : "", names[n->op]);
		if (n->op == FETCH_REG || n->op == FETCH_OPERAND)
			out += sprintf(out, "%u", n->number);
		else if (n->op == FETCH_ADD)
			out += sprintf(out, "%lld", (long long)n->value);
		else if (n->op == FETCH_BITS)
			out += sprintf(out, "%lld:%u", (long long)n->value, n->bits);
		else if (n->op == FETCH_INDEX)
			out += sprintf(out, "%u*%lld", n->number, (long long)n->value);
		else if (n->size)
			out += sprintf(out, "%c%u", n->is_signed ? 's' : 'u', n->size * 8);
	}
}

static const struct target_scope *entry(struct fixture *f, const char *name, const char *base,
					bool is_unique)
{
	struct target_function function = { .name = name,
					    .base_name = base,
					    .is_unique = is_unique };

	return target_scope_entry(&f->target, &function);
}

static struct target_value ask(struct fixture *f, const struct target_scope *s, const char *name,
			       bool address, size_t n, const struct target_access *path)
{
	struct target_query q = { .name = name, .path = path, .n_path = n, .address_of = address };
	struct target_value v;

	assert_null(target_resolve(&f->target, s, &q, &v));
	return v;
}

static void assert_program(struct fixture *f, const struct target_scope *s, const char *name,
			   size_t n, const struct target_access *path, const char *want)
{
	struct target_value v = ask(f, s, name, false, n, path);
	char text_of[512] = "";

	if (v.status != TARGET_OK)
		fprintf(stderr, "%s: %s\n", name, v.message);
	assert_int_equal(v.status, TARGET_OK);
	describe(&v.load, text_of);
	assert_string_equal(text_of, want);
}

static void makes_programs(void **state)
{
	struct fixture *f = *state;
	const struct target_scope *s = entry(f, "take", "take", true);
	struct target_access next[] = { { "next", -1, 0 }, { "v", -1, 0 } },
			     flag[] = { { "flag", -1, 0 } };
	struct target_access name[] = { { "name", -1, 0 }, { NULL, 1, 0 } },
			     third[] = { { NULL, -1, 3 } };
	struct target_access element[] = { { NULL, -1, 2 }, { "text", -1, 0 } };

	assert_program(f, s, "b", 0, NULL, "reg5");
	assert_program(f, s, "n", 0, NULL, "reg4 extends32");
	assert_program(f, s, "b", 2, next, "reg5 add16 loadu64 add8 loads32");
	assert_program(f, s, "b", 1, flag, "reg5 add4 loadu8 bits5:3");
	assert_program(f, s, "b", 2, name, "reg5 add24 index1*1 loads8");
	assert_program(f, s, "s", 1, third, "reg1 add3 loads8");
	assert_program(f, s, "b", 2, element, "reg5 add96 add40 loadu64");
	assert_program(f, s, "b", 1, name, "reg5 add24");
}

static void follows_the_convention(void **state)
{
	struct fixture *f = *state;
	struct target_access low[] = { { "low", -1, 0 } }, high[] = { { "high", -1, 0 } };
	struct target_function make = { .name = "make", .base_name = "make", .is_unique = true };
	struct target_function pass = { .name = "pass", .base_name = "pass", .is_unique = true };
	struct target_access a[] = { { "a", -1, 0 } };

	/* a big result takes the first register; eight arguments spill three */
	assert_program(f, entry(f, "make", "make", true), "p0", 0, NULL, "reg4");
	assert_program(f, entry(f, "make", "make", true), "p4", 0, NULL, "reg9");
	assert_program(f, entry(f, "make", "make", true), "p5", 0, NULL, "reg7 add8 loadu64");
	assert_program(f, entry(f, "make", "make", true), "p7", 0, NULL, "reg7 add24 loadu64");
	assert_program(f, target_scope_return(&f->target, &make), "return", 1, a, "reg0 loads32");
	/* two words in two registers */
	assert_program(f, entry(f, "pass", "pass", true), "p", 1, low, "reg5");
	assert_program(f, entry(f, "pass", "pass", true), "p", 1, high, "reg4 extends32");
	assert_program(f, entry(f, "pass", "pass", true), "n", 0, NULL, "reg1 extends32");
	assert_int_equal(
		ask(f, target_scope_return(&f->target, &pass), "return", false, 0, NULL).status,
		TARGET_NO_RETURN);
}

static void refuses(void **state)
{
	struct fixture *f = *state;
	const struct target_scope *s = entry(f, "take", "take", true);
	struct target_access wrong[] = { { "nam", -1, 0 } }, flag[] = { { "flag", -1, 0 } },
			     next[] = { { "next", -1, 0 } };
	struct target_access element[] = { { NULL, -1, 0 } };
	struct target_value v;

	v = ask(f, s, "c", false, 0, NULL);
	assert_int_equal(v.status, TARGET_NO_VARIABLE);
	assert_string_equal(
		v.message,
		"unable to find local 'c', [man error::dwarf] in take (alternatives: $b $n $s)");
	v = ask(f, s, "b", false, 1, wrong);
	assert_int_equal(v.status, TARGET_NO_MEMBER);
	assert_string_equal(v.message,
			    "unable to find member 'nam' for struct box (alternatives: name a)");
	assert_int_equal(ask(f, s, "n", false, 1, wrong).status, TARGET_BAD_ACCESS);
	assert_int_equal(ask(f, s, "n", false, 1, element).status, TARGET_BAD_ACCESS);
	v = ask(f, s, "b", false, 1, element);
	assert_int_equal(v.status, TARGET_BAD_ACCESS);
	assert_string_equal(v.message,
			    "'struct box' is being accessed instead of a member such as '->a'");
	assert_int_equal(ask(f, s, "b", true, 1, flag).status, TARGET_BAD_ACCESS);
	assert_int_equal(ask(f, s, "b", true, 0, NULL).status, TARGET_BAD_ACCESS);
	assert_int_equal(ask(f, s, "b", true, 1, next).status, TARGET_OK);
	/* a clone's parameters may be anywhere; so may those of one of several of the name */
	assert_int_equal(ask(f, entry(f, "take.isra.0", "take", true), "b", false, 0, NULL).status,
			 TARGET_UNREADABLE);
	assert_int_equal(ask(f, entry(f, "take", "take", false), "b", false, 0, NULL).status,
			 TARGET_UNREADABLE);
	assert_non_null(ask(f, entry(f, "take.isra.0", "take", true), "b", false, 0, NULL).hint);
}

/* 8^15 ways through unnamed members: a name that is on the first of them is found, the search for another ends. */
static void ends_in_a_maze(void **state)
{
	struct fixture *f = *state;
	const struct target_scope *s = entry(f, "lost", "lost", true);
	struct target_access there[] = { { "u", -1, 0 } }, nowhere[] = { { "x", -1, 0 } };
	struct target_value v;

	assert_program(f, s, "m", 1, there, "reg5 loadu64");
	v = ask(f, s, "m", false, 1, nowhere);
	assert_int_equal(v.status, TARGET_NO_MEMBER);
	assert_string_equal(
		v.message,
		"unable to find member 'x' for struct maze (given up after 65536 members, of "
		"unnamed ones within each other: is the type information damaged?)");
}

static void knows_spaces_and_floats(void **state)
{
	struct fixture *f = *state;
	const struct target_scope *s = entry(f, "calc", "calc", true);
	struct target_function calc = { .name = "calc", .base_name = "calc", .is_unique = true };
	struct target_access d[] = { { "d", -1, 0 } }, narrow[] = { { "f", -1, 0 } },
			     wide[] = { { "wide", -1, 0 } };
	struct target_access each[] = { { "each", -1, 0 }, { "next", -1, 0 }, { "a", -1, 0 } },
			     io[] = { { "io", -1, 0 }, { "a", -1, 0 } };
	struct target_value v;
	struct strbuf text;

	assert_program(f, s, "m", 1, d, "reg5 loadu64");
	assert_program(f, s, "m", 1, narrow, "reg5 add8 loadu32 widen");
	/* the copy of this CPU, and what it points to */
	v = ask(f, s, "m", false, 3, each);
	assert_int_equal(v.status, TARGET_OK);
	strbuf_init(&text);
	fetch_text(&v.load, &machine_x86_64, &text);
	assert_string_equal(strbuf_cstr(&text),
			    "reg rdi, add 16, load u64, add 16, load u64 percpu, "
			    "load s32");
	v = ask(f, s, "m", true, 2, each);
	strbuf_reset(&text);
	fetch_text(&v.load, &machine_x86_64, &text);
	assert_string_equal(strbuf_cstr(&text), "reg rdi, add 16, load u64, add 16, this_cpu");
	strbuf_deinit(&text);
	/* the pointer to a device's memory can be read, the memory not */
	assert_program(f, s, "m", 1, io, "reg5 add24 loadu64");
	v = ask(f, s, "m", false, 2, io);
	assert_int_equal(v.status, TARGET_UNREADABLE);
	assert_non_null(strstr(v.message, "the memory of a device"));
	v = ask(f, s, "m", false, 1, wide);
	assert_int_equal(v.status, TARGET_UNREADABLE);
	assert_non_null(strstr(v.message, "16 bytes"));
	/* floats in registers are named; they take no integer's register */
	v = ask(f, s, "x", false, 0, NULL);
	assert_int_equal(v.status, TARGET_UNREADABLE);
	assert_string_equal(v.message,
			    "cannot read 'x' here: it is in register xmm0, which a probe "
			    "does not have the value of");
	assert_program(f, s, "n", 0, NULL, "reg4 extends32");
	v = ask(f, target_scope_return(&f->target, &calc), "return", false, 0, NULL);
	assert_int_equal(v.status, TARGET_UNREADABLE);
	assert_non_null(strstr(v.message, "register xmm0"));
}

/* Where the call leads that begins with CODE, of N bytes at ADDR; 0: it is none. */
static void assert_calls(const struct machine *m, const char *code, uint64_t n, uint64_t addr,
			 uint64_t to)
{
	assert_int_equal(m->call_target((const unsigned char *)code, n, addr), to);
}

static void another_machine(void **state)
{
	struct fixture *f = *state;
	struct target_function make = { .name = "make", .base_name = "make", .is_unique = true };
	struct target_access a[] = { { "a", -1, 0 } }, high[] = { { "high", -1, 0 } };

	f->target.machine = &machine_aarch64;
	assert_calls(&machine_aarch64, "\xff\xff\xff\x97", 4, 0x1000, 0xffc);
	assert_calls(&machine_aarch64, "\x02\x00\x00\x94", 4, 0x1000, 0x1008);
	assert_calls(&machine_aarch64, "\x02\x00\x00\x14", 4, 0x1000, 0); /* B */
	assert_calls(&machine_aarch64, "\x02\x00\x00", 3, 0x1000, 0);
	assert_calls(&machine_x86_64, "\xe8\xfb\xff\xff\xff", 5, 0x1000, 0x1000);
	assert_calls(&machine_x86_64, "\xe9\xfb\xff\xff\xff", 5, 0x1000, 0);
	assert_calls(&machine_x86_64, "\xe8\xfb\xff\xff", 4, 0x1000, 0);
	/* a big result takes no argument's register, and is not to be found at the return */
	assert_program(f, entry(f, "make", "make", true), "p0", 0, NULL, "reg0");
	assert_program(f, entry(f, "make", "make", true), "p7", 0, NULL, "reg7");
	assert_int_equal(
		ask(f, target_scope_return(&f->target, &make), "return", false, 1, a).status,
		TARGET_UNREADABLE);
	assert_program(f, entry(f, "pass", "pass", true), "p", 1, high, "reg1 extends32");
	assert_non_null(strstr(ask(f, entry(f, "calc", "calc", true), "x", false, 0, NULL).message,
			       "register v0"));
}

static void casts(void **state)
{
	struct fixture *f = *state;
	struct target_access path[] = { { "a", -1, 0 } }, element[] = { { NULL, 1, 0 } };
	struct target_query q = { .base = TARGET_CAST, .name = "box", .path = path, .n_path = 1 };
	struct target_value v;
	char out[256] = "";

	assert_null(target_resolve(&f->target, target_scope_none(&f->target), &q, &v));
	describe(&v.load, out);
	assert_string_equal(out, "operand0 loads32");
	q = (struct target_query){
		.base = TARGET_CAST, .name = "int", .path = element, .n_path = 1
	};
	assert_null(target_resolve(&f->target, target_scope_none(&f->target), &q, &v));
	describe(&v.load, out);
	assert_string_equal(out, "operand0 index1*4 loads32");
	q.name = "struct nothing";
	assert_null(target_resolve(&f->target, target_scope_none(&f->target), &q, &v));
	assert_int_equal(v.status, TARGET_NO_TYPE);
	assert_string_equal(v.message, "type definition 'struct nothing' not found");
}

/* Every truncation, and every wrong byte in the headers of types, is refused or harmless. */
static void survives_damage(void **state)
{
	struct fixture *f = *state;
	struct writer *w = calloc(1, sizeof(*w));
	struct arena *arena = arena_create();
	unsigned char *data, *copy;
	size_t len;

	declarations(w);
	data = finish(w, &len);
	copy = malloc(len);
	for (size_t i = 0; i < len; i++) {
		struct btf_types types = { 0 };
		struct error *err;

		err = btf_open(data, i, NULL, NULL, 0, arena, &types.btf);
		assert_non_null(err);
		error_destroy(err);
		memcpy(copy, data, len);
		copy[i] ^= 0x81;
		err = btf_open(copy, len, NULL, NULL, 0, arena, &types.btf);
		error_destroy(err);
		if (err)
			continue;
		type_source_init(&types.source, f->target.kernel.types.source.ops, arena,
				 &f->target, &types);
		for (uint32_t id = 0; id < types.btf.n + 2; id++) {
			const struct target_type *t = type_get(&types.source, id);
			const struct target_member *m;

			target_type_name(t);
			target_type_size(t);
			if (!t->is_declaration)
				target_type_members(&f->target, t, &m);
		}
	}
	free(copy);
	free(data);
	free(w);
	arena_destroy(arena);
}

#define CHAIN 200000

/* 400,000 types that are chains, a function whose parameters are itself, and records that say too much. */
static void hostile(struct writer *w)
{
	w->strings_len = 1;
	integer(w, "int", 4, BTF_INT_SIGNED); /* 1 */
	for (uint32_t id = 2; id < CHAIN; id++)
		type(w, "", BTF_KIND_CONST, 0, false, id - 1);
	for (uint32_t id = CHAIN; id < 2 * CHAIN; id++)
		array(w, id == CHAIN ? 1 : id - 1, 2);
	w->n = 2 * CHAIN - 1;
	type(w, "", BTF_KIND_FUNC_PROTO, 8, false, 1); /* 2 * CHAIN */
	for (int i = 0; i < 8; i++)
		parameter(w, "", 2 * CHAIN + 1);
	type(w, "", BTF_KIND_PTR, 0, false, 2 * CHAIN);  /* + 1 */
	type(w, "many", BTF_KIND_ENUM, 65535, false, 4); /* + 2 */
	for (uint32_t i = 0; i < 65535; i++)
		parameter(w, "", i);
	type(w, "gone", BTF_KIND_FWD, 65535, false, 0); /* + 3 */
}

/* Work and depth are bounded, whatever the data says. */
static void ends_in_hostile_data(void **state)
{
	struct fixture *f = *state;
	struct writer *w = calloc(1, sizeof(*w));
	struct arena *arena = arena_create();
	struct btf_types types = { 0 };
	const struct target_enumerator *e;
	const struct target_member *m;
	const struct target_type *t;
	unsigned char *data;
	clock_t began;
	size_t len;

	hostile(w);
	data = finish(w, &len);
	free(w);
	assert_null(btf_open(data, len, NULL, NULL, 0, arena, &types.btf));
	type_source_init(&types.source, f->target.kernel.types.source.ops, arena, &f->target,
			 &types);
	assert_int_equal(target_type_kind(type_get(&types.source, 10)), TARGET_TYPE_INT);
	assert_int_equal(target_type_kind(type_get(&types.source, CHAIN - 1)), TARGET_TYPE_VOID);
	assert_string_equal(target_type_name(type_get(&types.source, 3)), "int const const");
	assert_int_equal(target_type_size(type_get(&types.source, CHAIN + 4)), 4 * 32);
	assert_int_equal(target_type_size(type_get(&types.source, 2 * CHAIN - 1)), 0);
	began = clock();
	t = type_get(&types.source, 2 * CHAIN);
	assert_true(strlen(target_type_name(t)) < 4 << 20);
	assert_non_null(strstr(target_type_name(t), ", ...)"));
	assert_int_equal(target_type_enumerators(type_get(&types.source, 2 * CHAIN + 2), &e),
			 65535);
	assert_int_equal(e[65534].value, 65534);
	assert_true(clock() - began < 2 * CLOCKS_PER_SEC);
	t = type_get(&types.source, 2 * CHAIN + 3);
	assert_int_equal(target_type_members(&f->target, t, &m), 0);
	free(data);
	arena_destroy(arena);
}

/* ---- a kernel installed here ---- */

/* A release with an image in /boot; the running one may have none (a container). */
static const char *installed_release(void)
{
	static char release[256];
	DIR *dir = opendir("/boot");
	struct dirent *entry;

	release[0] = '\0';
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "vmlinuz-", 8))
			snprintf(release, sizeof(release), "%s", entry->d_name + 8);
	if (dir)
		closedir(dir);
	if (!release[0])
		print_message("skipped: no kernel image in /boot\n");
	return release[0] ? release : NULL;
}

static void knows_this_kernel(void **state)
{
	struct target_function_query q = { .name = "vfs_read" };
	struct target_functions functions;
	struct target_tracepoints tps;
	struct target_variables vars;
	struct target_options o = { .release = installed_release(), .no_dwarf = true };
	const char *anchor;
	struct target *t;
	uint64_t addr;

	if (!o.release)
		skip();
	assert_null(target_open(&o, &t));
	assert_null(target_find_functions(t, &q, &functions));
	assert_int_equal(functions.n, 1);
	assert_true(functions.data[0].traceable && functions.data[0].is_unique);
	assert_null(target_variables(t, target_scope_entry(t, &functions.data[0]), &vars));
	assert_int_equal(vars.n, 4);
	assert_string_equal(vars.data[2].name, "count");
	assert_string_equal(vars.data[2].ctype, "size_t");
	q.name = "sys_openat";
	assert_null(target_find_functions(t, &q, &functions));
	assert_int_equal(functions.n, 1);
	assert_string_equal(functions.data[0].name, "__x64_sys_openat");
	assert_null(target_variables(t, target_scope_entry(t, &functions.data[0]), &vars));
	assert_string_equal(vars.data[1].name, "filename");
	assert_null(target_find_tracepoints(t, NULL, "sched:sched_switch", &tps));
	assert_int_equal(tps.n, 1);
	assert_null(target_variables(t, target_scope_tracepoint(t, &tps.data[0]), &vars));
	assert_string_equal(vars.data[1].ctype, "struct task_struct*");
	assert_null(target_anchor(t, &anchor, &addr));
	assert_true(addr > 0xffffffff80000000ull);
	q.name = "no_such_function";
	assert_null(target_find_functions(t, &q, &functions));
	assert_int_equal(functions.n, 0);
	target_close(t);
}

/* A damaged index is made again, not believed. */
static void rebuilds_a_damaged_index(void **state)
{
	char dir[] = "/tmp/spile-target-XXXXXX", command[256];
	struct target_options o = { .release = installed_release(),
				    .cache_dir = dir,
				    .no_dwarf = true };
	uint64_t first = 0;

	if (!o.release)
		skip();
	assert_non_null(mkdtemp(dir));
	for (int round = 0; round < 3; round++) {
		struct target *t;

		assert_null(target_open(&o, &t));
		if (!round)
			first = target_symbol(t, "vfs_read");
		assert_true(first && target_symbol(t, "vfs_read") == first);
		target_close(t);
		snprintf(command, sizeof(command),
			 round ? "truncate -s 5000 %s/symbols-*" : "truncate -s -8 %s/symbols-*",
			 dir);
		assert_int_equal(system(command), 0);
	}
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	assert_int_equal(system(command), 0);
}

/* Each argument is a pair of the one before and itself. */
static void bounds_demangled_names(void **state)
{
	struct arena *arena = arena_create();
	char text[512];
	int n = snprintf(text, sizeof(text), "_Z1fISt4pairIiiE");

	assert_string_equal(demangle(arena, "_Z1fISt4pairIiiEEvv"), "f<std::pair<int, int> >");
	assert_string_equal(demangle(arena, "_RNvCs1234_7mycrate3foo"), "mycrate::foo");
	/* the arguments are no scope */
	assert_string_equal(demangle(arena, "_RINvCs1234_7mycrate3foohE"), "mycrate::foo<u8>");
	for (int i = 0; i < 30; i++) {
		char part[4] = { "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i] };

		n += snprintf(text + n, sizeof(text) - n, "S_IS%s_S%s_E", part, part);
	}
	snprintf(text + n, sizeof(text) - n, "Evv");
	assert_null(demangle(arena, text));
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_demangled_names),
		cmocka_unit_test_setup_teardown(spells_types, setup, teardown),
		cmocka_unit_test_setup_teardown(parses_types, setup, teardown),
		cmocka_unit_test_setup_teardown(lists_members, setup, teardown),
		cmocka_unit_test_setup_teardown(lists_enumerators, setup, teardown),
		cmocka_unit_test_setup_teardown(finds_types_by_place, setup, teardown),
		cmocka_unit_test_setup_teardown(makes_programs, setup, teardown),
		cmocka_unit_test_setup_teardown(follows_the_convention, setup, teardown),
		cmocka_unit_test_setup_teardown(refuses, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_spaces_and_floats, setup, teardown),
		cmocka_unit_test_setup_teardown(ends_in_a_maze, setup, teardown),
		cmocka_unit_test_setup_teardown(another_machine, setup, teardown),
		cmocka_unit_test_setup_teardown(casts, setup, teardown),
		cmocka_unit_test_setup_teardown(survives_damage, setup, teardown),
		cmocka_unit_test_setup_teardown(ends_in_hostile_data, setup, teardown),
		cmocka_unit_test(knows_this_kernel),
		cmocka_unit_test(rebuilds_a_damaged_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
