/* links: base */
/* sources: runtime/map/table.c runtime/map/map.c runtime/map/stats.c runtime/map/foreach.c runtime/stat/agg.c runtime/stat/hist.c runtime/print/bucket.c runtime/print/hist.c runtime/print/fmt.c runtime/print/str.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays: keys, order, limits, wrapping, wildcards, foreach, arrays of statistics. */
#include "rt_host.h"
#include "runtime/map/map.h"

#define L(v)                                                                                       \
	{                                                                                          \
		.l = (v)                                                                           \
	}
#define S(text)                                                                                    \
	{                                                                                          \
		.s = { text, sizeof(text) - 1 }                                                    \
	}
#define KEY(...) ((union stp_val[]){ __VA_ARGS__ })

static struct stp_map map;
static struct stp_map *const maps[] = { &map };

static struct stp_ctx *start(struct stp_map m)
{
	m.name = "arr";
	m.string_size = stp_script.max_string;
	map = m;
	stp_script.maps = maps;
	stp_script.n_maps = 1;
	assert_int_equal(stp_member_maps.init(), 0);
	return host_begin(0);
}

static void test_long_keys(void **state)
{
	struct stp_ctx *c = start((struct stp_map){ .n_keys = 1, .capacity = 1000 });
	stp_long i;

	assert_int_equal(stp_map_get(c, &map, KEY(L(5))), 0);
	assert_false(stp_map_has(c, &map, KEY(L(5)), 0));
	for (i = 0; i < 1000; i++)
		assert_int_equal(stp_map_add(c, &map, KEY(L(i * 4096)), i), i);
	for (i = 0; i < 1000; i++)
		assert_int_equal(stp_map_get(c, &map, KEY(L(i * 4096))), i);
	assert_int_equal(stp_map_add(c, &map, KEY(L(4096)), -3), -2);
	assert_null(c->error);
	stp_map_set(c, &map, KEY(L(1)), 1);
	assert_error(c, "Array overflow, check MAXMAPENTRIES");
	stp_map_delete(c, &map, KEY(L(0)), 0);
	stp_map_set(c, &map, KEY(L(1)), 1);
	assert_null(c->error);
	stp_map_clear(c, &map);
	assert_int_equal(stp_map_get(c, &map, KEY(L(1))), 0);
	stp_map_set(c, &map, KEY(L(1)), 9);
	assert_int_equal(stp_map_get(c, &map, KEY(L(1))), 9);
	stp_member_maps.exit();
}

static void test_string_keys_of_every_length(void **state)
{
	struct stp_ctx *c = start((struct stp_map){
		.n_keys = 1, .string_keys = 1, .capacity = 64, .flags = STP_MAP_SIZED });
	char text[64];
	stp_u32 n;

	memset(text, 'a', sizeof(text));
	for (n = 0; n < 64; n++)
		stp_map_set(c, &map, KEY({ .s = { text, n } }), n + 1);
	assert_null(c->error);
	for (n = 0; n < 64; n++)
		assert_int_equal(stp_map_get(c, &map, KEY({ .s = { text, n } })), n + 1);
	for (n = 1; n < 64; n++) {
		text[n - 1] = 'b';
		assert_int_equal(stp_map_get(c, &map, KEY({ .s = { text, n } })), 0);
		text[n - 1] = 'a';
	}
	stp_map_set(c, &map, KEY(S("other")), 1);
	assert_error(c, "Array overflow, check size limit (64)");
	stp_member_maps.exit();
}

static void test_string_values(void **state)
{
	struct stp_ctx *c = start((struct stp_map){
		.n_keys = 3, .string_keys = 2, .value = STP_STRING, .capacity = 4 });
	union stp_val *k = KEY(L(1), S("two"), L(3));
	int i;

	assert_str(stp_map_get_str(c, &map, k), "");
	stp_map_append_str(c, &map, k, STP_S("ab"));
	stp_map_append_str(c, &map, k, STP_S("cd"));
	assert_str(stp_map_get_str(c, &map, k), "abcd");
	stp_map_set_str(c, &map, k, STP_S("0123456789"));
	for (i = 0; i < 10; i++)
		stp_map_append_str(c, &map, k, STP_S("0123456789"));
	assert_int_equal(stp_map_get_str(c, &map, k).len, 63);
	assert_str(stp_map_get_str(c, &map, KEY(L(1), S("twx"), L(3))), "");
	stp_member_maps.exit();
}

static void test_wrap(void **state)
{
	struct stp_ctx *c =
		start((struct stp_map){ .n_keys = 1, .capacity = 3, .flags = STP_MAP_WRAP });
	int i;

	for (i = 0; i < 10; i++)
		stp_map_set(c, &map, KEY(L(i)), 1);
	assert_null(c->error);
	assert_false(stp_map_has(c, &map, KEY(L(6)), 0));
	assert_true(stp_map_has(c, &map, KEY(L(7)), 0));
	assert_true(stp_map_has(c, &map, KEY(L(9)), 0));
	stp_member_maps.exit();
}

static void test_wildcards(void **state)
{
	struct stp_ctx *c =
		start((struct stp_map){ .n_keys = 2, .string_keys = 1, .capacity = 16 });

	stp_map_set(c, &map, KEY(S("a"), L(1)), 1);
	stp_map_set(c, &map, KEY(S("a"), L(2)), 2);
	stp_map_set(c, &map, KEY(S("b"), L(2)), 3);
	assert_true(stp_map_has(c, &map, KEY(S("b"), L(0)), 2));
	assert_false(stp_map_has(c, &map, KEY(S("c"), L(0)), 2));
	assert_true(stp_map_has(c, &map, KEY(S(""), L(2)), 1));
	stp_map_delete(c, &map, KEY(S("a"), L(0)), 2);
	assert_false(stp_map_has(c, &map, KEY(S("a"), L(0)), 2));
	assert_int_equal(stp_map_get(c, &map, KEY(S("b"), L(2))), 3);
	stp_map_delete(c, &map, KEY(S(""), L(0)), 3);
	assert_false(stp_map_has(c, &map, KEY(S(""), L(0)), 3));
	stp_member_maps.exit();
}

static const char *walk(struct stp_ctx *c, int by, int dir, stp_u32 what, stp_long limit)
{
	static char text[256];
	struct stp_iter it;
	int len = 0;

	text[0] = '\0';
	stp_foreach_begin(c, &it, &map, by, dir, what, limit, NULL, 0);
	while (stp_foreach_next(c, &it)) {
		if (map.string_keys & 1) {
			struct stp_str s = stp_iter_key_str(c, &it, 0);

			len += snprintf(text + len, sizeof(text) - len, "%.*s ", (int)s.len, s.s);
		} else {
			len += snprintf(text + len, sizeof(text) - len, "%lld ",
					stp_iter_key(c, &it, 0));
		}
		c->top = host_scratch[c->cpu];
	}
	return text;
}

static void test_foreach(void **state)
{
	struct stp_ctx *c = start((struct stp_map){ .n_keys = 1, .string_keys = 1, .capacity = 8 });

	assert_string_equal(walk(c, 0, 0, 0, STP_NO_LIMIT), "");
	assert_string_equal(walk(c, 1, 1, 0, STP_NO_LIMIT), "");
	stp_map_set(c, &map, KEY(S("pear")), 2);
	stp_map_set(c, &map, KEY(S("fig")), 1);
	stp_map_set(c, &map, KEY(S("plum")), 2);
	stp_map_set(c, &map, KEY(S("apple")), 3);
	stp_map_set(c, &map, KEY(S("kiwi")), 2);
	assert_string_equal(walk(c, 0, 0, 0, STP_NO_LIMIT), "pear fig plum apple kiwi ");
	assert_string_equal(walk(c, -1, 1, 0, STP_NO_LIMIT), "fig pear plum kiwi apple ");
	assert_string_equal(walk(c, 1, 1, 0, STP_NO_LIMIT), "apple fig kiwi pear plum ");
	assert_string_equal(walk(c, -1, -1, 0, STP_NO_LIMIT), "apple kiwi pear plum fig ");
	assert_string_equal(walk(c, 0, 0, 0, STP_NO_LIMIT), "apple kiwi pear plum fig ");
	assert_string_equal(walk(c, 1, -1, 0, 2), "plum pear ");
	assert_string_equal(walk(c, 0, 0, 0, 0), "");
	stp_map_delete(c, &map, KEY(S("plum")), 0);
	stp_map_set(c, &map, KEY(S("plum")), 1);
	assert_string_equal(walk(c, 0, 0, 0, STP_NO_LIMIT), "pear kiwi fig apple plum ");
	stp_member_maps.exit();
}

/* A loop that walks a snapshot keeps its order, whatever loops within it do to that of the array. */
static void test_snapshot(void **state)
{
	struct stp_ctx *c = start((struct stp_map){ .n_keys = 1, .capacity = 8 });
	union stp_val slice[] = { L(2) };
	struct stp_iter it;
	int i;

	for (i = 0; i < 5; i++)
		stp_map_set(c, &map, KEY(L(i)), 10 - i);
	stp_foreach_begin(c, &it, &map, 1, 1, 0, 4, NULL, STP_ITER_SNAPSHOT);
	for (i = 0; stp_foreach_next(c, &it); i++) {
		char *top = c->top;

		assert_int_equal(stp_iter_key(c, &it, 0), i);
		stp_foreach_begin(c, &(struct stp_iter){ 0 }, &map, i & 1 ? -1 : 1, -1, 0,
				  STP_NO_LIMIT, NULL, 0);
		c->top = top;
	}
	assert_int_equal(i, 4);
	stp_foreach_begin(c, &it, &map, 1, 1, 0, STP_NO_LIMIT, slice, STP_ITER_SNAPSHOT);
	assert_true(stp_foreach_next(c, &it));
	assert_int_equal(stp_iter_key(c, &it, 0), 2);
	assert_false(stp_foreach_next(c, &it));
	stp_foreach_begin(c, &it, &map, 1, 1, 0, STP_NO_LIMIT, NULL, STP_ITER_SNAPSHOT);
	assert_true(stp_foreach_next(c, &it));
	stp_map_clear(c, &map);
	assert_false(stp_foreach_next(c, &it));
	stp_foreach_begin(c, &it, &map, 1, 1, 0, STP_NO_LIMIT, NULL, STP_ITER_SNAPSHOT);
	assert_false(stp_foreach_next(c, &it));
	stp_map_set(c, &map, KEY(L(1)), 1);
	c->top = c->limit;
	stp_foreach_begin(c, &it, &map, 1, 1, 0, STP_NO_LIMIT, NULL, STP_ITER_SNAPSHOT);
	assert_error(c, "scratch");
	assert_false(stp_foreach_next(c, &it));
	stp_member_maps.exit();
}

/* The same of statistics, which the loops within merge again: with fewer elements, and with more. */
static void test_snapshot_of_stats(void **state)
{
	struct stp_ctx *c = start((struct stp_map){ .n_keys = 2,
						    .string_keys = 1,
						    .value = STP_STATS,
						    .capacity = 4,
						    .desc = { .collect = STP_STAT_COUNT } });
	struct stp_iter it;
	int i;

	for (i = 0; i < 3; i++)
		stp_map_stat_add(c, &map, KEY(S("abc"), L(i)), i);
	stp_foreach_begin(c, &it, &map, 2, -1, 0, STP_NO_LIMIT, NULL, STP_ITER_SNAPSHOT);
	for (i = 2; stp_foreach_next(c, &it); i--) {
		char *top = c->top;

		assert_int_equal(stp_iter_key(c, &it, 1), i);
		assert_str(stp_iter_key_str(c, &it, 0), "abc");
		if (i == 2)
			stp_map_delete(c, &map, KEY(S("abc"), L(1)), 0);
		else
			stp_map_stat_add(c, &map, KEY(S("x"), L(7 + i)), 1);
		stp_foreach_begin(c, &(struct stp_iter){ 0 }, &map, 1, -1, 0, STP_NO_LIMIT, NULL,
				  0);
		c->top = top;
	}
	assert_int_equal(i, -1);
	assert_null(c->error);
	stp_member_maps.exit();
}

static void test_sort_many(void **state)
{
	struct stp_ctx *c = start((struct stp_map){ .n_keys = 1, .capacity = 2048 });
	unsigned seed = 1, i, n;
	struct stp_iter it;
	stp_long last;

	for (n = 1; n <= 2048; n = n * 3 / 2 + 1) {
		stp_map_clear(c, &map);
		for (i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			stp_map_set(c, &map, KEY(L(i)), seed >> 20 & 31);
		}
		stp_foreach_begin(c, &it, &map, -1, 1, 0, STP_NO_LIMIT, NULL, 0);
		for (i = 0, last = -1; stp_foreach_next(c, &it); i++) {
			stp_long now = stp_iter_value(c, &it) << 32 | stp_iter_key(c, &it, 0);

			assert_true(now >
				    last); /* ascending, and stable: equal values by insertion */
			last = now;
		}
		assert_int_equal(i, n);
	}
	stp_member_maps.exit();
}

static void test_slices(void **state)
{
	struct stp_ctx *c = start((struct stp_map){ .n_keys = 2, .capacity = 8 });
	union stp_val slice[] = { L(0), L(7) };
	struct stp_iter it;
	int i;

	for (i = 0; i < 6; i++)
		stp_map_set(c, &map, KEY(L(i), L(i & 1 ? 7 : 8)), i);
	stp_foreach_begin(c, &it, &map, 1, -1, 0, 2, slice, 1);
	assert_true(stp_foreach_next(c, &it));
	assert_int_equal(stp_iter_value(c, &it), 5);
	assert_true(stp_foreach_next(c, &it));
	assert_int_equal(stp_iter_value(c, &it), 3);
	assert_false(stp_foreach_next(c, &it));
	stp_member_maps.exit();
}

#define ALL                                                                                        \
	(STP_STAT_COUNT | STP_STAT_SUM | STP_STAT_MIN | STP_STAT_MAX | STP_STAT_AVG |              \
	 STP_STAT_VARIANCE)

static void test_stats_array(void **state)
{
	struct stp_ctx *a = start((struct stp_map){
		.n_keys = 1,
		.value = STP_STATS,
		.capacity = 3,
		.desc = { .collect = ALL, .hist = { STP_HIST_LOG, 128, 0, 0, 0, 50, 2 } } });
	struct stp_ctx *b = host_begin(2);

	stp_map_stat_add(b, &map, KEY(L(30)), 4);
	stp_map_stat_add(a, &map, KEY(L(10)), 1);
	stp_map_stat_add(a, &map, KEY(L(30)), 6);
	stp_map_stat_add(b, &map, KEY(L(20)), 100);
	assert_int_equal(stp_map_stat_get(a, &map, KEY(L(30)), STP_STAT_SUM), 10);
	assert_int_equal(stp_map_stat_get(a, &map, KEY(L(30)), STP_STAT_AVG), 5);
	assert_int_equal(stp_map_stat_get(a, &map, KEY(L(99)), STP_STAT_COUNT), 0);
	assert_null(a->error);
	stp_map_stat_get(a, &map, KEY(L(99)), STP_STAT_MIN);
	assert_error(a, "empty aggregate");
	assert_int_equal(stp_map_stat_bucket(a, &map, KEY(L(30)), 67), 2);
	assert_string_equal(walk(a, 0, 0, 0, STP_NO_LIMIT), "30 10 20 ");
	assert_string_equal(walk(a, -1, -1, STP_STAT_SUM, STP_NO_LIMIT), "20 30 10 ");
	assert_string_equal(walk(a, -1, 1, STP_STAT_COUNT, STP_NO_LIMIT), "10 20 30 ");
	assert_string_equal(walk(a, 1, -1, 0, 2), "30 20 ");
	stp_map_stat_add(a, &map, KEY(L(40)), 1);
	assert_null(a->error);
	walk(a, 0, 0, 0, STP_NO_LIMIT);
	assert_error(a, "aggregation overflow in arr");
	stp_map_delete(a, &map, KEY(L(30)), 0);
	assert_false(stp_map_has(a, &map, KEY(L(30)), 0));
	assert_string_equal(walk(a, 0, 0, 0, STP_NO_LIMIT), "10 20 40 ");
	stp_map_stat_add(a, &map, KEY(L(50)), 1);
	stp_map_stat_add(a, &map, KEY(L(60)), 1);
	assert_error(a, "Array overflow, check MAXMAPENTRIES");
	stp_map_print_hist(b, &map, KEY(L(10)), 1);
	assert_int_equal(host_n_records, 1);
	stp_map_clear(b, &map);
	assert_false(stp_map_has(a, &map, KEY(L(0)), 1));
	stp_member_maps.exit();
}

/* The longest chain of the array's table. */
static stp_u32 longest_chain(void)
{
	const struct stp_map_impl *impl = map.impl;
	stp_u32 b, longest = 0;

	for (b = 0; b <= impl->main.mask; b++) {
		const struct stp_node *node = impl->main.buckets[b];
		stp_u32 n = 0;

		for (; node; node = node->chain)
			n++;
		longest = n > longest ? n : longest;
	}
	return longest;
}

/* Keys that all fall into one bucket of a session are spread out in the next. */
static void test_chosen_keys(void **state)
{
	struct stp_map m = { .n_keys = 1, .capacity = 1024 };
	struct stp_ctx *c = start(m);
	const struct stp_map_impl *impl = map.impl;
	stp_long chosen[256], v;
	int n = 0;

	for (v = 0; n < 256; v++)
		if (!(stp_key_hash(&impl->layout, KEY(L(v))) & impl->main.mask))
			chosen[n++] = v;
	for (n = 0; n < 256; n++)
		stp_map_set(c, &map, KEY(L(chosen[n])), 1);
	assert_int_equal(longest_chain(), 256);
	stp_member_maps.exit();
	c = start(m); /* draws anew */
	for (n = 0; n < 256; n++)
		stp_map_set(c, &map, KEY(L(chosen[n])), 1);
	assert_true(longest_chain() < 16);
	stp_member_maps.exit();
}

/*
 * Strings made so that each pair of words may have a difference that the second undoes, when the mixing is a product with a known
 * factor, of which only the lower half is kept: 128 strings with one hash, under every seed.
 */
static void test_chosen_strings(void **state)
{
	stp_u32 before = stp_script.max_string;
	stp_u64 words[15];
	struct stp_ctx *c;
	int n, pair;

	stp_script.max_string = 128;
	c = start((struct stp_map){ .n_keys = 1, .string_keys = 1, .capacity = 1024 });
	for (n = 0; n < 128; n++) {
		memset(words, 'a', sizeof(words));
		for (pair = 0; pair < 7; pair++) {
			if (!(n >> pair & 1))
				continue;
			words[2 * pair] ^= 1ull << 63;
			words[2 * pair + 1] ^= 1ull << 63 | 1ull << 34;
		}
		stp_map_set(c, &map,
			    KEY((union stp_val){ .s = { (const char *)words, sizeof(words) } }), 1);
	}
	assert_true(longest_chain() < 16);
	stp_member_maps.exit();
	stp_script.max_string = before;
}

static stp_u32 count_elements(struct stp_ctx *c, int by, const union stp_val *slice, stp_u32 wild)
{
	struct stp_iter it;
	stp_u32 n = 0;

	stp_foreach_begin(c, &it, &map, by, 1, 0, STP_NO_LIMIT, slice, wild);
	while (stp_foreach_next(c, &it))
		n++;
	return n;
}

/* Walks over big arrays are charged to MAXACTION where interrupts are off, and free where they are on. */
static void test_charges(void **state)
{
	struct stp_ctx *c = start((struct stp_map){ .n_keys = 2, .capacity = 16384 });
	const stp_u32 n = 16384;
	union stp_val *one = KEY(L(5), L(0));
	stp_u32 i;

	for (i = 0; i < n; i++)
		stp_map_set(c, &map, KEY(L(i), L(1)), i);
	c->actions = 40;
	assert_false(stp_map_has(c, &map, KEY(L(-1), L(0)), 2));
	assert_int_equal(c->actions, 40 - n / 512);
	stp_map_delete(c, &map, one, 2);
	assert_error(c, "MAXACTION exceeded");
	assert_true(stp_map_has(c, &map, KEY(L(5), L(1)), 0));
	c->actions = 40;
	assert_int_equal(count_elements(c, 0, one, 2), 1);
	assert_int_equal(c->actions, 40 - (n - 1) / 512);
	assert_int_equal(count_elements(c, 0, one, 2), 1); /* behind it the walk gives up */
	assert_error(c, "MAXACTION exceeded");
	c->actions = 100;
	assert_int_equal(count_elements(c, STP_SORT_BY_VALUE, NULL, 3), 0);
	assert_error(c, "MAXACTION exceeded");
	c->actions = 1000;
	assert_int_equal(count_elements(c, STP_SORT_BY_VALUE, NULL, 3), n);
	assert_int_equal(c->actions, 1000 - 15 * n / 512);
	c->actions = 0;
	stp_map_clear(c, &map);
	assert_error(c, "MAXACTION exceeded");
	c->flags = STP_CTX_SLEEP;
	assert_int_equal(count_elements(c, STP_SORT_BY_VALUE, NULL, 3), n);
	stp_map_clear(c, &map);
	assert_null(c->error);
	assert_int_equal(count_elements(c, 0, NULL, 3), 0);
	stp_member_maps.exit();
}

/* A table whose lock is never given back: nobody waits without bound, and what is left out is counted. */
static void test_lock_not_had(void **state)
{
	struct stp_ctx *c =
		start((struct stp_map){ .n_keys = 1, .value = STP_STATS, .capacity = 8 });
	struct stp_map_impl *impl = map.impl;

	host_lock_skips = 0;
	stp_map_stat_add(c, &map, KEY(L(1)), 5);
	impl->per_ctx[0]->lock.word = 1;
	stp_map_stat_add(c, &map, KEY(L(1)), 5);
	assert_int_equal(host_lock_skips, 1);
	assert_int_equal(stp_map_stat_get(c, &map, KEY(L(1)), STP_STAT_COUNT), 0);
	assert_int_equal(count_elements(c, 0, NULL, 1), 0);
	assert_false(stp_map_has(c, &map, KEY(L(1)), 0));
	stp_map_clear(c, &map);
	assert_int_equal(host_lock_skips, 5);
	impl->per_ctx[0]->lock.word = 0;
	assert_int_equal(stp_map_stat_get(c, &map, KEY(L(1)), STP_STAT_COUNT), 1);
	stp_member_maps.exit();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_keys),
		cmocka_unit_test(test_string_keys_of_every_length),
		cmocka_unit_test(test_string_values),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_wildcards),
		cmocka_unit_test(test_foreach),
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_snapshot_of_stats),
		cmocka_unit_test(test_sort_many),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_stats_array),
		cmocka_unit_test(test_chosen_keys),
		cmocka_unit_test(test_chosen_strings),
		cmocka_unit_test(test_charges),
		cmocka_unit_test(test_lock_not_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
