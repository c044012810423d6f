/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building the DWARF index, in one pass over the units; run in a child process (dwarf_index.c).
 * Functions are children of the unit, or of namespaces and types in it; their bodies are walked
 * only for inlined copies. Types are walked in programs, whose only source they are. An out-of-line
 * copy and its inlined ones name the same abstract DIE (DW_AT_abstract_origin), which has the name,
 * file and line.
 */
#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "target/dwarf_file.h"
#include "target/dwarf_index.h"
#include "target/unit_files.h"

/* A function with code (pc != 0), or one of which only inlined copies exist. */
struct function {
	const char *name, *file;
	unsigned line;
	bool no_return;
	uint64_t pc, end;
	uint64_t die;
	uint64_t
		/* the DIE that stands where the name is declared, a key of scan.scopes */
		declaration;
	VEC(struct dwarf_copy) copies;
};

/* A global; file: the unit's name, "" of a declaration. */
struct variable {
	const char *name, *file;
	uint64_t die, declaration; /* as of a function */
};

/* A type of a program. */
struct type {
	const char *name, *scope;
	unsigned tag;
	uint64_t die;
};

/* State of the pass; everything in arena. */
struct scan {
	struct arena *arena;
	struct interner *strings;
	struct dwarf_file *dwarf;
	struct unit_files files;
	struct map abstract; /* DIE of an inlined function -> its struct function */
	struct map
		/*
		 * DIE of a function or variable -> what it is declared in, unless that is the unit
		 */
		scopes;
	struct map seen;     /* interned names of types, with scope and tag */
	struct map declared; /* names of globals declared so far */
	VEC(struct function *) functions;
	VEC(struct variable) variables;
	VEC(struct type) types;
	const char *unit; /* name of the unit being read */
	size_t comp_dir_len;
	const char *comp_dir;
	bool is_program;               /* see dwarf_index_make() */
	const char *missing;           /* a file with a part that was not found; NULL: none */
	char missing_id[BUILD_ID_HEX]; /* its build-id; "": not known */
};

/* TEXT interned, so that equal strings are written once; NULL becomes "". */
static const char *keep(struct scan *s, const char *text)
{
	return intern(s->strings, text ? text : "")->text;
}

/* "fs/read_write.c" of "/build/linux/fs/read_write.c", or the other way round */
static const char *file_name(const struct scan *s, const char *file)
{
	if (s->is_program)
		return file && *file != '/' && s->comp_dir_len
			       ? arena_printf(s->arena, "%s/%s", s->comp_dir, file)
			       : file;
	if (file && s->comp_dir_len && !strncmp(file, s->comp_dir, s->comp_dir_len) &&
	    file[s->comp_dir_len] == '/')
		return file + s->comp_dir_len + 1;
	return file;
}

/* ---- where a name is declared ---- */

static void *key_of(uint64_t die)
{
	return (void *)(uintptr_t)die;
}

/*
 * A definition says where it is declared, and an inlined or separate copy what it is one of: DWARF
 * 5, 2.13.2 and 3.3.8.1.
 */
static uint64_t declaration_of(struct scan *s, Dwarf_Die *die)
{
	Dwarf_Die at = *die;

	for (int depth = 0; depth < 8 && s->is_program; depth++) {
		Dwarf_Attribute attr;
		Dwarf_Die next;

		if (!dwarf_formref_die(dwarf_attr(&at, DW_AT_abstract_origin, &attr), &next) &&
		    !dwarf_formref_die(dwarf_attr(&at, DW_AT_specification, &attr), &next))
			break;
		at = next;
	}
	return dwarf_file_ref(s->dwarf, &at);
}

/* Known when all units have been walked. */
static const char *scope_of(struct scan *s, uint64_t declaration)
{
	const char *scope = map_get(&s->scopes, key_of(declaration));

	return scope ? scope : keep(s, "");
}

/* Without a declaration: by its code. */
static void find_by_code(struct scan *s, Dwarf_Die *die, struct function *f)
{
	Dwarf_Line *row = s->is_program ? dwarf_entry_row(die) : NULL;
	int line = 0;

	if (!row || dwarf_lineno(row, &line))
		return;
	f->line = line;
	if (!*f->file)
		f->file = keep(s, file_name(s, dwarf_linesrc(row, NULL, NULL)));
}

/* Name, file and line of a function. dwarf_attr_integrate() looks through to the abstract DIE. */
static void describe(struct scan *s, Dwarf_Die *die, struct function *f)
{
	Dwarf_Attribute attr;
	int line = 0;

	f->name = keep(s, dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr)));
	f->file = keep(s, file_name(s, unit_files_declared_in(&s->files, die)));
	dwarf_decl_line(die, &line);
	f->line = line;
	if (!line)
		find_by_code(s, die, f);
	f->no_return = dwarf_hasattr_integrate(die, DW_AT_noreturn);
	f->die = dwarf_file_ref(s->dwarf, die);
	f->declaration = declaration_of(s, die);
}

/*
 * The function that an abstract DIE stands for, made when it is first met. It is listed apart from
 * the function with code.
 */
static struct function *abstract_function(struct scan *s, Dwarf_Die *die)
{
	void *key = key_of(dwarf_file_ref(s->dwarf, die));
	struct function *f = map_get(&s->abstract, key);

	if (f)
		return f;
	f = arena_new(s->arena, struct function);
	describe(s, die, f);
	map_put(&s->abstract, key, f);
	vec_push(s->arena, &s->functions, f);
	return f;
}

/* Which function a DIE with code is one of: the reference of its abstract DIE, or of itself. */
static uint64_t function_of(struct scan *s, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_file_ref(
		s->dwarf, dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin)
				  ? &origin
				  : die);
}

/*
 * GCC splits the rest of a function from its beginning (-fipa-partial-inlining), and may put it
 * back: then it stands in the function as if it were an inlined call of the same, at the line where
 * the function is declared. Nothing is called there.
 */
static bool is_split_rest(Dwarf_Die *die, Dwarf_Die *origin)
{
	Dwarf_Attribute attr;
	Dwarf_Word called;
	int declared;

	return !dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &called) &&
	       !dwarf_decl_line(origin, &declared) && (Dwarf_Word)declared == called;
}

/*
 * A copy without code is left out. WITHIN: the function around it, as of function_of(). The
 * compiler of Go declares no file for what it inlines: that is where the code of a copy is from.
 */
static void add_copy(struct scan *s, Dwarf_Die *die, uint64_t within)
{
	Dwarf_Attribute attr;
	uint64_t pc = dwarf_entry(die);
	Dwarf_Die origin;
	struct function *f;

	if (!pc || !dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin))
		return;
	if (dwarf_file_ref(s->dwarf, &origin) == within && is_split_rest(die, &origin))
		return;
	f = abstract_function(s, &origin);
	if (!*f->file)
		find_by_code(s, die, f);
	vec_push(s->arena, &f->copies,
		 ((struct dwarf_copy){ .pc = pc, .die = dwarf_file_ref(s->dwarf, die) }));
}

#define MAX_DEPTH 32 /* of scopes; deeper is damage */

static bool has_members(unsigned tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void walk_nested(struct scan *s, Dwarf_Die *die, const char *scope, int depth);

/*
 * Inlined copies can be nested in blocks and in each other. SCOPE: of what is declared in the body.
 * WITHIN: see add_copy().
 */
static void walk_body(struct scan *s, Dwarf_Die *parent, uint64_t within, const char *scope,
		      int depth)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_inlined_subroutine) {
			add_copy(s, &die, within);
			walk_body(s, &die, function_of(s, &die), scope, depth);
		} else if (tag == DW_TAG_lexical_block) {
			walk_body(s, &die, within, scope, depth);
		}
		if (s->is_program && (tag == DW_TAG_subprogram || has_members(tag)))
			walk_nested(s, &die, scope, depth);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/*
 * Where a subprogram with code begins, and where its first contiguous part ends. False: a
 * declaration, or abstract.
 */
static bool first_part(Dwarf_Die *die, uint64_t *pc, uint64_t *end)
{
	Dwarf_Addr base, low;

	*end = 0;
	if (dwarf_highpc(die, end))
		dwarf_ranges(die, 0, &base, &low, end);
	*pc = dwarf_entry(die);
	return *pc != 0;
}

/*
 * Text of what stands in DIE, which is in SCOPE. A type without a name is a scope of its own: "::".
 * So is a namespace, which is called as decoded symbols call it.
 */
static const char *scope_within(struct scan *s, Dwarf_Die *die, const char *scope)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));

	if (!name)
		name = dwarf_tag(die) == DW_TAG_namespace ? "(anonymous namespace)" : "";
	return keep(s, arena_printf(s->arena, "%s%s::", scope, name));
}

/*
 * In the body of a program's function, whether it has code itself or only its inlined copies,
 * others may be declared.
 */
static void add_function(struct scan *s, Dwarf_Die *die, const char *scope, int depth)
{
	struct function *f;
	uint64_t pc, end;
	bool has_code = first_part(die, &pc, &end);

	if (has_code) {
		f = arena_new(s->arena, struct function);
		describe(s, die, f);
		f->pc = pc;
		f->end = end;
		vec_push(s->arena, &s->functions, f);
	}
	if (has_code || (s->is_program && dwarf_haschildren(die) > 0))
		walk_body(s, die, function_of(s, die),
			  s->is_program ? scope_within(s, die, scope) : scope, depth);
}

/* A function in the body of another (GNU C, Ada), or a type there, which may have functions. */
static void walk_nested(struct scan *s, Dwarf_Die *die, const char *scope, int depth)
{
	Dwarf_Die member;

	if (depth >= MAX_DEPTH)
		return;
	if (dwarf_tag(die) == DW_TAG_subprogram) {
		map_put(&s->scopes, key_of(dwarf_file_ref(s->dwarf, die)), (void *)scope);
		add_function(s, die, scope, depth + 1);
		return;
	}
	if (dwarf_child(die, &member))
		return;
	scope = scope_within(s, die, scope);
	do {
		unsigned tag = dwarf_tag(&member);

		if (tag == DW_TAG_subprogram || has_members(tag))
			walk_nested(s, &member, scope, depth + 1);
	} while (dwarf_siblingof(&member, &member) == 0);
}

/*
 * A definition has a location, or a value; of declarations one per name is enough, for globals that
 * no unit defines.
 */
static void add_variable(struct scan *s, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));

	if (!name)
		return;
	name = keep(s, name);
	if (dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value)) {
		vec_push(s->arena, &s->variables,
			 ((struct variable){ name, s->unit, dwarf_file_ref(s->dwarf, die),
					     declaration_of(s, die) }));
	} else if (dwarf_hasattr(die, DW_AT_declaration) && !map_has(&s->declared, name)) {
		/* one of each, without a unit */
		map_put(&s->declared, name, die);
		vec_push(
			s->arena, &s->variables,
			((struct variable){ name, keep(s, ""), dwarf_file_ref(s->dwarf, die), 0 }));
	}
}

/* ---- types and what they and namespaces contain ---- */

static bool is_named_type(unsigned tag)
{
	return has_members(tag) || tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef ||
	       tag == DW_TAG_base_type;
}

/* What is only declared is of no use to who asks for it by name. */
static void add_type(struct scan *s, Dwarf_Die *die, unsigned tag, const char *scope)
{
	const char *name = dwarf_diename(die), *key;

	if ((!name && tag != DW_TAG_enumeration_type) || dwarf_hasattr(die, DW_AT_declaration))
		return;
	if (name) {
		key = keep(s, arena_printf(s->arena, "%x %s%s", tag, scope, name));
		if (map_has(&s->seen, key))
			return;
		map_put(&s->seen, key, NULL);
	}
	vec_push(s->arena, &s->types,
		 ((struct type){ keep(s, name), scope, tag, dwarf_file_ref(s->dwarf, die) }));
}

static void walk_scope(struct scan *s, Dwarf_Die *parent, const char *scope, int depth);

static void walk_inner(struct scan *s, Dwarf_Die *die, const char *scope, int depth)
{
	if (depth < MAX_DEPTH)
		walk_scope(s, die, scope_within(s, die, scope), depth + 1);
}

/* Subprograms, variables and types in a unit, a namespace (of Fortran: a module), or a type. */
static void walk_scope(struct scan *s, Dwarf_Die *parent, const char *scope, int depth)
{
	bool is_type = has_members(dwarf_tag(parent));
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		unsigned tag = dwarf_tag(&die);

		if (depth &&
		    (tag == DW_TAG_subprogram || tag == DW_TAG_variable || tag == DW_TAG_member))
			map_put(&s->scopes, key_of(dwarf_file_ref(s->dwarf, &die)), (void *)scope);
		if (tag == DW_TAG_subprogram)
			add_function(s, &die, scope, depth);
		else if (tag == DW_TAG_variable && !is_type)
			add_variable(s, &die);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			walk_inner(s, &die, scope, depth);
		else if (s->is_program && is_named_type(tag))
			add_type(s, &die, tag, scope);
		if (s->is_program && has_members(tag) && dwarf_diename(&die))
			walk_inner(s, &die, scope, depth);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* SKELETON: what stands for the unit in the file itself when it is split off; else the unit. */
static void walk_unit(struct scan *s, Dwarf_Die *unit, Dwarf_Die *skeleton)
{
	Dwarf_Attribute attr;

	s->unit = keep(s, dwarf_diename(unit));
	s->comp_dir = dwarf_formstring(dwarf_attr(skeleton, DW_AT_comp_dir, &attr));
	s->comp_dir_len = s->comp_dir ? strlen(s->comp_dir) : 0;
	walk_scope(s, unit, keep(s, ""), 0);
}

/* ---- the file ---- */

/* The order that dwarf_index.h promises. */
static int function_cmp(const void *a, const void *b)
{
	const struct function *x = *(struct function *const *)a, *y = *(struct function *const *)b;
	int c = strcmp(x->name, y->name);

	if (!c)
		c = strcmp(x->file, y->file);
	if (!c && x->line != y->line)
		c = x->line < y->line ? -1 : 1;
	if (!c && x->pc != y->pc)
		c = x->pc < y->pc ? -1 : 1;
	return c;
}

static int variable_cmp(const void *a, const void *b)
{
	const struct variable *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	if (!c)
		c = strcmp(x->file, y->file);
	return c ? c : x->die < y->die ? -1 : x->die > y->die;
}

static int type_cmp(const void *a, const void *b)
{
	const struct type *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	if (!c)
		c = strcmp(x->scope, y->scope);
	if (!c && x->tag != y->tag)
		c = x->tag < y->tag ? -1 : 1;
	return c ? c : x->die < y->die ? -1 : x->die > y->die;
}

static int copy_cmp(const void *a, const void *b)
{
	const struct dwarf_copy *x = a, *y = b;

	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* To sort functions by pc. */
struct pc_key {
	uint64_t pc;
	uint32_t i;
};

static int pc_cmp(const void *a, const void *b)
{
	const struct pc_key *x = a, *y = b;

	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* The file as it is put together. Strings are added once each. */
struct output {
	struct arena *arena;
	struct dwarf_index_header header;
	VEC(char) strings;
	struct map offsets; /* interned text -> 1 + offset */
};

/* TEXT must be interned: strings are known by address. */
static uint32_t string_offset(struct output *o, const char *text)
{
	void *known = map_get(&o->offsets, text);
	size_t at = o->strings.n;

	if (known)
		return (uintptr_t)known - 1;
	for (const char *p = text;; p++) {
		vec_push(o->arena, &o->strings, *p);
		if (!*p)
			break;
	}
	map_put(&o->offsets, text, (void *)(at + 1));
	return at;
}

/* Reserves a part behind those before it. */
static void reserve(struct output *o, enum dwarf_part part, size_t n, size_t size)
{
	o->header.parts[part] = parts_reserve(&o->header.file_size, n, size);
}

/* Copies of one function stand together, by pc. */
static void emit_functions(struct scan *s, struct output *o, struct dwarf_function *functions,
			   struct dwarf_copy *copies)
{
	size_t n_copies = 0;

	for (size_t i = 0; i < s->functions.n; i++) {
		struct function *f = s->functions.data[i];

		functions[i] = (struct dwarf_function){ .pc = f->pc,
							.end = f->end,
							.name = string_offset(o, f->name),
							.scope = string_offset(
								o, scope_of(s, f->declaration)),
							.file = string_offset(o, f->file),
							.line = f->line,
							.die = f->die,
							.first_copy = n_copies,
							.n_copies = f->copies.n,
							.no_return = f->no_return };
		if (f->copies.n) {
			qsort(f->copies.data, f->copies.n, sizeof(*f->copies.data), copy_cmp);
			memcpy(copies + n_copies, f->copies.data, f->copies.n * sizeof(*copies));
		}
		n_copies += f->copies.n;
	}
}

/*
 * Lays the file out in memory and writes it by rename. Functions and variables are sorted already.
 */
static struct error *write_index(struct scan *s, struct output *o, const char *path)
{
	struct dwarf_function *functions =
		arena_new_array(s->arena, struct dwarf_function, s->functions.n);
	struct pc_key *keys = arena_new_array(s->arena, struct pc_key, s->functions.n);
	struct dwarf_variable *variables =
		arena_new_array(s->arena, struct dwarf_variable, s->variables.n);
	struct dwarf_type *types = arena_new_array(s->arena, struct dwarf_type, s->types.n);
	size_t n_copies = 0, n_keys = 0;
	struct dwarf_copy *copies;
	struct error *err;
	uint32_t *by_pc;
	char *file;

	vec_foreach(f, &s->functions)
		n_copies += (*f)->copies.n;
	copies = arena_new_array(s->arena, struct dwarf_copy, n_copies);
	string_offset(o, keep(s, ""));
	if (s->missing)
		o->header.missing = string_offset(o, keep(s, s->missing));
	if (*s->missing_id)
		o->header.missing_id = string_offset(o, keep(s, s->missing_id));
	emit_functions(s, o, functions, copies);
	for (size_t i = 0; i < s->variables.n; i++) {
		struct variable *v = &s->variables.data[i];

		variables[i] = (struct dwarf_variable){
			string_offset(o, v->name), string_offset(o, v->file),
			string_offset(o, scope_of(s, v->declaration)), 0, v->die
		};
	}
	for (size_t i = 0; i < s->types.n; i++) {
		struct type *t = &s->types.data[i];

		types[i] = (struct dwarf_type){ string_offset(o, t->name),
						string_offset(o, t->scope), t->tag, 0, t->die };
	}
	for (size_t i = 0; i < s->functions.n; i++)
		if (functions[i].pc)
			keys[n_keys++] = (struct pc_key){ functions[i].pc, i };
	qsort(keys, n_keys, sizeof(*keys), pc_cmp);
	o->header.file_size = sizeof(o->header);
	reserve(o, DWARF_STRINGS, o->strings.n, 1);
	reserve(o, DWARF_FUNCTIONS, s->functions.n, sizeof(*functions));
	reserve(o, DWARF_COPIES, n_copies, sizeof(*copies));
	reserve(o, DWARF_BY_PC, n_keys, sizeof(uint32_t));
	reserve(o, DWARF_VARIABLES, s->variables.n, sizeof(*variables));
	reserve(o, DWARF_TYPES, s->types.n, sizeof(*types));
	file = calloc(1, o->header.file_size);
	if (!file)
		arena_out_of_memory();
	memcpy(file, &o->header, sizeof(o->header));
	memcpy(file + o->header.parts[DWARF_STRINGS].off, o->strings.data, o->strings.n);
	memcpy(file + o->header.parts[DWARF_FUNCTIONS].off, functions,
	       s->functions.n * sizeof(*functions));
	memcpy(file + o->header.parts[DWARF_COPIES].off, copies, n_copies * sizeof(*copies));
	by_pc = (void *)(file + o->header.parts[DWARF_BY_PC].off);
	for (size_t i = 0; i < n_keys; i++)
		by_pc[i] = keys[i].i;
	memcpy(file + o->header.parts[DWARF_VARIABLES].off, variables,
	       s->variables.n * sizeof(*variables));
	memcpy(file + o->header.parts[DWARF_TYPES].off, types, s->types.n * sizeof(*types));
	err = file_write_atomic(path, file, o->header.file_size, 0644);
	free(file);
	return err;
}

/* A unit that is split off into a file that cannot be read, or is not there. */
static void note_split(struct scan *s, Dwarf_Die *skeleton)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_dwo_name, &attr)), *dir;

	if (!name)
		name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attr));
	dir = dwarf_formstring(dwarf_attr(skeleton, DW_AT_comp_dir, &attr));
	if (name && !s->missing)
		s->missing = *name == '/' || !dir ? name : path_join(s->arena, dir, name);
}

/* The file that several share, by dwz. */
static void note_alternate(struct scan *s, Dwarf *dw, const char *path)
{
	const char *link, *name = path_base(path);
	const void *id;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(dw, &link, &id);

	if (n <= 0 || dwarf_getalt(dw))
		return;
	s->missing = *link == '/'
			     ? link
			     : arena_printf(s->arena, "%.*s%s", (int)(name - path), path, link);
	if (n == BUILD_ID_SIZE)
		build_id_hex(id, s->missing_id);
}

/*
 * All units, in programs those too that dwz makes of what several have in common, and of types. A
 * header that cannot be read hides those behind it, so that is an error.
 */
static struct error *walk_units(struct scan *s, Dwarf *dw, const char *path)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	uint8_t type;
	int more;

	while ((more = dwarf_get_units(dw, cu, &cu, NULL, &type, &unit, &split)) == 0) {
		if (type == DW_UT_compile ||
		    (s->is_program && (type == DW_UT_partial || type == DW_UT_type)))
			walk_unit(s, &unit, &unit);
		else if (type == DW_UT_skeleton && split.cu)
			walk_unit(s, &split, &unit);
		else if (type == DW_UT_skeleton)
			note_split(s, &unit);
		if (type == DW_UT_compile && dw == s->dwarf->dw)
			dwarf_file_release(s->dwarf, dwarf_dieoffset(&unit));
	}
	return more < 0 ? error_create("%s: %s", path, dwarf_errmsg(-1)) : NULL;
}

/* Scans an opened file and writes its index. */
static struct error *build(struct dwarf_file *file, struct arena *arena, const char *path,
			   const unsigned char build_id[BUILD_ID_SIZE], bool is_program,
			   const char *out)
{
	struct scan s = { .arena = arena, .dwarf = file, .is_program = is_program };
	struct output o = { .arena = arena };
	struct error *err;

	s.strings = interner_create(s.arena);
	map_init(&s.abstract, s.arena);
	map_init(&s.declared, s.arena);
	map_init(&s.scopes, s.arena);
	map_init(&s.seen, s.arena);
	map_init(&o.offsets, s.arena);
	unit_files_init(&s.files, s.arena);
	note_alternate(&s, file->dw, path);
	err = walk_units(&s, file->dw, path);
	if (!err && is_program && dwarf_getalt(file->dw))
		err = walk_units(&s, dwarf_getalt(file->dw), path);
	unit_files_deinit(&s.files);
	if (err)
		return err;
	if (s.functions.n)
		qsort(s.functions.data, s.functions.n, sizeof(*s.functions.data), function_cmp);
	if (s.variables.n)
		qsort(s.variables.data, s.variables.n, sizeof(*s.variables.data), variable_cmp);
	if (s.types.n)
		qsort(s.types.data, s.types.n, sizeof(*s.types.data), type_cmp);
	memcpy(o.header.magic, DWARF_INDEX_MAGIC, sizeof(o.header.magic));
	o.header.version = DWARF_INDEX_VERSION;
	o.header.header_size = sizeof(o.header);
	memcpy(o.header.build_id, build_id, BUILD_ID_SIZE);
	o.header.image_size = lseek(file->fd, 0, SEEK_END);
	o.header.image = file_identity(path);
	return write_index(&s, &o, out);
}

struct error *dwarf_index_build(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
				bool is_program, const char *out)
{
	struct dwarf_file file;
	struct error *err = dwarf_file_open(path, &file);
	struct arena *arena;

	if (err)
		return err;
	arena = arena_create();
	err = build(&file, arena, path, build_id, is_program, out);
	dwarf_file_close(&file);
	arena_destroy(arena);
	return err;
}
