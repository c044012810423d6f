// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions of a class and lambdas in the bodies of functions; a class that is named as its constructor. */
#include <cstdio>

class outer {
public:
	int by;

	explicit __attribute__((noinline)) outer(int n)
		: by(n)
	{
		__asm__ volatile("");
	}
	__attribute__((noinline)) int twice(int n)
	{
		struct local {
			int by;
			__attribute__((noinline)) int more(int m)
			{
				__asm__ volatile("");
				return m + by;
			}
		} l = { n };
		int ret = l.more(n);

		__asm__ volatile("");
		return ret + by;
	}
};

template <typename T> __attribute__((noinline)) T thrice(T n)
{
	auto more = [n](T m) { return m + n; };
	T ret = more(n);

	__asm__ volatile("");
	return ret + n;
}

int main()
{
	outer o(1);

	printf("%d %d\n", o.twice(2), thrice(3));
	return 0;
}
