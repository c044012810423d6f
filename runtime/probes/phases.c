// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * begin, end, error and never: attached to nothing. The session runs them itself when it comes to
 * their phase (core/session.c), in the order of their sequence numbers.
 */
#include "probes/probes.h"

STP_FAMILY(stp_family_begin) = { .type = "begin_end", .phase = STP_PHASE_BEGIN };
STP_FAMILY(stp_family_end) = { .type = "begin_end", .phase = STP_PHASE_END };
STP_FAMILY(stp_family_error) = { .type = "begin_end", .phase = STP_PHASE_ERROR };
STP_FAMILY(stp_family_never) = { .type = "never", .phase = STP_PHASE_NEVER };
