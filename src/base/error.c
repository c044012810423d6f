/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error objects. Every failure to allocate one gives error_no_memory, which needs no memory itself.
 */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct error error_no_memory = { .errnum = ENOMEM, .text = "out of memory" };

/* Takes text over, also on failure; NULL stands for a text that could not be allocated. */
static struct error *error_from(int errnum, char *text)
{
	struct error *err;

	if (!text)
		return &error_no_memory;
	err = calloc(1, sizeof(*err));
	if (!err) {
		free(text);
		return &error_no_memory;
	}
	err->errnum = errnum;
	err->text = text;
	return err;
}

static char *format(const char *fmt, va_list ap)
{
	char *text;

	return vasprintf(&text, fmt, ap) < 0 ? NULL : text;
}

struct error *error_create(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = format(fmt, ap);
	va_end(ap);
	return error_from(0, text);
}

struct error *error_create_errno(int errnum, const char *fmt, ...)
{
	va_list ap;
	char *text, *whole = NULL;

	va_start(ap, fmt);
	text = format(fmt, ap);
	va_end(ap);
	if (text && asprintf(&whole, "%s: %s", text, strerror(errnum)) < 0)
		whole = NULL;
	free(text);
	return error_from(errnum, whole);
}

struct error *error_context(struct error *err, const char *fmt, ...)
{
	va_list ap;
	char *prefix, *whole;

	if (!err || err == &error_no_memory)
		return err;
	va_start(ap, fmt);
	prefix = format(fmt, ap);
	va_end(ap);
	if (prefix && asprintf(&whole, "%s: %s", prefix, err->text) >= 0) {
		free((char *)err->text);
		err->text = whole;
	}
	free(prefix);
	return err;
}

struct error *error_hint(struct error *err, const char *fmt, ...)
{
	va_list ap;
	char *hint;

	if (!err || err == &error_no_memory)
		return err;
	va_start(ap, fmt);
	hint = format(fmt, ap);
	va_end(ap);
	if (hint) {
		free((char *)err->hint);
		err->hint = hint;
	}
	return err;
}

void error_destroy(struct error *err)
{
	if (!err || err == &error_no_memory)
		return;
	free((char *)err->text);
	free((char *)err->hint);
	free(err);
}
