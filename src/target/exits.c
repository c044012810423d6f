/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where functions of files are left, from their instructions: returns, and jumps to other
 * functions. What a function ends with by a jump returns in its place, with the stack as it was at
 * the entry, so its returns are those of the function too; it may be the part of the same function
 * that the compiler set apart, as well. Of one that is chosen when the file is loaded, and which
 * all programs are in all the time (memset), the return is seen by its return address. A jump whose
 * end is not known is listed as such, and so is one back to the entry: a call that begins another
 * of its own frame, which alone is seen to return.
 *
 * How far a function goes is told by extent.c. It is decoded from its first byte to its last. One
 * that is not plain code, where an instruction is none or a jump goes into the middle of one, is
 * refused: a probe might not be on an instruction.
 *
 * A Go function begins with a look at how much stack is left, and may call the runtime for more and
 * begin anew (cmd/internal/obj/x86/obj6.go, stacksplit); a call of it is seen once behind that,
 * where registers and the stack pointer still are those of the entry.
 */
#include <stdlib.h>
#include <string.h>

#include "target/decode.h"
#include "target/dwarf.h"
#include "target/frame_rules.h"
#include "target/objects.h"

#define EXITS_MAX 1024
#define PARTS_MAX 32
/* Bytes: no look at the stack is longer. */
#define CHECK_MAX 64

/* What is kept of a file between questions. */
struct exit_search {
	struct frame_source *frames;
	struct target_plt plt; /* by address */
	struct target_plt chosen;
	unsigned char *leaves; /* of each of those: enum leaves */
	unsigned depth;        /* of those that are looked at, one within another */
};

/* A damaged file may have thousands of them, each of which leads to the next. */
#define DEPTH_MAX 8

/* Does an entry of the procedure linkage table lead to functions that call nothing? */
enum leaves { LEAVES_UNKNOWN, LEAVES_YES, LEAVES_NO };

/* A function, or a part of one. */
struct extent {
	uint64_t addr, end;
};

/* One question. */
struct search {
	const struct target_object *object;
	struct arena *arena;
	VEC(struct extent) parts; /* reached, the function first; those up to done are decoded */
	size_t done;
	VEC(struct decoded) flow; /* of the first part: all but DECODE_ON */
	struct ir_exits *ret;
	const char *problem; /* with one of those found; NULL: none */
	bool calls;          /* there are calls in it */
};

/* ---- the file ---- */

static int entry_cmp(const void *a, const void *b)
{
	const struct target_plt_entry *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Made when first asked for. */
static struct exit_search *file_of(struct target_object *o)
{
	struct exit_search *f = o->exit_search;

	if (f)
		return f;
	f = arena_new(o->target->arena, struct exit_search);
	*f = (struct exit_search){ .frames = frame_source_open(&o->image) };
	target_find_plt(o, "*", &f->plt);
	if (f->plt.n)
		qsort(f->plt.data, f->plt.n, sizeof(*f->plt.data), entry_cmp);
	target_find_plt(o, NULL, &f->chosen);
	f->leaves = arena_new_array(o->target->arena, unsigned char, f->chosen.n + 1);
	o->exit_search = f;
	return f;
}

void exit_search_close(struct exit_search *f)
{
	if (f)
		frame_source_close(f->frames);
}

static const struct target_plt_entry *entry_at(const struct target_plt *plt, uint64_t addr)
{
	const struct target_plt_entry key = { .addr = addr };

	return plt->n ? bsearch(&key, plt->data, plt->n, sizeof(key), entry_cmp) : NULL;
}

/*
 * The function of the file itself that an entry of its procedure linkage table at ADDR goes to,
 * where no other library has one of that name in front; 0: none is known.
 */
static uint64_t own_function(const struct search *s, uint64_t addr)
{
	const struct target_plt *plt = &file_of((struct target_object *)s->object)->plt;
	const struct target_plt_entry *found = entry_at(plt, addr);
	const struct index_symbol *symbol;

	symbol = found ? index_find(&s->object->index, found->name) : NULL;
	return symbol ? symbol->addr : 0;
}

/* ---- one part ---- */

static void add_exit(struct search *s, uint64_t addr, enum ir_exit_kind kind)
{
	struct ir_exit exit = { .kind = kind };

	if (target_file_unprobable(s->object, addr))
		s->problem = "the kernel takes no probe where it is left";
	if (target_file_offset(s->object, addr, &exit.offset))
		vec_push(s->arena, s->ret, exit);
}

/* false: it is not known what is there, or there is too much already. */
static bool reach(struct search *s, uint64_t addr)
{
	struct extent e;

	if (!object_code_extent(s->object, addr, &e.addr, &e.end))
		return false;
	vec_foreach(part, &s->parts)
		if (part->addr == e.addr)
			return true;
	if (s->parts.n == PARTS_MAX)
		return false;
	vec_push(s->arena, &s->parts, e);
	return true;
}

/* One of Go is back from asking for more stack, before the place where its call is seen. */
static bool begins_again(const struct search *s, const struct decoded *insn)
{
	return insn->to == s->parts.data[0].addr && !s->ret->go;
}

/* A jump through a table goes on with the frame that was made; one that ends a call has none. */
static bool is_within(const struct search *s, const struct decoded *insn)
{
	const struct exit_search *f = file_of((struct target_object *)s->object);

	return insn->is_notrack ||
	       frame_source_is_within(f->frames, object_machine(s->object), insn->addr);
}

static const char *decode_parts(struct search *s, struct decoder *d);

/*
 * Does the function at ADDR call nothing? Not known of what jumps through a register: without a
 * frame of its own that may be a table.
 */
static enum leaves leaf_at(const struct target_object *o, uint64_t addr)
{
	struct ir_exits exits = { 0 };
	struct search s = { .object = o, .arena = o->target->arena, .ret = &exits };

	if (!reach(&s, addr) || decode_parts(&s, o->target->decoder))
		return LEAVES_UNKNOWN;
	if (s.calls)
		return LEAVES_NO;
	return exits.is_partial ? LEAVES_UNKNOWN : LEAVES_YES;
}

/*
 * Those that are chosen from do the same, so those of which it is known tell for the others, whose
 * instructions may not be (capstone knows few of AVX-512).
 */
static enum leaves find_leaves(const struct target_object *o, uint64_t chooser)
{
	struct object_chosen chosen;
	enum leaves ret = LEAVES_NO;

	object_chosen_by(o, chooser, &chosen);
	vec_foreach(addr, &chosen) {
		enum leaves leaf = leaf_at(o, *addr);

		if (leaf == LEAVES_NO)
			return LEAVES_NO;
		if (leaf == LEAVES_YES)
			ret = LEAVES_YES;
	}
	return ret;
}

/*
 * Does the entry of the linkage table at ADDR lead to a function that is chosen when the file is
 * loaded, from such as call nothing? So do those of the C library for strlen() and its like: none
 * of them throws or switches stacks.
 */
static bool leads_to_leaf(const struct search *s, uint64_t addr)
{
	struct exit_search *f = file_of((struct target_object *)s->object);
	const struct target_plt_entry *e = entry_at(&f->chosen, addr);
	unsigned char *leaves = e ? &f->leaves[e - f->chosen.data] : NULL;

	if (leaves && *leaves == LEAVES_UNKNOWN && f->depth < DEPTH_MAX) {
		*leaves = LEAVES_NO; /* as long as it is looked at */
		f->depth++;
		*leaves = find_leaves(s->object, e->chooser);
		f->depth--;
	}
	return leaves && *leaves == LEAVES_YES;
}

/*
 * A jump that does not stay in its part as far as is seen. One by way of the linkage table is an
 * exit, too: another library may have a function of that name.
 */
static void take_outside(struct search *s, const struct decoded *insn)
{
	uint64_t own;

	if (insn->to ? reach(s, insn->to) : !s->ret->go && is_within(s, insn))
		return;
	if (insn->flow == DECODE_JUMP && !s->ret->go && leads_to_leaf(s, insn->to)) {
		add_exit(s, insn->addr, IR_EXIT_LEAF);
		return;
	}
	own = insn->to && !s->ret->go ? own_function(s, insn->to) : 0;
	s->ret->is_partial |= !own || !reach(s, own);
	add_exit(s, insn->addr, IR_EXIT_JUMP);
}

static void take(struct search *s, const struct extent *part, const struct decoded *insn)
{
	s->calls |= insn->flow == DECODE_CALL;
	if (insn->flow == DECODE_RETURN)
		add_exit(s, insn->addr, IR_EXIT_RETURN);
	if (insn->flow != DECODE_JUMP && insn->flow != DECODE_BRANCH)
		return;
	if (begins_again(s, insn)) {
		add_exit(s, insn->addr, IR_EXIT_JUMP);
		return;
	}
	if (insn->to >= part->addr && insn->to < part->end)
		return;
	take_outside(s, insn);
}

/*
 * Do jumps within the part go to instructions? STARTS: a byte for each of its bytes, not 0 where
 * one begins.
 */
static bool is_plain(const struct extent *part, const struct decoded *flow, size_t n,
		     const unsigned char *starts)
{
	for (size_t i = 0; i < n; i++)
		if (flow[i].to >= part->addr && flow[i].to < part->end &&
		    !starts[flow[i].to - part->addr])
			return false;
	return true;
}

static const char *decode_part(struct search *s, struct decoder *d, struct extent part)
{
	size_t len = part.end - part.addr;
	const unsigned char *code = image_at(&s->object->image, part.addr, len);
	unsigned char *starts = calloc(1, len);
	VEC(struct decoded) flow = { 0 };
	struct decoded insn;
	bool is_good = code && starts;

	for (uint64_t at = 0; is_good && at < len; at += insn.size) {
		is_good = decoder_next(d, code + at, len - at, part.addr + at, &insn);
		if (!is_good)
			break;
		starts[at] = 1;
		if (insn.flow != DECODE_ON)
			vec_push(s->arena, &flow, insn);
	}
	is_good = is_good && is_plain(&part, flow.data, flow.n, starts);
	free(starts);
	if (!is_good)
		return "it is not plain code";
	vec_foreach(f, &flow)
		take(s, &part, f);
	if (!s->done)
		vec_foreach(f, &flow)
			vec_push(s->arena, &s->flow, *f);
	return NULL;
}

/* All that is reached from the first. */
static const char *decode_parts(struct search *s, struct decoder *d)
{
	const char *problem = NULL;

	for (; s->done < s->parts.n && !problem; s->done++)
		problem = decode_part(s, d, s->parts.data[s->done]);
	return problem;
}

/* ---- Go ---- */

static bool is_more_stack(const struct target_object *o, uint64_t addr)
{
	uint64_t end;
	const struct index_symbol *symbol = index_at(&o->index, addr, &end);

	return symbol && symbol->addr == addr &&
	       !strncmp(index_string(&o->index, symbol->name), "runtime.morestack", 17);
}

/* Does what is at ADDR come to nothing else before it calls for more stack? */
static bool leads_to_more_stack(const struct search *s, uint64_t addr)
{
	vec_foreach(f, &s->flow)
		if (f->addr >= addr)
			return f->flow == DECODE_CALL && is_more_stack(s->object, f->to);
	return false;
}

/* The end of the last branch of the look at the stack, or where there is none the entry. */
static uint64_t behind_stack_check(const struct search *s, uint64_t entry)
{
	uint64_t ret = entry;

	vec_foreach(f, &s->flow)
		if (f->addr - entry < CHECK_MAX && f->flow == DECODE_BRANCH && f->to > f->addr &&
		    leads_to_more_stack(s, f->to))
			ret = f->addr + f->size;
	return ret;
}

/* ---- answers ---- */

struct error *object_decoder(const struct target_object *o, struct decoder **ret)
{
	struct target *t = o->target;
	struct error *err = t->decoder ? NULL : decoder_create(&t->decoder);

	*ret = t->decoder;
	return err ? err : decoder_set_machine(t->decoder, object_machine(o));
}

static const char *explain(struct target *t, struct error *err)
{
	const char *text = arena_strdup(t->arena, err->text);

	error_destroy(err);
	return text;
}

const char *target_function_exits(const struct target_function *f, uint64_t *entry,
				  struct ir_exits *ret)
{
	struct target *t = f->object->target;
	struct search s = { .object = f->object, .arena = t->arena, .ret = ret };
	struct decoder *decoder;
	struct error *err;
	const char *problem;

	*ret = (struct ir_exits){ .go = file_go_kind(f->object, f->name) };
	if (ret->go && object_machine(f->object)->carrier)
		return "goroutines of a program of 32 bits are not told apart";
	if (!reach(&s, f->addr) || s.parts.data[0].addr != f->addr)
		return "it is not known where it ends";
	err = object_decoder(f->object, &decoder);
	if (err)
		return explain(t, err);
	problem = decode_parts(&s, decoder);
	if (!problem)
		problem = s.problem;
	if (!problem && ret->n > EXITS_MAX)
		problem = "it is left in too many places";
	if (!problem && ret->go)
		*entry = behind_stack_check(&s, f->addr);
	return problem;
}
