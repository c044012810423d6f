/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the C library that end by a jump to one that it chose when it was loaded: memcpy() of strdup(), memset() of calloc(). */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

int main(void)
{
	static const char *const words[] = { "one", "three", "eleven" };

	for (int i = 0; i < 3; i++) {
		char *volatile copy = strdup(words[i]);
		char *volatile part = strndup(words[i], 2);
		void *volatile clean = calloc(10, 30 + i);

		free(clean);
		free(part);
		free(copy);
	}
	return 0;
}
