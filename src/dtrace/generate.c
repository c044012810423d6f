/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of both outputs. Programs include the header and call its macros; the object, or a unit
 * of the program's own, defines the semaphores that the header declares. Nothing here reads or
 * writes files.
 */
#include "dtrace/generate.h"

#include <ctype.h>

#include "base/intern.h"
#include "base/map.h"
#include "dtrace/declarator.h"

/* In capitals, and two '_' as one: so builds of programs call the macros. */
static void add_upper(struct strbuf *out, const char *name)
{
	for (; *name; name++) {
		strbuf_addc(out, (char)toupper((unsigned char)*name));
		if (name[0] == '_' && name[1] == '_')
			name++;
	}
}

/* PROVIDER_PROBE */
static void add_macro(struct strbuf *out, const struct dtrace_probe *p)
{
	add_upper(out, p->provider);
	strbuf_addc(out, '_');
	add_upper(out, p->name);
}

/* Probes can have one macro: b_c and b__c, or c of provider a_b and b_c of provider a. */
static struct error *check_macros(struct arena *arena, const struct dtrace_probes *probes)
{
	struct interner *names = interner_create(arena);
	struct map seen;

	map_init(&seen, arena);
	vec_foreach(p, probes) {
		const struct dtrace_probe *other;
		struct strbuf macro;
		const struct istr *name;

		strbuf_init(&macro);
		add_macro(&macro, p);
		name = intern(names, strbuf_cstr(&macro));
		strbuf_deinit(&macro);
		other = map_get(&seen, name);
		if (other)
			return error_create(
				"probe %s of provider %s and probe %s of provider %s have the "
				"same macro, %s: rename one",
				other->name, other->provider, p->name, p->provider, name->text);
		map_put(&seen, name, p);
	}
	return NULL;
}

/* "arg1, arg2, ..." */
static void add_parameters(struct strbuf *out, const struct dtrace_probe *p)
{
	for (unsigned i = 1; i <= p->n_arguments; i++)
		strbuf_addf(out, "%sarg%u", i > 1 ? ", " : "", i);
}

/* A type of each argument, PROVIDER_PROBE_argN, for programs that compute with them. */
static void add_typedefs(struct strbuf *out, const struct dtrace_probe *p)
{
	for (unsigned i = 0; i < p->n_arguments; i++) {
		struct strbuf name, declaration;

		strbuf_init(&name);
		strbuf_init(&declaration);
		strbuf_addf(&name, "%s_%s_arg%u", p->provider, p->name, i + 1);
		if (dtrace_declare(p->arguments[i], strbuf_cstr(&name), &declaration))
			strbuf_addf(out, "typedef %s;\n", strbuf_cstr(&declaration));
		strbuf_deinit(&declaration);
		strbuf_deinit(&name);
	}
}

/*
 * The semaphore, which the tracer counts up while it looks, and the macro that asks it. Where marks
 * have no semaphores nothing is known, and it is always true.
 */
static void add_enabled(struct strbuf *out, const struct dtrace_probe *p)
{
	strbuf_addf(out,
		    "#ifdef _SDT_HAS_SEMAPHORES\n"
		    "__extension__ extern unsigned short %s_%s_semaphore "
		    "__attribute__((unused, section(\".probes\")));\n#define ",
		    p->provider, p->name);
	add_macro(out, p);
	strbuf_addf(out, "_ENABLED() __builtin_expect(%s_%s_semaphore, 0)\n#else\n#define ",
		    p->provider, p->name);
	add_macro(out, p);
	strbuf_adds(out, "_ENABLED() 1\n#endif\n");
}

/*
 * The types, as a comment, and the macro of the mark, which is a DTRACE_PROBEn of sys/sdt.h.
 * Arguments are evaluated whether somebody looks or not: that is what _ENABLED is for.
 */
static void add_probe(struct strbuf *out, const struct dtrace_probe *p, bool types)
{
	strbuf_adds(out, "\n/* ");
	add_macro(out, p);
	strbuf_adds(out, " (");
	for (unsigned i = 0; i < p->n_arguments; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", p->arguments[i]);
	strbuf_adds(out, ") */\n");
	if (types)
		add_typedefs(out, p);
	add_enabled(out, p);
	strbuf_adds(out, "#define ");
	add_macro(out, p);
	strbuf_addc(out, '(');
	add_parameters(out, p);
	strbuf_adds(out, ") DTRACE_PROBE");
	if (p->n_arguments)
		strbuf_addf(out, "%u", p->n_arguments);
	strbuf_addf(out, "(%s, %s%s", p->provider, p->name, p->n_arguments ? ", " : "");
	add_parameters(out, p);
	strbuf_adds(out, ")\n");
}

/*
 * sys/sdt.h is told before it is included that each mark has a semaphore, whose address then stands
 * in the mark's note. A program that has included it already, without semaphores, is one that is
 * not linked with the object.
 */
struct error *dtrace_header(struct arena *arena, const struct dtrace_probes *probes, bool types,
			    struct strbuf *out)
{
	struct error *err = check_macros(arena, probes);

	if (err)
		return err;
	strbuf_adds(out, "/* Made by dtrace -h. */\n"
			 "#if !defined(_SYS_SDT_H) || defined(SDT_USE_SEMAPHORES)\n"
			 "#undef _SDT_HAS_SEMAPHORES\n"
			 "#define _SDT_HAS_SEMAPHORES 1\n"
			 "#endif\n"
			 "#include <sys/sdt.h>\n");
	vec_foreach(p, probes)
		add_probe(out, p, types);
	return NULL;
}

/* Hidden: each program and library has its own, in the section that sys/sdt.h's notes refer to. */
void dtrace_semaphores(const struct dtrace_probes *probes, struct strbuf *out)
{
	vec_foreach(p, probes)
		strbuf_addf(out,
			    "__extension__ unsigned short %s_%s_semaphore __attribute__((unused, "
			    "section(\".probes\"), visibility(\"hidden\")));\n",
			    p->provider, p->name);
}
