/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library whose types and variables are its own: the program knows struct opaque by name alone. */
#include <stdlib.h>
#include "things.h"

struct opaque {
	int size;
	const char *label;
	struct opaque *next;
};

int library_count;
static struct opaque last = { -1, "last one", 0 };

struct opaque *opaque_make(int size)
{
	struct opaque *o = malloc(sizeof(*o));

	*o = (struct opaque){ size, "made", &last };
	library_count += size + (o->label[0] == o->next->label[0]);
	return o;
}

int opaque_use(struct opaque *o, enum mood mood)
{
	return o->size + mood;
}
