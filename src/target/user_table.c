/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module carries of a file (runtime/uapi/user_table.h): its call frame information
 * (frame_rules.h), and its symbols; where it was stripped of them, those of its debug file.
 *
 * Of several symbols at one address the one that programs call by is kept. Where the frame
 * information begins a function that has no symbol, a nameless one ends the symbol before it: a
 * wrong name would be worse than none.
 */
#include <string.h>

#include "base/bisect.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "target/demangle.h"
#include "target/dwarf.h"
#include "target/frame_rules.h"
#include "target/internal.h"
#include "target/kept_file.h"
#include "target/object.h"
#include "target/objects.h"
#include "runtime/uapi/user_table.h"

/* One file's tables under construction. Addresses are linked ones less base. */
struct table {
	const struct target_object *object;
	struct arena *scratch;
	uint64_t base;
	VEC(struct stp_user_segment) segments;
	struct frame_rules frames;
	unsigned char *covered; /* of each of frames.starts: a function before it goes on there */
	VEC(uint32_t) symbol_addrs;
	VEC(uint32_t) symbol_names;
	struct strbuf names;
};

static struct arena *arena_of(const struct table *t)
{
	return t->object->target->arena;
}

/* ---- segments ---- */
static void find_segments(struct table *t)
{
	const struct image *img = &t->object->image;
	const Elf64_Phdr *p = img->segments;

	t->base = UINT64_MAX;
	for (size_t i = 0; i < img->n_segments; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr < t->base)
			t->base = p[i].p_vaddr & ~(uint64_t)4095;
	for (size_t i = 0; i < img->n_segments; i++)
		if (p[i].p_type == PT_LOAD && t->segments.n < STP_USER_SEGMENTS_MAX)
			vec_push(arena_of(t), &t->segments,
				 ((struct stp_user_segment){ p[i].p_offset, p[i].p_filesz,
							     p[i].p_vaddr - t->base }));
}

/* ---- symbols ---- */

/*
 * Of names of one address: that which other files see, with the fewest underscores before it, and
 * the shortest.
 */
static bool is_better(const struct index *ix, const struct index_symbol *a,
		      const struct index_symbol *b)
{
	const char *x = index_string(ix, a->name), *y = index_string(ix, b->name);
	size_t n = strspn(x, "_"), m = strspn(y, "_");

	if ((a->flags ^ b->flags) & SYMBOL_EXPORTED)
		return a->flags & SYMBOL_EXPORTED;
	return n != m ? n < m : strlen(x) < strlen(y);
}

/*
 * Names of C++ and Rust are those of the source, a part or a copy of a function what its symbol
 * adds to that.
 */
static void add_symbol(struct table *t, uint32_t addr, const char *symbol)
{
	const char *name = demangle(t->scratch, symbol);

	vec_push(arena_of(t), &t->symbol_addrs, addr);
	vec_push(arena_of(t), &t->symbol_names, *symbol ? (uint32_t)t->names.len : 0);
	if (!*symbol)
		return;
	if (name)
		strbuf_adds(&t->names, name);
	strbuf_adds(&t->names, name ? symbol_clone_suffix(symbol) : symbol);
	strbuf_addc(&t->names, '\0');
}

/*
 * A function that says how long it is may have several entries of frame information: clone3() of
 * the C library has one for what the new thread runs.
 */
static void cover(void *arg, const char *name, uint64_t addr, uint64_t size)
{
	struct table *t = arg;
	const uint32_t *starts = t->frames.starts.data;
	size_t n = t->frames.starts.n;
	uint32_t from;

	(void)name;
	if (!frame_rules_relative(t->base, addr, &from))
		return;
	for (size_t at = bisect(i, n, starts[i] <= from); at < n && starts[at] - from < size; at++)
		t->covered[at] = 1;
}

/* Ends of functions without a name that lie before ADDR. */
static size_t add_nameless(struct table *t, size_t at, uint32_t addr)
{
	for (; at < t->frames.starts.n && t->frames.starts.data[at] < addr; at++)
		if (!t->covered[at])
			add_symbol(t, t->frames.starts.data[at], "");
	return at < t->frames.starts.n && t->frames.starts.data[at] == addr ? at + 1 : at;
}

static void find_symbols(struct table *t, const struct index *ix)
{
	size_t start = 0;
	uint32_t addr;

	strbuf_addc(&t->names, '\0');
	for (size_t i = 0; i < ix->n_symbols;) {
		const struct index_symbol *best = &ix->symbols[ix->by_addr[i]];
		uint64_t here = best->addr;

		for (i++; i < ix->n_symbols && ix->symbols[ix->by_addr[i]].addr == here; i++)
			if (is_better(ix, &ix->symbols[ix->by_addr[i]], best))
				best = &ix->symbols[ix->by_addr[i]];
		if (!frame_rules_relative(t->base, here, &addr))
			continue;
		start = add_nameless(t, start, addr);
		add_symbol(t, addr, index_string(ix, best->name));
	}
	add_nameless(t, start, UINT32_MAX);
}

/* ---- the bytes ---- */
static void put(struct strbuf *b, const void *data, size_t n, size_t size)
{
	if (n)
		strbuf_add(b, data, n * size);
}

/* What the maker of the file is told. */
struct job {
	const struct target_object *object;
	const char *debug_file;   /* see frame_rules.h */
	const char *symbols_file; /* has the symbols that the object was stripped of; or NULL */
};

/*
 * An index of the object's symbols with those of the symbols file; false: that cannot be read. To
 * be closed.
 */
static bool open_symbols(struct table *t, const struct job *job, struct index *ret)
{
	const struct target_object *o = job->object;
	struct image img;
	struct error *err, *unused;
	char *bytes;
	size_t len;

	if (!job->symbols_file)
		return false;
	err = image_open(job->symbols_file, &img);
	if (err) {
		error_destroy(err);
		return false;
	}
	err = index_build_file(&o->image, &img, o->identity, &bytes, &len, &unused);
	error_destroy(unused);
	if (!err) {
		file_each_function(&img, cover, t);
		err = index_open_bytes(bytes, len, ret);
	}
	image_close(&img);
	error_destroy(err);
	return !err;
}

static void find_all_symbols(struct table *t, const struct job *job)
{
	struct index symbols = { 0 };

	t->covered = arena_new_array(arena_of(t), unsigned char, t->frames.starts.n + 1);
	file_each_function(&job->object->image, cover, t);
	find_symbols(t, open_symbols(t, job, &symbols) ? &symbols : &job->object->index);
	index_close(&symbols);
}

static struct error *make(void *arg, const char *out)
{
	const struct job *job = arg;
	struct table t = { .object = job->object, .scratch = arena_create() };
	struct stp_user_table head;
	struct error *err;
	struct strbuf b;

	strbuf_init(&b);
	strbuf_init(&t.names);
	find_segments(&t);
	frame_rules_find(t.object, job->debug_file, t.base, &t.frames);
	find_all_symbols(&t, job);
	head = (struct stp_user_table){ t.base, (uint32_t)t.segments.n, (uint32_t)t.frames.rules.n,
					(uint32_t)t.symbol_addrs.n, (uint32_t)t.names.len };
	put(&b, &head, 1, sizeof(head));
	put(&b, t.segments.data, t.segments.n, sizeof(*t.segments.data));
	put(&b, t.frames.addrs.data, t.frames.rules.n, sizeof(uint32_t));
	put(&b, t.frames.rules.data, t.frames.rules.n, sizeof(uint32_t));
	put(&b, t.symbol_addrs.data, t.symbol_addrs.n, sizeof(uint32_t));
	put(&b, t.symbol_names.data, t.symbol_addrs.n, sizeof(uint32_t));
	put(&b, t.names.s, t.names.len, 1);
	err = file_write_atomic(out, b.s, b.len, 0644);
	strbuf_deinit(&b);
	strbuf_deinit(&t.names);
	arena_destroy(t.scratch);
	return err;
}

/*
 * CACHE/files/NAME-HASH.user-VERSION: by the file and its debug files as they are. A build-id would
 * not do, it is the same where symbols were stripped; and what modules are made of must have
 * another name when it is another.
 */
static const char *kept_path(const struct job *job)
{
	const struct target_object *o = job->object;
	uint64_t key[] = { o->identity, job->debug_file ? file_identity(job->debug_file) : 0,
			   job->symbols_file ? file_identity(job->symbols_file) : 0 };
	uint64_t hash = hash_bytes64(o->path, strlen(o->path), 0);

	return arena_printf(o->target->arena, "%s/files/%s-%016llx.user-%u",
			    target_cache_directory(o->target), path_base(o->path),
			    (unsigned long long)hash_bytes64(key, sizeof(key), hash),
			    STP_USER_TABLE_VERSION);
}

/* Servers are not asked. */
static const char *symbols_file(struct target_object *o)
{
	return file_has_all_symbols(&o->image) ? NULL : dwarf_find_local_file(o);
}

const char *target_user_table(const struct target_object *o, const char **why)
{
	struct target_object *object = (struct target_object *)o;
	struct job job = { o, frame_rules_debug_file(object), symbols_file(object) };
	const char *kept = kept_path(&job);
	struct error *err =
		seal_holds(kept) ? NULL : kept_file_make_apart(kept, o->path, make, &job);

	if (!err)
		return kept;
	*why = arena_strdup(o->target->arena, err->text);
	error_destroy(err);
	return NULL;
}
