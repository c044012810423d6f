/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lambda that captures by value and by reference. */
#include <cstdio>

struct pair {
	int a, b;
};

template <typename F> __attribute__((noinline)) int call(F f, int n)
{
	return f(n);
}

int main(int argc, char **)
{
	int x = 5;
	pair p = { 7, 8 };
	char place[] = "captured";
	const char *text = place;

	return call([x, &p, text](int n) { return std::printf("%s: %d\n", text, x + p.a * n + p.b); }, argc) != 13;
}
