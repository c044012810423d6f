/* links: diag */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "diag/render.h"

static const char script[] = "probe begin {\n\tprintf(\"%d\", x + \"é\" . $return)\n}\n";

struct fixture {
	struct arena *arena;
	struct source_map *map;
	struct diag_sink *sink;
	uint32_t start;
	struct strbuf out;
};

static void fixture_init(struct fixture *f)
{
	f->arena = arena_create();
	f->map = source_map_create(f->arena);
	f->sink = diag_sink_create(f->arena, f->map);
	source_map_add(f->map, "first.stp", "x", 1, true);
	f->start = source_map_add(f->map, "<input>", script, sizeof(script) - 1, false);
	strbuf_init(&f->out);
}

static void fixture_deinit(struct fixture *f)
{
	strbuf_deinit(&f->out);
	arena_destroy(f->arena);
}

/* The span of the first TEXT in the script. */
static struct span find(const struct fixture *f, const char *text)
{
	uint32_t at = f->start + (uint32_t)(strstr(script, text) - script);

	return (struct span){ at, at + (uint32_t)strlen(text) };
}

static const char *render(struct fixture *f, const struct diag_style *style)
{
	strbuf_reset(&f->out);
	diag_render(f->sink, 0, style, &f->out);
	diag_render_parse_count(f->sink, &f->out);
	diag_render_suppressed(f->sink, 0, style, &f->out);
	return strbuf_cstr(&f->out);
}

static void test_source_map(void **state)
{
	struct source_position pos;
	struct fixture f;
	struct span from;
	uint32_t expansion;
	size_t len;

	fixture_init(&f);
	assert_false(source_map_locate(f.map, 0, &pos));
	assert_true(source_map_locate(f.map, find(&f, "$return").start, &pos));
	assert_string_equal(pos.file, "<input>");
	assert_int_equal(pos.line, 2);
	assert_int_equal(pos.column, 26);
	assert_memory_equal(pos.line_text, "\tprintf(", 8);
	/* the end of the file is a place */
	assert_true(source_map_locate(f.map, f.start + sizeof(script) - 1, &pos));
	assert_int_equal(pos.line, 4);
	assert_int_equal(pos.line_len, 0);
	assert_false(source_map_locate(f.map, f.start + sizeof(script), &pos));
	assert_true(source_map_is_library(f.map, 1));
	assert_false(source_map_is_library(f.map, f.start));
	expansion = source_map_add_expansion(f.map, find(&f, "printf"), find(&f, "$return"));
	assert_memory_equal(
		source_map_text(f.map, (struct span){ expansion + 1, expansion + 3 }, &len), "ri",
		2);
	assert_int_equal(len, 2);
	assert_true(source_map_invocation(f.map, expansion, &from));
	assert_int_equal(from.start, find(&f, "$return").start);
	assert_false(source_map_invocation(f.map, f.start, &from));
	fixture_deinit(&f);
}

static void test_semantic(void **state)
{
	const struct diag_style style = { 0 };
	struct diagnostic *d;
	struct fixture f;

	fixture_init(&f);
	d = diag_report(f.sink, DIAG_PROBE_UNRESOLVED, find(&f, "$return"), "unable to find it");
	diag_set_second(f.sink, d, find(&f, "+"), NULL);
	diag_set_hint(f.sink, d, "look %s", "elsewhere");
	diag_add_note(f.sink, d, find(&f, "probe"), "from: %s", "somewhere");
	assert_string_equal(
		render(&f, &style),
		"semantic error: cannot resolve this probe point: unable to find it: identifier '$return' at <input>:2:26\n"
		"        source: \tprintf(\"%d\", x + \"é\" . $return)\n"
		"                \t                       ^\n"
		"           and: operator '+' at <input>:2:17\n"
		"        source: \tprintf(\"%d\", x + \"é\" . $return)\n"
		"                \t               ^\n"
		"\tfrom: somewhere at <input>:1:1\n"
		"        source: probe begin {\n"
		"                ^\n"
		"          hint: look elsewhere\n"
		"\n");
	assert_int_equal(diag_error_count(f.sink), 1);
	fixture_deinit(&f);
}

static void test_parse_and_warning(void **state)
{
	const struct diag_style style = { 0 }, quiet = { .no_warnings = true };
	struct diagnostic *d;
	struct fixture f;

	fixture_init(&f);
	diag_report(f.sink, DIAG_PARSE_EXPECTED, find(&f, "{"), "';'");
	d = diag_report(f.sink, DIAG_PARSE_EXPECTED, find(&f, "begin"), "statement");
	d->at_eof = true;
	diag_report(f.sink, DIAG_PARSE_MACRO_BUILTIN, find(&f, "x"), "x");
	assert_string_equal(render(&f, &style),
			    "parse error: expected ';'\n"
			    "        saw: operator '{' at <input>:1:13\n"
			    "     source: probe begin {\n"
			    "                         ^\n"
			    "parse error: expected statement\n"
			    "        saw: <input> EOF\n"
			    "WARNING: macro redefines built-in operator '@x': identifier 'x' "
			    "at <input>:2:15\n"
			    " source: \tprintf(\"%d\", x + \"é\" . $return)\n"
			    "         \t             ^\n"
			    "2 parse errors.\n");
	assert_null(strstr(render(&f, &quiet), "WARNING"));
	fixture_deinit(&f);
}

static void test_outer(void **state)
{
	const struct diag_style style = { 0 };
	struct fixture f;

	fixture_init(&f);
	diag_set_outer(f.sink, diag_create(f.sink, DIAG_PROBE_UNRESOLVED, (struct span){ 0 },
					   "while processing probe begin"));
	diag_report(f.sink, DIAG_PROBE_UNRESOLVED, (struct span){ 0 }, "inner");
	assert_non_null(diag_set_outer(f.sink, NULL));
	assert_int_equal(diag_count(f.sink), 1);
	assert_string_equal(
		render(&f, &style),
		"semantic error: cannot resolve this probe point: while processing probe begin\n\n"
		"semantic error: cannot resolve this probe point: inner\n\n");
	fixture_deinit(&f);
}

static void test_suppressed(void **state)
{
	const struct diag_style style = { 0 }, verbose = { .verbose = 1 };
	struct fixture f;

	fixture_init(&f);
	for (int i = 0; i < 4; i++)
		diag_report(f.sink, DIAG_PROBE_UNRESOLVED, find(&f, "$return"), i % 2 ? "a" : "b");
	assert_string_equal(
		render(&f, &style),
		"semantic error: cannot resolve this probe point: b: identifier '$return' at <input>:2:26\n"
		"        source: \tprintf(\"%d\", x + \"é\" . $return)\n"
		"                \t                       ^\n"
		"\n"
		"Number of similar error messages suppressed: 3.\n"
		"Rerun with -v to see them.\n");
	assert_null(strstr(render(&f, &verbose), "suppressed"));
	diag_truncate(f.sink, 1);
	assert_int_equal(diag_count(f.sink), 1);
	fixture_deinit(&f);
}

static void test_colors(void **state)
{
	const struct diag_style style = { .color = true };
	const struct diag_style custom = { .color = true, .colors = "error=7:caret=8" };
	const struct diag_style invalid = { .color = true, .colors = "error=red" };
	const struct diag_style empty = { .color = true, .colors = "" };
	struct fixture f;

	fixture_init(&f);
	diag_report(f.sink, DIAG_PARSE_EXPECTED, find(&f, "begin"), "x");
	assert_string_equal(
		render(&f, &style),
		"\033[01;31m\033[Kparse error:\033[m\033[K expected x\n"
		"        saw: identifier 'begin' at \033[00;34m\033[K<input>:1:7\033[m\033[K\n"
		"     source: probe \033[01m\033[Kbegin\033[m\033[K {\n"
		"                   \033[01m\033[K^\033[m\033[K\n"
		"1 parse error.\n");
	assert_string_equal(render(&f, &custom),
			    "\033[7m\033[Kparse error:\033[m\033[K expected x\n"
			    "        saw: identifier 'begin' at <input>:1:7\n"
			    "     source: probe begin {\n"
			    "                   \033[8m\033[K^\033[m\033[K\n"
			    "1 parse error.\n");
	assert_null(strchr(render(&f, &invalid), '\033'));
	assert_null(strchr(render(&f, &empty), '\033'));
	fixture_deinit(&f);
}

static void test_describe(void **state)
{
	static const struct {
		const char *text, *token;
	} cases[] = {
		{ "foo", "identifier 'foo'" },   { "$x->y", "identifier '$x->y'" },
		{ "\"a b\"", "string 'a b'" },   { "12", "number '12'" },
		{ "-5", "number '-5'" },         { "-", "operator '-'" },
		{ "@cast", "operator '@cast'" }, { "while", "keyword" },
		{ "%{ x %}", "embedded-code" },  { "a\x01z", "identifier 'a?z'" },
		{ "\"", "string ''" },
	};
	struct fixture f;

	fixture_init(&f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
			diag_describe_text(f.sink, cases[i].text, strlen(cases[i].text)),
			cases[i].token);
	assert_null(diag_describe(f.sink, (struct span){ 0 }));
	fixture_deinit(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_source_map),        cmocka_unit_test(test_semantic),
		cmocka_unit_test(test_parse_and_warning), cmocka_unit_test(test_outer),
		cmocka_unit_test(test_suppressed),        cmocka_unit_test(test_colors),
		cmocka_unit_test(test_describe),
	};

	return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
