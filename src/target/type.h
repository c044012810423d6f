/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types, whoever describes them. A type_source (the BTF of vmlinux or of a module, or DWARF)
 * answers four questions about the type at a reference of its own; everything else, spelling
 * included, is made here from the answers, once per reference, on first use. Handles live as long
 * as the source's arena.
 */
#ifndef SPILE_TARGET_TYPE_H
#define SPILE_TARGET_TYPE_H

#include "base/map.h"
#include "base/vec.h"
#include "ir/fetch.h"
#include "target/types.h"

struct strbuf;

/* What a type at a reference is. Unlike enum target_type_kind it tells typedefs and qualifiers. */
enum type_tag {
	TYPE_VOID,
	TYPE_INT,
	TYPE_BOOL,
	TYPE_CHAR,
	TYPE_FLOAT,
	TYPE_ENUM,
	TYPE_POINTER,
	TYPE_MEMBER_POINTER, /* of C++: to a member of any object of a class */
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_ARRAY,
	TYPE_FUNCTION,
	TYPE_TYPEDEF,
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_TAG /* another qualifier; space: what it says about pointers to what it qualifies */,
};

/*
 * A source's answer about one reference. Fields that the tag does not use are 0; size is 0 of what
 * has none of its own (typedefs, qualifiers, functions).
 */
struct type_node {
	enum type_tag tag;
	const char *name; /* NULL: anonymous; MEMBER_POINTER: of the class */
	uint64_t size, count;
	int64_t lower; /* ARRAY: the subscript of its first element */
	bool is_signed;
	bool is_record; /* MEMBER_POINTER: to a function, which is a struct of two words */
	bool is_vector; /* ARRAY: of GNU C's, which is passed as one value */
	bool is_complex,
		is_quad;     /* FLOAT: two numbers; one of 16 bytes by IEEE 754, not of the x87 */
	bool is_reversed;    /* its bytes are in the other order: scalar_storage_order of GNU C */
	bool is_declaration; /* struct or union known by name only */
	bool is_class;       /* STRUCT: declared with that word */
	unsigned reference;  /* POINTER: of C++: & 1, && 2 */
	uint64_t alignment;  /* STRUCT, UNION: bytes; 0: the source does not say */
	enum fetch_space space; /* TYPE_TAG */
	uint64_t next;          /* pointee, element, result, qualified or aliased type; 0: void */
};

/* A member of a struct or union, or a parameter of a function. ref 0 of a parameter: "...". */
struct type_member {
	const char *name; /* NULL: anonymous */
	uint64_t ref;
	uint64_t bit_offset;
	unsigned bits;
	enum target_member_role role;
	int64_t value; /* of a variant */
	bool is_base;
	const struct fetch_program *virtual_base; /* as of struct target_member */
};
/* A list in the source's arena. */
struct type_members {
	struct type_member *data;
	size_t n, cap;
};

/* A list in the source's arena. */
struct type_enumerators {
	struct target_enumerator *data;
	size_t n, cap;
};

struct type_source;
/*
 * The questions a source answers. Lists are appended to. members, enumerators and parameters are
 * asked only of references whose node() has the tag for it.
 */
struct type_ops {
	/* false for a reference that leads nowhere */
	bool (*node)(struct type_source *src, uint64_t ref, struct type_node *ret);
	/* struct, union */
	void (*members)(struct type_source *src, uint64_t ref, struct type_members *ret);
	/* enum */
	void (*enumerators)(struct type_source *src, uint64_t ref, struct type_enumerators *ret);
	/* function */
	void (*parameters)(struct type_source *src, uint64_t ref, struct type_members *ret);
	/* struct, union: is it passed and returned by address, whatever its size? NULL: none is */
	bool (*by_reference)(struct type_source *src, uint64_t ref);
	/* is the type of a source file in that language, which is not ANY? NULL: none is */
	bool (*is_of)(struct type_source *src, uint64_t ref, enum target_language language);
	/*
	 * the definition of a type of that name, in C++ with any scopes before it, whose tag is in
	 * TAGS (1 << TYPE_x: VOID, FUNCTION and qualifiers have no names); NULL: there is none
	 */
	const struct target_type *(*find)(struct type_source *src, const char *name, uint32_t tags);
};

/* One description of types. Set up by type_source_init(); data belongs to who made it. */
struct type_source {
	const struct type_ops *ops;
	struct arena *arena;
	struct map types; /* reference + 1 -> struct target_type */
	void *data;       /* the source's own */
	struct target *target;
	uint8_t word; /* bytes of an address */
	enum fetch_space
		space; /* whose memory objects of its types are in, if nothing says otherwise */
};

/* What is known of how a struct or union is passed. */
enum type_passing {
	TYPE_NOT_ASKED,
	TYPE_BY_VALUE,
	TYPE_BY_REFERENCE,
};

/*
 * A handle: one for each reference that was asked for, and one for each pointer made here. Constant
 * to users, filled on demand inside.
 */
struct target_type {
	struct type_source *source;
	uint64_t ref; /* where source describes it; TYPE_SYNTHETIC: a pointer made here */
	enum target_type_kind kind;
	bool is_signed, is_declaration, is_reference;
	bool is_vector, is_complex, is_quad, is_reversed; /* as of struct type_node */
	enum type_passing passing;
	enum fetch_space space; /* POINTER: whose memory it points to */
	uint64_t size, count;
	int64_t lower;        /* ARRAY: as of struct type_node */
	uint64_t alignment;   /* of a struct or union; 0: not known */
	uint64_t next;        /* POINTER, ARRAY, FUNCTION: reference of the other type */
	const char *tag_name; /* of a struct, union or enum, stripped */
	const struct target_type
		*canonical; /* without typedefs and qualifiers; itself when it has none */
	const struct target_type *pointee; /* known already */
	const char *spelling;              /* known already */
	struct target_member *members;
	size_t n_members;
	bool has_members;
};
/* No source has a type at this reference. */
#define TYPE_SYNTHETIC UINT64_MAX

/* ARENA must outlive all handles; OPS and DATA are kept. Addresses have 8 bytes. */
void type_source_init(struct type_source *src, const struct type_ops *ops, struct arena *arena,
		      struct target *target, void *data);
/*
 * What a type tag or qualifier says about the memory: "user", "percpu", "iomem"; KERNEL: nothing.
 */
enum fetch_space type_tag_space(const char *tag);
/*
 * The handle of a reference; the same one each time. Never NULL: what cannot be described is void,
 * and so is reference 0.
 */
const struct target_type *type_get(struct type_source *src, uint64_t ref);
/* A pointer to TYPE, of its source; a new handle each time, to compare with target_type_same(). */
const struct target_type *type_pointer_to(const struct target_type *type);
/* The result of a function type. */
const struct target_type *type_result(const struct target_type *function);
/* Appends the parameters of a function type to RET. */
void type_parameters(const struct target_type *function, struct type_members *ret);
/* The definition behind a declared struct or union, else TYPE itself; qualifiers stripped. */
const struct target_type *type_complete(const struct target_type *type);
/*
 * A scalar that no number holds: floating point but of 4 and 8 bytes, else more than 8; or whose
 * bytes would have to be put in order.
 */
bool type_fits_no_number(const struct target_type *type);
/* Is it passed and returned by address, whatever its size? Only classes of C++ are. */
bool type_by_reference(const struct target_type *type);
/* Is it a struct or union? Of any handle: kind looks through typedefs and qualifiers. */
static inline bool type_is_aggregate(const struct target_type *type)
{
	return type->kind == TARGET_TYPE_STRUCT || type->kind == TARGET_TYPE_UNION;
}

#endif
