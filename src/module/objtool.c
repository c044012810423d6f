/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objtool on one unit, as kbuild runs it behind the compiler: it writes ORC data and lists of
 * returns, calls and static branches into the object. See choose_objtool() in build.c for kernels
 * whose objtool cannot run here.
 */
#include <stdlib.h>

#include "module/base.h"

struct error *base_objtool(const struct module_base *base, const char *object)
{
	struct argv argv;
	char *text, *digest;
	int status;
	struct error *err;

	if (!base->objtool[0])
		return NULL;
	argv_init(&argv, base->arena);
	argv_add_all(&argv, base->objtool);
	argv_add(&argv, object);
	err = tool_run(argv_done(&argv), NULL, &text, &status);
	if (err)
		return err;
	if (status) {
		digest = tool_digest(text);
		err = error_create("objtool rejects %s: %s", path_base(object), digest);
		free(digest);
	}
	free(text);
	return err;
}
