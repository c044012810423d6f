/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backends.def as a table: the only place that names the back ends. */
#include "driver/backends.h"

#include <string.h>

#define BACKEND(folder) extern const struct backend folder##_backend;
#include "backend/backends.def"
#undef BACKEND

const struct backend *backends_find(const char *name)
{
	static const struct backend *const rows[] = {
#define BACKEND(folder) &folder##_backend,
#include "backend/backends.def"
#undef BACKEND
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!name || !strcmp(rows[i]->name, name))
			return rows[i];
	return NULL;
}
