/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User text in C: names and literals. These are the only functions by which bytes of a script
 * become C source, so their results must be valid C for any input: emit_name is injective,
 * emit_string is exact, emit_slug is neither and serves readers of the generated text.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "emit/writer.h"

/*
 * Whether a byte may stand in a C identifier; independent of the locale, which could add
 * letters.
 */
static bool plain(unsigned char c)
{
	return c < 128 && (isalnum(c) || c == '_');
}

/* Moves the text of B into the arena and releases B. */
static const char *finish(struct arena *arena, struct strbuf *b)
{
	const char *copy = arena_strdup(arena, strbuf_cstr(b));

	strbuf_deinit(b);
	return copy;
}

/*
 * A name of plain characters is kept. Any other takes the prefix with an x behind it, so that
 * the two kinds cannot meet.
 */
const char *emit_name(struct arena *arena, const char *prefix, const char *name)
{
	bool clean = *name;
	struct strbuf b;

	for (const char *p = name; *p; p++)
		clean = clean && plain(*p);
	if (clean)
		return arena_printf(arena, "%s_%s", prefix, name);
	strbuf_init(&b);
	strbuf_addf(&b, "%sx_", prefix);
	for (const char *p = name; *p; p++) {
		if (*p == '_')
			strbuf_adds(&b, "__");
		else if (plain(*p))
			strbuf_addc(&b, *p);
		else
			strbuf_addf(&b, "_%02x", (unsigned char)*p);
	}
	return finish(arena, &b);
}

const char *emit_slug(struct arena *arena, const char *text, size_t max)
{
	struct strbuf b;
	bool gap = false;

	strbuf_init(&b);
	for (const char *p = text; *p && b.len < max; p++) {
		if (!plain(*p) || *p == '_') {
			gap = b.len > 0;
			continue;
		}
		if (gap && b.len + 2 > max)
			break;
		if (gap)
			strbuf_addc(&b, '_');
		gap = false;
		strbuf_addc(&b, *p);
	}
	return finish(arena, &b);
}

void emit_add_string(struct strbuf *b, const char *s, size_t len)
{
	static const char escapes[] = "\a\b\t\n\v\f\r";
	static const char letters[] = "abtnvfr";

	strbuf_addc(b, '"');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = s[i];
		const char *known = c ? strchr(escapes, c) : NULL;

		if (known)
			strbuf_addf(b, "\\%c", letters[known - escapes]);
		else if (c == '"' || c == '\\' || (c == '?' && i && s[i - 1] == '?'))
			strbuf_addf(b, "\\%c", c);
		else if (c < ' ' || c >= 127)
			/* three digits: a following digit is not swallowed */
			strbuf_addf(b, "\\%03o", c);
		else
			strbuf_addc(b, c);
	}
	strbuf_addc(b, '"');
}

const char *emit_string(struct arena *arena, const char *s, size_t len)
{
	struct strbuf b;

	strbuf_init(&b);
	emit_add_string(&b, s, len);
	return finish(arena, &b);
}
