/* links: base */
/* sources: runtime/stat/agg.c runtime/stat/stat.c runtime/stat/hist.c runtime/print/bucket.c runtime/print/hist.c runtime/print/fmt.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: the language's variance vectors, merging, empty aggregates, histogram buckets. */
#include <pthread.h>

#include "rt_host.h"
#include "runtime/print/hist.h"
#include "runtime/stat/agg.h"

#define ALL                                                                                        \
	(STP_STAT_COUNT | STP_STAT_SUM | STP_STAT_MIN | STP_STAT_MAX | STP_STAT_AVG |              \
	 STP_STAT_VARIANCE)

static struct stp_stat stat = { .name = "s", .desc = { .collect = ALL } };
static struct stp_stat *const stats[] = { &stat };

static void start(stp_u32 shift, struct stp_hist_shape shape)
{
	stat.desc.bit_shift = shift;
	stat.desc.hist = shape;
	stp_script.stats = stats;
	stp_script.n_stats = 1;
	assert_int_equal(stp_member_stats.init(), 0);
}

static const struct stp_hist_shape log_shape = {
	STP_HIST_LOG, STP_HIST_LOG_BUCKETS, 0, 0, 0, 50, 2
};

static stp_long variance_of(const stp_long *v, int n, stp_u32 shift)
{
	struct stp_ctx *c = host_begin(0);
	stp_long result;
	int i;

	start(shift, (struct stp_hist_shape){ 0 });
	for (i = 0; i < n; i++)
		stp_stat_add(c, &stat, v[i]);
	result = stp_stat_get(c, &stat, STP_STAT_VARIANCE);
	assert_null(c->error);
	stp_member_stats.exit();
	return result;
}

static void test_variance_vectors(void **state)
{
	static stp_long v[9000];
	int i;

	assert_int_equal(variance_of((stp_long[]){ 1, 2, 3, 4, 5 }, 5, 0), 12);
	assert_int_equal(variance_of((stp_long[]){ 1, 2, 3, 4, 5 }, 5, 1), 2);
	assert_int_equal(variance_of((stp_long[]){ 444, 999 }, 2, 7), 154012);
	for (i = 0; i < 100; i++)
		v[i] = i;
	assert_int_equal(variance_of(v, 100, 0), 5741);
	for (i = 0; i < 9000; i++)
		v[i] = 1000 + i;
	assert_int_equal(variance_of(v, 9000, 0), 47241750);
	assert_int_equal(variance_of((stp_long[]){ 77 }, 1, 0), 0);
}

static void test_merge(void **state)
{
	struct stp_ctx *a = host_begin(0), *b = host_begin(3);

	start(0, (struct stp_hist_shape){ 0 });
	stp_stat_add(a, &stat, 10);
	stp_stat_add(b, &stat, -31);
	stp_stat_add(b, &stat, 5);
	assert_int_equal(stp_stat_get(a, &stat, STP_STAT_COUNT), 3);
	assert_int_equal(stp_stat_get(a, &stat, STP_STAT_SUM), -16);
	assert_int_equal(stp_stat_get(a, &stat, STP_STAT_AVG), -5);
	assert_int_equal(stp_stat_get(a, &stat, STP_STAT_MIN), -31);
	assert_int_equal(stp_stat_get(a, &stat, STP_STAT_MAX), 10);
	stp_stat_clear(a, &stat);
	assert_int_equal(stp_stat_get(b, &stat, STP_STAT_COUNT), 0);
	stp_stat_add(b, &stat, 7);
	assert_int_equal(stp_stat_get(a, &stat, STP_STAT_MIN), 7);
	assert_int_equal(stp_stat_get(a, &stat, STP_STAT_COUNT), 1);
	stp_member_stats.exit();
}

static void test_empty(void **state)
{
	struct stp_ctx *c = host_begin(0);

	start(0, log_shape);
	assert_int_equal(stp_stat_get(c, &stat, STP_STAT_COUNT), 0);
	assert_int_equal(stp_stat_get(c, &stat, STP_STAT_SUM), 0);
	assert_null(c->error);
	stp_stat_get(c, &stat, STP_STAT_AVG);
	assert_error(c, "empty aggregate");
	stp_stat_get(c, &stat, STP_STAT_VARIANCE);
	assert_error(c, "empty aggregate");
	stp_stat_print_hist(c, &stat, 0);
	assert_error(c, "empty aggregate");
	assert_int_equal(stp_stat_n_buckets(c, &stat), 0);
	assert_error(c, "empty aggregate");
	assert_int_equal(host_n_records, 0);
	stp_member_stats.exit();
}

static void test_log_buckets(void **state)
{
	static const struct {
		stp_long v;
		int bucket;
	} cases[] = {
		{ 0, 64 },
		{ 1, 65 },
		{ 2, 66 },
		{ 3, 66 },
		{ 4, 67 },
		{ -1, 63 },
		{ -2, 62 },
		{ -3, 62 },
		{ -4, 61 },
		{ -7, 61 },
		{ 0x7fffffffffffffff, 127 },
		{ -0x7fffffffffffffff - 1, 0 },
	};
	unsigned i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(stp_hist_bucket(&log_shape, cases[i].v), cases[i].bucket);
}

static void test_linear_buckets(void **state)
{
	struct stp_hist_shape s = { STP_HIST_LINEAR, 13, -50, 50, 10, 50, 2 };

	assert_int_equal(stp_hist_bucket(&s, -51), 0);
	assert_int_equal(stp_hist_bucket(&s, -50), 1);
	assert_int_equal(stp_hist_bucket(&s, -41), 1);
	assert_int_equal(stp_hist_bucket(&s, 50), 11);
	assert_int_equal(stp_hist_bucket(&s, 59), 11);
	assert_int_equal(stp_hist_bucket(&s, 60), 12);
	assert_int_equal(stp_hist_bucket(&s, 0x7fffffffffffffff), 12);
	assert_int_equal(stp_hist_bucket(&s, -0x7fffffffffffffff - 1), 0);
}

static void test_histogram_records(void **state)
{
	struct stp_ctx *c = host_begin(1);
	struct stp_str text;
	stp_u64 count;

	start(0, log_shape);
	stp_stat_add(c, &stat, 3);
	stp_stat_add(c, &stat, 0);
	assert_int_equal(stp_stat_bucket(c, &stat, 66), 1);
	stp_stat_bucket(c, &stat, 128);
	assert_error(c, "histogram index out of range");
	stp_stat_bucket(c, &stat, -1);
	assert_error(c, "histogram index out of range");
	stp_stat_print_hist(c, &stat, 5);
	assert_int_equal(host_n_records, 1);
	assert_int_equal(host_records[0].kind, STP_REC_HIST);
	assert_int_equal(host_records[0].id, 5);
	assert_int_equal(host_records[0].len, 129 * 8);
	memcpy(&count, host_records[0].payload, 8);
	assert_int_equal(count, 2);
	memcpy(&count, host_records[0].payload + 8 * 65, 8);
	assert_int_equal(count, 1);
	text = stp_stat_sprint_hist(c, &stat);
	assert_int_equal(text.len, stp_script.max_string - 1);
	assert_memory_equal(text.s, "value |-----", 12);
	stp_member_stats.exit();
}

static void test_extremes(void **state)
{
	struct stp_ctx *c = host_begin(0);

	start(62, (struct stp_hist_shape){ 0 });
	stp_stat_add(c, &stat, -0x7fffffffffffffff - 1);
	stp_stat_add(c, &stat, 0x7fffffffffffffff);
	stp_stat_add(c, &stat, -1);
	assert_int_equal(stp_stat_get(c, &stat, STP_STAT_SUM), -2);
	stp_stat_get(c, &stat, STP_STAT_VARIANCE);
	assert_null(c->error);
	stp_member_stats.exit();
}

static void test_bad_shape(void **state)
{
	stat.desc.hist = (struct stp_hist_shape){ STP_HIST_LINEAR, 5, 0, 10, 0, 50, 2 };
	stp_script.stats = stats;
	stp_script.n_stats = 1;
	assert_int_equal(stp_member_stats.init(), -EINVAL);
	assert_null(stat.impl);
}

/* One feeds and deletes while another reads: no figure is of half a sample. */
static void *feed(void *stop)
{
	struct stp_ctx *c = &host_ctx[1];
	int i;

	for (i = 1; !__atomic_load_n((int *)stop, __ATOMIC_RELAXED); i++) {
		stp_stat_add(c, &stat, 7);
		if (i % 5 == 0)
			stp_stat_clear(c, &stat);
		/* hits are hundreds of instructions apart: a reader's tries are bounded, and must find a gap */
		for (volatile int gap = 0; gap < 300; gap++)
			;
	}
	return NULL;
}

static void test_read_beside_feed(void **state)
{
	static const stp_u32 figures[] = { STP_STAT_MIN, STP_STAT_MAX, STP_STAT_AVG };
	struct stp_ctx *c = host_begin(0);
	int stop = 0, i, wrong = 0;
	pthread_t feeder;

	host_begin(1);
	start(0, (struct stp_hist_shape){ 0 });
	assert_int_equal(pthread_create(&feeder, NULL, feed, &stop), 0);
	for (i = 0; i < 600000; i++) {
		stp_long v = stp_stat_get(c, &stat, figures[i % 3]);

		wrong += !c->error && v != 7;
		c->error = NULL;
		wrong += stp_stat_get(c, &stat, STP_STAT_VARIANCE) != 0 && !c->error;
		c->error = NULL;
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(feeder, NULL);
	assert_int_equal(wrong, 0);
	stp_member_stats.exit();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_variance_vectors),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_log_buckets),
		cmocka_unit_test(test_linear_buckets),
		cmocka_unit_test(test_histogram_records),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_bad_shape),
		cmocka_unit_test(test_read_beside_feed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
