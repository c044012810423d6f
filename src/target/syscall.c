/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of system-call wrappers. Since 4.17 (commit fa697140f9a2) they take one
 * struct pt_regs *, so neither BTF nor DWARF of the wrapper names $filename or $flags; the kernel's
 * own struct syscall_metadata does, in the table tracing uses. Its pointers are link-time
 * addresses.
 */
#include <string.h>

#include "target/internal.h"
#include "target/live.h"

/*
 * Bytes from the start of struct syscall_metadata (include/trace/syscall.h), by BTF; FALLBACK when
 * that does not say.
 */
static uint64_t member_offset(struct target *t, const char *member, uint64_t fallback)
{
	const struct target_type *s =
		btf_types_find(&t->kernel.types, "syscall_metadata", 1u << BTF_KIND_STRUCT);
	const struct target_member *m;
	size_t n = s ? target_type_members(t, s, &m) : 0;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(m[i].name, member))
			return m[i].bit_offset / 8;
	return fallback;
}

/* The address of the metadata whose name is CALL; 0 when there is none. */
static uint64_t find_metadata(struct target *t, const char *call)
{
	uint64_t at = target_symbol(t, "__start_syscalls_metadata"),
		 stop = target_symbol(t, "__stop_syscalls_metadata");
	uint64_t name_at = member_offset(t, "name", 0);

	for (; at && at + 8 <= stop; at += 8) {
		uint64_t meta, text;
		const char *name;

		if (!image_u64(&t->kernel.image, at, &meta) ||
		    !image_u64(&t->kernel.image, meta + name_at, &text))
			continue;
		name = image_string(&t->kernel.image, text);
		if (name && !strcmp(name, call))
			return meta;
	}
	return 0;
}

/* String I of an array of pointers in the image; NULL when it is not there. */
static const char *string_in_list(struct target *t, uint64_t list, int i)
{
	uint64_t p;

	return image_u64(&t->kernel.image, list + 8ull * i, &p) ? image_string(&t->kernel.image, p)
								: NULL;
}

/* The running kernel without a file is asked through tracefs instead. */
int syscall_parameters(struct target *t, const char *function, struct syscall_parameter ret[6],
		       const struct machine_syscalls **calls)
{
	const char *call = NULL;
	const unsigned char *count;
	uint64_t meta, types, args;
	int32_t n;

	*calls = machine_syscall(t->machine, function, &call);
	if (call && !t->kernel.path)
		return live_syscall_parameters(t->arena, call, ret);
	meta = call ? find_metadata(t, call) : 0;
	if (!meta)
		return -1;
	/* nb_args became u8 when flags joined it; its low byte is the same */
	count = image_at(&t->kernel.image, meta + member_offset(t, "nb_args", 12), 1);
	if (!count || *count > 6)
		return -1;
	n = *count;
	if (n && (!image_u64(&t->kernel.image, meta + member_offset(t, "types", 16), &types) ||
		  !image_u64(&t->kernel.image, meta + member_offset(t, "args", 24), &args)))
		return -1;
	for (int i = 0; i < n; i++) {
		ret[i].name = string_in_list(t, args, i);
		ret[i].type = string_in_list(t, types, i);
		if (!ret[i].name || !ret[i].type)
			return -1;
	}
	return n;
}
