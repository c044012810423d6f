/* links: base */
/* sources: runtime/probes/rows.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of many points: what is common, and numbers, texts and addresses of the columns. */
#include "rt_host.h"

static const struct stp_point_value values[] = { { .constant = 7 }, { .constant = 8 } };
static const void *const addresses[] = { &values[0], &values[1] };
static const struct stp_column columns[] = {
	STP_COLUMN(kernel.addr, NUMBER),
	STP_COLUMN(kernel.symbol, TEXT),
	STP_COLUMN(values, ADDRESS),
	STP_COLUMN(kernel.offset, NUMBER),
	STP_COLUMN(pn, TEXT),
};
static const struct stp_point_rows rows = {
	.common = { .pp = "common", .flags = STP_POINT_WILD, .kernel.section = 3 },
	.columns = columns,
	.n_columns = 5,
	.addresses = addresses,
	.text = "ffffffff815558b0\0first\0"
		"2\0"
		"1f\0"
		"name\0"
		"\0second\0\0\0\0"
		"10\0third\0"
		"1\0\0\0",
};

static void test_columns(void **state)
{
	struct stp_probe probes[] = { { .rows = &rows, .n_points = 3 }, { .n_points = 1 } };
	const struct stp_point *p;

	stp_script.probes = probes;
	stp_script.n_probes = 2;
	assert_int_equal(stp_member_points.init(), 0);
	p = probes[0].points;
	assert_int_equal(p[0].kernel.addr, 0xffffffff815558b0);
	assert_string_equal(p[0].kernel.symbol, "first");
	assert_ptr_equal(p[0].values, &values[1]);
	assert_int_equal(p[0].kernel.offset, 0x1f);
	assert_string_equal(p[0].pn, "name");
	assert_int_equal(p[1].kernel.addr, 0);
	assert_string_equal(p[1].kernel.symbol, "second");
	assert_null(p[1].values);
	assert_null(p[1].pn);
	assert_int_equal(p[2].kernel.addr, 16);
	assert_ptr_equal(p[2].values, &values[0]);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(p[i].pp, "common");
		assert_int_equal(p[i].flags, STP_POINT_WILD);
		assert_int_equal(p[i].kernel.section, 3);
	}
	assert_null(probes[1].points);
	stp_member_points.exit();
	assert_null(probes[0].points);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_columns) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
