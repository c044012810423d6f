/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the marker comments inside embedded C say (language.md 13.3). */
#ifndef SPILE_SEMA_EMBEDDED_H
#define SPILE_SEMA_EMBEDDED_H

#include "sema/pass.h"

/* Fill f from the C body of its declaration. */
void sema_embedded_function(struct sema *s, struct sema_function *f);
/* Its pragma:read:, pragma:write: globals; once everything is declared. */
void sema_embedded_uses(struct sema *s, struct sema_function *f);
/* Type of a C expression; pure: may be dropped. */
enum ir_type sema_embedded_type(const struct istr *code);
bool sema_embedded_pure(const struct istr *code);

#endif
