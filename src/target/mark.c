/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks of programs (SDT): notes named "stapsdt" of type 3 in .note.stapsdt. A description has the
 * address of the instruction, that of the section .stapsdt.base as it was linked, that of the
 * semaphore or 0, and three strings: provider, name, arguments. When a tool has moved the program
 * since (prelink), the section tells by how much.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "target/internal.h"
#include "target/marks.h"
#include "target/object.h"

#define NOTE_TYPE 3
#define N_ADDRESSES 3

/* One search. */
struct marks {
	const struct target_object *object;
	struct arena *arena;
	const char *provider, *name; /* globs */
	uint64_t base;               /* address of .stapsdt.base; 0: there is none */
	size_t n_cut;                /* notes without all that a mark has */
	bool ends_early;             /* a note says that it is longer than the section */
	struct target_marks *ret;
};

/* The string at *at of LEN bytes, which moves behind it; NULL: it is not terminated. */
static const char *take_string(const unsigned char *data, size_t len, size_t *at)
{
	const unsigned char *end = *at < len ? memchr(data + *at, '\0', len - *at) : NULL;
	const char *s = (const char *)data + *at;

	if (!end)
		return NULL;
	*at = end - data + 1;
	return s;
}

/* '-' is "__", as names of C write it. */
static const char *pattern_of(struct arena *arena, const char *text)
{
	const char *ret = "";

	if (!text)
		return "*";
	for (const char *p = text; *p; p++)
		ret = arena_printf(arena, "%s%.*s", ret, *p == '-' ? 2 : 1, *p == '-' ? "__" : p);
	return ret;
}

static void add(struct marks *m, const unsigned char *desc, size_t len)
{
	struct target_mark mark = { 0 };
	const unsigned word = object_machine(m->object)->word;
	uint64_t words[N_ADDRESSES] = { 0 }, moved;
	size_t at = word * N_ADDRESSES;

	if (len < at) {
		m->n_cut++;
		return;
	}
	for (unsigned i = 0; i < N_ADDRESSES; i++)
		memcpy(&words[i], desc + i * word, word);
	mark.provider = take_string(desc, len, &at);
	mark.name = mark.provider ? take_string(desc, len, &at) : NULL;
	mark.arguments = mark.name ? take_string(desc, len, &at) : NULL;
	m->n_cut += !mark.arguments;
	if (!mark.arguments || fnmatch(m->provider, mark.provider, 0) ||
	    fnmatch(m->name, mark.name, 0))
		return;
	moved = m->base && words[1] ? m->base - words[1] : 0;
	mark.addr = words[0] + moved;
	mark.semaphore = words[2] ? words[2] + moved : 0;
	vec_push(m->arena, m->ret, mark);
}

/* Names and descriptions are padded to 4 bytes (System V gABI, chapter 5, "Note Section"). */
static void each_note(struct marks *m, const struct image_section *s)
{
	uint64_t at = 0;

	while (at + sizeof(Elf64_Nhdr) <= s->size) {
		const Elf64_Nhdr *note = (const void *)(s->data + at);
		uint64_t name = at + sizeof(*note),
			 desc = name + (((uint64_t)note->n_namesz + 3) & ~3ull),
			 next = desc + (((uint64_t)note->n_descsz + 3) & ~3ull);

		m->ends_early = desc + note->n_descsz > s->size;
		if (m->ends_early)
			return;
		if (note->n_type == NOTE_TYPE && note->n_namesz == sizeof("stapsdt") &&
		    !memcmp(s->data + name, "stapsdt", sizeof("stapsdt")))
			add(m, s->data + desc, note->n_descsz);
		at = next;
	}
}

/* What is wrong with the notes of a file is told once. */
static void tell_damage(const struct marks *m)
{
	struct target_object *o = (struct target_object *)m->object;

	if (o->has_told_marks || (!m->n_cut && !m->ends_early))
		return;
	o->has_told_marks = true;
	if (m->ends_early)
		target_warn(
			o->target,
			"not all marks of %s are known: a note in its .note.stapsdt is longer than "
			"what is left of that",
			o->path);
	else
		target_warn(
			o->target,
			"not all marks of %s are known: notes in its .note.stapsdt that end before "
			"the names and arguments of a mark do: %zu",
			o->path, m->n_cut);
}

static int mark_cmp(const void *a, const void *b)
{
	const struct target_mark *x = a, *y = b;
	int c = strcmp(x->provider, y->provider);

	if (!c)
		c = strcmp(x->name, y->name);
	return c ? c : x->addr < y->addr ? -1 : x->addr > y->addr;
}

void target_find_marks(const struct target_object *o, const char *provider, const char *name,
		       struct target_marks *ret)
{
	struct arena *arena = o->target->arena;
	struct marks m = { .object = o,
			   .arena = arena,
			   .provider = pattern_of(arena, provider),
			   .name = pattern_of(arena, name),
			   .ret = ret };
	struct image_section s;

	*ret = (struct target_marks){ 0 };
	if (image_section(&o->image, ".stapsdt.base", &s))
		m.base = s.addr;
	if (!image_section(&o->image, ".note.stapsdt", &s) || !s.data)
		return;
	each_note(&m, &s);
	tell_damage(&m);
	if (ret->n)
		qsort(ret->data, ret->n, sizeof(*ret->data), mark_cmp);
}
