/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types, by handle: the same whether DWARF or BTF describes them.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_TYPES_H
#define SPILE_TARGET_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "diag/diag.h"

struct fetch_program;
struct target;
struct target_scope;
/* A type; lives as long as the target. */
struct target_type;

/* What a type is to a script, in DWARF and BTF alike. */
enum target_type_kind {
	TARGET_TYPE_INT,
	TARGET_TYPE_BOOL,
	TARGET_TYPE_CHAR,
	TARGET_TYPE_ENUM,
	TARGET_TYPE_FLOAT,
	TARGET_TYPE_POINTER,
	TARGET_TYPE_STRUCT,
	TARGET_TYPE_UNION,
	TARGET_TYPE_ARRAY,
	TARGET_TYPE_FUNCTION,
	TARGET_TYPE_VOID,
};
/* Typedefs and qualifiers are looked through. */
enum target_type_kind target_type_kind(const struct target_type *type);
const char *target_type_name(const struct target_type *type); /* C spelling as -L prints */
/*
 * Bytes; a struct that is only declared here is looked up where it is defined. 0: void, a function,
 * or unknown.
 */
uint64_t target_type_size(const struct target_type *type);
/* Does a fetch of it extend the sign? */
bool target_type_signed(const struct target_type *type);
/* POINTER, ARRAY element; else NULL */
const struct target_type *target_type_pointee(const struct target_type *type);
/* A pointer: does it lead to memory of the process? */
bool target_type_is_user(const struct target_type *type);
uint64_t target_type_count(const struct target_type *type); /* ARRAY: elements; 0 when open */
/* ARRAY: the subscript of its first element, which its language or declaration says; else 0 */
int64_t target_type_first(const struct target_type *type);
/*
 * What a member is of a type of which one variant at a time is there (DWARF 5, 5.7.10), as an enum
 * of Rust: the number that tells which, or a variant, of which VALUE is that number; or the one
 * that all other numbers mean.
 */
enum target_member_role { MEMBER_PLAIN, MEMBER_DISCRIMINANT, MEMBER_VARIANT, MEMBER_OTHERWISE };
/* bit_offset: from the start of the struct or union that it is a direct member of. */
struct target_member {
	const char *name; /* "" for anonymous, as base classes are */
	const struct target_type *type;
	uint64_t bit_offset;
	unsigned bits; /* bit-field width or 0 */
	enum target_member_role role;
	int64_t value; /* VARIANT: as a fetch of the discriminant gives it */
	bool is_base;
	/*
	 * of a virtual base class, which is elsewhere in each object: makes its address of that of
	 * the object, which lies on the stack; else NULL
	 */
	const struct fetch_program *virtual_base;
};
/*
 * The direct members in the order of the declaration, of a struct or union; returns how many. *ret
 * is NULL and the answer 0 of other kinds.
 */
size_t target_type_members(struct target *t, const struct target_type *type,
			   const struct target_member **ret);
/* A name and value of an enumeration. */
struct target_enumerator {
	const char *name;
	int64_t value; /* as a fetch of the type gives it */
};
/* ENUM, in the order of the declaration; 0 of other kinds. */
size_t target_type_enumerators(const struct target_type *type,
			       const struct target_enumerator **ret);
/*
 * @enum("NAME"): true, with its value in *value, when found in the scope's file, the kernel or the
 * scope's module, in this order; else *value is untouched.
 */
bool target_enumerator(const struct target_scope *scope, const char *name, int64_t *value);
/* An answer about a type by name; text is in the target's arena. */
struct target_type_result {
	const struct target_type *type; /* NULL: not found */
	enum diag_tag tag;              /* then: the row that says why */
	const char *message;            /* then: its text */
	const char *hint;               /* or NULL */
};
/*
 * A type as @cast names it: "enum e", in MODULE ("kernel", "nfs:kernel", "kernel<linux/fs.h>":
 * objects tried in turn) or, when that is NULL, where the scope is. Not found is an answer, not an
 * error.
 */
struct error *target_find_type(const struct target_scope *scope, const char *text,
			       const char *module, struct target_type_result *ret) ERROR_MUST_CHECK;
/* Languages whose types are told from those of others with the same members. */
enum target_language { TARGET_LANGUAGE_ANY, TARGET_LANGUAGE_GO, TARGET_LANGUAGE_RUST };
/* Is the type of a source file in that language? Not if BTF describes it, which does not say. */
bool target_type_is_of(const struct target_type *type, enum target_language language);
/*
 * Are they the same type to C, whichever object or debug information describes each? Typedefs and
 * qualifiers do not matter; structs, unions and enums are compared by tag.
 */
bool target_type_same(const struct target_type *a, const struct target_type *b);

#endif
