/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to tree: tokens, with arguments pasted ($1 @1); %( %) conditionals that hold definitions of
 * macros; macros; the other conditionals; the filter in front of the grammar; the grammar.
 * Mistakes go to the sink; after a parse error the parser resumes at the next
 * top-level construct, so a file may give several.
 */
#ifndef SPILE_PARSE_PARSE_H
#define SPILE_PARSE_PARSE_H

#include "ast/ast.h"

struct map;

/* What preprocessor conditions and $N see; all pointers outlive the parse. */
struct parse_env {
	const char *kernel_vr;  /* full release; kernel_v is its part before the first '-' */
	const char *arch;       /* kernel's name: x86_64 */
	const char *compatible; /* systemtap_v, "5.6" by default */
	const char *runtime;    /* "kernel" */
	const char *privilege;  /* "stapdev" */
	bool guru;
	bool check_version; /* report what depends on the language level, in users' scripts */
	/*
	 * value of CONFIG_NAME ("y", "m", a number or string) or "" when unset; data is config_data
	 */
	const char *(*config)(const char *name, void *data);
	void *config_data;
	const char *const *args; /* $1 ... */
	size_t n_args;
	bool *args_used;     /* n_args flags, set when referenced; or NULL */
	struct map *macros;  /* library macros: istr -> struct macro; parse of a .stpm adds to it */
	unsigned max_height; /* of expressions (ast/build.h), 0: AST_HEIGHT_DEFAULT */
};

struct parser; /* arena, interner, sink, env */
/*
 * A parser in the arena; there is nothing to release. env is copied, what it points to is not.
 * One parser parses one text after the other: macros of .stpm files stay, all else is per text.
 */
struct parser *parser_create(struct arena *arena, struct interner *in, struct diag_sink *sink,
			     const struct parse_env *env);
/*
 * Call NEED(ARG), once, before a text is parsed that uses a macro which is not known: it may parse
 * macro files with this parser, and nothing else.
 */
void parse_on_macros(struct parser *p, void (*need)(void *arg), void *arg);
/* The sink given to parser_create(). */
struct diag_sink *parse_sink(const struct parser *p);

/*
 * Parse TEXT (kept by reference). NULL when any error was reported, whatever could be read besides.
 * An empty user script is an error.
 */
struct ast_file *parse_text(struct parser *p, const char *name, const char *text, size_t len,
			    bool library);
/*
 * The same of a part of a library's file that the source map has: the LEN bytes at TEXT, whose
 * place there is START.
 */
struct ast_file *parse_page(struct parser *p, const char *name, uint32_t start, const char *text,
			    size_t len);
/*
 * A .stpm: only @define (and conditionals); macros become visible to all later parses of this
 * parser, unless one of that name is known already. False when an error was reported; warnings do
 * not count.
 */
bool parse_macro_file(struct parser *p, const char *name, const char *text, size_t len);
/*
 * What -l and -L are given, such as "kernel.function(\"x\")": a user script whose text is
 * "probe TEXT {}", so aliases may come before the last point. NULL when an error was reported.
 */
struct ast_file *parse_probe_text(struct parser *p, const char *name, const char *text, size_t len);

/*
 * The next byte of a string as it is written between its quotes: *at moves behind it, and stays
 * below END. *unknown: it stood behind a backslash that means nothing to strings ("\."). hex: \x41
 * is known.
 */
char parse_string_byte(const char **at, const char *end, bool hex, bool *unknown);

/*
 * What a library file may declare, whatever its conditionals decide: the names only, for library/'s
 * index. Private ones are left out. An alias name that is not plain text is "**". Mistakes are not
 * reported.
 */
struct parse_outline {
	VEC(const struct istr *) functions;
	VEC(const struct istr *) globals;
	VEC(const struct istr *) aliases; /* dotted */
};
/* Fills RET, zeroed by the caller; the names are in the parser's arena. */
void parse_outline(struct parser *p, const char *name, const char *text, size_t len,
		   struct parse_outline *ret);

#endif
