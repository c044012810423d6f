/* links: base */
/* sources: runtime/print/fmt.c runtime/print/bucket.c runtime/print/hist.c runtime/print/dump.c runtime/print/sprint.c runtime/print/record.c runtime/print/str.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formatter from both kinds of arguments, records, printed histograms, strings. */
#include "rt_host.h"
#include "runtime/print/fmt.h"
#include "runtime/print/hist.h"

#define L(v)                                                                                       \
	{                                                                                          \
		.l = (v)                                                                           \
	}
#define S(text)                                                                                    \
	{                                                                                          \
		.s = { text, sizeof(text) - 1 }                                                    \
	}

struct fmt_case {
	const char *fmt;
	union stp_val args[4];
	stp_u32 n, strings;
	const char *text;
};

static const struct fmt_case cases[] = {
	{ "plain 100%% %", { L(0) }, 0, 0, "plain 100% %" },
	{ "%d %i %u", { L(-5), L(7), L(-1) }, 3, 0, "-5 7 18446744073709551615" },
	{ "%d", { L(-0x7fffffffffffffff - 1) }, 1, 0, "-9223372036854775808" },
	{ "%016d", { L(-1) }, 1, 0, "-000000000000001" },
	{ "%+d|% d|%-5d|%5d", { L(3), L(3), L(3), L(3) }, 4, 0, "+3| 3|3    |    3" },
	{ "%.4d|%8.4d|%.0d", { L(7), L(-7), L(0) }, 3, 0, "0007|   -0007|0" },
	{ "%o|%#o|%#o|%#x", { L(8), L(8), L(0), L(0) }, 4, 0, "10|010|00|0x0" },
	{ "%x|%X|%#x|%#X",
	  { L(0xbeef), L(0xbeef), L(0xbeef), L(0xbeef) },
	  4,
	  0,
	  "beef|BEEF|0xbeef|0XBEEF" },
	{ "%p|%p|%20p|%lx",
	  { L(0), L(0xffff), L(1), L(-1) },
	  4,
	  0,
	  "0x0|0xffff|                 0x1|ffffffffffffffff" },
	{ "%-8x|%08x", { L(10), L(10) }, 2, 0, "a       |0000000a" },
	{ "%s|%5s|%-5s|%.2s",
	  { S("ab"), S("ab"), S("ab"), S("abcdef") },
	  4,
	  15,
	  "ab|   ab|ab   |ab" },
	{ "%*d|%-4d|", { L(6), L(42), L(1) }, 3, 0, "    42|1   |" },
	{ "%*d|", { L(-6), L(42) }, 2, 0, "42    |" },
	{ "%.*s", { L(3), S("abcdef") }, 2, 2, "abc" },
	{ "%c%c%#c%#c", { L('A'), L(0x142), L('x'), L('\n') }, 4, 0, "ABx\\n" },
	{ "%#c%#c%#c%#c", { L(1), L('\''), L('\\'), L(0xff) }, 4, 0, "\\001\\'\\\\\\377" },
	{ "%3c|%-3c|", { L('a'), L('b') }, 2, 0, "  a|b  |" },
	{ "%4b%.2b", { L(0x64636261), L(0x6665) }, 2, 0, "abcdef" },
	{ "%q", { L(1) }, 0, 0, "%q" },
};

static unsigned long payload_of(const struct fmt_case *t, stp_u8 *out)
{
	stp_u8 *p = out;
	stp_u32 i;

	for (i = 0; i < t->n; i++) {
		if (t->strings >> i & 1) {
			memset(p, 0, (4 + t->args[i].s.len + 7) & ~7u);
			memcpy(p, &t->args[i].s.len, 4);
			memcpy(p + 4, t->args[i].s.s, t->args[i].s.len);
			p += (4 + t->args[i].s.len + 7) & ~7u;
		} else {
			memcpy(p, &t->args[i].l, 8);
			p += 8;
		}
	}
	return p - out;
}

static void test_format(void **state)
{
	char out[256];
	stp_u8 wire[256];
	unsigned i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fmt_case *t = &cases[i];
		struct stp_fmt_args vals = { .vals = t->args, .n = t->n };
		struct stp_fmt_args rec = { .wire = wire, .end = wire + payload_of(t, wire) };
		unsigned long len = stp_format(out, sizeof(out), t->fmt, &vals);

		out[len] = '\0';
		assert_string_equal(out, t->text);
		len = stp_format(out, sizeof(out), t->fmt, &rec);
		out[len] = '\0';
		assert_string_equal(out, t->text);
		assert_ptr_equal(rec.wire, rec.end);
	}
}

static void test_binary(void **state)
{
	static const union stp_val v[] = { L(0x4142), L(0x43) };
	struct stp_fmt_args args = { .vals = v, .n = 2 };
	char out[32];

	assert_int_equal(stp_format(out, sizeof(out), "%4.2b%b", &args), 12);
	assert_memory_equal(out, "\0\0BAC\0\0\0\0\0\0\0", 12);
}

static void test_cut_and_damaged(void **state)
{
	union stp_val v = S("hello world");
	struct stp_fmt_args args = { .vals = &v, .n = 1 };
	stp_u8 bad[8] = { 0xff, 0xff, 0xff, 0x7f, 'a', 'b', 'c', 'd' };
	struct stp_fmt_args wire = { .wire = bad, .end = bad + 8 };
	char out[64];

	memset(out, '#', sizeof(out));
	assert_int_equal(stp_format(out, 4, "<%s>", &args), 13);
	assert_memory_equal(out, "<hel#", 5);
	assert_int_equal(stp_format(out, sizeof(out), "%s %d %s", &wire), 7);
	assert_memory_equal(out, "abcd 0 ", 7);
	args = (struct stp_fmt_args){ .vals = &v, .n = 1 };
	assert_int_equal(stp_format(NULL, 0, "%99999999999s", &args), 65536);
}

static const struct stp_hist_shape log_shape = {
	STP_HIST_LOG, STP_HIST_LOG_BUCKETS, 0, 0, 0, 50, 2
};

static void check_hist(const struct stp_hist_shape *shape, const stp_u64 *buckets, const char *text)
{
	char out[16384];
	unsigned long len = stp_hist_format(out, sizeof(out), shape, buckets);

	assert_in_range(len, 1, sizeof(out) - 1);
	out[len] = '\0';
	assert_string_equal(out, text);
}

#define DASHES "--------------------------------------------------"
#define BLANK "                                                  "

static void test_hist_linear(void **state)
{
	struct stp_hist_shape s = { STP_HIST_LINEAR, 23, 0, 1000, 50, 50, 0 };
	stp_u64 b[23] = { 0 };

	b[1] = 3;
	b[9] = 1;
	check_hist(&s, b,
		   "value |" DASHES " count\n"
		   "    0 |@@@                                                3\n"
		   "      ~\n"
		   "  400 |@                                                  1\n"
		   "\n");
	s.elision = 1;
	check_hist(&s, b,
		   "value |" DASHES " count\n"
		   "    0 |@@@                                                3\n"
		   "   50 |" BLANK " 0\n"
		   "      ~\n"
		   "  350 |" BLANK " 0\n"
		   "  400 |@                                                  1\n"
		   "  450 |" BLANK " 0\n"
		   "\n");
}

static void test_hist_out_of_range(void **state)
{
	struct stp_hist_shape s = { STP_HIST_LINEAR, 4, -10, 0, 10, 50, 2 };
	stp_u64 b[4] = { 120, 0, 2, 5 };

	check_hist(&s, b,
		   "value |" DASHES " count\n"
		   " <-10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           120\n"
		   "  -10 |" BLANK "   0\n"
		   "    0 |" BLANK "   2\n"
		   "   >0 |@                                                    5\n"
		   "\n");
}

static void test_hist_log(void **state)
{
	stp_u64 b[STP_HIST_LOG_BUCKETS] = { 0 };

	b[65] = 2;
	check_hist(&log_shape, b,
		   "value |" DASHES " count\n"
		   "    0 |" BLANK " 0\n"
		   "    1 |@@                                                 2\n"
		   "    2 |" BLANK " 0\n"
		   "    4 |" BLANK " 0\n"
		   "\n");
	b[65] = 0;
	b[0] = 1;
	check_hist(&log_shape, b,
		   "               value |" DASHES " count\n"
		   "-9223372036854775808 |@                                                  1\n"
		   "-4611686018427387904 |" BLANK " 0\n"
		   "-2305843009213693952 |" BLANK " 0\n"
		   "\n");
}

static const char *const formats[] = { "%s %d %d\n", "%.4m|%M", "literal\n", "%.*M" };

static void test_records(void **state)
{
	struct stp_ctx *c = host_begin(0);
	const union stp_val args[] = { S("hello"), L(1), L(-2) };
	struct host_record *r = &host_records[0];
	stp_u32 len;

	stp_script.formats = formats;
	stp_script.n_formats = 4;
	stp_print(c, 0, args, 3, 1);
	assert_int_equal(host_n_records, 1);
	assert_int_equal(r->kind, STP_REC_FORMAT);
	assert_int_equal(r->len, 16 + 16);
	memcpy(&len, r->payload, 4);
	assert_int_equal(len, 5);
	assert_memory_equal(r->payload + 4, "hello\0\0\0\0\0\0\0", 12);
	stp_print_0(c, 2);
	assert_int_equal(host_records[1].len, 0);
	host_n_records = 0;
	stp_print_text(c, (struct stp_str){ host_scratch[1], 1500 });
	assert_int_equal(host_n_records, 2);
}

static void test_dumps(void **state)
{
	struct stp_ctx *c = host_begin(0);
	static const char memory[] = "\x01\x02zz";
	const union stp_val args[] = { L((long)memory), L((long)memory) };
	const union stp_val wide[] = { L(5000), L((long)memory) };
	const union stp_val bad[] = { L((long)memory), L(16) };
	struct stp_fmt_args cursor;
	struct host_record *r = &host_records[0];
	char out[64];

	stp_script.formats = formats;
	stp_script.n_formats = 4;
	stp_print_dumps(c, 1, args, 2, 0);
	assert_int_equal(host_n_records, 1);
	cursor = (struct stp_fmt_args){ .wire = (stp_u8 *)r->payload,
					.end = (stp_u8 *)r->payload + r->len };
	assert_int_equal(stp_format(out, sizeof(out), formats[1], &cursor), 7);
	assert_memory_equal(out, "\x01\x02zz|01", 7);
	assert_str(stp_sprint(c, 1, args, 2, 0), "\x01\x02zz|01");
	stp_print_dumps(c, 3, wide, 2, 0);
	assert_error(c, "5000 is too many bytes for a memory dump");
	stp_sprint(c, 1, bad, 2, 0);
	assert_error(c, "read fault [man error::fault] at 0x10");
	stp_print_dumps(c, 1, bad, 2, 0);
	assert_error(c, "read fault [man error::fault] at 0x10");
	assert_int_equal(host_n_records, 1);
}

static void test_strings(void **state)
{
	struct stp_ctx *c = host_begin(0);
	struct stp_str forty = { "0123456789012345678901234567890123456789", 40 }, v;
	char buffer[8], *mark;

	assert_str(stp_str_store(buffer, sizeof(buffer), STP_S("abcdefghij")), "abcdefg");
	assert_int_equal(buffer[7], 0);
	assert_str(stp_str_concat(c, STP_S("foo"), STP_S("bar")), "foobar");
	assert_int_equal(stp_str_concat(c, forty, forty).len, 63);
	assert_true(stp_str_cmp(STP_S("abc"), STP_S("abd")) < 0);
	assert_true(stp_str_cmp(STP_S("abc"), STP_S("ab")) > 0);
	assert_int_equal(stp_str_cmp(STP_S(""), STP_S("")), 0);
	assert_true(stp_str_cmp(STP_S("\x80"), STP_S("a")) > 0);
	mark = c->top;
	stp_scratch(c, 100);
	v = stp_str_concat(c, STP_S("re"), STP_S("sult"));
	v = stp_str_return(c, mark, v);
	assert_str(v, "result");
	assert_ptr_equal(v.s, mark);
	assert_ptr_equal(c->top, mark + 8);
	assert_string_equal(stp_str_buffer(c, STP_S("x")), "x");
	c->top = c->limit;
	assert_string_equal(stp_str_buffer(c, STP_S("x")), "");
	assert_error(c, "scratch");
	assert_str(stp_str_return(c, c->top, forty), "");
	assert_error(c, "scratch");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_cut_and_damaged),
		cmocka_unit_test(test_hist_linear),
		cmocka_unit_test(test_hist_out_of_range),
		cmocka_unit_test(test_hist_log),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_dumps),
		cmocka_unit_test(test_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
