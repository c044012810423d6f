/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the parser: its state, and the stages in order. Each stage makes a new token list from
 * the last one's; the filter hands tokens to the grammar one by one.
 */
#ifndef SPILE_PARSE_PARSER_H
#define SPILE_PARSE_PARSER_H

#include "ast/build.h"
#include "base/map.h"
#include "parse/parse.h"
#include "parse/token.h"

/* Where the filter is: decides what braces, keywords and wildcards mean. */
enum filter_mode {
	FILTER_BODY,
	FILTER_POINT,  /* from "probe" to the "{" of the handler */
	FILTER_HEADER, /* from "function" to its body */
};

/* The state between two tokens handed to the grammar. */
struct filter {
	size_t cursor;
	enum filter_mode mode;
	int parens;    /* FILTER_POINT: inside ( ) tokens mean what they mean in a body */
	int braces;    /* FILTER_POINT: open brace lists */
	int last_kind; /* the token handed out last; 0: none in this construct */
	bool updated;  /* it is a ++ or -- behind an operand: another one begins a statement */
	size_t last;   /* its index in the list, for messages */
	bool in_function;
	int depth;     /* FILTER_BODY: open braces */
	size_t errors; /* reported before this text */
	/* before the token that was handed out last, and the one before that */
	size_t errors_before_last, errors_before_previous;
	size_t resumed; /* the token where a statement was taken to begin after a mistake */
	bool doubtful;  /* and maybe it does not: a bracket was open */
	bool in_block;  /* a probe, function or global began where a bracket was open */
	bool ending;    /* this run of the grammar can only end */
	bool restart;   /* the grammar is to be run again, from the cursor on */
};

/*
 * env, library_macros and the arena stay for the parser's life; macros, tokens, filter and
 * build.file are of the text being parsed.
 */
struct parser {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct parse_env env;
	struct map library_macros;      /* when env.macros is NULL */
	void (*need_macros)(void *arg); /* parse_on_macros()'s; NULL once it was called */
	void *need_macros_arg;
	struct ast_builder build;
	struct map *macros;        /* of this file */
	struct map *broken_macros; /* of this file, istr: their definitions cannot be read */
	struct tokens tokens;
	struct span comment; /* the beginning of one that has no end; nowhere when all have */
	struct filter filter;
};

/*
 * A UTF-8 byte-order mark, as some editors put it first, is no part of the text: TEXT and LEN are
 * moved behind it, and positions count from there.
 */
void parser_skip_mark(const char **text, size_t *len);
/* scan.c: text to tokens, arguments pasted in. The list ends in an END token. */
struct tokens parser_scan(struct parser *p, const char *text, size_t len, uint32_t start);
/* versions.c: report what of the list means something else to another language level */
void parser_check_versions(struct parser *p, const struct tokens *in);
/* macro.c: is there a macro in the list that is no operator's name and not known? */
bool parser_needs_macros(const struct parser *p, const struct tokens *in);
/* macro.c: where this file defines the macro, so far; false: it does not */
bool parser_macro_defined(const struct parser *p, const struct istr *name, struct span *ret);
/*
 * macro.c: take out definitions, expand invocations. macro_file: only definitions may be there, and
 * become global.
 */
struct tokens parser_expand_macros(struct parser *p, const struct tokens *in, bool macro_file);
/*
 * condition.c: before the macros, conditionals around definitions: of "%( arch == "x86_64" %?
 * @define a %( 1 %) %)" only what is taken is defined.
 */
struct tokens parser_decide_definitions(struct parser *p, const struct tokens *in);
/* condition.c: %( %? %: %) decided. */
struct tokens parser_decide_conditions(struct parser *p, const struct tokens *in);
/* filter.c: what the grammar calls, and how it starts */
void parser_filter_start(struct parser *p);
/*
 * After a mistake: in a block go on at the next statement, else have the grammar end, to be run
 * again from the next top-level keyword. After ten mistakes nothing is left to parse.
 */
void parser_filter_resume(struct parser *p);
/* Run the grammar until the end of the tokens. */
void parser_run_grammar(struct parser *p);

/* filter.c: token I of the text; behind the end the last one, SCRIPT_EOF. */
const struct token *parser_token(const struct parser *p, size_t i);
/* Is it a keyword with which a top-level construct begins, or the end? */
bool parser_begins_item(int kind);
/* Is token I the "%" of a "{%" that was written for "%{"? */
bool parser_begins_percent(const struct parser *p, size_t i);

/* A JUNK token in place of OLD. The diagnostic says OLD's text; the caller may refine it. */
struct token parser_junk(struct parser *p, const struct token *old, struct diagnostic *bad);
/* "identifier 'x'" as diag_describe_text, for the text of the token. */
const char *parser_describe(struct parser *p, const struct token *t);
/* Whether the language level is at least VERSION. */
bool parser_since(const struct parser *p, const char *version);
/*
 * syntax_error.c, by which grammar/script.y reports: the token at fault is the one handed out last.
 * EXPECTED: what could stand there
 */
void parser_syntax_error(struct parser *p, const char *const *expected, int n);
/* Is NAME among the N names of token kinds? */
bool parser_expects(const char *const *names, int n, const char *name);
/*
 * Is the token a comparison that would go on with the expression before it, if that were not one
 * already? Only =~ and !~ are so, since they have no other comparison beside them.
 */
bool parser_is_second_comparison(const struct token *t, const char *const *names, int n);
/*
 * hints.c: how what was meant is written, for the same mistake; NULL: its cause is not known. OPEN:
 * the innermost bracket that is open before it, or NULL
 */
const char *parser_hint(struct parser *p, const char *const *names, int n,
			const struct token *open);
/* The same of a comparison behind =~ or !~, which has no other one beside it. */
void parser_not_associative(struct parser *p);

#endif
