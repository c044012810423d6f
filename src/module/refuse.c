/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel built with a newer compiler than ours asks for flags ours does not know. Some only tune
 * or warn; some have an older spelling; the rest change what code the kernel relies on, and those
 * are errors.
 */
#include "module/flags.h"

#include <stdlib.h>
#include <string.h>

#include "module/kernel.h"

/* Longest match first is not needed: no row is a prefix of another with a different answer. */
static const struct rule {
	const char *prefix;
	const char *instead; /* NULL: dropped; else replaces the prefix */
} rules[] = {
	/* every function aligned, cold ones too; ours are not traced by anyone who counts on it */
	{ "-fmin-function-alignment=", "-falign-functions=" },
	{ "-std=gnu23", "-std=gnu2x" },
	{ "-W", NULL },
	{ "-fdiagnostics-", NULL },
	{ "-fno-", NULL }, /* nothing to switch off */
	{ "-ftrivial-auto-var-init=", NULL },
	{ "-fzero-init-padding-bits=", NULL },
	{ "-fzero-call-used-regs=", NULL },
	{ "-fstrict-flex-arrays", NULL },
	{ "-fsanitize", NULL },
	{ "-fconserve-stack", NULL },
	{ "-falign-", NULL },
	{ "-fmacro-prefix-map=", NULL },
	{ "-ffile-prefix-map=", NULL },
	{ "-fstack-protector", NULL },
	{ "-mstack-protector-guard", NULL },
	{ "-mtune=", NULL },
	{ "-mskip-rax-setup", NULL },
	{ "-mno-", NULL }, /* an instruction set it cannot emit */
};

/* NULL: no rule lets us do without the flag. */
static const struct rule *find_rule(const char *flag)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (!strncmp(flag, rules[i].prefix, strlen(rules[i].prefix)))
			return &rules[i];
	return NULL;
}

/*
 * The next flag a message line complains about: it stands in quotes and begins with '-'. NULL when
 * there is none.
 */
static char *refused_flag(const char **text)
{
	const char *p = *text;

	for (; (p = strchr(p, '\'')); p++) {
		size_t n;

		if (p[1] != '-')
			continue;
		n = strcspn(p + 1, "'\n");
		*text = p + 1 + n + (p[1 + n] == '\'');
		return strndup(p + 1, n);
	}
	return NULL;
}

/* Every argument that begins with FLAG is replaced by the rule, or left out. */
static void replace(struct argv *a, const char *flag, const struct rule *rule)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->args.n; i++) {
		const char *arg = a->args.data[i];

		/* gcc names some by their beginning only: "-mfoo=" */
		if (strncmp(arg, flag, strlen(flag))) {
			a->args.data[kept++] = arg;
		} else if (rule->instead) {
			a->args.data[kept++] = arena_printf(a->arena, "%s%s", rule->instead,
							    arg + strlen(rule->prefix));
		}
	}
	a->args.n = kept;
}

static bool has_flag(const struct argv *a, const char *flag)
{
	vec_foreach(arg, &a->args)
		if (!strncmp(*arg, flag, strlen(flag)))
			return true;
	return false;
}

/* The error for a flag that cannot be done without. */
static struct error *too_old(struct module_kernel *kernel, const char *cc, const char *flag)
{
	const char *text = module_kernel_config(kernel, "CC_VERSION_TEXT");
	const char *built =
		text ? arena_strndup(kernel->arena, text, strcspn(text, " ")) : "a newer compiler";
	const char *package = strstr(built, "gcc");

	return error_hint(error_create("the compiler %s does not know %s, which kernel %s needs",
				       cc, flag, kernel->release),
			  "that kernel was built with %s: install the package %s",
			  text ? text : built, package ? package : "of a newer gcc");
}

/*
 * Deals with the flags that one run of the compiler complained of. *changed: another run may fare
 * better.
 */
static struct error *fit_one(struct module_kernel *kernel, struct module_flags *f,
			     const char *message, struct argv *notes, bool *changed)
{
	const char *cc = f->kernel.args.data[0];
	char *flag;

	*changed = false;
	while ((flag = refused_flag(&message))) {
		const struct rule *rule = find_rule(flag);
		struct error *err = NULL;

		if (!has_flag(&f->kernel, flag)) {
			free(flag);
			continue;
		}
		if (!rule) {
			err = too_old(kernel, cc, flag);
		} else {
			replace(&f->kernel, flag, rule);
			replace(&f->script, flag, rule);
			argv_addf(notes, "the compiler %s does not know %s: %s %s", cc, flag,
				  rule->instead ? "used instead:"
						: "left out, which is harmless here",
				  rule->instead ? rule->instead : "");
			*changed = true;
		}
		free(flag);
		if (err)
			return err;
	}
	return NULL;
}

struct error *flags_fit(struct module_kernel *kernel, struct module_flags *flags,
			struct argv *notes)
{
	struct error *err = NULL;

	/* gcc stops at the first bad value, so a few rounds may be needed; each removes a flag */
	for (unsigned round = 0; round < 32 && !err; round++) {
		struct argv test;
		char *text;
		int status;
		bool changed;

		argv_init(&test, kernel->arena);
		argv_add_all(&test, argv_done(&flags->kernel));
		argv_add_all(&test, (const char *const[]){ "-x", "c", "-S", "-o", "/dev/null",
							   "/dev/null", NULL });
		err = tool_run(argv_done(&test), NULL, &text, &status);
		if (err)
			return err;
		if (!status) {
			free(text);
			return NULL;
		}
		err = fit_one(kernel, flags, text, notes, &changed);
		if (!err && !changed) {
			char *digest = tool_digest(text);

			err = error_create("the compiler %s refuses kernel %s's flags: %s",
					   flags->kernel.args.data[0], kernel->release, digest);
			free(digest);
		}
		free(text);
	}
	return err;
}
