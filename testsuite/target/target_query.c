/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks target/ about a kernel and prints the answer.
 *
 * target_query [-r RELEASE] [-R ROOT] [-c CACHE] [-d DEBUGINFO-PATH] [-p FILE] [-n] COMMAND
 *   -p: about that program or library; of the commands list, statements, at, vars, get, return and getret
 *   list PATTERN[@FILE[:LINE]] [inline]   functions
 *   module MODULE PATTERN                 functions of modules
 *   vars FUNCTION | return FUNCTION       variables at its entry, or return
 *   trace PATTERN | tracevars NAME        tracepoints, and the parameters of one
 *   get FUNCTION EXPR | getret FUNCTION EXPR | gettrace NAME EXPR | cast TYPE PATH
 *                                         fetch program; EXPR: [&]x->a->b[3][#0]  (#0: an operand)
 *   enum NAME | symbol NAME | similar NAME
 *   statements FUNCTION                   addresses of its lines
 *   at                                    for each address of the standard input, an entry or a statement, the variables that can
 *                                         be named there, each with the program that reads it, or its address
 *   survey                                how many functions and parameters resolve
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "target/functions.h"
#include "target/objects.h"
#include "target/target.h"
#include "target/tracepoints.h"
#include "target/types.h"
#include "target/variables.h"

/* -p, or NULL */
static const struct target_object *file_asked;

static int failed(struct error *err)
{
	fprintf(stderr, "%s%s%s\n", err->text, err->hint ? "; " : "", err->hint ? err->hint : "");
	error_destroy(err);
	return 1;
}

static void print_program(struct target *t, const struct fetch_program *p)
{
	struct strbuf text;

	strbuf_init(&text);
	fetch_text(p, target_machine(t), &text);
	puts(strbuf_cstr(&text));
	strbuf_deinit(&text);
}

static int resolve(struct target *t, const struct target_scope *scope, enum target_base base,
		   char *expr)
{
	struct target_access path[32];
	struct target_query q = { .base = base, .path = path };
	struct target_value v;
	struct error *err;
	char *p = expr;

	if (*p == '&')
		q.address_of = true, p++;
	q.name = p;
	p += strcspn(p, base == TARGET_CAST ? "-[" : "-[");
	while (*p && q.n_path < 32) {
		struct target_access *a = &path[q.n_path++];

		*a = (struct target_access){ .operand = -1 };
		if (*p == '-') {
			*p = '\0';
			a->member = p += 2;
			p += strcspn(p, "-[");
		} else {
			*p++ = '\0';
			if (*p == '#')
				a->operand = strtol(p + 1, &p, 0);
			else
				a->literal = strtoll(p, &p, 0);
			p++;
		}
	}
	err = target_resolve(t, scope, &q, &v);
	if (err)
		return failed(err);
	if (v.status != TARGET_OK) {
		printf("status %d: %s%s%s\n", v.status, v.message, v.hint ? "; " : "",
		       v.hint ? v.hint : "");
		return 1;
	}
	printf("%s, %u bytes%s%s: ", target_type_name(v.type), v.size,
	       v.is_signed ? ", signed" : "", v.full_regs ? ", full registers" : "");
	print_program(t, &v.load);
	return 0;
}

static int print_variables(struct target *t, const struct target_scope *scope)
{
	struct target_variables vars;
	struct error *err = target_variables(t, scope, &vars);

	if (err)
		return failed(err);
	for (size_t i = 0; i < vars.n; i++)
		printf(" $%s:%s%s%s", vars.data[i].name, vars.data[i].ctype,
		       vars.data[i].readable ? "" : " (?)",
		       vars.data[i].is_param ? "" : " (local)");
	putchar('\n');
	return 0;
}

static int list(struct target *t, const char *module, char *pattern, bool inlines,
		struct target_functions *out, bool quiet)
{
	struct target_function_query q = { .module = module,
					   .object = file_asked,
					   .inlines = inlines };
	struct target_line_range range;
	char *file = strchr(pattern, '@'), *line = file ? strchr(file, ':') : NULL;
	struct error *err;

	if (line)
		*line++ = '\0', range.first = range.last = atoi(line),
		q.lines = (struct target_lines){ TARGET_LINES_ABSOLUTE, &range, 1 };
	if (file)
		*file++ = '\0', q.file = file;
	if (strncmp(pattern, "0x", 2))
		q.name = pattern;
	else
		q.addr = strtoull(pattern, NULL, 16);
	err = target_find_functions(t, &q, out);
	if (err)
		return failed(err);
	for (size_t i = 0; i < out->n && !quiet; i++) {
		struct target_function *f = &out->data[i];

		printf("%s%s%s", f->module ? f->module : "", f->module ? ":" : "", f->name);
		if (f->file)
			printf("@%s:%u", f->file, f->line);
		if (f->inline_addr)
			printf(" inline %#llx in %s", (long long)f->inline_addr, f->holder);
		else
			printf(" %#llx", (long long)f->addr);
		printf("%s%s\n", f->traceable ? "" : " not-traceable",
		       f->is_unique ? "" : " not-unique");
	}
	return 0;
}

static int survey(struct target *t)
{
	struct target_functions f;
	struct target_tracepoints tp;
	size_t with = 0, params = 0, readable = 0, returns = 0, traceable = 0, tp_params = 0;
	char any[] = "*";

	if (list(t, NULL, any, false, &f, true))
		return 1;
	for (size_t i = 0; i < f.n; i++) {
		struct target_variables v;
		struct error *err = target_variables(t, target_scope_entry(t, &f.data[i]), &v);
		bool all = !err;

		for (size_t j = 0; !err && j < v.n; j++)
			if (v.data[j].is_param)
				params++, readable += v.data[j].readable,
					all = all && v.data[j].readable;
		with += all;
		if (!err)
			err = target_variables(t, target_scope_return(t, &f.data[i]), &v);
		if (err)
			return failed(err);
		returns += v.n > 0;
		traceable += f.data[i].traceable;
	}
	printf("functions %zu (traceable %zu), all parameters readable in %zu; parameters %zu, readable %zu; results %zu\n",
	       f.n, traceable, with, params, readable, returns);
	if (target_find_tracepoints(t, NULL, "*", &tp))
		return 1;
	for (size_t i = 0; i < tp.n; i++) {
		struct target_variables v;

		if (target_variables(t, target_scope_tracepoint(t, &tp.data[i]), &v))
			return 1;
		tp_params += v.n > 0;
	}
	printf("tracepoints %zu, with parameters %zu\n", tp.n, tp_params);
	return 0;
}

static int on_function(struct target *t, const char *command, char *name, char *expr)
{
	struct target_functions f;
	bool is_return = !strcmp(command, "return") || !strcmp(command, "getret");
	int status = list(t, NULL, name, !is_return, &f, true);

	for (size_t i = 0; i < f.n && !status; i++) {
		const struct target_scope *s = is_return ? target_scope_return(t, &f.data[i])
							 : target_scope_entry(t, &f.data[i]);

		printf("%s%s ", f.data[i].name, f.data[i].inline_addr ? " (inline)" : "");
		if (expr)
			status = resolve(t, s, TARGET_LOCAL, strdup(expr));
		else
			status = print_variables(t, s);
	}
	return status;
}

static int statements(struct target *t, const char *name)
{
	struct target_function_query q = { .name = name,
					   .object = file_asked,
					   .lines = { .kind = TARGET_LINES_ALL } };
	struct target_near_lines near;
	struct target_functions f = { 0 };
	struct error *err = target_find_statements(t, &q, false, &f, &near);

	if (err)
		return failed(err);
	for (size_t i = 0; i < f.n; i++)
		if (!f.data[i].inline_addr)
			printf("%#llx\n", (long long)f.data[i].pc);
	return 0;
}

/* A value; what has none, a struct, by its address. */
static int print_place(struct target *t, const struct target_scope *scope, const char *name)
{
	struct target_query q = { .base = TARGET_LOCAL, .name = name };
	struct target_value v;
	struct error *err = target_resolve(t, scope, &q, &v);

	if (err)
		return failed(err);
	printf("\t%s\t", name);
	if (v.status == TARGET_BAD_ACCESS) {
		q.address_of = true;
		err = target_resolve(t, scope, &q, &v);
		if (err)
			return failed(err);
		printf("& ");
	}
	if (v.status == TARGET_OK)
		print_program(t, &v.load);
	else
		printf("! %s\n", v.message);
	return 0;
}

/* One address: the statement that begins there, or the function. */
static int place(struct target *t, uint64_t addr)
{
	struct target_function_query q = { .addr = addr, .object = file_asked };
	const struct target_scope *scope;
	struct target_near_lines near;
	struct target_functions f = { 0 };
	struct target_variables vars;
	struct error *err = target_find_statements(t, &q, false, &f, &near);

	if (err)
		return failed(err);
	printf("%#llx %s\n", (long long)addr, f.n ? f.data[0].name : "?");
	if (!f.n)
		return 0;
	scope = target_scope_entry(t, &f.data[0]);
	err = target_variables(t, scope, &vars);
	if (err)
		return failed(err);
	for (size_t i = 0; i < vars.n; i++)
		if (*vars.data[i].name && print_place(t, scope, vars.data[i].name))
			return 1;
	return 0;
}

static int places(struct target *t)
{
	unsigned long long addr;

	while (scanf("%llx", &addr) == 1)
		if (place(t, addr))
			return 1;
	return 0;
}

static int run(struct target *t, char **argv, int argc)
{
	const char *c = argv[0];
	char *arg = argc > 1 ? argv[1] : "", *arg2 = argc > 2 ? argv[2] : NULL;
	struct target_functions f;
	struct target_tracepoints tps;
	const char *near[8];
	int64_t value;

	if (!strcmp(c, "list"))
		return list(t, NULL, arg, arg2 != NULL, &f, false);
	if (!strcmp(c, "module"))
		return list(t, arg, arg2, argc > 3, &f, false);
	if (!strcmp(c, "vars") || !strcmp(c, "return") || !strcmp(c, "get") || !strcmp(c, "getret"))
		return on_function(t, c, arg, arg2);
	if (!strcmp(c, "trace")) {
		if (target_find_tracepoints(t, NULL, arg, &tps))
			return 1;
		for (size_t i = 0; i < tps.n; i++)
			printf("%s:%s\n", tps.data[i].system, tps.data[i].name);
		return 0;
	}
	if (!strcmp(c, "tracevars") || !strcmp(c, "gettrace")) {
		const struct target_scope *scope;

		if (target_find_tracepoints(t, NULL, arg, &tps) || !tps.n)
			return 1;
		scope = target_scope_tracepoint(t, &tps.data[0]);
		return *c == 't' ? print_variables(t, scope)
				 : resolve(t, scope, TARGET_LOCAL, arg2);
	}
	if (!strcmp(c, "statements"))
		return statements(t, arg);
	if (!strcmp(c, "at"))
		return places(t);
	if (!strcmp(c, "cast"))
		return resolve(t, target_scope_none(t), TARGET_CAST, arg);
	if (!strcmp(c, "var"))
		return resolve(t, target_scope_none(t), TARGET_GLOBAL, arg);
	if (!strcmp(c, "enum"))
		return target_enumerator(target_scope_none(t), arg, &value)
			       ? printf("%lld\n", (long long)value) < 0
			       : 1;
	if (!strcmp(c, "symbol"))
		return printf("%#llx\n", (long long)target_symbol(t, arg)) < 0;
	if (!strcmp(c, "similar")) {
		size_t n = target_similar_functions(t, NULL, arg, near, 8);

		for (size_t i = 0; i < n; i++)
			puts(near[i]);
		return 0;
	}
	if (!strcmp(c, "survey"))
		return survey(t);
	fprintf(stderr, "unknown command %s\n", c);
	return 2;
}

int main(int argc, char **argv)
{
	struct target_options o = { 0 };
	struct target *t;
	struct error *err;
	const char *file = NULL;
	int opt, status;

	while ((opt = getopt(argc, argv, "+r:R:c:d:p:n")) != -1) {
		switch (opt) {
		case 'r':
			o.release = optarg;
			break;
		case 'R':
			o.root = optarg;
			break;
		case 'c':
			o.cache_dir = optarg;
			break;
		case 'd':
			o.debuginfo_path = optarg;
			break;
		case 'p':
			file = optarg;
			break;
		case 'n':
			o.no_dwarf = true;
			break;
		default:
			return 2;
		}
	}
	if (optind == argc)
		return 2;
	err = target_open(&o, &t);
	if (!err && file)
		err = target_open_file(t, file, &file_asked);
	if (err)
		return failed(err);
	status = run(t, argv + optind, argc - optind);
	target_close(t);
	return status;
}
