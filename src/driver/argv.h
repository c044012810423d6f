/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The library globals argc, argv and argv_1 to argv_32: the arguments of the script, as an array of
 * strings and one by one, "" for those that were not given. Scripts that name one of them get a
 * small script more, first of all, which fills the array before any other probe runs. Each element
 * comes from a global argv_N, so -G argv_N=TEXT and the same as a module parameter change it. No
 * I/O.
 */
#ifndef SPILE_DRIVER_ARGV_H
#define SPILE_DRIVER_ARGV_H

#include "ast/ast.h"
#include "ast/expr.h"
#include "base/strbuf.h"

/*
 * Append that script to an empty text; false when files name none, or when one of them declares
 * argc or argv as a global: then it is theirs. So is an argv_N that they declare. The files are
 * read, not changed; args are copied into the text, quoted.
 */
bool argv_script(struct interner *in, struct ast_file *const *files, size_t n_files,
		 const char *const *args, size_t n_args, struct strbuf *text);

#endif
