/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in functions: statements by the line tables, labels by their DIEs. A row of a line table
 * (DWARF 5, 6.2) belongs to the innermost function or inlined copy around its address, so the code
 * of copies inlined into a function is none of its own, but for rows of the line of the call.
 */
#include <dwarf.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/file.h"
#include "target/dwarf.h"

/* Code from low to before high. */
struct pc_range {
	uint64_t low, high;
};
/* A list in the target's arena. */
struct spans {
	struct pc_range *data;
	size_t n, cap;
};

/* Code of a copy, and the line of the call that it stands for; 0: in another file. */
struct inlined_call {
	struct pc_range code;
	Dwarf_Word line;
};
/* A list in the target's arena, sorted by line. */
struct inlined_calls {
	struct inlined_call *data;
	size_t n, cap;
};

/* Where a line has its first code in a function or copy. */
struct statement {
	uint64_t addr;
	unsigned line;
	bool within; /* a row that does not begin a statement; all that some lines have */
	bool apart;  /* in a part of the function away from its entry (.cold) */
};
/* A list in the target's arena. */
struct statements {
	struct statement *data;
	size_t n, cap;
};

/* Which rows within its code are a body's. */
enum rows {
	ROWS_OWN,     /* those of its file and lines that are not of what is inlined into it */
	ROWS_OF_FILE, /* all of its file */
	ROWS_ALL,
};

/* A function or inlined copy: its DIE, its code, and the rows of its unit's line table. */
struct body {
	struct dwarf *dwarf;
	Dwarf_Die die;
	const char *file;     /* it is declared in, as the line table names it, */
	int line;             /* and where */
	Dwarf_Word call_line; /* a copy's: rows of it are the caller's; else 0 */
	struct spans code;
	struct inlined_calls calls;
	struct spans inlined; /* their code, not its own */
	enum rows rows;
	Dwarf_Lines *lines;
	size_t n_lines;
};

/*
 * The last component of PATH[0..*N) that is not taken back by a ".." behind it, and in *LENGTH its
 * length; *N becomes where it begins. NULL: there is none left.
 */
static const char *last_component(const char *path, size_t *n, size_t *length)
{
	size_t up = 0;

	while (*n) {
		size_t end = *n, begin;

		while (*n && path[*n - 1] != '/')
			--*n;
		begin = *n;
		*n -= *n > 0;
		*length = end - begin;
		if (*length == 2 && !memcmp(path + begin, "..", 2))
			up++;
		else if (*length && !(*length == 1 && path[begin] == '.') && !(up && up--))
			return path + begin;
	}
	return NULL;
}

/*
 * Do the names mean one file? Units that dwz has put together have directories of several
 * compilations: the function of one is declared in a "../x/../a.c" of another.
 */
static bool same_source(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), x, y;

	if (a == b || !strcmp(a, b))
		return true;
	if (strcmp(path_base(a), path_base(b)))
		return false;
	for (;;) {
		const char *p = last_component(a, &n, &x), *q = last_component(b, &m, &y);

		if (!p || !q)
			return p == q;
		if (x != y || memcmp(p, q, x))
			return false;
	}
}

/* The line in FILE of the call that a copy stands for; 0: DIE is no copy, or called elsewhere. */
static Dwarf_Word call_line(Dwarf_Die *die, const char *file)
{
	const char *called_in = dwarf_called_in(die);
	Dwarf_Attribute attr;
	Dwarf_Word line = 0;

	if (called_in && file && same_source(called_in, file))
		dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line);
	return line;
}

static void add_ranges(struct arena *arena, Dwarf_Die *die, struct spans *ret)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		vec_push(arena, ret, ((struct pc_range){ low, high }));
}

/* The copies inlined into PARENT, of FILE: the code of those in copies lies within it. */
static void add_inlined(struct arena *arena, Dwarf_Die *parent, const char *file,
			struct inlined_calls *ret)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		struct spans code = { 0 };

		if (tag == DW_TAG_lexical_block)
			add_inlined(arena, &die, file, ret);
		if (tag == DW_TAG_inlined_subroutine)
			add_ranges(arena, &die, &code);
		vec_foreach(s, &code)
			vec_push(arena, ret, ((struct inlined_call){ *s, call_line(&die, file) }));
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int span_cmp(const void *a, const void *b)
{
	const struct pc_range *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

/* Sorted, and one of those that overlap. */
static void merge(struct spans *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->data, s->n, sizeof(*s->data), span_cmp);
	for (size_t i = 0; i < s->n; i++) {
		if (n && s->data[i].low <= s->data[n - 1].high) {
			if (s->data[i].high > s->data[n - 1].high)
				s->data[n - 1].high = s->data[i].high;
		} else {
			s->data[n++] = s->data[i];
		}
	}
	s->n = n;
}

/* S must be merged. */
static bool inside(const struct spans *s, uint64_t addr)
{
	size_t low = bisect(i, s->n, s->data[i].low <= addr);

	return low && addr < s->data[low - 1].high;
}

static int call_cmp(const void *a, const void *b)
{
	const struct inlined_call *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->code.low < y->code.low ? -1 : x->code.low > y->code.low;
}

/* The DIE of a reference as a body; false when there is none, or no line table. */
static bool open_body(struct dwarf *d, uint64_t ref, struct body *ret)
{
	struct arena *arena = d->target->arena;
	Dwarf_Line *row;
	Dwarf_Die unit;

	*ret = (struct body){ .dwarf = d };
	if (!dwarf_die_at(d, ref, &ret->die) || !dwarf_diecu(&ret->die, &unit, NULL, NULL) ||
	    dwarf_getsrclines(&unit, &ret->lines, &ret->n_lines))
		return false;
	ret->file = dwarf_declared_in(&ret->die);
	row = dwarf_decl_line(&ret->die, &ret->line) ? dwarf_entry_row(&ret->die) : NULL;
	if (row)
		dwarf_lineno(row, &ret->line);
	if (row && !ret->file)
		ret->file = dwarf_linesrc(row, NULL, NULL);
	ret->call_line = call_line(&ret->die, ret->file);
	add_ranges(arena, &ret->die, &ret->code);
	add_inlined(arena, &ret->die, ret->file, &ret->calls);
	vec_foreach(call, &ret->calls)
		vec_push(arena, &ret->inlined, call->code);
	merge(&ret->inlined);
	if (ret->calls.n)
		qsort(ret->calls.data, ret->calls.n, sizeof(*ret->calls.data), call_cmp);
	return ret->file != NULL;
}

static Dwarf_Addr row_address(const struct body *b, size_t i)
{
	Dwarf_Addr at = 0;

	dwarf_lineaddr(dwarf_onesrcline(b->lines, i), &at);
	return at;
}

/* The first row that is not before ADDR: libdw gives them in the order of addresses. */
static size_t first_row(const struct body *b, uint64_t addr)
{
	return bisect(i, b->n_lines, row_address(b, i) < addr);
}

/*
 * Does a copy around ADDR stand for a call at LINE? What such a row begins is the body's statement
 * that has the call, and the copy's code is its first.
 */
static bool is_call(const struct body *b, uint64_t addr, unsigned line)
{
	size_t low = bisect(i, b->calls.n, b->calls.data[i].line < line);

	for (; low < b->calls.n && b->calls.data[low].line == line; low++)
		if (addr >= b->calls.data[low].code.low && addr < b->calls.data[low].code.high)
			return true;
	return false;
}

/*
 * Is the row of this body? Then where, in *RET. Lines before the declaration are of inlined
 * functions, moved out of what their copies' DIEs cover.
 */
static bool row_statement(const struct body *b, size_t row, struct statement *ret)
{
	Dwarf_Line *line = dwarf_onesrcline(b->lines, row);
	const char *file = dwarf_linesrc(line, NULL, NULL);
	bool begins = false, ends = false;
	Dwarf_Addr addr = 0;
	int number = 0;

	dwarf_lineendsequence(line, &ends);
	dwarf_linebeginstatement(line, &begins);
	if (ends || dwarf_lineno(line, &number) || dwarf_lineaddr(line, &addr) || !file ||
	    (b->rows != ROWS_ALL && !same_source(file, b->file)))
		return false;
	if (b->rows == ROWS_OWN && (number < b->line || (Dwarf_Word)number == b->call_line ||
				    (inside(&b->inlined, addr) && !is_call(b, addr, number))))
		return false;
	*ret = (struct statement){ .addr = addr, .line = number, .within = !begins };
	return true;
}

/* Calls EACH for the body's rows, by range of its code; it ends when EACH answers false. */
static void each_statement(const struct body *b, bool (*each)(void *arg, const struct statement *p),
			   void *arg)
{
	for (size_t i = 0; i < b->code.n; i++) {
		const struct pc_range *s = &b->code.data[i];
		struct statement p;
		Dwarf_Addr at;

		for (size_t row = first_row(b, s->low); row < b->n_lines; row++) {
			if (dwarf_lineaddr(dwarf_onesrcline(b->lines, row), &at) || at >= s->high)
				break;
			if (!row_statement(b, row, &p))
				continue;
			p.apart = i > 0;
			if (!each(arg, &p))
				return;
		}
	}
}

/*
 * Of one line the first, what begins a statement before what does not, and what is with the entry
 * before what is apart.
 */
static int statement_cmp(const void *a, const void *b)
{
	const struct statement *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->within != y->within)
		return x->within ? 1 : -1;
	if (x->apart != y->apart)
		return x->apart ? 1 : -1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* What push_statement() adds to. */
struct statement_list {
	struct arena *arena;
	struct statements statements;
};

static bool push_statement(void *arg, const struct statement *p)
{
	struct statement_list *l = arg;

	vec_push(l->arena, &l->statements, *p);
	return true;
}

/* Each line of the body once, in order. */
static struct statements body_statements(const struct body *b)
{
	struct statement_list l = { .arena = b->dwarf->target->arena };
	size_t n = 0;

	each_statement(b, push_statement, &l);
	if (l.statements.n)
		qsort(l.statements.data, l.statements.n, sizeof(*l.statements.data), statement_cmp);
	for (size_t i = 0; i < l.statements.n; i++)
		if (!n || l.statements.data[n - 1].line != l.statements.data[i].line)
			l.statements.data[n++] = l.statements.data[i];
	l.statements.n = n;
	return l.statements;
}

/* ---- lines ---- */

/* Is LINE one of those asked for, of a function declared at DECLARED? */
static bool line_is_meant(const struct target_lines *lines, unsigned declared, unsigned line)
{
	unsigned base = lines->kind == TARGET_LINES_RELATIVE ? declared : 0;

	if (lines->kind == TARGET_LINES_ALL || lines->kind == TARGET_LINES_NONE)
		return true;
	for (size_t i = 0; i < lines->n; i++)
		if (line >= base + lines->ranges[i].first && line <= base + lines->ranges[i].last)
			return true;
	return false;
}

/* How far LINE is from the nearest line asked for. */
static unsigned line_distance(const struct target_lines *lines, unsigned declared, unsigned line)
{
	unsigned base = lines->kind == TARGET_LINES_RELATIVE ? declared : 0, best = UINT_MAX;

	for (size_t i = 0; i < lines->n; i++) {
		unsigned first = base + lines->ranges[i].first, last = base + lines->ranges[i].last;
		unsigned d = line < first ? first - line : line > last ? line - last : 0;

		best = d < best ? d : best;
	}
	return best;
}

/* From the declaration to the last line with code, if any. */
static struct target_line_range body_lines(struct dwarf *d, const struct dwarf_function *f,
					   uint64_t die)
{
	struct target_line_range r = { f->line, f->line };
	struct statements p;
	struct body b;

	if (!open_body(d, die, &b))
		return r;
	p = body_statements(&b);
	if (p.n && p.data[p.n - 1].line > r.last)
		r.last = p.data[p.n - 1].line;
	return r;
}

/* One copy stands for all: they are of the same lines. */
bool dwarf_has_lines(struct dwarf *d, const struct dwarf_function *f,
		     const struct target_lines *lines)
{
	bool has_copy = f->n_copies && f->first_copy < d->index.n_copies;
	uint64_t die = f->pc ? f->die : has_copy ? d->index.copies[f->first_copy].die : 0;
	struct target_line_range body = body_lines(d, f, die);
	unsigned base = lines->kind == TARGET_LINES_RELATIVE ? f->line : 0;

	for (size_t i = 0; i < lines->n; i++)
		if (base + lines->ranges[i].first <= body.last &&
		    base + lines->ranges[i].last >= body.first)
			return true;
	return false;
}

/* ---- statements ---- */

/* A statement of a function or copy, before those that are not meant are left out. */
struct candidate {
	struct target_function function;
	unsigned distance;
};

/* One query against one object. */
struct statement_search {
	struct dwarf *dwarf;
	struct arena *arena;
	const struct target_function_query *query;
	bool nearest;
	enum rows rows;
	struct target_functions *ret;
	struct target_near_lines *near;
	unsigned asked;                /* the first line asked for of the function first met */
	VEC(struct candidate) closest; /* NEAREST: those with the least distance so far */
};

/* Of lines that are not meant, the closest on both sides of the first one asked for. */
static void note_near(struct statement_search *s, const struct target_function *f, unsigned line)
{
	struct target_near_lines *near = s->near;

	if (!near->file)
		near->file = f->file;
	if (!f->file || strcmp(near->file, f->file))
		return;
	if (line < s->asked && line > near->before)
		near->before = line;
	if (line > s->asked && (!near->after || line < near->after))
		near->after = line;
}

/* Only the least distance counts. */
static void note_closest(struct statement_search *s, const struct target_function *f,
			 unsigned distance)
{
	if (s->closest.n && distance > s->closest.data[0].distance)
		return;
	if (s->closest.n && distance < s->closest.data[0].distance)
		s->closest.n = 0;
	vec_push(s->arena, &s->closest, ((struct candidate){ *f, distance }));
}

/*
 * The line of the declaration means the entry, which the compiler counts to the line of the brace
 * when that is another.
 */
static void add_declaration(struct statement_search *s, const struct target_function *function)
{
	const struct target_lines *lines = &s->query->lines;
	struct target_function at = *function;

	if (lines->kind == TARGET_LINES_ALL ||
	    !line_is_meant(lines, function->line, function->line))
		return;
	at.pc = function->inline_addr ? function->inline_addr : function->addr;
	if (target_function_set_holder(&at, at.pc))
		vec_push(s->arena, s->ret, at);
}

/* FUNCTION is the answer for the entry; each place of it is one with another pc. */
static void add_body(struct statement_search *s, const struct target_function *function,
		     uint64_t die)
{
	const struct target_lines *lines = &s->query->lines;
	unsigned declared = function->line;
	struct statements statements;
	struct body b;

	if (!open_body(s->dwarf, die, &b))
		return;
	b.rows = s->rows;
	if (!s->asked && lines->n)
		s->asked = lines->ranges[0].first +
			   (lines->kind == TARGET_LINES_RELATIVE ? declared : 0);
	statements = body_statements(&b);
	if (b.rows == ROWS_OWN && (!statements.n || statements.data[0].line != declared))
		add_declaration(s, function);
	vec_foreach(p, &statements) {
		struct target_function at = *function;

		at.pc = p->addr;
		at.line = p->line;
		if (!target_function_set_holder(&at, p->addr))
			continue;
		if (line_is_meant(lines, declared, p->line))
			vec_push(s->arena, s->ret, at);
		else if (b.rows != ROWS_OWN)
			continue;
		else if (s->nearest)
			note_closest(s, &at, line_distance(lines, declared, p->line));
		else
			note_near(s, &at, p->line);
	}
}

/* Its own code, and with inlines its copies. */
static void add_function(void *arg, const struct dwarf_function *f)
{
	struct statement_search *s = arg;
	const struct dwarf_index *ix = &s->dwarf->index;
	struct target_function out;

	if (dwarf_out_of_line(s->dwarf, f, &out))
		add_body(s, &out, f->die);
	for (uint32_t i = f->first_copy; i < f->first_copy + f->n_copies && i < ix->n_copies; i++)
		if (dwarf_copy(s->dwarf, f, &ix->copies[i], &out))
			add_body(s, &out, ix->copies[i].die);
}

/* ---- where a variable can be read ---- */

/* Of the statements at which it can be, the one whose line is nearest to that of the function. */
struct readable {
	struct dwarf *dwarf;
	const struct target_function *function;
	const char *name;
	const struct statements *statements;
	unsigned line, distance; /* line 0: none yet */
};

static bool is_readable(struct dwarf *d, Dwarf_Die *variable, Dwarf_Addr pc)
{
	struct location l = dwarf_locate(d, d->target->arena, variable, pc, false);

	return location_has_value(&l);
}

/* BLOCK: what the variable is declared in, beyond which it is not known. */
static void note_readable(struct readable *r, Dwarf_Die *variable, Dwarf_Die *block)
{
	const struct target_function *f = r->function;
	bool is_inner = dwarf_tag(block) == DW_TAG_lexical_block;

	vec_foreach(p, r->statements) {
		unsigned distance = p->line < f->line ? f->line - p->line : p->line - f->line;

		if ((r->line && distance >= r->distance) || p->addr == f->addr ||
		    (is_inner && dwarf_haspc(block, p->addr) != 1) ||
		    !is_readable(r->dwarf, variable, p->addr))
			continue;
		r->line = p->line;
		r->distance = distance;
	}
}

/* Variables and parameters of the name, in PARENT and the blocks of it. */
static void find_readable(struct readable *r, Dwarf_Die *parent)
{
	Dwarf_Attribute attr;
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		const char *text;

		if (tag == DW_TAG_lexical_block)
			find_readable(r, &die);
		if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
			continue;
		text = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attr));
		if (text && !strcmp(text, r->name))
			note_readable(r, &die, parent);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/*
 * A statement at such a line stands where the location was asked for, so it can be read there. At
 * the entry it was asked already.
 */
unsigned dwarf_readable_line(struct dwarf *d, const struct target_function *f, const char *name)
{
	const struct function_info *info = f->priv;
	struct readable r = { .dwarf = d, .function = f, .name = name };
	struct statements statements;
	struct body b;

	if (!info || !open_body(d, info->die, &b))
		return 0;
	statements = body_statements(&b);
	r.statements = &statements;
	find_readable(&r, &b.die);
	return r.line;
}

/* ---- addresses ---- */

/* The innermost copy within PARENT around ADDR; false: none. */
static bool innermost(Dwarf_Die *parent, uint64_t addr, Dwarf_Die *ret)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
		    dwarf_haspc(&die, addr) != 1)
			continue;
		if (innermost(&die, addr, ret))
			return true;
		if (tag == DW_TAG_inlined_subroutine)
			*ret = die;
		return tag == DW_TAG_inlined_subroutine;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

/*
 * The last row that is not behind ADDR, of several at one address best one that begins a statement;
 * what begins there in *RET. false: none in the body.
 */
static bool statement_before(const struct body *b, uint64_t addr, struct statement *ret)
{
	bool found = false;

	*ret = (struct statement){ 0 };
	for (size_t row = first_row(b, addr + 1); row-- > 0;) {
		struct statement p = { 0 };
		Dwarf_Addr at;

		if (dwarf_lineaddr(dwarf_onesrcline(b->lines, row), &at) ||
		    (found && at < ret->addr) ||
		    (b->code.n && at < b->code.data[0].low && !inside(&b->code, at)))
			break;
		if (!row_statement(b, row, &p) || (found && p.within))
			continue;
		*ret = p;
		found = true;
		if (!p.within)
			break;
	}
	return found;
}

/* F becomes the inlined copy DIE. */
static void become_copy(struct dwarf *d, Dwarf_Die *die, struct target_function *f)
{
	struct function_info *info = arena_new(d->target->arena, struct function_info);
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));

	info->die = dwarf_die_ref(d, die);
	f->name = f->base_name = name ? name : f->name;
	f->addr = 0;
	f->inline_addr = dwarf_entry(die);
	f->priv = info;
}

/* Of code that is away from its function's entry; NULL: of none. */
static const struct dwarf_function *parted_around(struct dwarf *d, uint64_t addr)
{
	const struct dwarf_function *record;
	Dwarf_Die unit, die;

	if (!dwarf_open_dies(d) || !dwarf_addrdie(d->dw, addr, &unit) ||
	    !dwarf_parted_around(d, &unit, addr, &die))
		return NULL;
	record = dwarf_index_at(&d->index, dwarf_entry(&die));
	return record && record->die == dwarf_die_ref(d, &die) ? record : NULL;
}

/*
 * The statement that begins at the query's address, in the innermost function around it. Where none
 * does the one before is what is near.
 */
static void add_at_address(struct statement_search *s)
{
	struct dwarf *d = s->dwarf;
	const struct dwarf_function *record = dwarf_index_at(&d->index, s->query->addr);
	struct target_function f;
	struct statement p;
	struct body b;
	Dwarf_Die copy;

	if (!record)
		record = parted_around(d, s->query->addr);
	if (!record || !dwarf_out_of_line(d, record, &f) || !open_body(d, record->die, &b))
		return;
	if (innermost(&b.die, s->query->addr, &copy) && open_body(d, dwarf_die_ref(d, &copy), &b))
		become_copy(d, &copy, &f);
	/* whatever was inlined or moved there: a row says where a statement begins */
	b.rows = ROWS_ALL;
	if (!statement_before(&b, s->query->addr, &p))
		return;
	if (p.addr != s->query->addr && !s->nearest) {
		s->near->addr = p.addr;
		if (!s->query->unaligned)
			return;
		p.addr = s->query->addr;
	}
	f.pc = p.addr;
	f.line = p.line;
	if (target_function_set_holder(&f, p.addr))
		vec_push(s->arena, s->ret, f);
}

void dwarf_find_statements(struct dwarf *d, const struct target_function_query *q, bool nearest,
			   struct target_functions *ret, struct target_near_lines *near)
{
	struct statement_search s = { .dwarf = d,
				      .arena = d->target->arena,
				      .query = q,
				      .nearest = nearest,
				      .ret = ret,
				      .near = near };
	size_t before = ret->n;

	if (q->addr)
		add_at_address(&s);
	else
		dwarf_each_function(d, q, add_function, &s);
	/* a line all of whose code is of copies inlined into what was asked for */
	if (ret->n == before && q->lines.n) {
		s.rows = ROWS_OF_FILE;
		dwarf_each_function(d, q, add_function, &s);
	}
	if (ret->n == before)
		vec_foreach(c, &s.closest)
			vec_push(s.arena, ret, c->function);
}

/* ---- labels ---- */

/* One query against one object. */
struct label_search {
	struct dwarf *dwarf;
	const char *label;
	struct target_functions *ret;
};

/* A label that has an address: of others the code is gone. */
static void add_label(struct label_search *s, const struct target_function *f, Dwarf_Die *die)
{
	struct target_function at = *f;
	Dwarf_Attribute attr;
	Dwarf_Addr pc;
	int line;

	at.label = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	if (!at.label || fnmatch(s->label, at.label, 0) ||
	    dwarf_formaddr(dwarf_attr(die, DW_AT_low_pc, &attr), &pc) || !pc ||
	    !target_function_set_holder(&at, pc))
		return;
	at.pc = pc;
	if (!dwarf_decl_line(die, &line))
		at.line = (unsigned)line;
	vec_push(s->dwarf->target->arena, s->ret, at);
}

static void add_labels(struct label_search *s, const struct target_function *f, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_label)
			add_label(s, f, &die);
		else if (dwarf_tag(&die) == DW_TAG_lexical_block)
			add_labels(s, f, &die);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void add_labels_at(struct label_search *s, const struct target_function *f, uint64_t ref)
{
	Dwarf_Die die;

	if (dwarf_die_at(s->dwarf, ref, &die))
		add_labels(s, f, &die);
}

static void add_function_labels(void *arg, const struct dwarf_function *f)
{
	struct label_search *s = arg;
	const struct dwarf_index *ix = &s->dwarf->index;
	struct target_function out;

	if (dwarf_out_of_line(s->dwarf, f, &out))
		add_labels_at(s, &out, f->die);
	for (uint32_t i = f->first_copy; i < f->first_copy + f->n_copies && i < ix->n_copies; i++)
		if (dwarf_copy(s->dwarf, f, &ix->copies[i], &out))
			add_labels_at(s, &out, ix->copies[i].die);
}

void dwarf_find_labels(struct dwarf *d, const struct target_function_query *q, const char *label,
		       struct target_functions *ret)
{
	struct label_search s = { d, label, ret };

	dwarf_each_function(d, q, add_function_labels, &s);
}
