// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * begin, end, error and never: attached to nothing. The session runs them itself when it comes to
 * their phase (core/session.c), in the order of their sequence numbers.
 */
#include "probes/probes.h"

const struct stp_family stp_family_begin = { .type = "begin_end", .phase = STP_PHASE_BEGIN };
const struct stp_family stp_family_end = { .type = "begin_end", .phase = STP_PHASE_END };
const struct stp_family stp_family_error = { .type = "begin_end", .phase = STP_PHASE_ERROR };
const struct stp_family stp_family_never = { .type = "never", .phase = STP_PHASE_NEVER };
