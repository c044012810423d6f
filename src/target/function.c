/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of one object by its symbol index: names, patterns, addresses. The index decides what
 * may be probed; DWARF, where it is installed, adds files, lines and inlined copies.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/similar.h"
#include "target/decode.h"
#include "target/demangle.h"
#include "target/drift.h"
#include "target/dwarf.h"
#include "target/objects.h"
#include "target/scoped_name.h"
#include "target/source_name.h"

#define DECODED_AT_ONCE 4000000 /* bytes */

/* One query against one object. */
struct search {
	struct target *target;
	struct target_object *object;
	const struct target_function_query *query;
	struct target_functions *ret;
	const char *pattern; /* NULL: any */
	bool is_glob;
	char *base; /* room for a base name */
	size_t base_size;
};

bool object_is_described(const struct target_object *o, uint64_t addr)
{
	const struct dwarf_function *f = o->dwarf ? dwarf_index_at(&o->dwarf->index, addr) : NULL;

	return f && f->pc == addr;
}

/* The answer for a symbol. priv is filled when DWARF is asked. */
static struct target_function make(struct target_object *o, const struct index_symbol *s)
{
	struct arena *arena = o->target->arena;
	const char *name = index_string(&o->index, s->name);
	size_t n = object_base_length(o, name);

	return (struct target_function){
		.name = name,
		.base_name = name[n] ? arena_strndup(arena, name, n) : name,
		.object = o,
		.module = o->kind == OBJECT_MODULE ? o->name : NULL,
		.addr = s->addr,
		.traceable = s->flags & SYMBOL_TRACEABLE,
		.is_unique = !(s->flags & SYMBOL_SEVERAL),
		.exported = s->flags & SYMBOL_EXPORTED,
		.is_obscure = o->kind != OBJECT_FILE &&
			      !(s->flags & (SYMBOL_TRACEABLE | SYMBOL_IN_BTF | SYMBOL_FUNCTION)),
		.priv = arena_new(arena, struct function_info)
	};
}

/* The same with the name of the source where only the symbol, encoded, has it. */
static struct target_function make_decoded(struct target_object *o, const struct index_symbol *s)
{
	struct target_function f = make(o, s);
	const char *name = o->kind == OBJECT_FILE && symbol_is_mangled(f.name) &&
					   !object_is_described(o, s->addr)
				   ? demangle(o->target->arena, f.name)
				   : NULL;

	if (name) {
		f.name = name;
		f.base_name = scoped_pattern(o->target->arena, name).name;
	}
	return f;
}

/*
 * What S chooses from, each by its name; false: that is not known, and S stands for them. Of one
 * that is named a warning tells what is not seen.
 */
static bool add_chosen(struct search *q, const struct index_symbol *s)
{
	const char *name = index_string(&q->object->index, s->name);
	struct object_chosen chosen;

	object_chosen_by(q->object, s->addr, &chosen);
	vec_foreach(addr, &chosen) {
		struct target_function f = make(q->object, s);

		f.addr = *addr;
		vec_push(q->target->arena, q->ret, f);
	}
	if (!q->is_glob && !chosen.n)
		target_warn(q->target,
			    "%s of %s chooses the function that is called by that name (IFUNC), "
			    "once in a process, and that alone is probed: its calls are seen at "
			    ".plt(\"%s\") of the program",
			    name, q->object->name, name);
	else if (!q->is_glob && chosen.calls)
		target_warn(q->target,
			    "%s of %s is chosen for each process (IFUNC): those that %s itself has "
			    "for it are probed, another, as of the vDSO, would not be",
			    name, q->object->name, q->object->name);
	return chosen.n;
}

/* Who asks for symbols gets them as they are. */
static void add(struct search *q, const struct index_symbol *s)
{
	if (!(s->flags & SYMBOL_CHOOSES) || !add_chosen(q, s))
		vec_push(q->target->arena, q->ret,
			 *q->pattern == '_' ? make(q->object, s) : make_decoded(q->object, s));
}

/* The answer for code that no symbol stands for. */
static struct target_function make_nameless(struct target_object *o, uint64_t addr)
{
	struct arena *arena = o->target->arena;
	const char *name = arena_printf(arena, "0x%llx", (unsigned long long)addr);

	return (struct target_function){ .name = name,
					 .base_name = name,
					 .is_nameless = true,
					 .object = o,
					 .addr = addr,
					 .is_unique = true,
					 .priv = arena_new(arena, struct function_info) };
}

/*
 * Of a stripped file debug information knows functions that no symbol stands for. false: it has
 * none there, or is not open.
 */
static bool holding_by_dwarf(struct target_object *o, uint64_t addr, struct target_function *ret)
{
	const struct dwarf_function *f = o->dwarf ? dwarf_index_at(&o->dwarf->index, addr) : NULL;
	const struct index_symbol *s;
	const char *name, *suffix;
	uint64_t end;

	if (!f)
		return false;
	s = index_at(&o->index, f->pc, &end);
	if (s && s->addr == f->pc) {
		*ret = make(o, s);
		return true;
	}
	name = dwarf_index_string(&o->dwarf->index, f->name);
	suffix = object_stripped_suffix(o, f->pc);
	*ret = (struct target_function){
		.name = *suffix ? arena_printf(o->target->arena, "%s%s", name, suffix) : name,
		.base_name = name,
		.object = o,
		.addr = f->pc,
		.is_unique = true,
		.priv = arena_new(o->target->arena, struct function_info)
	};
	return *name;
}

/*
 * Of a file: a symbol holds what lies within its function. false: ADDR is in no function that is
 * known, as behind the last instruction of one.
 */
static bool holding_in_file(struct target_object *o, uint64_t addr, struct target_function *ret)
{
	uint64_t begin, end, next;
	const struct index_symbol *s = index_at(&o->index, addr, &next);

	if (object_code_extent(o, addr, &begin, &end)) {
		if (!s || s->addr < begin) {
			*ret = make_nameless(o, begin);
			return true;
		}
	} else if (!s || object_code_extent(o, s->addr, &begin, &end)) {
		return false;
	}
	if (!index_may_probe(s))
		return false;
	*ret = make_decoded(o, s);
	return true;
}

bool target_function_holding(struct target_object *o, uint64_t addr, struct target_function *ret)
{
	uint64_t end;
	const struct index_symbol *s;

	if (o->kind == OBJECT_FILE)
		return holding_by_dwarf(o, addr, ret) || holding_in_file(o, addr, ret);
	s = index_at(&o->index, addr, &end);
	if (!s || !index_may_probe(s))
		return false;
	*ret = make(o, s);
	return true;
}

bool target_function_at(struct target_object *o, uint64_t addr, struct target_function *ret)
{
	return target_function_holding(o, addr, ret) && ret->addr == addr;
}

bool target_function_set_holder(struct target_function *f, uint64_t addr)
{
	struct target_object *o = (struct target_object *)f->object;
	uint64_t end;
	const struct index_symbol *s = index_at(&o->index, addr, &end);

	if (o->kind == OBJECT_FILE) {
		f->holder =
			/* offsets in the file say where it is, whatever symbols there are */
			f->name;
		return true;
	}
	if (!s || !index_may_probe(s))
		return false;
	f->holder = index_string(&o->index, s->name);
	f->holder_offset = addr - s->addr;
	return true;
}

/*
 * The rest of a function whose beginning is known; where it is not, the rest stands for the
 * function.
 */
static bool is_split_rest(const struct search *q, const struct index_symbol *s, const char *name)
{
	const struct index_symbol *beginning;

	if (!symbol_is_split_rest(name))
		return false;
	if (q->object->dwarf && dwarf_index_at(&q->object->dwarf->index, s->addr))
		return true;
	beginning =
		index_find(&q->object->index, arena_strndup(q->target->arena, name,
							    object_base_length(q->object, name)));
	return beginning && index_may_probe(beginning);
}

/* Does a pattern choose this symbol? Labels of assembly code are not functions to it. */
static bool pattern_matches(struct search *q, const struct index_symbol *s, const char *name)
{
	size_t n = object_base_length(q->object, name);

	if (!(s->flags & (SYMBOL_TRACEABLE | SYMBOL_IN_BTF | SYMBOL_FUNCTION)) ||
	    s->flags & SYMBOL_ALIAS || symbol_is_hidden(name))
		return false;
	if (is_split_rest(q, s, name))
		return strstr(q->pattern, ".part") && !fnmatch(q->pattern, name, 0);
	if (!strcmp(q->pattern, "*"))
		return true;
	/* its name is what debug information says, but for a pattern of linkage names */
	if (q->object->dwarf && symbol_is_mangled(name) && !symbol_is_mangled(q->pattern) &&
	    dwarf_index_at(&q->object->dwarf->index, s->addr))
		return false;
	if (!fnmatch(q->pattern, name, 0))
		return true;
	if (!name[n] || n >= q->base_size)
		return false;
	memcpy(q->base, name, n);
	q->base[n] = '\0';
	return !fnmatch(q->pattern, q->base, 0);
}

/*
 * Symbols with the literal begin of the pattern stand together in the index; each is compared by
 * its own name and by that without a clone's suffix.
 */
static void find_glob(struct search *q)
{
	const struct index *ix = &q->object->index;
	size_t n = strcspn(q->pattern, "*?[\\");
	char base[512];
	char *prefix = arena_strndup(q->target->arena, q->pattern, n);

	q->base = base;
	q->base_size = sizeof(base);
	for (size_t i = index_lower_bound(ix, prefix); i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];
		const char *name = index_string(ix, s->name);

		if (strncmp(name, prefix, n))
			break;
		if (index_may_probe(s) && pattern_matches(q, s, name))
			add(q, s);
	}
}

/* NAME itself and, behind it in the table, its clones NAME.*; a hidden one only when it is asked
 * for as such. */
static void find_exact(struct search *q)
{
	const struct index *ix = &q->object->index;
	size_t n = strlen(q->pattern);

	for (size_t i = index_lower_bound(ix, q->pattern); i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];
		const char *name = index_string(ix, s->name);

		if (strncmp(name, q->pattern, n) ||
		    (name[n] && (name[n] != '.' || q->object->is_go)))
			break;
		if (index_may_probe(s) &&
		    (!name[n] || !(symbol_is_hidden(name) || is_split_rest(q, s, name))))
			add(q, s);
	}
}

/* May be called several times for one query: sort_unique() removes what was found twice. */
static void find_by_name(struct search *q, const char *pattern)
{
	q->pattern = pattern;
	q->is_glob = is_glob(pattern);
	if (q->is_glob)
		find_glob(q);
	else
		find_exact(q);
}

/*
 * Which of two names of one function a list shows: the one with fewer underscores in front, then
 * the shorter one.
 */
static bool is_plainer(const char *a, const char *b)
{
	size_t x = strspn(a, "_"), y = strspn(b, "_");

	if (x == y)
		x = strlen(a), y = strlen(b);
	return x == y ? strcmp(a, b) < 0 : x < y;
}

static int by_address(const void *a, const void *b)
{
	const struct target_function *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return is_plainer(x->base_name, y->base_name) ? -1 : is_plainer(y->base_name, x->base_name);
}

/* A pattern means functions, each of which may have several names in a library. */
static void drop_aliases(struct target_functions *f)
{
	size_t kept = 0;

	if (f->n)
		qsort(f->data, f->n, sizeof(*f->data), by_address);
	for (size_t i = 0; i < f->n; i++)
		if (!kept || f->data[kept - 1].addr != f->data[i].addr || !f->data[i].addr)
			f->data[kept++] = f->data[i];
	f->n = kept;
}

/* SINCE: drift_since(), or "". */
bool target_may_be_label(const struct target_function *f)
{
	struct target_object *o = (struct target_object *)f->object;
	const char *call;

	return f->is_obscure && !machine_syscall(o->target->machine, f->name, &call) &&
	       !(dwarf_get(o) && object_is_described(o, f->addr));
}

/* GCC names the DIE of a part so with -gdwarf-2 -gstrict-dwarf (gcc/dwarf2out.cc). */
bool target_name_is_of_part(const char *name)
{
	return symbol_is_hidden(name) || !strncmp(name, "__second_sect_of_", 17);
}

/* Those from number BEFORE on, which were found by NEW. */
static void note_renamed(struct search *s, size_t before, const char *old, const char *new,
			 const char *since)
{
	for (size_t i = before; i < s->ret->n; i++)
		s->ret->data[i].renamed = true;
	target_note(s->target, "function %s is %s in this kernel%s", old, new, since);
}

/*
 * A function by its older name: what drift.def has for it, or with allocation profiling the
 * function behind a macro of that name (NAME_noprof).
 */
static void find_drifted(struct search *s, const char *name)
{
	const struct drift *d = drift_function(name, NULL);
	struct arena *arena = s->target->arena;
	bool is_row = d && d->same;
	const char *now = is_row ? d->path : arena_printf(arena, "%s_noprof", name);
	size_t before = s->ret->n;

	find_by_name(s, now);
	if (s->ret->n > before)
		note_renamed(s, before, name, now, is_row ? drift_since(arena, d) : "");
}

/* A pattern in the forms that a name may be written in. */
struct source_pattern {
	struct scoped_pattern forms[SOURCE_SHORT + 1];
	const char *word;       /* what each name that it matches has in it; may be "" */
	const char *parameters; /* NULL: any */
};

/* The longest word of a pattern; what is in brackets, or between < and >, may have other forms. */
static const char *longest_word(struct arena *arena, const char *pattern)
{
	const char *end = pattern + strcspn(pattern, "[\\<"), *longest = pattern;
	size_t max = 0, n;

	for (const char *at = pattern; at < end; at += n ? n : 1) {
		for (n = 0; at + n < end && (isalnum((unsigned char)at[n]) || at[n] == '_'); n++)
			;
		if (n > max) {
			max = n;
			longest = at;
		}
	}
	return arena_strndup(arena, longest, max);
}

static struct source_pattern source_pattern(struct arena *arena, const char *text)
{
	size_t n = source_parameters(text);
	const char *name = arena_strndup(arena, text, n);
	struct source_pattern p = { .parameters = text[n] ? text + n : NULL };

	for (enum source_form form = SOURCE_VERBATIM; form <= SOURCE_SHORT; form++)
		p.forms[form] = scoped_pattern(arena, source_name(arena, name, form));
	p.word = longest_word(arena, p.forms[SOURCE_VERBATIM].name);
	return p;
}

static bool source_matches(struct arena *arena, const struct source_pattern *p, const char *name)
{
	if (!strstr(name, p->word))
		return false;
	for (enum source_form form = SOURCE_VERBATIM; form <= SOURCE_SHORT; form++) {
		const struct scoped_pattern *f = &p->forms[form];
		const char *whole = source_name(arena, name, form);
		const char *last = scoped_pattern(arena, whole).name;

		if ((!strcmp(f->name, last) || !fnmatch(f->name, last, 0)) &&
		    scoped_matches(f, arena_strndup(arena, whole, last - whole)))
			return true;
	}
	return false;
}

/* Is the word in each symbol whose name has it? Of the words below encodings have short forms. */
static bool symbols_have(const char *word)
{
	static const char encoded[] =
		"operator new delete co_await alignof sizeof typeid noexcept throw cast dynamic "
		"static reinterpret void bool char char8_t char16_t char32_t wchar_t signed "
		"unsigned short int long __int128 float double __float128 _Float16 _Float32 "
		"_Float64 bfloat16_t decimal32 decimal64 decimal128 half auto decltype "
		"nullptr const volatile restrict _Complex _Imaginary complex imaginary "
		"true false this std basic_string allocator char_traits "
		"basic_istream basic_ostream basic_iostream lambda unnamed type "
		"default arg string literal global constructors destructors keyed to clone "
		"virtual non-virtual covariant return thunk transaction template parameter object "
		"closure shim vtable impl as dyn for mut unsafe extern fn str i8 i16 i32 i64 i128 "
		"isize u8 u16 u32 u64 u128 usize f32 f64";

	return !strstr(encoded, word);
}

/*
 * Of code without debug information the names of C++ and Rust are in the symbols, encoded; and so
 * are, with it, their parameters. All of them are decoded, so this is for patterns that mean them:
 * with a scope or parameters, or that no symbol matches as it stands. BESIDES: debug information of
 * other code has such names, which must not become slow for it: only symbols with the word are
 * looked at. What is decoded on the way has an arena of its own, which is renewed: a program may
 * have a million of them.
 */
static void find_demangled(struct search *q, const char *text, bool besides)
{
	const struct index *ix = &q->object->index;
	struct source_pattern p = source_pattern(q->target->arena, text);
	const char *word = besides && symbols_have(p.word) ? p.word : "";
	struct arena *arena = arena_create();

	for (size_t i = index_lower_bound(ix, "_R"); i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];
		const char *symbol = index_string(ix, s->name), *name, *list;

		if (strncmp(symbol, "_", 1))
			break;
		if (!symbol_is_mangled(symbol) || !strstr(symbol, word) || !index_may_probe(s) ||
		    !(s->flags & SYMBOL_FUNCTION) || symbol_is_hidden(symbol) ||
		    is_split_rest(q, s, symbol) ||
		    (!p.parameters && object_is_described(q->object, s->addr)))
			continue;
		if (arena_used(arena) > DECODED_AT_ONCE) {
			arena_destroy(arena);
			arena = arena_create();
		}
		name = demangle(arena, symbol);
		if (!name || !source_matches(arena, &p, name))
			continue;
		list = p.parameters ? demangle_parameters(arena, symbol, name) : NULL;
		if (!p.parameters || (list && source_parameters_match(arena, p.parameters, list)))
			vec_push(q->target->arena, q->ret, make_decoded(q->object, s));
	}
	arena_destroy(arena);
}

/* IS_SYMBOL: a symbol matches as it stands. */
static bool may_mean_decoded(const struct search *s, const char *name, bool is_symbol)
{
	return s->object->kind == OBJECT_FILE && strcmp(name, "*") &&
	       (!is_symbol || s->is_glob || strstr(name, "::"));
}

/*
 * "compat_sys_foo" of kernels before 4.17 is a wrapper now, and where 32-bit programs have no entry
 * of their own any more, that which all share: "__ia32_sys_foo" on x86-64.
 */
static void find_compat(struct search *s, const char *name)
{
	static const char *const entries[] = { "compat_sys_", "sys_" };
	const struct machine *m = s->target->machine;
	struct arena *arena = s->target->arena;
	size_t before = s->ret->n;

	for (size_t i = 0; i < m->n_syscalls; i++)
		for (size_t j = 0; j < 2 && m->syscalls[i].is_compat && s->ret->n == before; j++) {
			const char *now = arena_printf(arena, "%s%s%s", m->syscalls[i].prefix,
						       entries[j], name + strlen(entries[0]));

			find_by_name(s, now);
			if (s->ret->n > before)
				note_renamed(s, before, name, now, "");
		}
}

/*
 * For "sys_foo", and "SyS_foo" of kernels before 4.17, also the machine's own wrapper, which is
 * "__x64_sys_foo" on x86-64.
 */
static void find_by_query_name(struct search *s)
{
	const char *name = s->query->name;
	size_t before = s->ret->n;

	find_by_name(s, name);
	if (object_is_kernel(s->object) && (!strncmp(name, "sys_", 4) || !strncmp(name, "SyS_", 4)))
		find_by_name(s, arena_printf(s->target->arena, "%ssys_%s",
					     s->target->machine->syscalls[0].prefix, name + 4));
	if (s->object->kind == OBJECT_FILE || s->ret->n > before || strpbrk(name, "*?["))
		return;
	if (object_is_kernel(s->object) && !strncmp(name, "compat_sys_", 11))
		find_compat(s, name);
	else
		find_drifted(s, name);
}

/* The function that holds the address, not only one that begins there. */
static void find_at_address(struct search *s)
{
	struct dwarf *dwarf = dwarf_get(s->object);
	struct target_function f;

	if (!target_function_holding(s->object, s->query->addr, &f))
		return;
	if (dwarf)
		dwarf_annotate(dwarf, &f);
	vec_push(s->target->arena, s->ret, f);
}

/*
 * Where the instruction begins that has code at ADDR, of the function that begins at FROM; 0: with
 * the reason in *PROBLEM, it is not known.
 */
static uint64_t instruction_at(const struct target_object *o, uint64_t from, uint64_t addr,
			       const char **problem)
{
	size_t len = addr - from + DECODE_LONGEST;
	const unsigned char *code = NULL;
	struct decoder *decoder;
	struct decoded insn;
	struct error *err = object_decoder(o, &decoder);

	if (err) {
		*problem = arena_strdup(o->target->arena, err->text);
		error_destroy(err);
		return 0;
	}
	/* the last instruction may be the file's last */
	while (len > addr - from && !(code = image_at(&o->image, from, len)))
		len--;
	for (uint64_t at = from; code && at <= addr; at += insn.size) {
		if (!decoder_next(decoder, code + (at - from), len - (at - from), at, &insn))
			break;
		if (addr - at < insn.size)
			return at;
	}
	*problem = "what is before it is not plain code";
	return 0;
}

void object_find_instruction(struct target_object *o, const struct target_function_query *q,
			     bool nearest, struct target_functions *ret,
			     struct target_near_lines *near)
{
	struct target_function f;
	uint64_t at;

	if (!target_function_holding(o, q->addr, &f))
		return;
	at = q->addr == f.addr ? f.addr : instruction_at(o, f.addr, q->addr, &near->problem);
	if (!at)
		return;
	if (at != q->addr && !nearest) {
		near->addr = at;
		near->is_instruction = true;
		return;
	}
	f.pc = at;
	if (target_function_set_holder(&f, at))
		vec_push(o->target->arena, ret, f);
}

/* By symbols, by debug information, and by what symbols decode to. */
static void find_named(struct search *s, struct dwarf *dwarf)
{
	size_t before = s->ret->n, n_symbols;

	find_by_query_name(s);
	n_symbols = s->ret->n;
	if (dwarf && s->object->kind == OBJECT_FILE)
		dwarf_find_functions(dwarf, s->query, s->ret);
	if (may_mean_decoded(s, s->query->name, n_symbols > before))
		find_demangled(s, s->query->name, s->ret->n > n_symbols);
}

/* Files, lines and inlined copies are DWARF's to know. */
void object_find_functions(struct target_object *o, const struct target_function_query *q,
			   struct target_functions *ret)
{
	struct search s = { .target = o->target, .object = o, .query = q, .ret = ret };
	struct dwarf *dwarf;
	size_t before = ret->n;

	if (q->addr) {
		find_at_address(&s);
		return;
	}
	dwarf = dwarf_get(o);
	/* of modules each has few, and all of them come into one list */
	if (object_is_kernel(o) && !q->file && q->name && !strcmp(q->name, "*"))
		vec_reserve(o->target->arena, ret,
			    o->index.n_symbols +
				    (dwarf && q->one_copy ? dwarf->index.n_functions : 0));
	if (q->file || q->lines.kind != TARGET_LINES_NONE) {
		if (dwarf)
			dwarf_find_functions(dwarf, q, ret);
	} else if (q->name) {
		find_named(&s, dwarf);
	}
	if (o->kind == OBJECT_FILE && q->name && strpbrk(q->name, "*?["))
		drop_aliases(ret);
	for (size_t i = before; dwarf && i < ret->n; i++)
		dwarf_annotate(dwarf, &ret->data[i]);
	if (dwarf && q->inlines)
		dwarf_find_inlines(dwarf, q, ret);
}
