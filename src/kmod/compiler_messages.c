/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the compiler says of embedded C, as diagnostics at the script's text. Lines of guru.c that
 * are made by codegen/ carry the position of the block they are for (CODEGEN_MADE_FOR), so each
 * error belongs to a block. The first ten are told, one for each place. An error in a header or in
 * a macro of the runtime is told where the script includes or uses that. What the assembler says is
 * read like what the compiler says; names that cannot be linked are looked for in the blocks.
 *
 * Where brackets or conditionals of a block do not match, the compiler runs on into other text:
 * that is then the only thing told.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "diag/diag.h"
#include "ir/walk.h"
#include "kmod/c_balance.h"
#include "kmod/internal.h"

/* A block of embedded C; start is in the file itself, where the span may be in an expansion. */
struct block {
	const struct ir_code *code;
	uint32_t start;
};

#define ERRORS_MAX 10

/* The blocks of the program, and the error that waits for its line. */
struct messages {
	struct ir_walker walker;
	struct backend_job *job;
	VEC(struct block) blocks;
	uint32_t included;   /* where the script includes what the next error is in; 0: nowhere */
	const char *open;    /* an error in no text of the script, so far; NULL: none */
	const char *open_at; /* where it is: FILE:LINE */
	VEC(uint32_t) told;  /* places */
};

/* ---- blocks ---- */

static void add_block(struct messages *m, const struct ir_code *code)
{
	struct source_position at;
	struct block b = { .code = code };

	if (!code || !source_map_locate(m->job->sources, code->span.start, &at))
		return;
	b.start = source_map_offset(m->job->sources, at.file, strlen(at.file), at.line, 1) +
		  at.column - 1;
	vec_push(m->job->arena, &m->blocks, b);
}

static void find_expr(struct ir_walker *w, struct ir_expr **ref)
{
	if ((*ref)->kind == IR_EMBEDDED)
		add_block((struct messages *)w, (*ref)->code);
	ir_expr_children(w, *ref);
}

static void find_blocks(struct messages *m)
{
	const struct ir_program *program = m->job->program;

	vec_foreach(code, &program->embedded)
		add_block(m, *code);
	vec_foreach(it, &program->functions) {
		struct ir_stmt *body = (*it)->body;

		add_block(m, (*it)->code);
		ir_walk_stmt(&m->walker, &body);
	}
	vec_foreach(it, &program->probes)
		ir_walk_probe(&m->walker, *it);
}

/* The block that has OFFSET; NULL: the script's text of none. */
static struct block *block_at(struct messages *m, uint32_t offset)
{
	vec_foreach(b, &m->blocks)
		if (offset >= b->start &&
		    offset - b->start < b->code->span.end - b->code->span.start)
			return b;
	return NULL;
}

/* ---- telling ---- */

/* What to try, by what a message has in it. */
static const struct {
	const char *has, *hint;
} hints[] = {
	{ ".h: No such file or directory",
	  "the headers are the kernel's, as <linux/fs.h>; those of the C library are not there" },
	{ "assignment to expression with array type",
	  "a string is an array of MAXSTRINGLEN chars: STAP_RETURN(text), or strlcpy()" },
	{ "the frame size of",
	  "handlers run on the kernel's stack, of which some 4,000 bytes can be counted on: what is "
	  "large is static, or of kmalloc(size, GFP_ATOMIC)" },
	{ "expects argument of type",
	  "a number of the script is an int64_t: %lld; a string is a char array: %s; before the "
	  "format of STAP_PRINTF, _stp_printf and STAP_ERROR stands the context, so that is "
	  "argument 2" },
	{ "'struct context' has no member named",
	  "CONTEXT has kregs, uregs, user_mode_p, probe_point, last_error and error_buffer; what "
	  "else a hit has is told by functions of the script, as pp() and register(), and can be "
	  "passed as a parameter" },
	{ "'struct stp_ctx' has no member named",
	  "CONTEXT has kregs, uregs, user_mode_p, probe_point, last_error and error_buffer" },
};

/* STAP_GLOBAL_GET_a() and its kin are there for code that says that it reaches a. */
static void hint_at_global(struct messages *m, struct diagnostic *d, const char *text)
{
	static const struct {
		const char *has, *word;
	} forms[] = { { "'STAP_GLOBAL_GET_", "read" }, { "'STAP_GLOBAL_SET_", "write" } };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const char *at = strstr(text, forms[i].has);
		const char *name = at ? at + strlen(forms[i].has) : NULL;

		if (name)
			diag_set_hint(m->job->sink, d,
				      "code that reaches a global of the script says so: "
				      "/* pragma:%s:%.*s */",
				      forms[i].word, (int)strcspn(name, "'"), name);
	}
}

/* The same place in the expansion that the block came out of, if it did. */
static uint32_t origin_of(struct messages *m, uint32_t offset)
{
	const struct block *b = block_at(m, offset);

	return b ? b->code->span.start + (offset - b->start) : offset;
}

static struct diagnostic *report(struct messages *m, enum diag_tag tag, uint32_t offset,
				 const char *text)
{
	struct diag_sink *sink = m->job->sink;
	uint32_t at = origin_of(m, offset);
	struct diagnostic *d = diag_report(sink, tag, (struct span){ at, at + 1 }, text);

	diag_set_token(sink, d, "embedded-code");
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strstr(text, hints[i].has))
			diag_set_hint(sink, d, "%s", hints[i].hint);
	hint_at_global(m, d, text);
	vec_push(m->job->arena, &m->told, offset);
	return d;
}

/* Does the message only follow from one before it? */
static bool follows(const struct messages *m, const char *text)
{
	static const char *const followers[] = {
		"control reaches end of non-void function", "follows non-static declaration",
		"expected declaration or statement at end of input"
	};

	for (size_t i = 0; m->told.n && i < sizeof(followers) / sizeof(followers[0]); i++)
		if (strstr(text, followers[i]))
			return true;
	return false;
}

/* Once at a place, and ten in all. */
static void tell(struct messages *m, enum diag_tag tag, uint32_t offset, const char *text)
{
	vec_foreach(told, &m->told)
		if (*told == offset)
			return;
	if (m->told.n < ERRORS_MAX && !follows(m, text))
		report(m, tag, offset, text);
}

/* Whether a block is found that does not match. */
static bool tell_balance(struct messages *m)
{
	vec_foreach(b, &m->blocks) {
		static const size_t mark = sizeof("%{") - 1;
		const struct istr *text = b->code->text;
		size_t at;
		const char *what = c_balance(text->text, text->len, &at);

		if (what)
			report(m, DIAG_EMBEDDED_BALANCE, b->start + (uint32_t)(mark + at), what);
	}
	return m->told.n > 0;
}

/* ---- reading ---- */

/* FILE:LINE or FILE:LINE:COLUMN; column is 0 when there is none. */
struct source_line {
	const char *file;
	size_t len;
	unsigned line, column;
};

/* Takes ":NUMBER" off the end of the text. */
static bool take_number(const char *text, size_t *len, unsigned *ret)
{
	size_t n = *len;

	while (n && isdigit((unsigned char)text[n - 1]))
		n--;
	if (n == *len || n < 2 || text[n - 1] != ':')
		return false;
	*ret = (unsigned)strtoul(text + n, NULL, 10);
	*len = n - 1;
	return true;
}

static bool read_source_line(const char *text, size_t len, struct source_line *ret)
{
	unsigned first;

	ret->file = text;
	ret->column = 0;
	if (!take_number(text, &len, &ret->line))
		return false;
	if (take_number(text, &len, &first)) {
		ret->column = ret->line;
		ret->line = first;
	}
	ret->len = len;
	return true;
}

/* The first character of the line that is not blank. */
static uint32_t first_of_line(const struct backend_job *job, uint32_t offset)
{
	size_t len;
	const char *text =
		source_map_text(job->sources, (struct span){ offset, offset + 100 }, &len);
	size_t n = 0;

	while (n < len && (text[n] == ' ' || text[n] == '\t'))
		n++;
	return offset + (uint32_t)n;
}

/* Where the script's text is that the compiler means, or the block that its line is made for. */
static uint32_t find_source_line(const struct backend_job *job, const struct source_line *at)
{
	static const char made_for[] = CODEGEN_MADE_FOR;
	size_t n = sizeof(made_for) - 1;
	struct source_line own;
	uint32_t offset;

	if (at->len > n && !memcmp(at->file, made_for, n)) {
		if (!read_source_line(at->file + n, at->len - n, &own))
			return 0;
		offset = source_map_offset(job->sources, own.file, own.len, own.line, 1);
		/* its column was not counted by a compiler */
		return offset ? offset + own.column - 1 : 0;
	}
	offset = source_map_offset(job->sources, at->file, at->len, at->line,
				   at->column ? at->column : 1);
	return offset && !at->column ? first_of_line(job, offset) : offset;
}

/* An error that has found no text of the script is told where that includes its file. */
static void close_error(struct messages *m)
{
	if (m->open && m->included)
		tell(m, DIAG_EMBEDDED_C, m->included,
		     arena_printf(m->job->arena, "%s (%s)", m->open, m->open_at));
	m->open = NULL;
}

/* The message without what the user did not write: the option, and tokens of guru.c. */
static const char *message_text(struct arena *arena, const char *text, size_t len)
{
	static const char end[] = "'" CODEGEN_BLOCK_END "'";
	const char *option = memmem(text, len, " [-W", 4), *token;

	if (option)
		len = (size_t)(option - text);
	token = memmem(text, len, end, sizeof(end) - 1);
	if (!token)
		return arena_strndup(arena, text, len);
	return arena_printf(arena, "%.*s'%%}'%.*s", (int)(token - text), text,
			    (int)(text + len - token - (sizeof(end) - 1)), token + sizeof(end) - 1);
}

/* "In file included from PLACE," and the lines below it that say from where that was. */
static bool read_included(struct messages *m, const char *line, size_t len)
{
	static const char head[] = "In file included from ";
	bool first = len > sizeof(head) && !memcmp(line, head, sizeof(head) - 1);
	const char *from =
		first ? line + sizeof(head) - 1 : line + strspn(line, " ") + sizeof("from ") - 1;
	struct source_line at;
	uint32_t offset;

	if (!first && (*line != ' ' || from >= line + len || memcmp(from - 5, "from ", 5)))
		return false;
	if (first) {
		close_error(m);
		m->included = 0;
	}
	while (len && (line[len - 1] == ':' || line[len - 1] == ','))
		len--;
	if (from < line + len && read_source_line(from, (size_t)(line + len - from), &at)) {
		offset = find_source_line(m->job, &at);
		if (offset)
			m->included = offset;
	}
	return true;
}

static void read_line(struct messages *m, const char *line, size_t len)
{
	static const char *const kinds[] = { ": fatal error: ", ": error: ", ": note: ",
					     ": Error: " /* the assembler */ };
	const char *mark = NULL, *text;
	struct source_line at;
	uint32_t offset;
	bool note = false;

	if (read_included(m, line, len))
		return;
	for (size_t i = 0; !mark && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		mark = memmem(line, len, kinds[i], strlen(kinds[i]));
		text = mark + (mark ? strlen(kinds[i]) : 0);
		note = i == 2;
	}
	if (!mark || !read_source_line(line, (size_t)(mark - line), &at))
		return;
	offset = find_source_line(m->job, &at);
	if (note) {
		if (m->open && offset)
			tell(m, DIAG_EMBEDDED_C, offset, m->open);
		m->open = offset ? NULL : m->open;
		return;
	}
	close_error(m);
	text = message_text(m->job->arena, text, (size_t)(line + len - text));
	if (offset) {
		tell(m, DIAG_EMBEDDED_C, offset, text);
		m->included = 0;
		return;
	}
	m->open = text;
	m->open_at = arena_printf(m->job->arena, "%.*s:%u", (int)at.len, at.file, at.line);
}

void kmod_compiler_messages(struct backend_job *job, const char *text)
{
	struct messages m = { .walker = { find_expr, NULL }, .job = job };

	find_blocks(&m);
	if (tell_balance(&m))
		return;
	for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		read_line(&m, line, (size_t)(end - line));
	}
	close_error(&m);
}

static bool is_name_char(unsigned char c)
{
	return isalnum(c) || c == '_';
}

/* Where in the block's text NAME stands as a word, -1: nowhere. */
static long find_word(const struct istr *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text->text; (at = strstr(at, name)); at += len)
		if ((at == text->text || !is_name_char((unsigned char)at[-1])) &&
		    !is_name_char((unsigned char)at[len]))
			return at - text->text;
	return -1;
}

/* A definition is told where it stands first, a use where it is behind all declarations. */
void kmod_symbol_message(struct backend_job *job, const char *name, bool defined,
			 const struct error *why)
{
	struct messages m = { .walker = { find_expr, NULL }, .job = job };
	uint32_t place = 0;
	struct diagnostic *d;

	find_blocks(&m);
	vec_foreach(b, &m.blocks) {
		long at = find_word(b->code->text, name);

		if (at >= 0 && (!place || !defined))
			place = b->start + (uint32_t)(sizeof("%{") - 1) + (uint32_t)at;
	}
	if (!place)
		return;
	d = report(&m, DIAG_EMBEDDED_SYMBOL, place, why->text);
	if (why->hint)
		diag_set_hint(job->sink, d, "%s", why->hint);
}
