/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of code that a JIT compiler has made (Java, Node, LuaJIT, ...): from the map that it writes
 * for perf, /tmp/perf-PID.map, in the mount namespace and with the number of the process's own. A
 * line is "START SIZE NAME", the numbers in hexadecimal; of two that overlap the later one counts.
 *
 * A map is believed that is a regular file, of the process's user or of root, and was written since
 * the process began; no other is opened. It is looked at again when an address comes that is
 * younger than the last look, read on from where it was left, and kept when the process has exited.
 * Of a file's bytes and lines, a line's bytes, the number of processes and the memory for all there
 * is a limit; what is left out is said in a warning. Where more processes are seen at once than
 * there is room for, some have no names: to read all of them in turn, for a record each, would hold
 * up the records of all others.
 */
#ifndef SPILE_READER_PERF_MAP_H
#define SPILE_READER_PERF_MAP_H

#include <stdbool.h>

#include "reader/messages.h"
#include "reader/output.h"
#include "runtime/uapi/wire.h"

#define PERF_MAPS_MAX 128
#define PERF_MAP_ROOM (256u << 20)  /* bytes of all maps together */
#define PERF_MAP_IDLE 1000000000ull /* ns that one keeps its place when it is not asked for */
#define PERF_MAP_FILE_MAX (32u << 20)
#define PERF_MAP_SYMBOLS_MAX (1u << 20)
#define PERF_MAP_LINE_MAX 4096

struct perf_map;

/* Those of some processes. Zeroed it is empty. The maps are its own. */
struct perf_maps {
	struct perf_map *maps[PERF_MAPS_MAX];
	bool warned; /* that there is no place for more */
};

/*
 * Writes the symbol of an address that was seen at `ts` (CLOCK_MONOTONIC, ns), or its number when
 * it has none.
 */
void perf_maps_write(struct perf_maps *g, const struct stp_rec_jit *rec, stp_u64 ts,
		     struct output *out, struct messages *messages);
/* Releases the maps; it is empty then. */
void perf_maps_deinit(struct perf_maps *g);

#endif
