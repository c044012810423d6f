/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step counters: the kernel keeps one counter for all that probes an instruction of a file, and
 * refuses what comes with another or without, so points at the place of a mark with a semaphore
 * have that too, whatever they are. Requires all probes; ensures that points of files at one place
 * have one semaphore.
 */
#include <stdlib.h>
#include <string.h>

#include "sema/pass.h"

static int place_cmp(const void *a, const void *b)
{
	const struct ir_attach *x = *(const struct ir_attach *const *)a;
	const struct ir_attach *y = *(const struct ir_attach *const *)b;

	if (x->user.offset != y->user.offset)
		return x->user.offset < y->user.offset ? -1 : 1;
	return strcmp(x->user.object->path, y->user.object->path);
}

void sema_counters(struct sema *s)
{
	VEC(const struct ir_attach *) marks = { 0 };

	vec_foreach(p, &s->program->probes)
		vec_foreach(point, &(*p)->points)
			if (point->attach.tag == IR_ATTACH_USER && point->attach.user.semaphore)
				vec_push(s->arena, &marks, &point->attach);
	if (!marks.n)
		return;
	qsort(marks.data, marks.n, sizeof(*marks.data), place_cmp);
	vec_foreach(p, &s->program->probes)
		vec_foreach(point, &(*p)->points) {
			const struct ir_attach *key = &point->attach, *const * found;

			if (key->tag != IR_ATTACH_USER)
				continue;
			found = bsearch(&key, marks.data, marks.n, sizeof(*marks.data), place_cmp);
			if (found)
				point->attach.user.semaphore = (*found)->user.semaphore;
		}
}
