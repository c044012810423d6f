/* links: codegen emit target ir machine diag base */
/* sources: runtime/access/float.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch programs, at random with fixed seeds: what the generator here makes passes the verifier, becomes C without a
 * warning, and computes what the interpreter here computes; broken ones are refused. And DWARF locations: this
 * program's own debug information with bytes of its expressions changed, which must never give a program that the
 * verifier refuses. Memory is a function of the address.
 *
 * fetch_test --write MACHINE prints the C of such programs for that machine, to be cross-compiled (testsuite/cross).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "ir/object.h"
#include "machine/machine.h"
#include "target/dwarf.h"

#define N_PROGRAMS 600
#define N_ARGS FETCH_TPARG_MAX

uint64_t stp_float_widen(uint64_t bits);

/* ---- random numbers: the same everywhere ---- */

static uint64_t seed;

static uint64_t next_random(void)
{
	/* Steele, Lea, Flood: splitmix64 */
	uint64_t z = seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static unsigned below(unsigned n)
{
	return next_random() % n;
}

/* ---- what programs see ---- */

static uint64_t register_word(unsigned index)
{
	return 0x9e3779b97f4a7c15 * (index + 1);
}

static uint64_t argument_word(unsigned index)
{
	return 0xbf58476d1ce4e5b9 * (index + 1);
}

static uint64_t memory_word(uint64_t addr)
{
	return (addr ^ addr >> 29) * 0x94d049bb133111eb;
}

/* The same for the compiled programs. */
static const char harness[] =
	"#include \"script.h\"\n"
	"static stp_u64 memory_word(stp_u64 addr)\n"
	"{\n\treturn (addr ^ addr >> 29) * 0x94d049bb133111ebULL;\n}\n"
	"static stp_long extend(stp_u64 v, stp_u32 size, int is_signed)\n"
	"{\n\tstp_u32 shift = 64 - 8 * size;\n\n"
	"\treturn is_signed ? (stp_long)(v << shift) >> shift : (stp_long)(v << shift >> shift);\n}\n"
	"stp_long stp_read_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)\n"
	"{\n\treturn extend(memory_word(addr), size, is_signed);\n}\n"
	"stp_long stp_read_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)\n"
	"{\n\treturn extend(memory_word(~addr), size, is_signed);\n}\n"
	"stp_u64 stp_kernel_address(stp_u64 addr)\n{\n\treturn addr + 0x10000;\n}\n"
	"stp_u64 stp_percpu_address(stp_u64 addr)\n{\n\treturn addr + 0x777000;\n}\n"
	"stp_u64 stp_thread_pointer(void)\n{\n\treturn 0x7f00000000ULL;\n}\n"
	"stp_u64 stp_thread_block(struct stp_ctx *c, stp_u64 module)\n"
	"{\n\treturn memory_word(~module);\n}\n"
	"void stp_error(struct stp_ctx *c, const char *text)\n{\n\tc->error = text;\n}\n"
	"stp_long stp_div(struct stp_ctx *c, stp_long a, stp_long b)\n"
	"{\n\treturn b == -1 ? (stp_long)(0 - (stp_u64)a) : a / b;\n}\n\n";

/* ---- an interpreter ---- */

struct evaluation {
	const struct machine *machine;
	uint64_t stack[FETCH_STACK_MAX];
	unsigned n;
	bool failed; /* divided by zero */
};

static uint64_t extend(uint64_t v, unsigned bits, bool is_signed)
{
	unsigned shift = 64 - bits;

	return is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}

static uint64_t load(const struct fetch_insn *in, uint64_t addr)
{
	if (in->space == FETCH_PERCPU)
		addr += 0x777000;
	return extend(memory_word(in->space == FETCH_USER ? ~addr : addr), in->size * 8,
		      in->is_signed);
}

static uint64_t divide(struct evaluation *e, enum fetch_op op, uint64_t a, uint64_t b)
{
	if (!b) {
		e->failed = true;
		return 0;
	}
	if (op == FETCH_MOD)
		return a % b;
	return b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

/* What IN pushes: TOP is the word on top of the stack, BELOW the one under it. */
static uint64_t result(struct evaluation *e, const struct fetch_insn *in, uint64_t below_top,
		       uint64_t top)
{
	switch (in->op) {
	case FETCH_CONST:
		return in->value;
	case FETCH_ADDRESS:
		return (uint64_t)in->value + 0x10000;
	case FETCH_REG:
		return register_word(machine_register(e->machine, in->number)->offset / 8);
	case FETCH_THREAD:
		return 0x7f00000000;
	case FETCH_TPARG:
		return argument_word(in->number);
	case FETCH_DUP:
	case FETCH_PICK:
		return e->stack[e->n - 1 - in->number];
	case FETCH_ADD:
		return top + in->value;
	case FETCH_THIS_CPU:
		return top + 0x777000;
	case FETCH_THREAD_BLOCK:
		return memory_word(~top);
	case FETCH_LOAD:
		return load(in, top);
	case FETCH_EXTEND:
		return extend(top, in->size * 8, in->is_signed);
	case FETCH_BITS:
		return extend(top >> in->value, in->bits, in->is_signed);
	case FETCH_WIDEN:
		return stp_float_widen(top);
	case FETCH_NEG:
		return 0 - top;
	case FETCH_NOT:
		return ~top;
	case FETCH_ABS:
		return (int64_t)top < 0 ? 0 - top : top;
	case FETCH_PLUS:
		return below_top + top;
	case FETCH_MINUS:
		return below_top - top;
	case FETCH_MUL:
		return below_top * top;
	case FETCH_DIV:
	case FETCH_MOD:
		return divide(e, in->op, below_top, top);
	case FETCH_AND:
		return below_top & top;
	case FETCH_OR:
		return below_top | top;
	case FETCH_XOR:
		return below_top ^ top;
	case FETCH_SHL:
		return below_top << (top & 63);
	case FETCH_SHR:
		return below_top >> (top & 63);
	case FETCH_SHRA:
		return (uint64_t)((int64_t)below_top >> (top & 63));
	case FETCH_EQ:
		return below_top == top;
	case FETCH_NE:
		return below_top != top;
	case FETCH_LT:
		return (int64_t)below_top < (int64_t)top;
	case FETCH_LE:
		return (int64_t)below_top <= (int64_t)top;
	case FETCH_GT:
		return (int64_t)below_top > (int64_t)top;
	case FETCH_GE:
		return (int64_t)below_top >= (int64_t)top;
	case FETCH_SWAP:
	case FETCH_DROP: /* step() */
	case FETCH_OPERAND:
	case FETCH_INDEX:
	case FETCH_ENTRY: /* functions have no operands, and nothing is kept for them: may_follow() */
	case N_FETCH_OPS:
		break;
	}
	assert_true(false);
	return 0;
}

static void step(struct evaluation *e, const struct fetch_insn *in)
{
	const struct fetch_op_info *row = &fetch_ops[in->op];
	uint64_t top = e->n ? e->stack[e->n - 1] : 0, below_top = e->n > 1 ? e->stack[e->n - 2] : 0;

	if (in->op == FETCH_SWAP) {
		e->stack[e->n - 1] = below_top;
		e->stack[e->n - 2] = top;
		return;
	}
	if (row->pushes)
		top = result(e, in, below_top, top);
	e->n = e->n - row->pops + row->pushes;
	if (row->pushes)
		e->stack[e->n - 1] = top;
}

static int64_t evaluate(const struct fetch_program *p, const struct machine *machine, bool *failed)
{
	struct evaluation e = { .machine = machine };

	for (size_t i = 0; i < p->n && !e.failed; i++)
		step(&e, &p->insns[i]);
	*failed = e.failed;
	return e.failed ? 0 : (int64_t)e.stack[0];
}

/* ---- a generator ---- */

static int64_t random_value(void)
{
	static const int64_t edges[] = {
		0, 1, -1, 8, 63, 64, INT32_MAX, INT64_MAX, INT64_MIN, -4096
	};

	return below(3) ? edges[below(sizeof(edges) / sizeof(*edges))] : (int64_t)next_random();
}

static unsigned random_register(const struct machine *machine)
{
	unsigned number;

	do
		number = below(machine->n_registers);
	while (!machine->registers[number].field);
	return number;
}

static struct fetch_insn random_insn(const struct machine *machine, enum fetch_op op,
				     unsigned depth)
{
	unsigned fields = fetch_ops[op].fields;
	struct fetch_insn in = { .op = op };

	if (fields & FETCH_USES_BITS) {
		in.bits = 1 + below(64);
		in.value = below(65 - in.bits);
	} else if (fields & FETCH_USES_VALUE) {
		in.value = random_value();
	}
	if (fields & FETCH_USES_SIZE)
		in.size = 1 << below(4);
	if (fields & FETCH_USES_SIGN)
		in.is_signed = below(2);
	if (fields & FETCH_USES_SPACE)
		in.space = below(FETCH_PERCPU + 1);
	if (fields & FETCH_USES_REGISTER)
		in.number = random_register(machine);
	if (fields & FETCH_USES_WORD)
		in.number = below(N_ARGS);
	if (fields & FETCH_USES_DEPTH)
		in.number = below(depth);
	return in;
}

static bool may_follow(enum fetch_op op, unsigned depth)
{
	unsigned fields = fetch_ops[op].fields;

	if (fields & (FETCH_USES_OPERAND | FETCH_USES_KEPT))
		return false; /* functions have none, and nothing is kept for them */
	return fetch_ops[op].pops <= depth && (!(fields & FETCH_USES_DEPTH) || depth) && depth < 12;
}

static struct fetch_program random_program(struct arena *arena, const struct machine *machine)
{
	struct fetch_program p = { 0 };
	unsigned depth = 0;

	for (unsigned left = 1 + below(14); left || depth != 1;) {
		enum fetch_op op = depth > 1 && !left ? FETCH_XOR : below(N_FETCH_OPS);

		if (!depth && !left)
			op = FETCH_CONST;
		if (!may_follow(op, depth))
			continue;
		fetch_push(arena, &p, random_insn(machine, op, depth));
		depth += fetch_ops[op].pushes - fetch_ops[op].pops;
		left -= left > 0;
	}
	return p;
}

/* ---- C ---- */

struct writing {
	struct arena *arena;
	struct ir_program program;
	struct codegen_input input;
	struct strbuf out;
	struct cg cg;
};

static void writing_begin(struct writing *w, const struct machine *machine)
{
	*w = (struct writing){ .arena = arena_create(), .program = { .machine = machine } };
	strbuf_init(&w->out);
	w->cg = (struct cg){ .in = &w->input,
			     .program = &w->program,
			     .arena = w->arena,
			     .intern = interner_create(w->arena) };
	emit_init(&w->cg.w, w->arena, &w->out);
	map_init(&w->cg.fetch_numbers, w->arena);
	cg_flow_init(&w->cg);
	map_init(&w->cg.section_numbers, w->arena);
}

static void writing_end(struct writing *w)
{
	strbuf_deinit(&w->out);
	arena_destroy(w->arena);
}

/* VALUE is the row's part that stands for P. */
static void write_check(struct strbuf *body, const char *value, const struct fetch_program *p,
			const struct machine *machine)
{
	bool failed;
	int64_t want = evaluate(p, machine, &failed);

	strbuf_addf(
		body,
		"\tc.error = 0;\n\tgot = (stp_u64)stp_value_get(&c, &(struct stp_point_value)%s);\n",
		value);
	if (failed)
		strbuf_adds(body, "\tif (!c.error)\n\t\treturn 1;\n");
	else
		strbuf_addf(body,
			    "\tif (got != 0x%llxULL || c.error) {\n"
			    "\t\tputs(\"%s\");\n\t\treturn 1;\n\t}\n",
			    (unsigned long long)want, value);
}

/* N programs as C, and a main() that compares each with what the interpreter says. */
static void write_programs(struct writing *w, const struct machine *machine, unsigned n,
			   unsigned seen[N_FETCH_OPS])
{
	struct strbuf body;

	strbuf_init(&body);
	emit_verbatim(&w->cg.w, harness, sizeof(harness) - 1);
	for (unsigned i = 0; i < n; i++) {
		struct fetch_program p = random_program(w->arena, machine);

		assert_null(fetch_verify(&p, machine, 0, w->arena));
		for (size_t k = 0; k < p.n; k++)
			seen[p.insns[k].op]++;
		write_check(&body, cg_point_value(&w->cg, &p), &p, machine);
	}
	assert_true(cg_fetches(&w->cg));
	strbuf_adds(&w->out,
		    "int puts(const char *s);\n"
		    "struct stp_script stp_script = { .fetch = fetches };\nint main(void)\n{\n"
		    "\tstatic unsigned long words[sizeof(struct stp_regs) / 8], args[12];\n"
		    "\tstatic struct stp_ctx c;\n\tstp_u64 got;\n\n"
		    "\tfor (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)\n"
		    "\t\twords[i] = 0x9e3779b97f4a7c15 * (i + 1);\n"
		    "\tfor (unsigned i = 0; i < 12; i++)\n"
		    "\t\targs[i] = 0xbf58476d1ce4e5b9 * (i + 1);\n"
		    "\tc.regs = (const struct stp_regs *)words;\n\tc.args = args;\n");
	strbuf_adds(&w->out, strbuf_cstr(&body));
	strbuf_adds(&w->out, "\treturn 0;\n}\n");
	strbuf_deinit(&body);
}

/* ---- the tests ---- */

static void programs_compute(void **state)
{
	unsigned seen[N_FETCH_OPS] = { 0 };
	char path[] = "/tmp/fetch_test_XXXXXX.c";
	int fd = mkstemps(path, 2), status;
	struct writing w;

	seed = 1;
	writing_begin(&w, &machine_x86_64);
	write_programs(&w, &machine_x86_64, N_PROGRAMS, seen);
	for (unsigned op = 0; op < N_FETCH_OPS; op++)
		assert_true(seen[op] ||
			    fetch_ops[op].fields & (FETCH_USES_OPERAND | FETCH_USES_KEPT));
	assert_true(fd >= 0);
	assert_int_equal(write(fd, strbuf_cstr(&w.out), w.out.len), w.out.len);
	close(fd);
	status = system(arena_printf(
		w.arena,
		"gcc -std=gnu11 -O1 -fwrapv -fno-strict-aliasing -Wall -Wextra -Wno-unused-parameter "
		"-Wno-type-limits -Wno-tautological-compare -Wno-bool-compare -Wno-bool-operation "
		"-Werror -I" SPILE_SOURCE_DIR "/runtime/uapi -I" SPILE_SOURCE_DIR
		"/runtime %s " SPILE_SOURCE_DIR "/runtime/access/float.c -o %s.out && %s.out",
		path, path, path));
	if (!status)
		unlink(path);
	unlink(arena_printf(w.arena, "%s.out", path));
	writing_end(&w);
	assert_int_equal(status, 0);
}

static void equal_programs_share_a_number(void **state)
{
	struct fetch_insn a[] = { { FETCH_REG, .number = 5 }, { FETCH_LOAD, .size = 4 } };
	struct fetch_insn b[] = { { FETCH_REG, .number = 5 }, { FETCH_LOAD, .size = 4 } };
	struct fetch_insn other[] = { { FETCH_REG, .number = 5 },
				      { FETCH_LOAD, .size = 4, .is_signed = true } };
	struct fetch_program p = { a, 2, 2 }, q = { b, 2, 2 }, r = { other, 2, 2 };
	struct writing w;

	writing_begin(&w, &machine_x86_64);
	assert_string_equal(cg_point_value(&w.cg, &p), "{ .fetch = 1 }");
	assert_string_equal(cg_point_value(&w.cg, &q), "{ .fetch = 1 }");
	assert_string_equal(cg_point_value(&w.cg, &r), "{ .fetch = 2 }");
	assert_true(cg_fetches(&w.cg));
	assert_non_null(strstr(strbuf_cstr(&w.out),
			       "\tcase 1: {\n"
			       "\t\tstp_long t1 = stp_read_kernel(c, c->regs->di, 4, 0);\n"
			       "\t\treturn t1;\n\t}\n"));
	writing_end(&w);
}

static void constants_stand_in_the_row(void **state)
{
	struct fetch_insn insns[] = { { FETCH_CONST, .value = 0x1ff },
				      { FETCH_EXTEND, .size = 1, .is_signed = true },
				      { FETCH_ADD, .value = -6 },
				      { FETCH_LOAD, .size = 4 } };
	struct fetch_program p = { insns, 3, 4 };
	int64_t value = 77;
	struct writing w;

	writing_begin(&w, &machine_x86_64);
	assert_string_equal(cg_point_value(&w.cg, &p), "{ .constant = -7 }");
	assert_false(cg_fetches(&w.cg));
	assert_int_equal(w.out.len, 0);
	p.n = 4;
	assert_false(fetch_constant(&p, &value));
	insns[1].is_signed = false;
	p.n = 2;
	assert_true(fetch_constant(&p, &value));
	assert_int_equal(value, 255);
	insns[0].op = FETCH_REG;
	assert_false(fetch_constant(&p, &value));
	writing_end(&w);
}

/* The same offset in two modules, in two sections of one, and in vmlinux: four objects. */
static void sections_are_told_apart(void **state)
{
	static const struct ir_object ext4 = { .name = "ext4" }, xfs = { .name = "xfs" };
	static const struct ir_section sections[] = { { .object = &ext4, .name = ".data" },
						      { .object = &ext4, .name = ".bss" },
						      { .object = &xfs, .name = ".data" } };
	struct writing w;

	writing_begin(&w, &machine_x86_64);
	for (unsigned i = 0; i < 8; i++) {
		const struct ir_section *section = i % 4 < 3 ? &sections[i % 4] : NULL;
		struct fetch_program p = { 0 };

		fetch_push(w.arena, &p,
			   (struct fetch_insn){ FETCH_ADDRESS, .value = 16, .section = section });
		fetch_push(w.arena, &p, (struct fetch_insn){ FETCH_LOAD, .size = 4 });
		assert_null(fetch_verify(&p, &machine_x86_64, 0, w.arena));
		assert_string_equal(cg_point_value(&w.cg, &p),
				    arena_printf(w.arena, "{ .fetch = %u }", i % 4 + 1));
	}
	assert_true(cg_fetches(&w.cg));
	assert_non_null(strstr(strbuf_cstr(&w.out), "stp_section_address(2, 0x10ULL)"));
	assert_non_null(strstr(strbuf_cstr(&w.out), "stp_kernel_address(0x10ULL)"));
	writing_end(&w);
}

/* One field of one instruction at random; what the verifier still takes, the writer takes too. */
static void verifier_guards_the_writer(void **state)
{
	unsigned refused = 0, taken = 0;
	struct writing w;

	seed = 2;
	writing_begin(&w, &machine_aarch64);
	for (unsigned i = 0; i < 4000; i++) {
		struct fetch_program p = random_program(w.arena, &machine_aarch64);
		struct fetch_insn *in = &p.insns[below(p.n)];

		switch (below(8)) {
		case 0:
			in->op = below(N_FETCH_OPS + 3);
			break;
		case 1:
			in->space = below(6);
			break;
		case 2:
			in->size = below(20);
			break;
		case 3:
			in->bits = below(256);
			break;
		case 4:
			in->number = below(200);
			break;
		case 5:
			in->value = random_value();
			break;
		case 6:
			p.n = below(p.n + 1);
			break;
		case 7:
			in->is_signed = !in->is_signed;
			break;
		}
		if (fetch_verify(&p, &machine_aarch64, 0, w.arena)) {
			refused++;
			continue;
		}
		taken++;
		cg_point_value(&w.cg, &p);
	}
	assert_true(cg_fetches(&w.cg));
	writing_end(&w);
	assert_true(refused > 500 && taken > 500);
}

static void refuses(const char *want, size_t n, const struct fetch_insn *insns)
{
	struct fetch_program p = { .insns = (struct fetch_insn *)insns, .n = n };
	struct arena *arena = arena_create();
	const char *wrong = fetch_verify(&p, &machine_x86_64, 1, arena);

	assert_non_null(wrong);
	if (!strstr(wrong, want))
		fail_msg("%s: %s", want, wrong);
	arena_destroy(arena);
}

static void verifier_names_the_fault(void **state)
{
	refuses("ends with 0 words", 0, NULL);
	refuses("ends with 2 words", 2, (struct fetch_insn[]){ { FETCH_CONST }, { FETCH_CONST } });
	refuses("too few words", 1, (struct fetch_insn[]){ { FETCH_PLUS } });
	refuses("without a value", 1, (struct fetch_insn[]){ { FETCH_REG, .number = 17 } });
	refuses("without a value", 1, (struct fetch_insn[]){ { FETCH_REG, .number = 200 } });
	refuses("no tracepoint has", 1, (struct fetch_insn[]){ { FETCH_TPARG, .number = 12 } });
	refuses("not there", 1, (struct fetch_insn[]){ { FETCH_OPERAND, .number = 1 } });
	refuses("size that is none", 2,
		(struct fetch_insn[]){ { FETCH_CONST }, { FETCH_LOAD, .size = 3 } });
	refuses("cannot be read", 2,
		(struct fetch_insn[]){ { FETCH_CONST },
				       { FETCH_LOAD, .size = 8, .space = FETCH_IO } });
	refuses("outside a word", 2,
		(struct fetch_insn[]){ { FETCH_CONST }, { FETCH_BITS, .value = 60, .bits = 5 } });
	refuses("not used", 1, (struct fetch_insn[]){ { FETCH_CONST, .size = 1 } });
	refuses("a section that is not used", 1,
		(struct fetch_insn[]){ { FETCH_CONST, .section = &(struct ir_section){ 0 } } });
	refuses("below the stack", 2,
		(struct fetch_insn[]){ { FETCH_CONST }, { FETCH_PICK, .number = 1 } });
}

static void floats_widen(void **state)
{
	seed = 3;
	for (unsigned i = 0; i < 100000; i++) {
		uint32_t bits = i < 600 ? i << 23 | below(4) : (uint32_t)next_random();
		uint64_t wide;
		float narrow;
		double want;

		memcpy(&narrow, &bits, sizeof(bits));
		want = narrow;
		memcpy(&wide, &want, sizeof(wide));
		/* the machine makes a signalling NaN quiet; bits do not */
		if (narrow != narrow)
			wide = (wide & ~(1ull << 51)) | (uint64_t)(bits >> 22 & 1) << 51;
		assert_int_equal(stp_float_widen(bits), wide);
	}
}

/* ---- locations in pieces ---- */

static struct location_piece word_piece(struct arena *arena, uint16_t reg, unsigned bits,
					unsigned skip)
{
	struct location_piece p = location_register(arena, &machine_x86_64, reg).pieces[0];

	p.bits = bits;
	p.skip = skip;
	return p;
}

static uint64_t read_bits(struct arena *arena, const struct location *l, unsigned at, unsigned bits,
			  bool is_signed)
{
	struct fetch_program p;
	const char *problem;
	bool failed;

	assert_true(location_read_bits(arena, l, at, bits, is_signed, &p, &problem));
	assert_null(fetch_verify(&p, &machine_x86_64, 0, arena));
	return evaluate(&p, &machine_x86_64, &failed);
}

/* 20 bits of one register, 44 of another from bit 3 on, then 24 of memory, then 8 that are lost. */
static void pieces_are_joined(void **state)
{
	struct arena *arena = arena_create();
	struct location l = { 0 };
	struct location_piece memory = word_piece(arena, 7, 24, 0), lost = { .bits = 8 };
	uint64_t a = register_word(machine_x86_64.registers[3].offset / 8),
		 b = register_word(machine_x86_64.registers[12].offset / 8),
		 sp = register_word(machine_x86_64.registers[7].offset / 8), low, high;
	struct fetch_program p;
	const char *problem = NULL;

	memory.in_memory = true;
	lost.problem = "lost";
	location_add_piece(arena, &l, word_piece(arena, 3, 20, 0));
	location_add_piece(arena, &l, word_piece(arena, 12, 44, 3));
	location_add_piece(arena, &l, memory);
	location_add_piece(arena, &l, lost);
	low = extend(a, 20, false) | extend(b >> 3, 44, false) << 20;
	high = extend(memory_word(sp), 16, false) | extend(memory_word(sp + 2), 8, false) << 16;
	for (unsigned at = 0; at < 88; at++)
		for (unsigned bits = 1; bits <= 64 && at + bits <= 88; bits += 3) {
			uint64_t want = at >= 64 ? high >> (at - 64)
					: !at    ? low
						 : low >> at | high << (64 - at);

			/* a load of three bytes that begins elsewhere reads other words of this memory */
			if (at > 64 || (at + bits > 64 && at + bits < 88))
				continue;
			assert_int_equal(read_bits(arena, &l, at, bits, at & 1),
					 extend(want, bits, at & 1));
		}
	assert_false(location_read_bits(arena, &l, 80, 16, false, &p, &problem));
	assert_string_equal(problem, "lost");
	assert_false(location_read_bits(arena, &l, 90, 16, false, &p, &problem));
	arena_destroy(arena);
}

/* ---- DWARF expressions, changed ---- */

struct debug_file {
	char *bytes;
	size_t len;
};

struct visit {
	struct dwarf *dwarf;
	unsigned n, found, pieces;
	bool mutate; /* change bytes of expressions, before anything has read them */
};

/* A usable location gives programs that hold. */
static void check_location(struct visit *v, const struct location *l)
{
	struct arena *arena = v->dwarf->target->arena;
	struct fetch_program p;
	const char *problem;

	v->found += l->kind != LOCATION_NONE;
	if (l->kind == LOCATION_NONE)
		assert_non_null(l->problem);
	if (l->kind == LOCATION_MEMORY)
		assert_null(fetch_verify(&l->address, &machine_x86_64, 0, arena));
	if (l->kind != LOCATION_PIECES)
		return;
	v->pieces += l->n_pieces > 1;
	for (unsigned at = 0; at < 192; at += 32)
		if (location_read_bits(arena, l, at, 8 << (at / 32 % 4), at & 32, &p, &problem))
			assert_null(fetch_verify(&p, &machine_x86_64, 0, arena));
		else
			assert_non_null(problem);
}

static void change_bytes(Dwarf_Attribute *attr)
{
	Dwarf_Block block;

	if (dwarf_formblock(attr, &block) || !block.length)
		return;
	for (unsigned n = 1 + below(3); n; n--)
		block.data[below(block.length)] = next_random();
	/* registers and pieces are too rare by chance */
	if (!below(3))
		block.data[0] = DW_OP_reg0 + below(32);
	for (size_t i = 0; block.length % 3 == 0 && i < block.length && i + below(40); i += 3) {
		block.data[i] = DW_OP_reg0 + below(20);
		block.data[i + 1] = DW_OP_piece;
		block.data[i + 2] = 1 + below(8);
	}
}

static void visit_variable(struct visit *v, Dwarf_Die *die, Dwarf_Addr pc)
{
	Dwarf_Attribute attr;
	struct location l;

	if (v->mutate) {
		if (dwarf_attr(die, DW_AT_location, &attr))
			change_bytes(&attr);
		return;
	}
	v->n++;
	for (int entry = 0; entry < 2; entry++) {
		l = dwarf_locate(v->dwarf, v->dwarf->target->arena, die, pc, entry);
		check_location(v, &l);
	}
}

static void visit_children(struct visit *v, Dwarf_Die *parent, Dwarf_Addr pc, int depth)
{
	Dwarf_Die die;

	if (depth > 12 || dwarf_child(parent, &die))
		return;
	do {
		Dwarf_Addr low;
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			visit_variable(v, &die, pc);
		else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			 tag == DW_TAG_inlined_subroutine)
			visit_children(v, &die, dwarf_lowpc(&die, &low) ? pc : low, depth + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Units of this program's own sources, so that it does not take long. */
static void visit_file(struct debug_file *f, struct visit *v)
{
	Elf *elf = elf_memory(f->bytes, f->len);
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	struct target target = { .arena = arena_create(), .machine = &machine_x86_64 };
	struct target_object object = { .target = &target };
	struct dwarf dwarf = { .target = &target, .object = &object, .dw = dw };
	Dwarf_Off at = 0, next;
	size_t header;
	unsigned units = 0;

	assert_non_null(dw);
	v->dwarf = &dwarf;
	for (; units < 12 && !dwarf_nextcu(dw, at, &next, &header, NULL, NULL, NULL); at = next) {
		Dwarf_Die unit;

		if (dwarf_offdie(dw, at + header, &unit)) {
			visit_children(v, &unit, 0, 0);
			units++;
		}
	}
	dwarf_end(dw);
	elf_end(elf);
	arena_destroy(target.arena);
}

static void locations_survive(void **state)
{
	struct debug_file original, changed_file;
	struct visit plain = { 0 }, all = { 0 };
	struct error *err = file_read("/proc/self/exe", &original.bytes, &original.len);

	assert_null(err);
	elf_version(EV_CURRENT);
	visit_file(&original, &plain);
	assert_true(plain.found > 100);
	seed = 4;
	for (unsigned round = 0; round < 12; round++) {
		struct visit mutate = { .mutate = true };

		changed_file.len = original.len;
		changed_file.bytes = malloc(original.len);
		memcpy(changed_file.bytes, original.bytes, original.len);
		/* one handle to change bytes, another that has read none of them before */
		visit_file(&changed_file, &mutate);
		visit_file(&changed_file, &all);
		free(changed_file.bytes);
	}
	assert_true(all.n == 12 * plain.n);
	assert_true(all.found != 12 * plain.found); /* what is changed is seen */
	assert_true(all.found > 0 && all.pieces > 0);
	free(original.bytes);
}

static int write_for(const char *name)
{
	const struct machine *machine = machine_by_name(name);
	unsigned seen[N_FETCH_OPS] = { 0 };
	struct writing w;

	if (!machine) {
		fprintf(stderr, "fetch_test: no machine %s\n", name);
		return 1;
	}
	seed = 1;
	writing_begin(&w, machine);
	write_programs(&w, machine, N_PROGRAMS, seen);
	fputs(strbuf_cstr(&w.out), stdout);
	writing_end(&w);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_compute),
		cmocka_unit_test(equal_programs_share_a_number),
		cmocka_unit_test(constants_stand_in_the_row),
		cmocka_unit_test(sections_are_told_apart),
		cmocka_unit_test(verifier_guards_the_writer),
		cmocka_unit_test(verifier_names_the_fault),
		cmocka_unit_test(floats_widen),
		cmocka_unit_test(pieces_are_joined),
		cmocka_unit_test(locations_survive),
	};

	if (argc == 3 && !strcmp(argv[1], "--write"))
		return write_for(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
