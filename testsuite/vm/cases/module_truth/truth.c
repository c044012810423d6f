// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that are called with known arguments when the module is loaded: what a probe reads can
 * be compared.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>

/* called as written: no clone, no constant moved into the function */
#define truth_fn noinline __attribute__((noipa))

struct pair {
	long a;
	long b;
};
struct big {
	long v[5];
};
struct bits {
	unsigned int low : 3;
	int middle : 7;
	unsigned int high : 20;
	u64 wide : 40;
};
union number {
	long l;
	char bytes[8];
};
struct outer {
	struct {
		int x, y;
	};
	int table[4];
	struct bits *bits;
	const char *name;
};

static int truth_global = 77;
static struct outer truth_outer;
static char truth_text[] = "abc";
static DEFINE_PER_CPU(struct pair, truth_copies);

static truth_fn long truth_pair(int first, struct pair by_value, char last)
{
	return first + by_value.a + by_value.b + last;
}

static truth_fn long truth_big(struct big big, short after)
{
	return big.v[4] + after;
}

static truth_fn long truth_long_list(int a, char b, short c, long d, unsigned char e, signed char f,
				     int g, long h, u16 i)
{
	return a + b + c + d + e + f + g + h + i;
}

static truth_fn int truth_bits(struct bits *bits, union number number, const struct outer *outer)
{
	return bits->middle + (int)number.l + outer->table[2];
}

static __always_inline int truth_inlined(int value, const char *text)
{
	int sum = 0;

	while (*text)
		sum += *text++ * value;
	return sum;
}

static truth_fn int truth_loop(int n)
{
	int total = 0, i;

	for (i = 1; i <= n; i++) {
		total += i;
		barrier();
	}
	if (total > 50)
		goto large;
	return total;
large:
	truth_global++;
	return -total;
}

static truth_fn struct pair truth_struct_result(long a)
{
	return (struct pair){ a + 1, a + 2 };
}

static truth_fn int truth_leaf(int n)
{
	return n * 2;
}

/* calls one of its own, one of vmlinux, and an inlined copy */
static truth_fn int truth_caller(int n)
{
	return truth_leaf(n + 1) + int_sqrt(n * n) + truth_inlined(n, truth_text + 2) + 1;
}

/* one more copy, not in the module's last function: there no probe may be, see module_padding */
static truth_fn int truth_third_caller(int n)
{
	return truth_inlined(n, truth_text) + 1;
}

static truth_fn int truth_other_caller(int n)
{
	return truth_leaf(n + 100) + int_sqrt(n) + 1;
}

static int __init truth_init(void)
{
	static struct bits bits = { 5, -9, 0xabcde, 0x123456789aull };
	struct pair result;
	volatile long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) per_cpu(truth_copies, cpu) =
		(struct pair){ 100 + cpu, 200 + cpu };
	truth_outer = (struct outer){ { 11, -12 }, { 1, 2, -3, 4 }, &bits, "outer name" };
	sum += truth_pair(-1, (struct pair){ 1000000000001, -2 }, 'z');
	sum += truth_big((struct big){ { 1, 2, 3, 4, -5 } }, -300);
	sum += truth_long_list(-1, 'b', -3, 1ll << 40, 250, -6, 7, -8, 65535);
	sum += truth_bits(&bits, (union number){ .l = 0x4142434445464748 }, &truth_outer);
	sum += truth_third_caller(sum ? 3 : 4);
	sum += truth_loop(11);
	result = truth_struct_result(40);
	sum += result.a;
	sum += truth_caller(5) + truth_other_caller(6);
	return 0;
}

static void __exit truth_exit(void)
{
}

module_init(truth_init);
module_exit(truth_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("known arguments");
