/* links: sema codegen probe target library parse ast ir diag base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of builtins hold together; and what pragmas.c reads in C text. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "codegen/codegen.h"
#include "ir/builtins.h"
#include "sema/pragma.h"

static struct arena *arena;
static struct interner *in;

static int setup(void **state)
{
	arena = arena_create();
	in = interner_create(arena);
	return 0;
}

static int teardown(void **state)
{
	arena_destroy(arena);
	return 0;
}

static void rows_are_complete(void **state)
{
	struct ir_builtin_param params[IR_BUILTIN_MAX_PARAMS];
	size_t rows = 0;

	assert_non_null(ir_builtins[0].subject);
	for (const struct ir_builtin *row = ir_builtins; row->name || row->subject; row++) {
		size_t n;

		if (!row->name)
			continue;
		rows++;
		assert_true(ir_builtin_is_row(row));
		n = ir_builtin_params(row, params);
		for (size_t i = 0; i < n; i++) {
			assert_true(params[i].name_len > 0);
			for (size_t k = 0; k < params[i].name_len; k++)
				assert_true(isalnum((unsigned char)params[i].name[k]) ||
					    params[i].name[k] == '_');
		}
		assert_true(row->effects & IR_READS);
		assert_int_equal(row->text[strlen(row->text) - 1], '.');
	}
	assert_true(rows > 200);
}

/* The number of parameters tells overloads apart, and one id is one signature. */
static void rows_differ(void **state)
{
	struct ir_builtin_param a[IR_BUILTIN_MAX_PARAMS], b[IR_BUILTIN_MAX_PARAMS];

	for (const struct ir_builtin *row = ir_builtins; row->name || row->subject; row++) {
		size_t n = row->name ? ir_builtin_params(row, a) : 0;

		for (const struct ir_builtin *other = row + 1;
		     row->name && (other->name || other->subject); other++) {
			if (!other->name)
				continue;
			if (!strcmp(row->name, other->name))
				assert_int_not_equal(n, ir_builtin_params(other, b));
			if (strcmp(row->id, other->id))
				continue;
			assert_int_equal(row->result, other->result);
			assert_int_equal(row->effects, other->effects);
			assert_int_equal(n, ir_builtin_params(other, b));
			for (size_t i = 0; i < n; i++)
				assert_int_equal(a[i].type, b[i].type);
		}
	}
}

static void parameters(void **state)
{
	const struct ir_builtin row = { .name = "f", .parameters = "(LONG addr, STRING text)" };
	const struct ir_builtin none = { .name = "g", .parameters = "()" };
	struct ir_builtin_param params[IR_BUILTIN_MAX_PARAMS];

	assert_int_equal(ir_builtin_params(&none, params), 0);
	assert_int_equal(ir_builtin_params(&row, params), 2);
	assert_int_equal(params[0].type, IR_LONG);
	assert_memory_equal(params[0].name, "addr", params[0].name_len);
	assert_int_equal(params[1].type, IR_STRING);
	assert_int_equal(params[1].name_len, 4);
	assert_memory_equal(params[1].name, "text", 4);
}

/* A row from elsewhere is refused by name, one of the table's own is not. */
static void unserved(void **state)
{
	const struct ir_builtin foreign = { .name = "f", .id = "f", .parameters = "()" };
	struct ir_function f = { .name = intern(in, "f"), .builtin = &foreign };
	struct diag_sink *sink = diag_sink_create(arena, source_map_create(arena));
	const struct codegen_limits limits = { .max_string = 512 };
	const struct stp_regex *const *regexes;
	struct ir_program program = { 0 };
	struct error *err;

	vec_push(arena, &program.functions, &f);
	err = codegen_check(arena, sink, &program, &limits, &regexes);
	assert_non_null(err);
	assert_string_equal(err->text, "function f is not available in a kernel module");
	error_destroy(err);
	f.builtin = ir_builtin_find("pid", NULL);
	assert_null(codegen_check(arena, sink, &program, &limits, &regexes));
}

static void pragmas(void **state)
{
	static const struct {
		const char *text;
		bool pure, guru, string, suffix, next, this;
		const char *globals; /* "r:NAME w:NAME " */
	} cases[] = {
		{ " /* pure */ x ", .pure = true, .globals = "" },
		{ "/*pure*/", .pure = true, .globals = "" },
		{ "// pure\n", .pure = true, .globals = "" },
		{ "/* purely */ /* not pure */", .globals = "" },
		{ "\"/* pure */\" '\"' /* guru */ \"\\\" /* string */\"", .guru = true,
		  .globals = "" },
		{ "'\\'' /* string */", .string = true, .globals = "" },
		{ "/* // pure */ // /* guru */\n/* pragma:suffix */", .suffix = true,
		  .globals = "" },
		{ "if (x) STAP_NEXT;", .next = true, .globals = "" },
		{ "MY_STAP_NEXT STAP_NEXT2 /* STAP_NEXT */ \"STAP_NEXT\"", .globals = "" },
		{ "THIS->x = 1; /* pure", .this = true, .pure = true, .globals = "" },
		{ "HARDTHIS /* THIS */", .globals = "" },
		{ "/* pragma:read:a */ /* pragma:write:b_1 */ /* pragma:read:c d */ /* pragma:read: */",
		  .globals = "r:a w:b_1 " },
		{ "\"unended", .globals = "" },
		{ "", .globals = "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pragmas p;
		const char *globals = "";

		pragmas_read(arena, intern(in, cases[i].text), &p);
		assert_int_equal(p.pure, cases[i].pure);
		assert_int_equal(p.guru, cases[i].guru);
		assert_int_equal(p.string, cases[i].string);
		assert_int_equal(p.suffix, cases[i].suffix);
		assert_int_equal(p.next, cases[i].next);
		assert_int_equal(p.this, cases[i].this);
		vec_foreach(g, &p.globals)
			globals = arena_printf(arena, "%s%c:%s ", globals, g->write ? 'w' : 'r',
					       g->name);
		assert_string_equal(globals, cases[i].globals);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_complete), cmocka_unit_test(rows_differ),
		cmocka_unit_test(parameters),        cmocka_unit_test(unserved),
		cmocka_unit_test(pragmas),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
