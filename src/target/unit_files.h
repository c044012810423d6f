/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source files that DIEs say they are declared in, by the heads of the units' line tables alone
 * (DWARF 5, 6.2.4). To name one, libdw runs the whole line program of the unit and keeps its rows:
 * of a scan of a kernel that is a third of the time and half of the memory.
 */
#ifndef SPILE_TARGET_UNIT_FILES_H
#define SPILE_TARGET_UNIT_FILES_H

#include "base/map.h"
#include "base/strbuf.h"
#include "target/dwarf_file.h"

/* Tables that have been read, in the arena; the files they are of must stay open. */
struct unit_files {
	struct arena *arena;
	struct map tables;   /* Dwarf_CU -> its table */
	struct map sections; /* Dwarf -> its sections */
	struct strbuf text;  /* the last answer */
};

/*
 * Empty: nothing is read before it is asked for. _deinit() gives back the last answer; the tables
 * go with the arena.
 */
void unit_files_init(struct unit_files *u, struct arena *arena);
void unit_files_deinit(struct unit_files *u);
/*
 * As dwarf_declared_in(), which is asked where a table is of a form not known here. The text is
 * valid until the next call.
 */
const char *unit_files_declared_in(struct unit_files *u, Dwarf_Die *die);

#endif
