/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol index: what takes time to find in a kernel image or a module, kept in the cache as one
 * file for each (of many modules in one: index_set.h) and mapped, so that asking for one function
 * touches a few pages. It holds the symbols by name and by address, with what may be done to each;
 * where each BTF type lies and the named ones by hash; and the tracepoints. That of a module has
 * its sections and a copy of its BTF too, so that the module, which may be packed, is not opened
 * again. Built in memory, written by rename; a damaged, foreign or older file is built again.
 */
#ifndef SPILE_TARGET_INDEX_H
#define SPILE_TARGET_INDEX_H

#include "target/btf.h"
#include "target/image.h"
#include "target/parts.h"

/* What is known of a symbol: flags of struct index_symbol. */
#define SYMBOL_TEXT 1u      /* in the text that stays after boot; of a module: in any text */
#define SYMBOL_TRACEABLE 2u /* in __mcount_loc */
#define SYMBOL_FORBIDDEN 4u /* noinstr, entry code, .kprobes.text or the kprobe blacklist */
#define SYMBOL_EXPORTED 8u  /* by EXPORT_SYMBOL; of a file: in .dynsym */
#define SYMBOL_SEVERAL 16u  /* other addresses have this name too */
#define SYMBOL_IN_BTF 32u   /* BTF has a function of its base name */
#define SYMBOL_FUNCTION 64u /* by its ELF type; of vmlinux by its use, where nothing else tells */
#define SYMBOL_ALIAS                                                                               \
	128u /* another name (init_module, cleanup_module) of a function that has one of its own */
#define SYMBOL_CHOOSES 256u /* STT_GNU_IFUNC: it chooses the function that is called by its name */

/*
 * The structures from here to struct index_header are the file's: a change of any is a new
 * INDEX_VERSION.
 */
struct index_symbol {
	uint64_t addr;
	uint32_t name, flags; /* name: offset of index.strings */
};
/* Is it a function in text that stays, and not off limits to kprobes? */
static inline bool index_may_probe(const struct index_symbol *s)
{
	return s->flags & SYMBOL_TEXT && !(s->flags & SYMBOL_FORBIDDEN);
}

/* Offsets of index.strings. */
struct index_tracepoint {
	uint32_t name, system; /* system: of "" when it is no trace event */
	uint32_t format;       /* "print fmt", of events that give names to values; else 0 */
};

/* A section that occupies memory; of modules and files only. */
struct index_section {
	uint64_t addr, size;  /* addr: of a module as image.h lays it out */
	uint32_t name, flags; /* flags: SHF_* */
};

/* Tables of the file, in its order, with the type of their elements. */
enum index_part {
	INDEX_STRINGS,     /* char; sorted as the symbols are, NUL-terminated, "" at 0 */
	INDEX_SYMBOLS,     /* struct index_symbol, by name, then address */
	INDEX_BY_ADDR,     /* uint32_t: symbols by address */
	INDEX_BTF_OFFSETS, /* uint32_t */
	INDEX_BTF_NAMES,   /* struct btf_name */
	INDEX_TRACEPOINTS, /* struct index_tracepoint, by name, then system */
	INDEX_SECTIONS,    /* struct index_section, by addr */
	INDEX_BTF,         /* the bytes of a module's .BTF */
	INDEX_PARTS,
};

/* The begin of the file. Numbers are in the machine's own byte order: a cache is not shared. */
struct index_header {
	char magic[8];
	uint32_t version, header_size;
	unsigned char build_id[BUILD_ID_SIZE];
	uint32_t has_build_id;
	uint64_t file_size;
	/* of what it was made from: vmlinux its size, a module what object.c makes of its file */
	uint64_t identity;
	uint32_t problem; /* string: why its BTF cannot be used; "" when it can, or there is none */
	uint32_t debuglink, debuglink_crc; /* .gnu_debuglink; the name "": none */
	uint32_t has_debug_info;           /* the file that it was made from has DWARF itself */
	struct file_part parts[INDEX_PARTS];
};

/* An open index. Pointers are into data; index_close() invalidates them and all strings. */
struct index {
	const unsigned char *data;
	struct file_map
		/* data, when it is the kept file; else data is on the heap, or somebody else's */
		map;
	bool is_borrowed; /* it is somebody else's */
	const char *strings;
	size_t strings_len;
	const struct index_symbol *symbols;
	size_t n_symbols;
	const uint32_t *by_addr;
	const uint32_t *btf_offsets;
	size_t n_btf_offsets;
	const struct btf_name *btf_names;
	size_t n_btf_names;
	const struct index_tracepoint *tracepoints;
	size_t n_tracepoints;
	const struct index_section *sections;
	size_t n_sections;
	const unsigned char *btf;
	size_t btf_len;
};

/*
 * Opens the kept index of a vmlinux in CACHE_DIR (NULL: keep none), making it first when there is
 * no good one. SYSTEM_MAP: the file that may name what the image does not, or NULL.
 */
struct error *index_open(const struct image *img, const char *system_map, const char *cache_dir,
			 struct index *ret) ERROR_MUST_CHECK;
/* The kept file PATH, when it is an index of what has that identity. */
bool index_open_kept(const char *path, uint64_t identity, struct index *ret);
/*
 * One in DATA, which stays the caller's and must stay for as long as the index is open. False: it
 * is not of that identity, or damaged.
 */
bool index_open_borrowed(const unsigned char *data, size_t len, uint64_t identity,
			 struct index *ret);
/* An index as builder_write() made it; takes over BYTES (heap), also on failure. */
struct error *index_open_bytes(char *bytes, size_t len, struct index *ret) ERROR_MUST_CHECK;
/* Writes what is in memory to PATH. A cache that cannot be written costs time, not the answer. */
void index_keep(const struct index *ix, const char *path);
/* One that was never opened must be all zero. */
void index_close(struct index *ix);
/* The index of a vmlinux as the bytes of its file, on the heap. SYSTEM_MAP as for index_open(). */
struct error *index_build(const struct image *img, const char *system_map, char **ret,
			  size_t *len) ERROR_MUST_CHECK;
/* BTF with its names; n_names is 0 when there is none. */
struct index_types {
	const struct btf *btf;
	const struct btf_name *names;
	size_t n_names;
};
/* The same of a module (ET_REL); BASE: BTF of vmlinux, or NULL. */
struct error *index_build_module(const struct image *img, uint64_t identity,
				 const struct index_types *base, char **ret,
				 size_t *len) ERROR_MUST_CHECK;
/* Has a module any tracepoints of its own? Looks at its sections alone. */
bool index_has_tracepoints(const struct image *img);

/*
 * The same of an executable or a shared library. NAMES: another file that has the names of its
 * functions where it was stripped of them, or NULL. *unused: why what its .gnu_debugdata names is
 * not in the index, to be destroyed; NULL: it is, or there is none.
 */
struct error *index_build_file(const struct image *img, const struct image *names,
			       uint64_t identity, char **ret, size_t *len,
			       struct error **unused) ERROR_MUST_CHECK;
/* Has it the symbols of all its functions, rather than of those that other files may call? */
bool file_has_all_symbols(const struct image *img);

/*
 * Where in a thread's block of the file a variable is that a symbol of that name is of; false:
 * there is none.
 */
bool file_thread_local(const struct image *img, const char *name, uint64_t *offset);

/*
 * Calls EACH for the functions of a file's symbols that say how long they are, in no order; one may
 * come several times. NAME lives for the call.
 */
void file_each_function(const struct image *img,
			void (*each)(void *arg, const char *name, uint64_t addr, uint64_t size),
			void *arg);

/* IX must be open. */
const struct index_header *index_header(const struct index *ix);
/* Text at OFF of the strings; "" when that is outside. Lives as long as IX is open. */
const char *index_string(const struct index *ix, uint32_t off);
/* The first symbol whose name is not before NAME; n_symbols when all are. */
size_t index_lower_bound(const struct index *ix, const char *name);
/* The first symbol named NAME, or NULL. */
const struct index_symbol *index_find(const struct index *ix, const char *name);
/* The text symbol covering ADDR, and in END where the next one begins. */
const struct index_symbol *index_at(const struct index *ix, uint64_t addr, uint64_t *end);

/* The section that ADDR is in, NULL: none. */
const struct index_section *index_section_at(const struct index *ix, uint64_t addr);

/* "foo" of "foo.isra.0": the length without the suffixes a compiler adds to clones. */
size_t symbol_base_length(const char *name);
/*
 * Is it NAME.part.0, which GCC split from the beginning of a function (-fipa-partial-inlining)? It
 * is entered from there, so it is no call of its own.
 */
bool symbol_is_split_rest(const char *name);
/*
 * What a compiler appends to the symbol of a function that it changed, where names have dots of
 * their own; "": nothing.
 */
const char *symbol_clone_suffix(const char *name);
/* The encoded name of a function of C++ or Rust. */
bool symbol_is_mangled(const char *name);
/* Compiler-made and never asked for by pattern: foo.cold, __pfx_foo, __cfi_foo. */
bool symbol_is_hidden(const char *name);

#endif
