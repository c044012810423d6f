/* links: target ir machine diag base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbol tables as kernels lay them out before 6.4, made up here, with and without what may stand before the tokens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "target/kallsyms.h"

#define TEXT 0xffffffff81000000ull
#define RODATA 0xffffffff81800000ull
#define SECTION_NAMES "\0.rodata\0.text"

static void add(struct strbuf *b, const void *data, size_t len)
{
	strbuf_add(b, data, len);
}

static void add_u32(struct strbuf *b, uint32_t v)
{
	add(b, &v, sizeof(v));
}

static void pad(struct strbuf *b)
{
	while (b->len % 8)
		strbuf_addc(b, '\0');
}

/* Letters, digits and '_' stand for themselves, every other token is of two letters. */
static void add_tokens(struct strbuf *b)
{
	uint16_t index[256];
	size_t start = b->len;

	for (int i = 0; i < 256; i++) {
		bool itself =
			(i >= '0' && i <= '9') || (i >= 'a' && i <= 'z') || i == '_' || i == 'T';
		char token[3] = { itself ? i : 'a' + i % 26, itself ? '\0' : 'a' + i / 26, '\0' };

		index[i] = b->len - start;
		add(b, token, strlen(token) + 1);
	}
	pad(b);
	add(b, index, sizeof(index));
}

/* scripts/kallsyms.c of 6.1: offsets, base, count, names, markers, [numbers in order of names,] tokens, their index. */
static void make(struct strbuf *b, uint32_t n, bool sequence)
{
	uint32_t markers[64] = { 0 };
	uint64_t base = TEXT, count = n;
	char name[32];
	size_t names;

	add(b, "of others", 8);
	for (uint32_t i = 0; i < n; i++)
		add_u32(b, i * 16);
	pad(b);
	add(b, &base, sizeof(base));
	add(b, &count, sizeof(count));
	names = b->len;
	for (uint32_t i = 0; i < n; i++) {
		size_t len = i ? (size_t)snprintf(name, sizeof(name), "Tf%u", i)
			       : strlen(strcpy(name, "T_stext"));

		if (i % 256 == 0)
			markers[i / 256] = b->len - names;
		strbuf_addc(b, (char)len);
		add(b, name, len);
	}
	pad(b);
	add(b, markers, (n + 255) / 256 * 4);
	pad(b);
	for (uint32_t i = 0; sequence && i < n; i++)
		add(b, (unsigned char[]){ 1, i >> 8, i | 1 }, 3);
	pad(b);
	add_tokens(b);
}

struct seen {
	uint32_t n;
	bool right;
};

static void see(void *arg, const char *name, char type, uint64_t addr)
{
	struct seen *s = arg;
	char expected[32];

	snprintf(expected, sizeof(expected), "f%u", s->n);
	s->right &= type == 'T' && addr == TEXT + 16ull * s->n &&
		    !strcmp(name, s->n ? expected : "_stext");
	s->n++;
}

static void reads(uint32_t n, bool sequence)
{
	Elf64_Shdr sections[] = {
		{ 0 },
		{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addr = RODATA },
		{ .sh_name = 9, .sh_type = SHT_NOBITS, .sh_addr = TEXT, .sh_size = RODATA - TEXT }
	};
	Elf64_Ehdr ehdr = { .e_type = ET_EXEC };
	struct image img = { .ehdr = &ehdr,
			     .sections = sections,
			     .n_sections = 3,
			     .section_names = SECTION_NAMES,
			     .section_names_len = sizeof(SECTION_NAMES) };
	struct seen seen = { .right = true };
	struct kallsyms_tables tables;
	struct strbuf b;

	strbuf_init(&b);
	make(&b, n, sequence);
	sections[1].sh_size = b.len;
	img.map.data = (unsigned char *)b.s;
	img.map.len = b.len;
	assert_null(kallsyms_open(&img, &tables));
	kallsyms_each(&tables, see, &seen);
	assert_int_equal(seen.n, n);
	assert_true(seen.right);
	strbuf_deinit(&b);
}

/* Of 5000 symbols, and of 1000, the numbers end where the tokens begin, with no zero byte between. */
static void recognises_the_tables(void **state)
{
	(void)state;
	for (uint32_t n = 1000; n < 6000; n += n % 8 == 7 ? 3993 : 1) {
		reads(n, false);
		reads(n, true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognises_the_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
