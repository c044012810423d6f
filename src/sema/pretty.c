/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * $x$ and $x$$: a value as text after its type: one sprintf whose arguments
 * are the members. Every member is a fetch of its own, by the query of the whole with a longer
 * path. $x$ shows the members of the outermost aggregate, $x$$ those of aggregates within it,
 * too.
 */
#include <assert.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/effects.h"
#include "sema/bind.h"
#include "target/types.h"

#define PRETTY_MAX 32 /* values per string, and numbers per list */
#define PRETTY_DEPTH 8
#define PRETTY_MEMBERS                                                                             \
	512 /* looked at for one text, its variants and all: types may contain themselves in damaged debug information */
#define BASE_MAX 32  /* steps of the script's own path */
#define TEXT_STEPS 8 /* of a text_form */

/*
 * The sprintf in the making, and the path to the value being added. base->path is the beginning
 * of path.
 */
struct pretty {
	struct bind *b;
	const struct ast_expr *ast;
	const struct target_query *base;
	const struct ir_exprs *operands;
	struct strbuf text;
	struct ir_exprs args;
	/* add_aggregate() and add_members() allow for PRETTY_DEPTH + 1 steps each */
	struct target_access path[BASE_MAX + 2 * (PRETTY_DEPTH + 1) + TEXT_STEPS];
	size_t n_path;
	unsigned depth,
		n_members; /* of add_members(): how deep it is in itself, and members so far */
	bool entry;
	/* an address leads to the object: the value that base names, or its own */
	bool by_pointer, by_address;
};

static void add_value(struct pretty *p, const struct target_type *type);

/* The value (or with address its address) at the present path, or NULL. */
static struct ir_expr *fetch_here(struct pretty *p, bool address, struct target_value *ret)
{
	struct bind *b = p->b;
	struct target_query q = *p->base;
	struct ir_varying *varying;
	struct ir_expr *e;

	q.path = arena_new_array(b->s->arena, struct target_access, p->n_path + 1);
	for (size_t i = 0; i < p->n_path; i++)
		((struct target_access *)q.path)[i] = p->path[i];
	q.n_path = p->n_path;
	q.address_of = address;
	*ret = context_resolve(b->s, b->cx, &q, p->entry, &varying);
	if (ret->status != TARGET_OK)
		return NULL;
	e = bind_new(b, IR_FETCH, IR_LONG, p->ast);
	e->fetch.load = ret->load;
	e->fetch.operands = *p->operands;
	e->fetch.size = ret->size;
	e->fetch.is_signed = ret->is_signed;
	e->fetch.varying = varying;
	if (ret->full_regs && b->cx)
		b->cx->probe->full_regs = true;
	return e;
}

/* One conversion and its value; "?" when it cannot be read. */
static void add_scalar(struct pretty *p, const char *conversion)
{
	struct target_value v;
	struct ir_expr *e = fetch_here(p, false, &v);

	if (!e) {
		strbuf_addc(&p->text, '?');
		return;
	}
	strbuf_adds(&p->text, conversion);
	vec_push(p->b->s->arena, &p->args, e);
}

/*
 * A number, by the names that a trace event's format has for it where it is a parameter of a
 * tracepoint.
 */
static void add_number(struct pretty *p, const struct target_type *type)
{
	const struct target_names *names =
		p->n_path || p->base->base != TARGET_LOCAL
			? NULL
			: context_event_names(p->b->s, p->b->cx, p->base->name, p->entry);
	struct target_value v;
	struct ir_expr *e = names ? fetch_here(p, false, &v) : NULL;

	if (!e) {
		add_scalar(p, target_type_signed(type) ? "%i" : "%u");
		return;
	}
	strbuf_adds(&p->text, "%s");
	vec_push(p->b->s->arena, &p->args, bind_names_of(p->b, names, e, p->ast));
}

/* NULL is no type, and so not char. */
static bool is_char(const struct target_type *type)
{
	return type && target_type_kind(type) == TARGET_TYPE_CHAR;
}

/* A call of a function of the library whose answer is text; false: there is none of that name. */
static bool add_call(struct pretty *p, const char *function, const struct ir_exprs *args)
{
	const struct istr *name = intern(p->b->s->in, function);
	const struct sema_function *any;

	if (!sema_find_function(p->b->s, p->b->file, name, args->n, &any))
		return false;
	strbuf_adds(&p->text, "%s");
	vec_push(p->b->s->arena, &p->args, bind_call(p->b, name, args, p->ast));
	return true;
}

/* By whether the memory is of a process, and whether a number of bytes follows the address. */
static const char *const text_functions[2][2] = {
	{ "kernel_string_quoted", "_stp_kernel_string_n_quoted" },
	{ "user_string_quoted", "user_string_n_quoted" },
};

/*
 * Text at an address, quoted: up to its NUL, and of an array whose COUNT is known (not 0) up to its
 * end, whichever comes first.
 */
static void add_text_at(struct pretty *p, struct ir_expr *address, bool is_user, uint64_t count)
{
	struct ir_exprs args = { 0 };

	vec_push(p->b->s->arena, &args, address);
	if (count)
		vec_push(p->b->s->arena, &args, bind_number(p->b, (int64_t)count, p->ast));
	if (add_call(p, text_functions[is_user][count != 0], &args))
		return;
	strbuf_adds(&p->text, "%p");
	vec_push(p->b->s->arena, &p->args, address);
}

static void enter_step(struct pretty *p, struct target_access step)
{
	assert(p->n_path < sizeof(p->path) / sizeof(*p->path));
	step.operand = -1;
	p->path[p->n_path++] = step;
}

/* One more step of the path, until leave(). */
static void enter(struct pretty *p, const char *member)
{
	enter_step(p, (struct target_access){ .member = member });
}

/* The same to the element at that subscript. */
static void enter_element(struct pretty *p, int64_t subscript)
{
	enter_step(p, (struct target_access){ .literal = subscript });
}

/* The same into the member at that number, which has no name. */
static void enter_unnamed(struct pretty *p, size_t number)
{
	enter_step(p, (struct target_access){ .number = (unsigned)number + 1 });
}

static void leave(struct pretty *p)
{
	p->n_path--;
}

static struct ir_expr *binary(struct pretty *p, enum ir_op op, struct ir_expr *left,
			      struct ir_expr *right)
{
	struct ir_expr *e = bind_new(p->b, IR_BINARY, IR_LONG, p->ast);

	e->binary.op = op;
	e->binary.left = left;
	e->binary.right = right;
	return e;
}

/*
 * Up to eight characters of the array at the present path, from subscript FIRST on, the first in
 * the lowest byte. NULL: one of them cannot be read.
 */
static struct ir_expr *word_of_chars(struct pretty *p, int64_t first, uint64_t n)
{
	struct ir_expr *word = NULL;

	for (uint64_t i = 0; i < n && i < 8; i++) {
		struct target_value v;
		struct ir_expr *c;

		enter_element(p, first + (int64_t)i);
		c = fetch_here(p, false, &v);
		leave(p);
		if (!c)
			return NULL;
		c = binary(p, IR_OP_AND, c, bind_number(p->b, 0xff, p->ast));
		if (i)
			c = binary(p, IR_OP_SHL, c, bind_number(p->b, (int64_t)(8 * i), p->ast));
		word = word ? binary(p, IR_OP_OR, word, c) : c;
	}
	return word;
}

#define CHARS_WORDS 4 /* that _stp_chars_quoted() takes */

/* The text of a char array that has no address, since it is in registers. */
static void add_chars(struct pretty *p, const struct target_type *type)
{
	uint64_t count = target_type_count(type);
	struct ir_exprs args = { 0 };

	if (!count || count > 8 * CHARS_WORDS) {
		strbuf_addc(&p->text, '?');
		return;
	}
	vec_push(p->b->s->arena, &args, bind_number(p->b, (int64_t)count, p->ast));
	for (uint64_t at = 0; at < 8 * CHARS_WORDS; at += 8) {
		struct ir_expr *word =
			at < count ? word_of_chars(p, target_type_first(type) + (int64_t)at,
						   count - at)
				   : bind_number(p->b, 0, p->ast);

		if (!word) {
			strbuf_addc(&p->text, '?');
			return;
		}
		vec_push(p->b->s->arena, &args, word);
	}
	if (!add_call(p, "_stp_chars_quoted", &args))
		strbuf_addc(&p->text, '?');
}

/* Text at a char pointer; "?" when that cannot be read. */
static void add_pointed_text(struct pretty *p)
{
	struct target_value v;
	struct ir_expr *address = fetch_here(p, false, &v);

	if (address)
		add_text_at(p, address, v.type && target_type_is_user(v.type), 0);
	else
		strbuf_addc(&p->text, '?');
}

/* The text in a char array. */
static void add_array_text(struct pretty *p, const struct target_type *type)
{
	struct target_value v;
	struct ir_expr *address = fetch_here(p, true, &v);

	if (address)
		add_text_at(p, address, v.type && target_type_is_user(v.type),
			    target_type_count(type));
	else
		add_chars(p, type);
}

/* An aggregate within another is cut short with $x$, and below PRETTY_DEPTH. */
static bool is_cut(const struct pretty *p, bool nested)
{
	return nested && (p->ast->target.pretty < 2 || p->n_path > PRETTY_DEPTH + p->base->n_path);
}

/* ---- text and slices of other languages ---- */

/*
 * A struct that is text or a slice: paths to the pointer and to the number of elements, each of
 * members up to a NULL. members: it must have these and no others, in this order, for structs of
 * the language may have members of these names, too; none: the names in the paths are reserved
 * ones. A slice is text when its elements are bytes, else what else_numbers says: a list of
 * numbers, or a struct like any.
 */
static const struct text_form {
	const char *pointer[TEXT_STEPS], *length[4], *members[4];
	enum target_language language;
	bool else_numbers;
} text_forms[] = {
	/*
	 * Rust: &str and slices; String (library/alloc/src/string.rs, raw_vec.rs), of 1.84 on and
	 * before
	 */
	{ { "data_ptr" }, { "length" }, { "data_ptr", "length" }, TARGET_LANGUAGE_RUST, true },
	{ { "vec", "buf", "inner", "ptr", "pointer", "pointer" },
	  { "vec", "len" },
	  { "vec" },
	  TARGET_LANGUAGE_RUST,
	  false },
	{ { "vec", "buf", "ptr", "pointer", "pointer" },
	  { "vec", "len" },
	  { "vec" },
	  TARGET_LANGUAGE_RUST,
	  false },
	/* Go: string (runtime/string.go) and slices (runtime/slice.go) */
	{ { "str" }, { "len" }, { "str", "len" }, TARGET_LANGUAGE_GO, false },
	{ { "array" }, { "len" }, { "array", "len", "cap" }, TARGET_LANGUAGE_GO, true },
	/* std::string of libstdc++ (bits/basic_string.h) */
	{ { "_M_dataplus", "_M_p" }, { "_M_string_length" }, { NULL }, TARGET_LANGUAGE_ANY, false },
};

/* The type at the end of a path of named members; NULL: there is no such path. */
static const struct target_type *type_along(struct pretty *p, const struct target_type *type,
					    const char *const *path)
{
	for (; *path && type; path++) {
		const struct target_member *m;
		size_t n = target_type_members(p->b->s->input->env->target, type, &m), i = 0;

		while (i < n && strcmp(m[i].name, *path))
			i++;
		type = i < n ? m[i].type : NULL;
	}
	return type;
}

/* Has the type the members that the form names, if it does, and no others? */
static bool has_members(struct pretty *p, const struct target_type *type, const struct text_form *f)
{
	const struct target_member *m;
	size_t n = target_type_members(p->b->s->input->env->target, type, &m), i = 0;

	if (!f->members[0])
		return true;
	while (i < n && f->members[i] && m[i].name && !strcmp(m[i].name, f->members[i]))
		i++;
	return i == n && !f->members[i];
}

/* The type of the elements of TYPE, which has the form F; NULL: it has not. */
static const struct target_type *element_type(struct pretty *p, const struct target_type *type,
					      const struct text_form *f)
{
	const struct target_type *pointer = type_along(p, type, f->pointer),
				 *length = type_along(p, type, f->length);

	return pointer && length && has_members(p, type, f) &&
			       target_type_kind(pointer) == TARGET_TYPE_POINTER &&
			       target_type_is_user(pointer) &&
			       target_type_kind(length) == TARGET_TYPE_INT &&
			       target_type_is_of(type, f->language)
		       ? target_type_pointee(pointer)
		       : NULL;
}

/* What _stp_user_list() shows an element by; 0: elements of this type are not shown. */
static char list_conversion(const struct target_type *element)
{
	switch (target_type_kind(element)) {
	case TARGET_TYPE_INT:
	case TARGET_TYPE_BOOL:
	case TARGET_TYPE_ENUM:
		return target_type_size(element) > 8 ? 0 : target_type_signed(element) ? 'i' : 'u';
	case TARGET_TYPE_POINTER:
		return 'p';
	default:
		return 0;
	}
}

/* Is text made of it? u8 of Rust and uint8 of Go are numbers (target/dwarf_types.c). */
static bool is_byte(const struct target_type *element)
{
	enum target_type_kind kind = target_type_kind(element);

	return target_type_size(element) == 1 &&
	       (kind == TARGET_TYPE_CHAR ||
		(kind == TARGET_TYPE_INT && !target_type_signed(element)));
}

static struct ir_expr *fetch_along(struct pretty *p, const char *const *path)
{
	size_t before = p->n_path;
	struct target_value v;
	struct ir_expr *e;

	for (; *path; path++)
		enter(p, *path);
	e = fetch_here(p, false, &v);
	p->n_path = before;
	return e;
}

/* The form of a struct of TYPE that is text or a slice which can be shown; NULL: it is neither. */
static const struct text_form *find_form(struct pretty *p, const struct target_type *type,
					 const struct target_type **element)
{
	for (size_t i = 0; i < sizeof(text_forms) / sizeof(*text_forms); i++) {
		const struct text_form *f = &text_forms[i];

		*element = element_type(p, type, f);
		if (*element &&
		    (is_byte(*element) || (f->else_numbers && list_conversion(*element))))
			return f;
	}
	return NULL;
}

/*
 * false: the struct is to be shown as any other, for it is no text or slice, or a slice of which a
 * part cannot be read. As an aggregate, a list that is NESTED is cut short.
 */
static bool add_sized(struct pretty *p, const struct target_type *type, bool nested)
{
	const struct target_type *element;
	const struct text_form *f = find_form(p, type, &element);
	struct ir_exprs args = { 0 };
	struct ir_expr *pointer, *length;
	bool is_list = f && !is_byte(element);

	if (!f)
		return false;
	if (is_list && is_cut(p, nested)) {
		strbuf_adds(&p->text, "[...]");
		return true;
	}
	pointer = fetch_along(p, f->pointer);
	length = pointer ? fetch_along(p, f->length) : NULL;
	if (!length) {
		if (!is_list)
			strbuf_addc(&p->text, '?');
		return !is_list;
	}
	vec_push(p->b->s->arena, &args, pointer);
	vec_push(p->b->s->arena, &args, length);
	if (is_list) {
		vec_push(p->b->s->arena, &args,
			 bind_number(p->b, (int64_t)target_type_size(element), p->ast));
		vec_push(p->b->s->arena, &args,
			 bind_number(p->b, list_conversion(element), p->ast));
		vec_push(p->b->s->arena, &args, bind_number(p->b, PRETTY_MAX, p->ast));
	}
	strbuf_adds(&p->text, "%s");
	vec_push(p->b->s->arena, &p->args,
		 bind_call(p->b,
			   intern(p->b->s->in, is_list ? "_stp_user_list" : "user_string_n_quoted"),
			   &args, p->ast));
	return true;
}

/* Counts one more member; false: there were too many. */
static bool may_add(struct pretty *p)
{
	return p->n_members++ < PRETTY_MEMBERS;
}

/* ---- variants ---- */

static void add_members(struct pretty *p, const struct target_type *type);

/* One variant as a text of its own: a struct is shown as deep as what it is a variant of. */
static struct ir_expr *variant_text(struct pretty *p, const struct target_member *m)
{
	struct strbuf text = p->text;
	struct ir_exprs args = p->args;
	struct ir_expr *e;

	strbuf_init(&p->text);
	p->args = (struct ir_exprs){ 0 };
	strbuf_addf(&p->text, ".%s=", m->name);
	enter(p, m->name);
	if (m->type && target_type_kind(m->type) == TARGET_TYPE_STRUCT)
		add_members(p, m->type);
	else
		add_value(p, m->type);
	leave(p);
	e = bind_sprint(p->b, arena_strndup(p->b->s->arena, strbuf_cstr(&p->text), p->text.len),
			&p->args, p->ast);
	strbuf_deinit(&p->text);
	p->text = text;
	p->args = args;
	return e;
}

/* Does the discriminant have the variant's value? NULL: it cannot be read. */
static struct ir_expr *is_variant(struct pretty *p, const char *discriminant, int64_t value)
{
	struct target_value v;
	struct ir_expr *e, *fetch;

	enter(p, discriminant);
	fetch = fetch_here(p, false, &v);
	leave(p);
	if (!fetch)
		return NULL;
	e = bind_new(p->b, IR_COMPARE, IR_LONG, p->ast);
	e->binary.op = IR_OP_EQ;
	e->binary.left = fetch;
	e->binary.right = bind_number(p->b, value, p->ast);
	return e;
}

/* The variant that is there, of those among the members; "?" when it cannot be told. */
static void add_variants(struct pretty *p, const struct target_member *members, size_t n)
{
	struct ir_expr *e = bind_sprint(p->b, "?", &(struct ir_exprs){ 0 }, p->ast);
	const char *discriminant = NULL;

	for (size_t i = 0; i < n; i++)
		if (members[i].role == MEMBER_DISCRIMINANT)
			discriminant = members[i].name;
		else if (members[i].role == MEMBER_OTHERWISE && may_add(p))
			e = variant_text(p, &members[i]);
	for (size_t i = n; i-- > 0;) {
		struct ir_expr *cond, *choice;

		if (members[i].role != MEMBER_VARIANT || !discriminant || !may_add(p))
			continue;
		cond = is_variant(p, discriminant, members[i].value);
		if (!cond)
			break;
		choice = bind_new(p->b, IR_TERNARY, IR_STRING, p->ast);
		choice->ternary.cond = cond;
		choice->ternary.yes = variant_text(p, &members[i]);
		choice->ternary.no = e;
		e = choice;
	}
	strbuf_adds(&p->text, "%s");
	vec_push(p->b->s->arena, &p->args, e);
}

/* ---- aggregates ---- */

/*
 * The path grows by the member and shrinks again. What is beyond PRETTY_MAX or PRETTY_MEMBERS is
 * shown as "...", what is beyond PRETTY_DEPTH as "{...}".
 */
static void add_members(struct pretty *p, const struct target_type *type)
{
	const struct target_member *members;
	size_t n = target_type_members(p->b->s->input->env->target, type, &members);

	if (p->depth > PRETTY_DEPTH) {
		strbuf_adds(&p->text, "{...}");
		return;
	}
	p->depth++;
	strbuf_addc(&p->text, '{');
	for (size_t i = 0; i < n; i++) {
		bool named = members[i].name && *members[i].name;

		if (p->args.n >= PRETTY_MAX || !may_add(p)) {
			strbuf_adds(&p->text, i ? ", ..." : "...");
			break;
		}
		if (members[i].role != MEMBER_PLAIN) {
			strbuf_adds(&p->text, i ? ", " : "");
			add_variants(p, members + i, n - i);
			break;
		}
		strbuf_adds(&p->text, i ? ", " : "");
		if (named) {
			strbuf_addf(&p->text, ".%s=", members[i].name);
			enter(p, members[i].name);
			add_value(p, members[i].type);
			leave(p);
		} else {
			/* by their names alone its members may be those of another base class */
			enter_unnamed(p, i);
			add_members(p, members[i].type);
			leave(p);
		}
	}
	strbuf_addc(&p->text, '}');
	p->depth--;
}

/* Of an array only the first element is shown; an array of char is a text. */
static void add_elements(struct pretty *p, const struct target_type *type)
{
	const struct target_type *element = target_type_pointee(type);

	if (is_char(element)) {
		add_array_text(p, type);
		return;
	}
	strbuf_addc(&p->text, '[');
	enter_element(p, target_type_first(type));
	add_value(p, element);
	leave(p);
	strbuf_adds(&p->text, target_type_count(type) != 1 ? ", ...]" : "]");
}

static void add_aggregate(struct pretty *p, const struct target_type *type, bool is_array,
			  bool nested)
{
	if (is_cut(p, nested))
		strbuf_adds(&p->text, is_array ? "[...]" : "{...}");
	else if (is_array)
		add_elements(p, type);
	else
		add_members(p, type);
}

/* By the kind of its type; what has no text is "?". */
static void add_value(struct pretty *p, const struct target_type *type)
{
	bool nested = p->n_path > p->base->n_path;

	switch (type ? target_type_kind(type) : TARGET_TYPE_VOID) {
	case TARGET_TYPE_INT:
	case TARGET_TYPE_BOOL:
	case TARGET_TYPE_ENUM:
		add_number(p, type);
		break;
	case TARGET_TYPE_CHAR:
		add_scalar(p, "'%#c'");
		break;
	case TARGET_TYPE_POINTER:
		if (is_char(target_type_pointee(type)))
			add_pointed_text(p);
		else
			add_scalar(p, "%p");
		break;
	case TARGET_TYPE_STRUCT:
	case TARGET_TYPE_UNION:
		/*
		 * text is a value like any other, a char array too: only real aggregates are cut
		 * short
		 */
		if (!add_sized(p, type, nested))
			add_aggregate(p, type, false, nested);
		break;
	case TARGET_TYPE_ARRAY:
		add_aggregate(p, type, true, nested && !is_char(target_type_pointee(type)));
		break;
	case TARGET_TYPE_FLOAT:
	case TARGET_TYPE_FUNCTION:
	case TARGET_TYPE_VOID:
		strbuf_addc(&p->text, '?');
		break;
	}
}

/* Has the type parts, which may be read one by one? */
static bool is_aggregate(const struct target_type *type)
{
	enum target_type_kind kind = target_type_kind(type);

	return kind == TARGET_TYPE_STRUCT || kind == TARGET_TYPE_UNION || kind == TARGET_TYPE_ARRAY;
}

/*
 * The type of the object the query names; a pointer to an aggregate is followed. The answer
 * shapes the handler (context_by_type). NULL: *v says why not.
 */
static const struct target_type *object_type(struct pretty *p, struct target_value *v)
{
	const struct target_type *type, *pointee;
	struct target_query q = *p->base;
	struct ir_varying *varying;

	*v = context_resolve(p->b->s, p->b->cx, &q, p->entry, &varying);
	context_by_type(p->b->cx);
	if (v->status == TARGET_OK) {
		type = v->type;
		pointee = type && target_type_kind(type) == TARGET_TYPE_POINTER
				  ? target_type_pointee(type)
				  : NULL;
		p->by_pointer = pointee && (target_type_kind(pointee) == TARGET_TYPE_STRUCT ||
					    target_type_kind(pointee) == TARGET_TYPE_UNION);
		return p->by_pointer ? pointee : type;
	}
	if (v->is_implicit && is_aggregate(target_type_pointee(v->type)))
		return target_type_pointee(v->type);
	type = v->status == TARGET_BAD_ACCESS ? v->type : NULL;
	q.address_of = true;
	*v = context_resolve(p->b->s, p->b->cx, &q, p->entry, &varying);
	context_by_type(p->b->cx);
	/* in registers, member by member */
	if (v->status == TARGET_BAD_ACCESS && v->tag == DIAG_NO_ADDRESS && type &&
	    is_aggregate(type))
		return type;
	if (v->status != TARGET_OK || !v->type)
		return NULL;
	p->by_address = true;
	return target_type_kind(v->type) == TARGET_TYPE_POINTER ? target_type_pointee(v->type)
								: v->type;
}

/*
 * What is shown where the object cannot be read: the address that was to lead to it, else "?".
 * Pointers may have no value yet, or lead nowhere.
 */
static struct ir_expr *unreadable_text(struct pretty *p)
{
	struct bind *b = p->b;
	struct ir_exprs none = { 0 }, args = { 0 };
	struct target_value v;
	struct ir_expr *e, *address = NULL;

	if (p->by_pointer || p->by_address)
		address = fetch_here(p, p->by_address, &v);
	if (!address)
		return bind_sprint(b, "?", &none, p->ast);
	vec_push(b->s->arena, &args, address);
	e = bind_sprint(b, "%p", &args, p->ast);
	if (ir_text_may_fail(&args))
		e->print.otherwise = bind_sprint(b, "?", &none, p->ast);
	return e;
}

void bind_pretty_functions(struct bind *b, const struct ast_expr *ast, struct ir_expr *any)
{
	struct ir_exprs args = { 0 };

	for (size_t bounded = 0; bounded < 2; bounded++) {
		const struct istr *name = intern(b->s->in, text_functions[0][bounded]);
		const struct sema_function *none;

		vec_push(b->s->arena, &args, any);
		if (sema_find_function(b->s, b->file, name, args.n, &none))
			bind_call(b, name, &args, ast);
	}
}

/*
 * The values that the handler reads are limited by PRETTY_MAX, their paths by the array in
 * struct pretty.
 */
struct ir_expr *bind_pretty(struct bind *b, const struct ast_expr *ast, struct target_query *q,
			    const struct ir_exprs *operands)
{
	struct pretty p = {
		.b = b, .ast = ast, .base = q, .operands = operands, .n_path = q->n_path
	};
	struct target_value v;
	const struct target_type *type;
	struct ir_expr *e;

	if (q->n_path > BASE_MAX) {
		sema_token(b->s, diag_report(b->s->sink, DIAG_PATH_LONG, ast->span),
			   "operator '$'");
		return bind_poison(b, ast);
	}
	p.entry = b->in_entry || !(b->cx && b->cx->is_return);
	for (size_t i = 0; i < q->n_path; i++)
		p.path[i] = q->path[i];
	type = object_type(&p, &v);
	if (!type)
		return bind_unresolved(b, ast, &v);
	strbuf_init(&p.text);
	add_value(&p, type);
	e = bind_sprint(b, arena_strndup(b->s->arena, strbuf_cstr(&p.text), p.text.len), &p.args,
			ast);
	strbuf_deinit(&p.text);
	if (ir_text_may_fail(&p.args))
		e->print.otherwise = unreadable_text(&p);
	return e;
}
