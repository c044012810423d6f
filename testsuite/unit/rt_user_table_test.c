/* links: base */
/* sources: runtime/unwind/table_check.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of files as they come from outside the kernel: what no search may be let into is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unwind/table_check.h"

#define N 3

/* As src/target/user_table.c writes them. */
struct sample {
	struct stp_user_table head;
	struct stp_user_segment segments[2];
	stp_u32 rule_addrs[N], rules[N];
	stp_u32 symbol_addrs[N], symbol_names[N];
	char names[16];
};

static const struct sample good = {
	.head = { 0x400000, 2, N, N, 16 },
	.segments = { { 0, 0x1000, 0 }, { 0x1000, 0xffffe000, 0x2000 } },
	.rule_addrs = { 0, 4, 0xfffffffe },
	.rules = { STP_RULE(STP_RULE_SP, 0, 1), STP_RULE(STP_RULE_FP, -2, 2), STP_RULE_END },
	.symbol_addrs = { 1, 2, 3 },
	.symbol_names = { 1, 0, 15 },
	.names = "\0main\0other_one",
};

/* In memory of exactly that size, so that a step beside it is seen by who looks for such. */
static int is_valid(const struct sample *s, size_t size)
{
	char *copy = malloc(size ? size : 1);
	int valid;

	assert_non_null(copy);
	memcpy(copy, s, size);
	valid = stp_user_table_valid((const void *)copy, size);
	free(copy);
	return valid;
}

static void test_good(void **state)
{
	struct sample s = good;
	static const struct {
		struct stp_user_table head;
		char name;
	} least = { .head = { .names_len = 1 } };
	size_t least_size = sizeof(least.head) + 1;

	assert_true(is_valid(&s, sizeof(s)));
	assert_true(stp_user_table_valid(&least.head, least_size));
}

static void test_sizes(void **state)
{
	struct sample s = good;
	const stp_u32 many[] = { 0, 1, 2, 4, 64, 65, 0x10000000, 0x20000000, 0x80000000, ~0u };

	for (size_t size = 0; size < sizeof(s); size++)
		assert_false(is_valid(&s, size));
	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
		s = good;
		s.head.n_segments = many[i];
		assert_int_equal(is_valid(&s, sizeof(s)), many[i] == 2);
		s = good;
		s.head.n_rules = many[i];
		assert_false(is_valid(&s, sizeof(s)));
		s = good;
		s.head.n_symbols = many[i];
		assert_false(is_valid(&s, sizeof(s)));
		s = good;
		s.head.names_len = many[i];
		assert_false(is_valid(&s, sizeof(s)));
	}
	/* lengths that come to the size when they are added in 32 bits */
	s = good;
	s.head.n_rules += 0x20000000;
	assert_false(is_valid(&s, sizeof(s)));
	/* and those that do in truth, with parts in each other's place */
	s = good;
	s.head.n_rules = 0;
	s.head.n_symbols = 2 * N;
	assert_false(is_valid(&s, sizeof(s)));
}

#define REFUSED(change)                                                                            \
	do {                                                                                       \
		struct sample s = good;                                                            \
                                                                                                   \
		change;                                                                            \
		assert_false(is_valid(&s, sizeof(s)));                                             \
	} while (0)

static void test_contents(void **state)
{
	REFUSED(s.segments[1].size++);
	REFUSED(s.segments[1].addr = ~0ull);
	REFUSED(s.segments[0].addr = (1ull << 32) + 1);
	REFUSED(s.segments[0].offset = ~0ull);
	REFUSED(s.rule_addrs[1] = 0);
	REFUSED(s.rule_addrs[0] = 5);
	REFUSED(s.rules[1] = 7);
	REFUSED(s.rules[N - 1] |= 7);
	REFUSED(s.symbol_addrs[2] = 2);
	REFUSED(s.symbol_addrs[0] = ~0u);
	REFUSED(s.symbol_names[0] = 16);
	REFUSED(s.symbol_names[2] = ~0u);
	REFUSED(s.names[0] = 'x');
	REFUSED(s.names[15] = 'x');
}

/* Whatever is in it, nothing beside it is looked at. */
static void test_noise(void **state)
{
	uint32_t seed = 1;

	for (int round = 0; round < 20000; round++) {
		struct sample s = good;
		unsigned char *bytes = (unsigned char *)&s;

		for (int i = 0; i < 4; i++) {
			seed = seed * 1664525 + 1013904223;
			bytes[(seed >> 8) % (round & 1 ? sizeof(s) : sizeof(s.head))] =
				(unsigned char)(seed >> 24);
		}
		is_valid(&s, sizeof(s));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
