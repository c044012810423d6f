/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which commands need a shell, as command_words.h says; the words themselves are wordexp()'s. */
#include "base/command_words.h"

#include <string.h>

/* What wordexp() takes for an ordinary word at the start of a command, and a shell does not. */
static bool starts_like_shell(const char *text)
{
	static const char *const reserved[] = { "!",     "if",   "case",     "for",  "while",
						"until", "exec", "function", "time", "[[" };
	size_t blanks = strspn(text, " \t"), name, len;
	const char *word = text + blanks;

	name = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	if (name && word[name] == '=' && !(*word >= '0' && *word <= '9'))
		return true;
	len = strcspn(word, " \t");
	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
		if (strlen(reserved[i]) == len && !strncmp(word, reserved[i], len))
			return true;
	return false;
}

/* Is there a # where a shell begins a comment? */
static bool has_comment(const char *text)
{
	bool at_start = true, escaped = false;
	char quote = '\0';

	for (; *text; text++) {
		if (escaped) {
			escaped = false;
			at_start = false;
			continue;
		}
		if (*text == '\\' && quote != '\'') {
			escaped = true;
		} else if (quote) {
			if (*text == quote)
				quote = '\0';
		} else if (*text == '\'' || *text == '"') {
			quote = *text;
		} else if (*text == '#' && at_start) {
			return true;
		}
		at_start = !quote && (*text == ' ' || *text == '\t');
	}
	return false;
}

bool command_words(const char *text, wordexp_t *ret)
{
	return !starts_like_shell(text) && !has_comment(text) && !wordexp(text, ret, WRDE_NOCMD);
}
