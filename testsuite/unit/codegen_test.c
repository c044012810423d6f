/* links: codegen emit ir diag base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer, names and literals; and C for programs that scripts reach only through a kernel's
 * types: fetch programs, saved values, registers. What scripts reach by themselves is in
 * testsuite/codegen, where it also runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/strbuf.h"
#include "codegen/codegen.h"
#include "emit/writer.h"
#include "machine/machine.h"
#include "runtime/uapi/script.h"

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

/* Compile TEXT as script.c is compiled, warnings being errors; run it when RUN. */
static void compile(const char *text, bool run)
{
	char path[] = "/tmp/codegen_test_XXXXXX.c";
	int fd = mkstemps(path, 2), status;
	const char *command;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	command = arena_printf(
		arena,
		"gcc -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -Werror -ffreestanding %s "
		"-I" SPILE_SOURCE_DIR "/runtime/uapi -o %s.out %s && %s",
		run ? "" : "-mno-sse -mcmodel=kernel -fno-pie -fno-stack-protector -c", path, path,
		run ? arena_printf(arena, "%s.out", path) : "true");
	status = system(command);
	unlink(path);
	unlink(arena_printf(arena, "%s.out", path));
	assert_int_equal(status, 0);
}

/* ---- emit ---- */

static void test_names(void **state)
{
	static const char *const names[] = { "a",     "_",      "__",   "a_b",
					     "a__b",  "$x",     "_24x", "x$y",
					     "x_24y", "x__24y", "",     "caf\303\251",
					     "a$",    "a_",     "a$_",  "a_$" };
	size_t n = sizeof(names) / sizeof(names[0]);

	assert_string_equal(emit_name(arena, "g", "reads"), "g_reads");
	assert_string_equal(emit_name(arena, "g", "x$y_z"), "gx_x_24y__z");
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j)
				assert_string_not_equal(emit_name(arena, "l", names[i]),
							emit_name(arena, "l", names[j]));
	assert_string_equal(emit_slug(arena, "kernel.function(\"vfs_*\").return", 20),
			    "kernel_function_vfs");
}

static void test_literals(void **state)
{
	struct strbuf c;
	unsigned seed = 1;

	assert_string_equal(emit_string(arena, "a\"b\\\n\0011", 7), "\"a\\\"b\\\\\\n\\0011\"");
	assert_string_equal(emit_string(arena, "what\?\?/", 7), "\"what?\\?/\"");
	/* any bytes come back from the compiler */
	strbuf_init(&c);
	strbuf_adds(&c, "static int same(const char *s, int n, const unsigned char *b, int m)\n"
			"{\n\tif (n != m)\n\t\treturn 0;\n\twhile (n--)\n\t\tif ((unsigned "
			"char)s[n] != b[n])\n\t\t\treturn 0;\n"
			"\treturn 1;\n}\nint main(void)\n{\n");
	for (int i = 0; i < 300; i++) {
		char bytes[24];
		size_t n = 1 + i % 23;

		for (size_t k = 0; k < n; k++) {
			seed = seed * 1103515245 + 12345;
			bytes[k] = i & 1 ? "?\\\"\n01x/'"[seed >> 16 & 7] : (char)(seed >> 16);
		}
		strbuf_addf(&c, "\tstatic const unsigned char b%d[] = {", i);
		for (size_t k = 0; k < n; k++)
			strbuf_addf(&c, "%u,", (unsigned char)bytes[k]);
		strbuf_addf(
			&c,
			"};\n\tif (!same(%s, sizeof(%s) - 1, b%d, sizeof(b%d)))\n\t\treturn 1;\n",
			emit_string(arena, bytes, n), emit_string(arena, bytes, n), i, i);
	}
	strbuf_adds(&c, "\treturn 0;\n}\n");
	compile(strbuf_cstr(&c), true);
	strbuf_deinit(&c);
}

static void test_writer(void **state)
{
	struct emit_text bodies[2];
	const char *heads[] = { "if (x)", "else" };
	struct emit_saved saved;
	struct strbuf out;
	struct writer w;

	strbuf_init(&out);
	emit_init(&w, arena, &out);
	emit_blank(&w);
	emit_comment(&w, "ends */ here, and begins /* there\nand \?\?/ joins");
	emit_open(&w, "void f(void)");
	emit_line(&w, "a_function_with_a_long_name(first_argument, (struct pair){ one, two, three "
		      "}, \"a, literal, is, whole\", last);");
	for (int i = 0; i < 2; i++) {
		w.depth++;
		emit_capture(&w, &saved);
		emit_line(&w, "one();");
		if (i)
			emit_line(&w, "two();");
		bodies[i] = emit_captured(&w, &saved);
		w.depth--;
	}
	emit_chain(&w, heads, bodies, 2);
	emit_chain(&w, heads, bodies, 1);
	emit_blank(&w);
	emit_blank(&w);
	emit_label(&w, "out");
	emit_close(&w, "");
	assert_string_equal(
		strbuf_cstr(&out),
		"/* ends * / here, and begins / * there and ? ?/ joins */\n"
		"void f(void) {\n"
		"\ta_function_with_a_long_name(first_argument, (struct pair){ one, two, three },\n"
		"\t\t\t\"a, literal, is, whole\", last);\n"
		"\tif (x) {\n\t\tone();\n\t} else {\n\t\tone();\n\t\ttwo();\n\t}\n"
		"\tif (x)\n\t\tone();\n"
		"\n"
		"out:\n"
		"}\n");
	strbuf_deinit(&out);
}

/* A text placed in others comes out once, where it was placed, and its last line counts. */
static void test_writer_nested(void **state)
{
	struct emit_text inner, outer, none;
	struct emit_saved saved;
	struct strbuf out;
	struct writer w;

	strbuf_init(&out);
	emit_init(&w, arena, &out);
	emit_capture(&w, &saved);
	none = emit_captured(&w, &saved);
	emit_capture(&w, &saved);
	emit_line(&w, "inner();");
	emit_blank(&w);
	inner = emit_captured(&w, &saved);
	emit_capture(&w, &saved);
	emit_text(&w, inner);
	emit_text(&w, none);
	emit_blank(&w);
	emit_line(&w, "between();");
	emit_text(&w, inner);
	outer = emit_captured(&w, &saved);
	assert_int_equal(outer.n_lines, 5);
	assert_string_equal(emit_flat(&w, &outer), "inner();\n\nbetween();\ninner();\n\n");
	emit_text(&w, outer);
	emit_blank(&w);
	w.depth = EMIT_DEPTH_MAX + 2;
	emit_line(&w, "deep();");
	assert_int_equal(strspn(strstr(strbuf_cstr(&out), "\t"), "\t"), EMIT_DEPTH_MAX);
	emit_init(&w, arena, &out);
	strbuf_reset(&out);
	emit_text(&w, outer);
	assert_string_equal(strbuf_cstr(&out), "inner();\n\nbetween();\ninner();\n\n");
	strbuf_deinit(&out);
}

/* ---- programs made by hand ---- */

static struct ir_expr *expr(enum ir_expr_kind kind, enum ir_type type)
{
	struct ir_expr *e = arena_new(arena, struct ir_expr);

	e->kind = kind;
	e->type = type;
	return e;
}

static struct ir_expr *number(int64_t n)
{
	struct ir_expr *e = expr(IR_NUMBER, IR_LONG);

	e->number = n;
	return e;
}

static struct ir_expr *fetch(const struct fetch_insn *insns, size_t n, struct ir_expr *operand)
{
	struct ir_expr *e = expr(IR_FETCH, IR_LONG);

	e->token = "identifier '$x'";
	e->fetch.load = (struct fetch_program){ .insns = (struct fetch_insn *)insns, .n = n };
	if (operand)
		vec_push(arena, &e->fetch.operands, operand);
	return e;
}

static struct ir_probe *probe(struct ir_program *p, const struct ir_probe_kind *kind,
			      const char *name)
{
	struct ir_point point = { .pp = name, .attach = { .tag = kind->attach } };
	struct ir_probe *probe = arena_new(arena, struct ir_probe);

	probe->kind = kind;
	probe->index = p->probes.n;
	probe->pn = name;
	vec_push(arena, &probe->points, point);
	probe->body = arena_new(arena, struct ir_stmt);
	vec_push(arena, &p->probes, probe);
	return probe;
}

/* The body prints e. */
static void print(struct ir_program *p, struct ir_probe *probe, struct ir_expr *e)
{
	struct ir_stmt *s = arena_new(arena, struct ir_stmt);

	s->kind = IR_STMT_EXPR;
	s->expr = expr(IR_PRINT, IR_UNKNOWN);
	vec_push(arena, &s->expr->print.args, e);
	if (!p->formats.n) {
		struct ir_format format = { .text = intern(in, "%d\n"), .n_args = 1 };

		vec_push(arena, &p->formats, format);
	}
	vec_push(arena, &probe->body->block, s);
}

static const char *translate(struct ir_program *p)
{
	struct codegen_input input = {
		.arena = arena,
		.program = p,
		.script_name = "test.stp",
		.limits = { .max_string = 64, .max_action = 1000, .hist_width = 50 }
	};
	struct strbuf script, guru;
	const char *text;

	strbuf_init(&script);
	strbuf_init(&guru);
	codegen_program(&input, &script, &guru);
	assert_int_equal(guru.len, 0);
	text = arena_strdup(arena, strbuf_cstr(&script));
	compile(text, false);
	strbuf_reset(&script);
	codegen_program(&input, &script, &guru);
	assert_string_equal(strbuf_cstr(&script), text); /* byte for byte */
	strbuf_deinit(&script);
	strbuf_deinit(&guru);
	return text;
}

/* The statements of the first handler. */
static const char *handler_text(struct ir_program *p)
{
	const char *text = strstr(translate(p), "static void probe_0"), *end;

	assert_non_null(text);
	text = strchr(text, '{') + 2;
	end = strstr(text, "\n}\n");
	return arena_strndup(arena, text, end + 1 - text);
}

struct fetch_case {
	struct fetch_insn insns[12];
	size_t n;
	const char *text;
};

static const struct fetch_case fetches[] = {
	/* $x->a.b->c, a pointer member of a pointer parameter; then a signed 32-bit member */
	{ { { FETCH_REG, .number = 5 },
	    { FETCH_ADD, .value = 16 },
	    { FETCH_ADD, .value = 8 },
	    { FETCH_LOAD, .size = 8 },
	    { FETCH_ADD, .value = -4 },
	    { FETCH_LOAD, .size = 4, .is_signed = true } },
	  6,
	  "\tstp_u64 t1 = stp_read_kernel(c, c->regs->di + 24, 8, 0);\n"
	  "\tstp_long t2 = stp_read_kernel(c, t1 - 4, 4, 1);\n"
	  "\tif (stp_unlikely(c->error))\n\t\treturn;\n"
	  "\tSTP_VALS(stp_print(c, FMT_0, vals, 1, 0x0), { .l = t2 });\n" },
	/* a char parameter in a register */
	{ { { FETCH_REG, .number = 4 }, { FETCH_EXTEND, .size = 1, .is_signed = true } },
	  2,
	  "\tSTP_VALS(stp_print(c, FMT_0, vals, 1, 0x0), { .l = (stp_long)(signed char)c->regs->si });\n" },
	/* a bit-field of a user structure */
	{ { { FETCH_TPARG, .number = 1 },
	    { FETCH_LOAD, .size = 4, .space = FETCH_USER },
	    { FETCH_BITS, .value = 3, .bits = 5 } },
	  3,
	  "\tstp_u64 t1 = stp_read_user(c, c->args[1], 4, 0);\n"
	  "\tif (stp_unlikely(c->error))\n\t\treturn;\n"
	  "\tSTP_VALS(stp_print(c, FMT_0, vals, 1, 0x0), { .l = (stp_long)((t1 >> 3) & 31) });\n" },
	/* a per-process value: table[x & 7] of a kernel array */
	{ { { FETCH_ADDRESS, .value = 0xffffffff81000000 },
	    { FETCH_INDEX, .number = 0, .value = 4 },
	    { FETCH_LOAD, .size = 2 } },
	  3,
	  "\tstp_long t1 = stp_read_kernel(c, stp_kernel_address(0xffffffff81000000ULL) + 7 * 4, "
	  "2, 0);\n"
	  "\tif (stp_unlikely(c->error))\n\t\treturn;\n"
	  "\tSTP_VALS(stp_print(c, FMT_0, vals, 1, 0x0), { .l = t1 });\n" },
	/* a location expression that uses a value twice and divides */
	{ { { FETCH_REG, .number = 0 },
	    { FETCH_DUP },
	    { FETCH_REG, .number = 1 },
	    { FETCH_DIV },
	    { FETCH_MINUS } },
	  5,
	  "\tstp_u64 t1 = c->regs->ax;\n"
	  "\tstp_u64 t2 = c->regs->dx;\n"
	  "\tif (!t2)\n\t\tstp_error(c, \"divide by zero in DWARF operand (DW_OP_div)\");\n"
	  "\tif (stp_unlikely(c->error))\n\t\treturn;\n"
	  "\tSTP_VALS(stp_print(c, FMT_0, vals, 1, 0x0), { .l = (stp_long)(t1 - stp_div(c, t1, t2)) });\n" },
	{ { { FETCH_CONST, .value = 5 },
	    { FETCH_REG, .number = 7 },
	    { FETCH_SWAP },
	    { FETCH_SHRA },
	    { FETCH_CONST, .value = -1 },
	    { FETCH_LT } },
	  6,
	  "\tSTP_VALS(stp_print(c, FMT_0, vals, 1, 0x0),\n"
	  "\t\t\t{ .l = (stp_long)((stp_long)((stp_long)c->regs->sp >> 5) < "
	  "(stp_long)-1) });\n" },
};

static void test_fetch(void **state)
{
	for (size_t i = 0; i < sizeof(fetches) / sizeof(fetches[0]); i++) {
		struct ir_program p = { .machine = &machine_x86_64 };
		struct ir_probe *pr = probe(&p, &ir_kind_kprobe, "kprobe.function(\"f\")");

		print(&p, pr, fetch(fetches[i].insns, fetches[i].n, number(7)));
		assert_string_equal(handler_text(&p), fetches[i].text);
	}
}

static void test_saved(void **state)
{
	static const struct fetch_insn di[] = { { FETCH_REG, .number = 5 } };
	struct ir_program p = { .machine = &machine_x86_64 };
	struct ir_probe *pr = probe(&p, &ir_kind_return, "kernel.function(\"f\").return");
	struct ir_expr *saved = expr(IR_SAVED, IR_LONG);
	const char *text;

	vec_push(arena, &pr->saved, fetch(di, 1, NULL));
	pr->condition = fetch(di, 1, NULL);
	pr->points.data[0] =
		(struct ir_point){ .attach = { .tag = IR_ATTACH_KERNEL,
					       .kernel = { .symbol = "f", .addr = 0x1000 } },
				   .pp = "p",
				   .optional = true };
	print(&p, pr, saved);
	text = translate(&p);
	assert_non_null(strstr(text, "static void entry_0(struct stp_ctx *c)\n{\n\tc->saved[0] = "
				     "(stp_long)c->regs->di;\n}\n"));
	assert_non_null(strstr(text, "static stp_long condition_0(struct stp_ctx *c)\n{\n\treturn "
				     "(stp_long)c->regs->di;\n}\n"));
	assert_non_null(strstr(
		text, "{ .kernel.symbol = \"f\", .kernel.addr = 0x1000, .pp = \"p\", .flags = "
		      "STP_POINT_OPTIONAL },"));
	assert_non_null(strstr(
		text, "\t\t.entry = entry_0,\n\t\t.n_saved = 1,\n\t\t.condition = condition_0,\n"));
}

static void test_store(void **state)
{
	static const struct fetch_insn load[] = { { FETCH_REG, .number = 5 },
						  { FETCH_ADD, .value = 8 },
						  { FETCH_LOAD, .size = 4 } };
	static const struct fetch_insn deref[] = { { FETCH_REG, .number = 4 },
						   { FETCH_LOAD, .size = 8 } };
	struct ir_program p = { .machine = &machine_x86_64 };
	struct ir_probe *pr = probe(&p, &ir_kind_kprobe, "kprobe.function(\"f\")");
	struct ir_expr *assign = expr(IR_ASSIGN, IR_LONG), *lvalue = fetch(load, 3, NULL),
		       *kderef = expr(IR_DEREF, IR_LONG);
	struct ir_stmt *s = arena_new(arena, struct ir_stmt);

	lvalue->fetch.address =
		(struct fetch_program){ .insns = (struct fetch_insn *)load, .n = 2 };
	lvalue->fetch.size = 4;
	kderef->deref.size = number(8);
	kderef->deref.address = fetch(deref, 2, NULL);
	assign->assign.lvalue = lvalue;
	assign->assign.value = kderef;
	s->kind = IR_STMT_EXPR;
	s->expr = assign;
	pr->body = s;
	assert_string_equal(handler_text(&p),
			    "\tstp_long t1 = stp_read_kernel(c, c->regs->si, 8, 0);\n"
			    "\tstp_long t2 = stp_read_kernel(c, t1, 8, 0);\n"
			    "\tif (stp_unlikely(c->error))\n\t\treturn;\n"
			    "\tstp_write_kernel(c, c->regs->di + 8, 4, t2);\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),  cmocka_unit_test(test_literals),
		cmocka_unit_test(test_writer), cmocka_unit_test(test_writer_nested),
		cmocka_unit_test(test_fetch),  cmocka_unit_test(test_saved),
		cmocka_unit_test(test_store),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
