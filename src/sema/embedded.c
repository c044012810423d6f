/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sema/embedded.h"

#include <ctype.h>
#include <string.h>

/* The word behind PREFIX in the next marker comment that has it: X of pragma:read:X; *at moves on. */
static const char *next_marker(struct sema *s, const char **at, const char *prefix)
{
	size_t len = strlen(prefix), n;
	const char *p, *word;

	while ((p = strstr(*at, "/*"))) {
		p += 2;
		*at = p;
		p += strspn(p, " \t\n");
		if (strncmp(p, prefix, len))
			continue;
		word = p + len;
		for (n = 0; isalnum((unsigned char)word[n]) || word[n] == '_' || word[n] == '$';
		     n++)
			;
		p = word + n;
		p += strspn(p, " \t\n");
		if (!strncmp(p, "*/", 2))
			return arena_strndup(s->arena, word, n);
	}
	return NULL;
}

static bool has_marker(const char *code, const char *marker)
{
	size_t len = strlen(marker);

	while ((code = strstr(code, "/*"))) {
		code += 2;
		code += strspn(code, " \t\n");
		if (!strncmp(code, marker, len)) {
			const char *end = code + len;

			end += strspn(end, " \t\n");
			if (!strncmp(end, "*/", 2))
				return true;
		}
	}
	return false;
}

static void add_uses(struct sema *s, struct sema_function *f, const char *prefix, bool write)
{
	const char *at = f->ir.code->text, *name;

	while ((name = next_marker(s, &at, prefix))) {
		struct sema_global *g =
			sema_find_global(s, f->file, intern(s->in, name), f->ir.span);

		if (!g) {
			diag_report(s->sink, DIAG_PRAGMA_GLOBAL, f->ir.span, name);
			continue;
		}
		vec_push(s->arena, &f->ir.uses, ((struct ir_global_use){ &g->ir, write }));
	}
}

void sema_embedded_function(struct sema *s, struct sema_function *f)
{
	const char *at = f->ast->body->code.text->text;

	f->bound = true;
	f->context = 0;
	f->ir.code = f->ast->body->code.text;
	f->ir.pure = has_marker(at, "pure");
	f->ir.asks_match = has_marker(at, "matched");
	f->guru = has_marker(at, "guru");
	f->ir.runtime = next_marker(s, &at, "runtime:");
	if (f->ir.runtime)
		f->ir.code = NULL;
}

void sema_embedded_uses(struct sema *s, struct sema_function *f)
{
	if (!f->ir.code || f->ir.uses.n)
		return;
	add_uses(s, f, "pragma:read:", false);
	add_uses(s, f, "pragma:write:", true);
}

enum ir_type sema_embedded_type(const struct istr *code)
{
	return has_marker(code->text, "string") ? IR_STRING : IR_LONG;
}

bool sema_embedded_pure(const struct istr *code)
{
	return has_marker(code->text, "pure");
}
