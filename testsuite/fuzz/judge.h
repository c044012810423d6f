/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stap promises for any script whatever: no crash, an end within the time limit, status 0 or
 * 1, with status 1 a diagnostic that names file, line and column, compilation of whatever pass 2
 * accepts, and nothing left in TMPDIR.
 */
#ifndef SPILE_FUZZ_JUDGE_H
#define SPILE_FUZZ_JUDGE_H

#include <stddef.h>

#include "base/error.h"

struct judge {
	const char *stap;
	const char *const *arguments; /* for stap, before the script; NULL at the end */
	const char *dir;  /* scratch, of this process alone; holds the script and TMPDIR */
	unsigned seconds; /* time limit, CPU and wall */
};

/*
 * Run stap on the text. *verdict: NULL, or what was broken and stap's words, on the heap. An error:
 * stap could not be run at all.
 */
struct error *judge_script(const struct judge *j, const char *text, size_t len,
			   char **verdict) ERROR_MUST_CHECK;

#endif
