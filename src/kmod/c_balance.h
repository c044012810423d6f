/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What in a piece of C is opened or closed on one side only: brackets, conditionals of the
 * preprocessor, comments. A compiler notices far behind the place, if at all, when other text
 * follows. Macros can have brackets, so an answer is worth something only when the compiler has
 * refused the text.
 */
#ifndef SPILE_KMOD_C_BALANCE_H
#define SPILE_KMOD_C_BALANCE_H

#include <stddef.h>

/*
 * What is wrong with TEXT, "this '{' has no '}' in the block", and in *at the offset of what is
 * meant; NULL when nothing is, or when it cannot be told: branches of a conditional, or a macro of
 * the text, have brackets that do not match.
 */
const char *c_balance(const char *text, size_t len, size_t *at);

#endif
