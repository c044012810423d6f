/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes programs. Types are right by construction; loops end because a local counts them that
 * nothing else assigns, recursion because its first argument does; no array is changed while it is
 * walked. Errors arise where they are seen: in what is printed, in error(), and in stores to arrays
 * of a fixed size, all of which are printed at the end.
 */
#include "maker.h"

enum { DEPTH = 4, STATEMENTS = 5 };

static struct node *statement(struct maker *m, enum node_kind kind, struct node *a, struct node *b)
{
	struct node *n = make(m, kind, TYPE_NONE);

	n->kid[0] = a;
	n->kid[1] = b;
	return n;
}

/* ---- statements ---- */

static struct node *make_list(struct maker *m);

/* Does the expression have its type whatever the types of variables are? */
static bool is_certain(const struct node *n)
{
	return n->kind != E_VARIABLE && n->kind != E_COND && n->kind != E_CALL &&
	       n->kind != E_ASSIGN && n->kind != E_MATCHED;
}

/* Whatever is not elided and not in a branch tells types for certain. */
static void note_types(struct maker *m, const struct node *assign)
{
	const struct node *left = assign->kid[0];

	if (m->nesting > 1 || !is_certain(assign->kid[1]))
		return;
	for (const struct node *key = left->args; key; key = key->next)
		if (!is_certain(key))
			return;
	if (left->var->is_local)
		m->typed_locals |= 1ull << left->var->index;
	else if (!m->function)
		m->typed_globals |= 1u << left->var->index;
}

static struct node *make_assign_statement(struct maker *m)
{
	struct node *n = make_assignment(m, TYPE_LONG + below(m, 2), 1 + below(m, DEPTH));

	note_types(m, n);
	return statement(m, S_EXPRESSION, n, NULL);
}

static struct node *make_print_statement(struct maker *m)
{
	struct node *n;

	m->may_fail = true;
	n = make_print(m, TYPE_NONE, 1 + below(m, DEPTH - 1));
	m->may_fail = false;
	return statement(m, S_EXPRESSION, n, NULL);
}

static struct node *make_feed(struct maker *m)
{
	struct variable *v = pick_global(m, TYPE_STATS, chance(m, 2), true);
	struct node *sample;

	if (!v)
		return make_print_statement(m);
	sample = chance(m, 2) ? literal(m, below(m, 100))
			      : binary(m, OP_MOD, make_long(m, 2), literal(m, 1000));
	return statement(m, S_FEED, make_element(m, v), sample);
}

/* c++, c += e: what the compiler may keep apart for each CPU. */
static struct node *make_count(struct maker *m)
{
	struct node *n;

	for (unsigned i = 0; i < m->p->n_globals; i++) {
		struct variable *v = m->p->globals[i];

		if (!v->counter || !chance(m, 2))
			continue;
		n = make(m, E_STEP, TYPE_LONG);
		n->op = OP_INC + chance(m, 3);
		n->kid[0] = use(m, v);
		n->flag = chance(m, 2);
		if (chance(m, 2))
			n = assignment(m, OP_ADD_TO + chance(m, 3), use(m, v), make_long(m, 2));
		return statement(m, S_EXPRESSION, n, NULL);
	}
	return statement(m, S_EXPRESSION, make_step(m), NULL);
}

static struct node *make_if(struct maker *m)
{
	struct node *n = statement(m, S_IF, NULL, NULL);

	n->kid[0] = chance(m, 12) ? literal(m, below(m, 2)) : make_long(m, 1 + below(m, 3));
	n->kid[1] = make_list(m);
	if (chance(m, 2))
		n->kid[2] = make_list(m);
	return n;
}

static struct node *make_loop(struct maker *m)
{
	struct variable *counter;
	struct node *n, *step;

	if (m->scope->n >= MAX_LOCALS - 10)
		return make_print_statement(m);
	counter = new_local(m, TYPE_LONG, true);
	step = make(m, E_STEP, TYPE_LONG);
	step->op = OP_INC;
	step->kid[0] = use(m, counter);
	m->loops++;
	if (chance(m, 3)) {
		n = statement(m, S_WHILE, NULL, NULL);
		n->kid[0] = binary(m, OP_LT, step, literal(m, below(m, 5)));
		n->kid[1] = make_list(m);
	} else {
		n = statement(m, S_FOR, NULL, NULL);
		n->kid[0] = assignment(m, OP_ASSIGN, use(m, counter), literal(m, below(m, 3)));
		n->kid[1] = binary(m, OP_LT, use(m, counter), literal(m, below(m, 6)));
		n->kid[2] = step;
		n->kid[3] = make_list(m);
	}
	m->loops--;
	return n;
}

/* Keys and value of a loop: distinct. */
static struct node *make_loop_variable(struct maker *m, enum type type, struct variable **taken,
				       unsigned n)
{
	struct variable *v = chance(m, 3) && m->scope->n < MAX_LOCALS - 12
				     ? new_local(m, type, false)
				     : pick_scalar(m, type, true);

	for (unsigned i = 0; i < n; i++)
		if (!v || taken[i] == v)
			v = new_local(m, type, false);
	if (!v)
		v = new_local(m, type, false);
	taken[n] = v;
	return use(m, v);
}

/* How it is ordered, and how far it goes. */
static void make_order(struct maker *m, struct node *n)
{
	const struct variable *v = n->var;

	if (!chance(m, 3)) {
		n->number = chance(m, 2) ? -1 : (int)below(m, v->n_keys) + 1;
		n->flag = chance(m, 2);
	}
	n->op = v->type == TYPE_STATS && n->number == -1 ? below(m, N_FIGURES) : FIG_COUNT;
	m->pure = true;
	if (chance(m, 3))
		n->kid[0] = chance(m, 2) ? literal(m, below(m, 4)) : make_long(m, 1);
	if (chance(m, 4))
		n->args = make_keys(m, v, true);
	m->pure = false;
}

/*
 * Its first statement has an effect: a loop without is dropped, and would have left the array in
 * another order.
 */
static struct node *make_foreach(struct maker *m)
{
	struct variable *v = pick_global(m, TYPE_LONG + below(m, 3), true, false),
			*taken[MAX_KEYS + 1];
	unsigned locked = m->locked, n_taken = 0;
	struct node *n, **last, *print;

	if (!v || m->scope->n >= MAX_LOCALS - 20)
		return make_print_statement(m);
	n = statement(m, S_FOREACH, NULL, NULL);
	n->var = v;
	last = &n->kid[3];
	for (unsigned i = 0; i < v->n_keys; i++) {
		*last = make_loop_variable(m, v->keys[i], taken, n_taken++);
		last = &(*last)->next;
	}
	if (v->type != TYPE_STATS && chance(m, 2))
		n->kid[2] = make_loop_variable(m, v->type, taken, n_taken++);
	make_order(m, n);
	m->locked |= 1u << v->index;
	m->loops++;
	print = make(m, E_PRINT, TYPE_NONE);
	print->op = FORM_DELIMITED_LINE;
	print->text = ":";
	print->args = text_literal(m, v->name);
	print->args->next = copy_keys(m, n->kid[3]);
	n->kid[1] = statement(m, S_EXPRESSION, print, NULL);
	n->kid[1]->next = make_list(m);
	m->loops--;
	m->locked = locked;
	return n;
}

static struct node *make_delete(struct maker *m)
{
	struct node *n = make(m, S_DELETE, TYPE_NONE);

	n->var = chance(m, 3) ? pick_scalar(m, TYPE_LONG + below(m, 2), true)
			      : pick_global(m, TYPE_LONG + below(m, 3), !chance(m, 4), true);
	if (!n->var)
		return make_print_statement(m);
	if (n->var->n_keys && !chance(m, 4))
		n->args = make_keys(m, n->var, chance(m, 2));
	return n;
}

static struct node *make_try(struct maker *m)
{
	struct node *n = statement(m, S_TRY, NULL, NULL);
	struct variable *v = chance(m, 3) ? NULL : pick_scalar(m, TYPE_STRING, true);

	m->tries++;
	n->kid[0] = make_list(m);
	m->tries--;
	n->kid[1] = make_list(m);
	n->kid[2] = v ? use(m, v) : NULL;
	return n;
}

static struct node *make_error(struct maker *m)
{
	struct node *n;

	if (!m->tries && !chance(m, 10))
		return make_print_statement(m);
	n = make(m, S_ERROR, TYPE_NONE);
	n->kid[0] = make_string(m, 2);
	return n;
}

/* What leaves: only in branches, so that not all behind it is dead. */
static struct node *make_leave(struct maker *m)
{
	struct node *n;

	if (m->nesting < 2)
		return make_print_statement(m);
	if (m->loops && !chance(m, 3))
		return statement(m, chance(m, 2) ? S_BREAK : S_CONTINUE, NULL, NULL);
	if (!m->function)
		return chance(m, 12) ? statement(m, S_EXIT, NULL, NULL)
				     : statement(m, S_NEXT, NULL, NULL);
	if (m->can_next && chance(m, 2))
		return statement(m, S_NEXT, NULL, NULL);
	n = statement(m, S_RETURN, NULL, NULL);
	if (m->function->type != TYPE_NONE)
		n->kid[0] = make_typed(m, m->function->type, 2);
	return n;
}

static struct node *make_void_call(struct maker *m)
{
	struct node *n = make_call(m, below(m, 3), 2);

	return n ? statement(m, S_EXPRESSION, n, NULL) : make_count(m);
}

static struct node *make_statement(struct maker *m)
{
	static struct node *(*const compound[])(
		struct maker *) = { make_if,      make_if,      make_loop,
				    make_foreach, make_foreach, make_try },
			     *(*const simple[])(struct maker *) = { make_assign_statement,
								    make_assign_statement,
								    make_assign_statement,
								    make_count,
								    make_print_statement,
								    make_print_statement,
								    make_feed,
								    make_feed,
								    make_delete,
								    make_error,
								    make_leave,
								    make_void_call,
								    make_void_call };

	if (m->nesting < DEPTH && chance(m, 3))
		return compound[below(m, 6)](m);
	return simple[below(m, 13)](m);
}

static struct node *make_list(struct maker *m)
{
	struct node *first = NULL, **last = &first;
	unsigned n = 1 + below(m, STATEMENTS);

	m->nesting++;
	n = m->nesting > 2 ? 1 + n / 2 : n;
	for (; n; n--) {
		*last = make_statement(m);
		last = &(*last)->next;
	}
	m->nesting--;
	return first;
}

/* ---- scopes ---- */

/* V = 0, with as many keys as it has. */
static struct node *make_typing(struct maker *m, struct variable *v)
{
	struct node *left = use(m, v), **last = &left->args;

	for (unsigned i = 0; i < v->n_keys; i++) {
		*last = v->keys[i] == TYPE_LONG ? literal(m, 0) : text_literal(m, "");
		last = &(*last)->next;
	}
	if (v->type == TYPE_STATS)
		return statement(m, S_FEED, left, literal(m, 0));
	return statement(m, S_EXPRESSION,
			 assignment(m, OP_ASSIGN, left,
				    v->type == TYPE_LONG ? literal(m, 0) : text_literal(m, "")),
			 NULL);
}

/*
 * A branch that is not taken tells the types of what no other statement does for certain: before
 * LIST. Globals are told of when there is no scope.
 */
static struct node *add_typing(struct maker *m, struct variable **variables, unsigned n,
			       uint64_t certain, struct node *list)
{
	struct node *branch = statement(m, S_IF, use(m, (struct variable *)m->never), NULL),
		    **last = &branch->kid[1];

	for (unsigned i = 0; i < n; i++) {
		if (variables[i] == m->never || variables[i]->steady ||
		    (!m->typed_all && certain & 1ull << i))
			continue;
		*last = make_typing(m, variables[i]);
		last = &(*last)->next;
	}
	if (!branch->kid[1])
		return list;
	branch->next = list;
	return branch;
}

static void begin_scope(struct maker *m, struct scope *scope)
{
	m->scope = scope;
	m->typed_locals = 0;
	m->nesting = m->loops = m->tries = 0;
}

static void append(struct node **list, struct node *n)
{
	while (*list)
		list = &(*list)->next;
	*list = n;
}

static void make_body(struct maker *m, struct function *f, struct body *body, bool can_next)
{
	struct node *stop, *cond;

	begin_scope(m, &body->scope);
	m->can_next = can_next;
	for (unsigned i = 0; i < f->n_args; i++)
		body->args[i] = new_local(m,
					  f->bodies[0].args[i] ? f->bodies[0].args[i]->type
							       : TYPE_LONG + below(m, 2),
					  false);
	if (f->recursive) {
		body->args[0]->type = TYPE_LONG;
		body->args[0]->steady = true;
		body->args[0]->name = "n0";
		m->fuel = body->args[0];
	}
	body->list = make_list(m);
	if (f->type != TYPE_NONE)
		append(&body->list,
		       statement(m, S_RETURN, make_typed(m, f->type, 1 + below(m, 3)), NULL));
	if (can_next) {
		cond = make(m, E_IN, TYPE_LONG);
		cond = body->args[0]->type == TYPE_LONG
			       ? binary(m, OP_AND, use(m, body->args[0]), literal(m, 1))
			       : binary(m, OP_LT, use(m, body->args[0]), text_literal(m, "b"));
		stop = statement(m, S_IF, cond, statement(m, S_NEXT, NULL, NULL));
		stop->next = body->list;
		body->list = stop;
	}
	if (f->recursive) {
		stop = statement(m, S_RETURN, NULL, NULL);
		if (f->type != TYPE_NONE)
			stop->kid[0] = f->type == TYPE_LONG ? make_number(m) : make_text(m);
		stop = statement(m, S_IF, binary(m, OP_LE, use(m, m->fuel), literal(m, 0)), stop);
		stop->next = body->list;
		body->list = stop;
	}
	body->list = add_typing(m, body->scope.locals, body->scope.n, m->typed_locals, body->list);
}

static void make_function(struct maker *m, unsigned index)
{
	struct function *f = &m->p->functions[index];

	/* two of one name differ in their number of arguments */
	f->name = arena_printf(m->p->arena, "f%u", index / 2);
	f->n_args = index % 2 ? 2 + below(m, 2) : 1;
	f->type = below(m, 3);
	f->recursive = chance(m, 4);
	f->annotated = chance(m, 2);
	f->is_private = chance(m, 6);
	f->n_bodies = chance(m, 4) ? 2 + below(m, 2) : 1;
	for (unsigned i = 0; i < m->p->n_globals; i++)
		if (m->p->globals[i]->n_keys && chance(m, 2))
			f->arrays |= 1u << i;
	m->function = f;
	m->locked = ~f->arrays;
	for (unsigned i = 0; i < m->p->n_globals; i++)
		if (!m->p->globals[i]->n_keys)
			m->locked &= ~(1u << i);
	m->n_functions = index + f->recursive;
	for (unsigned i = 0; i < f->n_bodies; i++)
		make_body(m, f, &f->bodies[i], i + 1 < f->n_bodies);
	m->function = NULL;
	m->locked = 0;
}

static void make_probe(struct maker *m, enum event event, unsigned number)
{
	struct probe *p = &m->p->probes[m->p->n_probes++];
	struct node *list;

	p->event = event;
	p->number = (int)number;
	begin_scope(m, &p->scope);
	if (event == EVENT_TIMER && chance(m, 3)) {
		m->pure = m->no_locals = true;
		p->condition = make_long(m, 2);
		m->pure = m->no_locals = false;
	}
	list = make_list(m);
	if (chance(m, 5)) {
		p->alias = arena_printf(m->p->arena, "alias%u", m->p->n_probes);
		p->prologue = make_list(m);
		p->epilogue = make_list(m);
		p->list = list;
		p->prologue =
			add_typing(m, p->scope.locals, p->scope.n, m->typed_locals, p->prologue);
	} else {
		p->list = add_typing(m, p->scope.locals, p->scope.n, m->typed_locals, list);
	}
}

/* ---- globals ---- */

static void make_histogram(struct maker *m, struct variable *v)
{
	v->shift = below(m, 4);
	if (chance(m, 2))
		return;
	v->low = (int64_t)below(m, 40) - 20;
	v->step = 1 + below(m, 10);
	v->high = v->low + v->step * (1 + below(m, 20)) + below(m, (unsigned)v->step);
}

static struct variable *make_global(struct maker *m, enum type type, unsigned n_keys)
{
	struct program *p = m->p;
	struct variable *v = arena_new(p->arena, struct variable);
	static const char letters[] = " gsx";

	*v = (struct variable){ .type = type, .n_keys = n_keys, .index = p->n_globals };
	v->name = arena_printf(p->arena, "%s%c%u", n_keys ? "a" : "", letters[type], v->index);
	for (unsigned i = 0; i < n_keys; i++)
		v->keys[i] = TYPE_LONG + below(m, 2);
	v->is_private = chance(m, 8);
	if (type == TYPE_STATS)
		make_histogram(m, v);
	else if (n_keys && chance(m, 4))
		v->size = 3 + below(m, 6);
	v->wraps = v->size && chance(m, 2);
	if (!n_keys && type != TYPE_STATS && chance(m, 3))
		v->init = type == TYPE_LONG ? make_number(m) : make_text(m);
	v->counter = !n_keys && type == TYPE_LONG && chance(m, 3);
	p->globals[p->n_globals++] = v;
	return v;
}

static void make_globals(struct maker *m)
{
	m->never = make_global(m, TYPE_LONG, 0);
	m->p->globals[0]->init = NULL;
	m->p->globals[0]->counter = m->p->globals[0]->is_private = false;
	m->p->globals[0]->name = "never";
	for (unsigned i = 2 + below(m, 4); i; i--)
		make_global(m, TYPE_LONG, 0);
	for (unsigned i = 1 + below(m, 2); i; i--)
		make_global(m, TYPE_STRING, 0);
	for (unsigned i = 1 + below(m, 4); i; i--)
		make_global(m, TYPE_LONG + below(m, 2), 1 + below(m, MAX_KEYS));
	make_global(m, TYPE_STATS, 0);
	for (unsigned i = below(m, 3); i; i--)
		make_global(m, TYPE_STATS, 1 + below(m, MAX_KEYS));
}

/* ---- the end: most globals are shown, the others written only, or less ---- */

static struct node *show_one(struct maker *m, struct variable *v, struct node *keys)
{
	struct node *print = make(m, E_PRINT, TYPE_NONE), *n;

	print->op = FORM_DELIMITED_LINE;
	print->text = " ";
	print->args = n = text_literal(m, v->name);
	for (struct node *key = keys; key; key = key->next) {
		n->next = use(m, key->var);
		n = n->next;
	}
	if (v->type == TYPE_STATS) {
		n->next = figure_of(m, v, FIG_COUNT, copy_keys(m, keys));
		n->next->next = figure_of(m, v, FIG_SUM, copy_keys(m, keys));
	} else {
		n->next = use(m, v);
		n->next->args = copy_keys(m, keys);
	}
	return statement(m, S_EXPRESSION, print, NULL);
}

static struct node *show(struct maker *m, struct variable *v)
{
	struct node *n, **last;

	if (!v->n_keys)
		return show_one(m, v, NULL);
	n = statement(m, S_FOREACH, NULL, NULL);
	n->var = v;
	last = &n->kid[3];
	for (unsigned i = 0; i < v->n_keys; i++) {
		*last = use(m, new_local(m, v->keys[i], false));
		last = &(*last)->next;
	}
	n->kid[1] = show_one(m, v, n->kid[3]);
	return n;
}

static void make_end(struct maker *m, enum event event)
{
	struct probe *p = &m->p->probes[m->p->n_probes++];
	struct node **last = &p->list;

	p->event = event;
	p->number = 9;
	begin_scope(m, &p->scope);
	for (unsigned i = 1; i < m->p->n_globals; i++) {
		if (m->p->globals[i]->size || !chance(m, 4)) {
			*last = show(m, m->p->globals[i]);
			last = &(*last)->next;
		}
		if (m->scope->n > MAX_LOCALS - MAX_KEYS)
			break;
	}
	if (event == EVENT_END)
		*last = statement(m, S_EXPRESSION,
				  assignment(m, OP_ASSIGN, use(m, (struct variable *)m->never),
					     literal(m, 1)),
				  NULL);
}

struct program *program_make(struct arena *arena, uint64_t number)
{
	struct program *p = arena_new(arena, struct program);
	struct maker m = { .p = p, .random = (number + 1) * 0x9e3779b97f4a7c15ull };
	unsigned n;

	p->arena = arena;
	m.typed_all = chance(&m, 2);
	p->max_errors = chance(&m, 2) ? 0 : 100;
	make_globals(&m);
	n = below(&m, 7);
	for (p->n_functions = 0; p->n_functions < n; p->n_functions++)
		make_function(&m, p->n_functions);
	m.n_functions = n;
	for (unsigned i = 1 + below(&m, 3); i; i--)
		make_probe(&m, EVENT_BEGIN, 1 + below(&m, 4));
	for (unsigned i = below(&m, 3); i; i--)
		make_probe(&m, EVENT_TIMER, 1 + below(&m, 9));
	if (chance(&m, 2))
		make_probe(&m, EVENT_END, 1 + below(&m, 4));
	make_end(&m, EVENT_END);
	make_end(&m, EVENT_ERROR);
	begin_scope(&m, &p->probes[0].scope);
	append(&p->probes[p->n_probes - 1].list,
	       add_typing(&m, p->globals, p->n_globals, m.typed_globals, NULL));
	return p;
}
