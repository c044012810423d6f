/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a program is compiled and linked with. Names are PROVIDER_PROBE in capitals, where "__" of
 * the probe's name is one "_"; the mark itself has the name as it was written.
 */
#ifndef SPILE_DTRACE_GENERATE_H
#define SPILE_DTRACE_GENERATE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "dtrace/description.h"

/*
 * Appends a header: for each probe PROVIDER_PROBE(arguments), and PROVIDER_PROBE_ENABLED(), which
 * is true while somebody looks, or always where sys/sdt.h was included before without semaphores.
 * TYPES: also the types of the arguments, provider_probe_argN.
 * An error when two probes would have one macro; nothing is appended then.
 */
struct error *dtrace_header(struct arena *arena, const struct dtrace_probes *probes, bool types,
			    struct strbuf *out) ERROR_MUST_CHECK;
/* Appends a unit of C with the semaphores that the header declares. */
void dtrace_semaphores(const struct dtrace_probes *probes, struct strbuf *out);

#endif
