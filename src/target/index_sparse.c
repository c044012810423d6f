/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that say less of themselves. Without CONFIG_KALLSYMS_ALL the image names no data: the
 * System.map beside it does. Without both ftrace and BTF nothing tells functions from labels of
 * assembly code: functions are what calls go to, and what the kernel's tables point to.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "machine/machine.h"
#include "target/index_builder.h"

/* ---- System.map ---- */

/* "ADDRESS TYPE NAME" of one line, cut up in place; false: it is something else. */
static bool map_line(char *line, uint64_t *addr, char *type, const char **name)
{
	char *end;

	*addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return false;
	*type = end[1];
	*name = end + 3;
	return true;
}

/* Is the map of this kernel? Distributions have one that only says where the real one is. */
static bool is_map_of(const struct builder *b, char *text)
{
	char *at = strstr(text, " T _stext\n");

	while (at && at > text && at[-1] != '\n')
		at--;
	return at && strtoull(at, NULL, 16) == builder_symbol(b, "_stext");
}

void builder_add_data_symbols(struct builder *b, const char *system_map)
{
	char *text, *line, *rest;
	const char *name;
	struct error *err;
	uint64_t addr;
	size_t len;
	char type;

	if (builder_symbol(b, "init_task"))
		return;
	err = file_read(system_map, &text, &len);
	error_destroy(err);
	if (err)
		return;
	for (rest = is_map_of(b, text) ? text : NULL; (line = strsep(&rest, "\n"));)
		if (map_line(line, &addr, &type, &name) && !strchr("tTwWU", type))
			builder_add_symbol(b, name, type, addr);
	free(text);
	builder_sort_symbols(b);
}

/* ---- functions by their use ---- */

/* Addresses that calls, and words of data, point to, as far as they are in the text. */
struct uses {
	struct builder *b;
	struct image_section text;
	struct addresses found;
};

static void use(struct uses *u, uint64_t addr)
{
	if (addr - u->text.addr < u->text.size)
		vec_push(u->b->arena, &u->found, addr);
}

/* What only looks like a call rarely meets a symbol. */
static void use_calls(struct uses *u, const struct machine *m, const struct image_section *s)
{
	for (uint64_t i = 0; s->data && i < s->size; i += m->call_alignment) {
		uint64_t to = m->call_target(s->data + i, s->size - i, s->addr + i);

		if (to)
			use(u, to);
	}
}

static void use_words(struct uses *u, const struct image_section *s)
{
	for (uint64_t i = 0; s->data && i + 8 <= s->size; i += 8) {
		uint64_t word;

		memcpy(&word, s->data + i, sizeof(word));
		use(u, word);
	}
}

void builder_find_functions(struct builder *b)
{
	static const char *const code[] = { ".text", ".init.text", ".exit.text" };
	static const char *const data[] = { ".rodata", ".data", ".init.data" };
	const struct machine *m = machine_by_elf(b->image->ehdr->e_machine);
	struct uses u = { .b = b };
	struct image_section s;

	if (!image_section(b->image, ".text", &u.text))
		return;
	for (size_t i = 0; m && m->call_target && i < sizeof(code) / sizeof(code[0]); i++)
		if (image_section(b->image, code[i], &s))
			use_calls(&u, m, &s);
	for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++)
		if (image_section(b->image, data[i], &s))
			use_words(&u, &s);
	addresses_sort(&u.found);
	vec_foreach(symbol, &b->symbols)
		if (addresses_have(&u.found, symbol->addr, 0) ||
		    addresses_have(&b->exported, symbol->addr, 0))
			symbol->flags |= SYMBOL_FUNCTION;
}
