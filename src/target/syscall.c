/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls: which of the machine's table this kernel has, and their parameters. Since 4.17
 * (commit fa697140f9a2) their wrappers take one struct pt_regs *, so neither BTF nor DWARF of
 * the wrapper names $filename or $flags; the kernel's own struct syscall_metadata does, in the
 * table tracing uses. Its pointers are link-time addresses.
 *
 * Entries for 32-bit programs (COMPAT_SYSCALL_DEFINE) have no metadata: they have the parameters of
 * the machine's own entry of that name, or what the table says.
 */
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "target/btf_types.h"
#include "target/convention.h"
#include "target/internal.h"
#include "target/live.h"
#include "target/scope.h"
#include "target/syscall.h"

#define COMPAT_PREFIX "compat_"

/* ---- struct syscall_metadata ---- */

/*
 * Bytes from the start of struct syscall_metadata (include/trace/syscall.h), by BTF; FALLBACK when
 * that does not say.
 */
static uint64_t member_offset(struct target *t, const char *member, uint64_t fallback)
{
	const struct target_type *s =
		btf_types_find(&t->kernel.types, "syscall_metadata", 1u << BTF_KIND_STRUCT);
	const struct target_member *m;
	size_t n = s ? target_type_members(t, s, &m) : 0;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(m[i].name, member))
			return m[i].bit_offset / 8;
	return fallback;
}

/* For qsort and bsearch: by name. */
static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct syscall_metadata *)a)->name,
		      ((const struct syscall_metadata *)b)->name);
}

/* All that the image has, sorted, when first asked for. */
static void read_metadata(struct target *t)
{
	uint64_t at = target_symbol(t, "__start_syscalls_metadata"),
		 stop = target_symbol(t, "__stop_syscalls_metadata");
	uint64_t name_at = member_offset(t, "name", 0);

	t->has_metadata = true;
	for (; at && at + 8 <= stop; at += 8) {
		struct syscall_metadata m;
		uint64_t text;

		if (!image_u64(&t->kernel.image, at, &m.addr) ||
		    !image_u64(&t->kernel.image, m.addr + name_at, &text))
			continue;
		m.name = image_string(&t->kernel.image, text);
		if (m.name)
			vec_push(t->arena, &t->metadata, m);
	}
	if (t->metadata.n)
		qsort(t->metadata.data, t->metadata.n, sizeof(*t->metadata.data), by_name);
}

/* The address of the metadata whose name is CALL; 0 when there is none. */
static uint64_t find_metadata(struct target *t, const char *call)
{
	const struct syscall_metadata key = { .name = call }, *m;

	if (!t->has_metadata)
		read_metadata(t);
	m = t->metadata.n ? bsearch(&key, t->metadata.data, t->metadata.n, sizeof(key), by_name)
			  : NULL;
	return m ? m->addr : 0;
}

/* String I of an array of pointers in the image; NULL when it is not there. */
static const char *string_in_list(struct target *t, uint64_t list, int i)
{
	uint64_t p;

	return image_u64(&t->kernel.image, list + 8ull * i, &p) ? image_string(&t->kernel.image, p)
								: NULL;
}

/*
 * Parameters of the entry CALL, "sys_openat"; -1: the kernel does not describe it. The running
 * kernel without a file is asked through tracefs instead.
 */
static int described(struct target *t, const char *call, struct syscall_parameter ret[6])
{
	const unsigned char *count;
	uint64_t meta, types, args;
	int32_t n;

	if (!t->kernel.path)
		return live_syscall_parameters(t->arena, call, ret);
	meta = find_metadata(t, call);
	if (!meta)
		return -1;
	/* nb_args became u8 when flags joined it; its low byte is the same */
	count = image_at(&t->kernel.image, meta + member_offset(t, "nb_args", 12), 1);
	if (!count || *count > 6)
		return -1;
	n = *count;
	if (n && (!image_u64(&t->kernel.image, meta + member_offset(t, "types", 16), &types) ||
		  !image_u64(&t->kernel.image, meta + member_offset(t, "args", 24), &args)))
		return -1;
	for (int i = 0; i < n; i++) {
		ret[i].name = string_in_list(t, args, i);
		ret[i].type = string_in_list(t, types, i);
		if (!ret[i].name || !ret[i].type)
			return -1;
	}
	return n;
}

/* ---- the machine's table ---- */

/* Whether ENTRY is one of the words in a row's list. */
static bool has_entry(const char *entries, const char *entry)
{
	size_t len = strlen(entry);

	for (const char *p = entries; (p = strstr(p, entry)); p += len)
		if ((p == entries || p[-1] == ' ') && (p[len] == ' ' || !p[len]))
			return true;
	return false;
}

/* What the table says of an entry that the kernel does not describe. */
static int by_table(struct target *t, const char *entry, struct syscall_parameter ret[6])
{
	for (size_t i = 0; i < t->machine->n_calls; i++) {
		const struct machine_call *call = &t->machine->calls[i];
		int n;

		if (!call->like || !has_entry(call->entries, entry))
			continue;
		n = described(t, call->like, ret);
		return n > call->n_like ? call->n_like : n;
	}
	return -1;
}

int syscall_parameters(struct target *t, const char *function, struct syscall_parameter ret[6],
		       const struct machine_syscalls **calls)
{
	const char *entry = NULL;
	int n;

	*calls = machine_syscall(t->machine, function, &entry);
	if (!entry)
		return -1;
	if (strncmp(entry, COMPAT_PREFIX, strlen(COMPAT_PREFIX)))
		return described(t, entry, ret);
	n = by_table(t, entry, ret);
	return n >= 0 ? n : described(t, entry + strlen(COMPAT_PREFIX), ret);
}

/* For qsort and bsearch: by name, then as they stand in the table. */
static int by_call_name(const void *a, const void *b)
{
	const struct machine_call *x = *(const struct machine_call *const *)a,
				  *y = *(const struct machine_call *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

/* The machine's calls by name, when first asked for. */
static void sort_calls(struct target *t)
{
	size_t n = t->machine->n_calls;

	t->calls = arena_new_array(t->arena, const struct machine_call *, n + 1);
	for (size_t i = 0; i < n; i++)
		t->calls[i] = &t->machine->calls[i];
	qsort(t->calls, n, sizeof(*t->calls), by_call_name);
}

/* The symbol that serves a call in this kernel; NULL: none does. */
static const char *serving(struct target *t, const struct machine_call *call)
{
	const char *p = call->entries;

	while (*p) {
		size_t len = strcspn(p, " ");
		const char *symbol = arena_printf(
			t->arena, "%s%.*s", t->machine->syscalls[call->abi].prefix, (int)len, p);

		if (target_symbol(t, symbol))
			return symbol;
		p += len + (p[len] == ' ');
	}
	return NULL;
}

struct error *target_find_syscalls(struct target *t, const char *name, struct target_syscalls *ret)
{
	struct error *err = target_load(t);
	size_t from = 0, to;

	if (err)
		return err;
	if (!t->calls)
		sort_calls(t);
	to = t->machine->n_calls;
	while (from < to) { /* the first that is not below */
		size_t middle = from + (to - from) / 2;

		if (strcmp(t->calls[middle]->name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from < t->machine->n_calls && !strcmp(t->calls[from]->name, name); from++) {
		const struct machine_call *call = t->calls[from];
		const char *function = serving(t, call);

		ret->known = true;
		if (function)
			vec_push(t->arena, ret,
				 ((struct target_syscall){
					 .name = call->name,
					 .function = function,
					 .abi = call->abi,
					 .number = call->number,
					 .is_compat = t->machine->syscalls[call->abi].is_compat }));
	}
	return NULL;
}

size_t target_similar_syscalls(struct target *t, const char *name, const char **ret, size_t max)
{
	const char **names;

	if (!target_try_load(t))
		return 0;
	if (!t->calls)
		sort_calls(t);
	names = arena_new_array(t->arena, const char *, t->machine->n_calls + 1);
	for (size_t i = 0; i < t->machine->n_calls; i++)
		names[i] = t->calls[i]->name;
	return similar_names(name, names, t->machine->n_calls, ret, max);
}

/* ---- variables ---- */

/* A parameter in the making. */
struct parameter {
	struct target *target;
	const struct machine_syscalls *calls;
	const struct target_type *type;
	int word;  /* the first of the caller's registers that hold it */
	bool wide; /* of a 32-bit caller: in two of them, the low half first */
	bool at_wrapper;
};

static void push(struct parameter *p, struct fetch_program *prog, struct fetch_insn insn)
{
	fetch_push(p->target->arena, prog, insn);
}

/* Where the caller's register NUMBER is saved: a wrapper's only argument points to them all. */
static void push_saved(struct parameter *p, struct fetch_program *prog, uint16_t number)
{
	const struct machine *m = p->target->machine;

	push(p, prog, (struct fetch_insn){ .op = FETCH_REG, .number = m->convention.arguments[0] });
	push(p, prog,
	     (struct fetch_insn){ .op = FETCH_ADD, .value = machine_register(m, number)->offset });
}

/* The caller's register WORD, which at a system call is the register at the probe. */
static void push_register(struct parameter *p, struct fetch_program *prog, int word)
{
	uint16_t number = p->calls->arguments[word];

	if (!p->at_wrapper) {
		push(p, prog, (struct fetch_insn){ .op = FETCH_REG, .number = number });
		return;
	}
	push_saved(p, prog, number);
	push(p, prog, (struct fetch_insn){ .op = FETCH_LOAD, .size = 8 });
}

/* The caller's register itself, or of 32-bit callers the value that its low half means. */
static struct location locate(struct parameter *p)
{
	struct fetch_program prog = { 0 };
	struct location l;

	if (p->at_wrapper && !p->calls->is_compat) {
		push_saved(p, &prog, p->calls->arguments[p->word]);
		return location_memory(prog);
	}
	push_register(p, &prog, p->word);
	if (p->calls->is_compat)
		push(p, &prog,
		     (struct fetch_insn){ .op = FETCH_EXTEND,
					  .size = 4,
					  .is_signed = p->type->is_signed && !p->wide });
	if (p->wide) {
		push_register(p, &prog, p->word + 1);
		push(p, &prog, (struct fetch_insn){ .op = FETCH_CONST, .value = 32 });
		push(p, &prog, (struct fetch_insn){ .op = FETCH_SHL });
		push(p, &prog, (struct fetch_insn){ .op = FETCH_OR });
	}
	l = location_word(p->target->arena, prog);
	if (p->at_wrapper && !p->wide)
		push_saved(p, &l.stored, p->calls->arguments[p->word]);
	return l;
}

/* "off_lo", "n_low": the low half of a number whose other half is the next parameter. */
static bool is_low_half(const struct syscall_parameter *params, int i, int n)
{
	const char *low = i < n ? params[i].name : "", *high = i + 1 < n ? params[i + 1].name : "";
	size_t len = strlen(low);
	bool is_low = (len > 2 && !strcmp(low + len - 2, "lo")) ||
		      (len > 3 && !strcmp(low + len - 3, "low"));

	return is_low && (strstr(high, "hi") != NULL);
}

/* A variable of that name, NULL for none; unlisted is one that only those know who ask for it. */
static void add(struct target_scope *s, struct parameter *p, const char *name, bool unlisted)
{
	if (name)
		vec_push(p->target->arena, &s->variables,
			 ((struct variable){ .name = name,
					     .type = p->type,
					     .is_param = true,
					     .is_unlisted = unlisted,
					     .location = locate(p) }));
}

/* The parameters, each under its name if it has one; NUMBER is that of its $argN. */
static void add_word(struct target_scope *s, struct parameter *p, const char *name, int number)
{
	add(s, p, name, false);
	add(s, p, arena_printf(p->target->arena, "arg%d", number), true);
}

/* Both halves under their names, PARAMS[0] and [1], and together as one $argN. */
static void add_halves(struct target_scope *s, struct parameter *p,
		       const struct syscall_parameter *params, int number)
{
	struct parameter whole = *p, high = *p;

	whole.wide = true;
	whole.type = type_parse(&s->types->source, "long");
	add_word(s, &whole, NULL, number);
	high.word++;
	add(s, p, params[0].name, false);
	add(s, &high, params[1].name, false);
}

/*
 * Has a value of the type 64 bits on every machine? What a 32-bit caller gives for it is two words,
 * which the kernel's COMPAT_SYSCALL_DEFINE puts together; "long" and pointers are one.
 */
static bool is_long_long(const struct target_type *type)
{
	return target_type_kind(type) == TARGET_TYPE_INT &&
	       strstr(target_type_name(type->canonical), "long long");
}

void syscall_add_variables(struct target_scope *s, const struct machine_syscalls *calls,
			   const struct syscall_parameter *params, int n, bool at_wrapper)
{
	const struct target_type *word = type_parse(&s->types->source, "long");
	int i = 0, number = 1;

	for (int w = 0; w < 6 && word; w++, i++, number++) {
		struct parameter p = { .target = s->target,
				       .calls = calls,
				       .type = word,
				       .word = w,
				       .at_wrapper = at_wrapper };
		const struct target_type *type =
			i < n ? type_parse(&s->types->source, params[i].type) : NULL;

		if (type)
			p.type = type;
		if (calls->is_compat && is_low_half(params, i, n)) {
			add_halves(s, &p, params + i, number);
			w++;
			i++;
		} else {
			p.wide = calls->is_compat && type && is_long_long(type) && w + 1 < 6;
			w += p.wide;
			add_word(s, &p, i < n ? params[i].name : NULL, number);
		}
	}
}

/* What a call that returned has in its register: of 32-bit callers, 32 bits with a sign. */
void syscall_add_result(struct target_scope *s, const struct machine_syscalls *calls)
{
	struct target *t = s->target;
	struct fetch_program prog = { 0 };
	struct variable v = { .name = "return", .type = type_parse(&s->types->source, "long") };

	if (!v.type)
		return;
	fetch_push(t->arena, &prog,
		   (struct fetch_insn){ .op = FETCH_REG,
					.number = t->machine->convention.results[0] });
	if (calls->is_compat)
		fetch_push(t->arena, &prog,
			   (struct fetch_insn){ .op = FETCH_EXTEND, .size = 4, .is_signed = true });
	v.location = location_word(t->arena, prog);
	vec_push(t->arena, &s->variables, v);
}
