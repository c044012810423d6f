/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: user mistakes, collected here and rendered later. A position is a span of 32-bit
 * offsets into one source map that holds every text the session read; file, line and column are
 * computed only when printed.
 *
 * Each diagnostic is a row of messages.def (tag, severity, text) so tests match tags; its text may
 * carry the offending token, a second location, notes (macro expansion, alias chain) and a hint.
 * Rendering (render.h) writes the forms that the reference has. Nothing in this folder prints by
 * itself.
 */
#ifndef SPILE_DIAG_DIAG_H
#define SPILE_DIAG_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct istr;
struct source_map;
struct diag_sink;

/* Half-open; offset 0 is "nowhere" (start == end == 0). */
struct span {
	uint32_t start, end;
};

/* Errors of either kind fail the pass; warnings do only with -W, which the driver decides. */
enum diag_severity { DIAG_WARNING, DIAG_PARSE_ERROR, DIAG_SEMANTIC_ERROR };

/* One for each row of messages.def. */
enum diag_tag {
#define DIAG(tag, severity, text) DIAG_##tag,
#include "diag/messages.def"
#undef DIAG
	DIAG_TAG_MAX
};

/* ---- source map ---- */
/* A position as people count it. Strings are the map's: they live as long as it does. */
struct source_position {
	const char *file;      /* as shown: "<input>", path */
	unsigned line, column; /* 1-based; a tab is one column */
	const char *line_text; /* start of the line; line_len bytes, no newline */
	size_t line_len;
};

/* An empty map in the arena; there is nothing to release. */
struct source_map *source_map_create(struct arena *arena);
/*
 * Text is kept by reference and must outlive the map; the name is copied. Returns the offset of
 * its first byte (>= 1). library: a tapset file, not user text. The end of the text has an offset
 * of its own.
 */
uint32_t source_map_add(struct source_map *map, const char *name, const char *text, size_t len,
			bool library);
/*
 * File, line and column of an offset, in the body when it lies in a macro expansion. False for
 * offsets that were never given out, 0 among them; *ret is untouched then. Costs a pass over the
 * file up to there.
 */
bool source_map_locate(const struct source_map *map, uint32_t offset, struct source_position *ret);
/*
 * The offset of a position in the file whose name FILE, of LEN bytes, ends in; 0 when there is
 * none. As compilers count columns: a tab goes on to the next multiple of 8.
 */
uint32_t source_map_offset(const struct source_map *map, const char *file, size_t len,
			   unsigned line, unsigned column);
/* Whether the text at OFFSET, seen through expansions, is a tapset file's. False for offset 0. */
bool source_map_is_library(const struct source_map *map, uint32_t offset);
/*
 * The text of a span, not NUL-terminated: *len bytes, cut at the end of its file. "" and 0 when
 * it is nowhere.
 */
const char *source_map_text(const struct source_map *map, struct span span, size_t *len);
/*
 * A macro expansion: fresh offsets for the text of BODY (a span of a real file), as used at
 * INVOCATION (which may lie in another expansion). Offset I of the result is BODY.start + I; locate
 * and text see through to the body, and rendering adds "in expansion of macro". Returns the first
 * offset.
 */
uint32_t source_map_add_expansion(struct source_map *map, struct span body, struct span invocation);
/* When OFFSET lies in an expansion: its invocation in *ret, and true. */
bool source_map_invocation(const struct source_map *map, uint32_t offset, struct span *ret);

/* ---- collecting ---- */
/* A line below a diagnostic that says where it came from. */
struct diag_note {
	struct span span; /* may be nowhere */
	const char *text; /* "in expansion of macro: ...", "from: kernel.function(...)" */
};

/*
 * One message with all that is shown beside it. It lives in the sink's arena, at the same address
 * to the end; whoever reported it may go on to refine it.
 */
struct diagnostic {
	enum diag_tag tag;
	enum diag_severity severity;
	const char *text; /* formatted message */
	/* "identifier 'x'", "operator '+'"; made from the span unless set; NULL when nowhere */
	const char *token;
	struct span span;
	struct span span2; /* second token of a type conflict; nowhere if none */
	const char *token2;
	const char *hint; /* what to try, or NULL */
	/* wrapping error printed first ("while processing probe ..."), or NULL */
	const struct diagnostic *outer;
	struct diag_note *notes;
	size_t n_notes;
	/* parse errors: the token itself is wrong ("at:"), not what stands before it ("saw:") */
	bool about_token;
	bool each_place; /* shown at every place: text and token are the same for different mistakes */
	bool at_eof;     /* parse errors: token is NULL, the file of span ended too early */
	/* not counted as long as it may turn out not to matter; it keeps its place in the list.
	 * Who sets it clears it, or calls diag_forget_held(), before anything is shown. */
	bool held;
};

/* A sink in the arena. The map must outlive it. */
struct diag_sink *diag_sink_create(struct arena *arena, struct source_map *map);
/* The map it was made with. */
struct source_map *diag_sink_map(const struct diag_sink *sink);

/*
 * Add a diagnostic: the arguments are those of the row's text (printf), not checked by the
 * compiler. Never NULL. Its token is described from the text of the span; diag_set_token
 * overrides that.
 */
struct diagnostic *diag_report(struct diag_sink *sink, enum diag_tag tag, struct span span, ...);
/*
 * The text of a row, in ARENA, and a diagnostic of a row whose text was made so before: for who
 * knows what is wrong but not where in the script. The arguments are those of the row's text.
 */
const char *diag_vtext(struct arena *arena, enum diag_tag tag, va_list ap);
const char *diag_text(struct arena *arena, enum diag_tag tag, ...);
struct diagnostic *diag_report_text(struct diag_sink *sink, enum diag_tag tag, struct span span,
				    const char *text);
/*
 * The setters format; diag_set_second describes the second token from its span when TOKEN is NULL.
 */
void diag_set_token(struct diag_sink *sink, struct diagnostic *d, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void diag_set_second(struct diag_sink *sink, struct diagnostic *d, struct span span,
		     const char *token);
/* What to try, shown below; replaces an earlier hint. */
void diag_set_hint(struct diag_sink *sink, struct diagnostic *d, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Appends a note; SPAN may be nowhere. */
void diag_add_note(struct diag_sink *sink, struct diagnostic *d, struct span span, const char *fmt,
		   ...) __attribute__((format(printf, 4, 5)));

/*
 * What the text of a span is as a token: "identifier 'x'", "keyword", with bytes that cannot be
 * shown replaced; NULL when nowhere. In the sink's arena.
 */
const char *diag_describe(const struct diag_sink *sink, struct span span);
const char *diag_describe_text(const struct diag_sink *sink, const char *text, size_t len);

/*
 * Counts over all diagnostics listed so far: errors of both kinds, those of one severity, and
 * all.
 */
size_t diag_error_count(const struct diag_sink *sink);
size_t diag_count_of(const struct diag_sink *sink, enum diag_severity severity);
size_t diag_count(const struct diag_sink *sink);
/* The Ith of diag_count(), in the order of listing. */
const struct diagnostic *diag_get(const struct diag_sink *sink, size_t i);
/*
 * Forget everything after the first n: speculative resolution (@defined, optional probes). Those
 * forgotten stay readable by who holds them.
 */
void diag_truncate(struct diag_sink *sink, size_t n);

/* Removes those that are held. */
void diag_forget_held(struct diag_sink *sink);
/*
 * Holds everything after the first n. Returns the first error there that was not held; NULL: there
 * is none.
 */
struct diagnostic *diag_hold(struct diag_sink *sink, size_t n);

/* The tag's name as messages.def has it, for tests and -vv. */
const char *diag_tag_name(enum diag_tag tag);

/*
 * Made like diag_report makes one, but in no list: a wrapper for diag_set_outer, or one that
 * diag_add lists later, or never.
 */
struct diagnostic *diag_create(struct diag_sink *sink, enum diag_tag tag, struct span span, ...);
/* Lists what diag_create() made; once only. */
void diag_add(struct diag_sink *sink, struct diagnostic *d);
/* While set (NULL to clear), new errors get this wrapper as ->outer. Returns the previous one. */
const struct diagnostic *diag_set_outer(struct diag_sink *sink, const struct diagnostic *outer);

#endif
