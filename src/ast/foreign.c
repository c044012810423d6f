/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and operators of other languages. The rows are few, and only mistakes ask. */
#include "ast/foreign.h"

#include <stdbool.h>
#include <string.h>

static const struct foreign {
	const char *texts;
	size_t reach;
	const char *hint;
} rows[] = {
#define FOREIGN(texts, reach, hint) { texts, reach, hint },
#include "ast/foreign.def"
#undef FOREIGN
};

/* Is the text among those between blanks? */
static bool is_among(const char *texts, const char *text, size_t len)
{
	while (*texts) {
		size_t n = strcspn(texts, " ");

		if (n == len && !memcmp(texts, text, len))
			return true;
		texts += n + (texts[n] == ' ');
	}
	return false;
}

const char *ast_foreign(const char *text, size_t len, size_t *reach)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!is_among(rows[i].texts, text, len))
			continue;
		if (reach)
			*reach = rows[i].reach;
		return rows[i].hint;
	}
	return NULL;
}
