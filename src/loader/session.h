/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running the reader for a loaded module. Signals that ask to stop are passed on to it; we end
 * after it, so that whoever waits for us finds the module gone. The reader runs with the caller's
 * real user and group ids; privileges stay in this process.
 */
#ifndef SPILE_LOADER_SESSION_H
#define SPILE_LOADER_SESSION_H

#include <sys/types.h>

#include "base/error.h"
#include "loader/options.h"

/*
 * From now on signals do not end us. Call before the module is inserted. PARENT's death, when it is
 * not 0, is a SIGTERM, also when it is dead already.
 */
void loader_catch_signals(pid_t parent);
/*
 * Run stapio for the module to its end. ready: where a daemon tells that the session has started,
 * which is closed here; -1: none. *status: what stapio exited with, 1 when it was killed; untouched
 * when it could not be run.
 */
struct error *loader_run_reader(const struct loader_options *opt, const char *module, int ready,
				int *status) ERROR_MUST_CHECK;

#endif
