/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that end with a return, an exception, another function, a jump through a pointer, from inside each other and instead of each other. */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define PLAIN __attribute__((noinline, noclone))

PLAIN int checked(int n)
{
	asm volatile("");
	if (n % 3 == 0)
		throw std::runtime_error("third");
	return n * 2;
}

PLAIN int middle(int n)
{
	int ret = checked(n) + 1;

	asm volatile("");
	return ret;
}

PLAIN int last(int n)
{
	asm volatile("");
	return n + 100;
}

/* Ends with a jump. */
PLAIN int passes_on(int n)
{
	asm volatile("");
	return last(n + 1);
}

int (*volatile pointer)(int) = last;

PLAIN int passes_anywhere(int n)
{
	asm volatile("");
	return pointer(n + 1);
}

PLAIN int deep(int n)
{
	int ret = n ? deep(n - 1) + 1 : middle(3);

	asm volatile("");
	return ret;
}

PLAIN bool is_odd(unsigned n);

/* These end with each other. */
PLAIN bool is_even(unsigned n)
{
	asm volatile("");
	return n ? is_odd(n - 1) : true;
}

PLAIN bool is_odd(unsigned n)
{
	asm volatile("");
	return n ? is_even(n - 1) : false;
}

int main()
{
	int sum = 0, caught = 0;

	for (int i = 0; i < 30; i++) {
		try {
			sum += middle(i);
		} catch (const std::exception &e) {
			caught++;
		}
	}
	for (int i = 0; i < 10; i++) {
		try {
			sum += deep(100);
		} catch (const std::exception &e) {
			caught++;
		}
	}
	for (int i = 0; i < 5; i++)
		sum += passes_on(i) + passes_anywhere(i) + last(i);
	sum += is_even(10);
	std::printf("sum %d caught %d\n", sum, caught);
	return 0;
}
