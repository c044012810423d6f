/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A method of which the compiler puts a part elsewhere, with what is seldom run. That part ends with a call that does not come back. */
#include <cstdlib>

namespace ns {

__attribute__((cold, noinline)) void rare(int n)
{
	exit(n);
}

struct shape {
	int side;

	__attribute__((noinline)) int area(const int *factor) const;
};

int shape::area(const int *factor) const
{
	if (__builtin_expect(!factor, 0))
		rare(side - side);
	return side * side * *factor;
}

template <typename T> __attribute__((noinline)) T apply(const shape &s, T *factor)
{
	T first = s.area(factor);

	return first + s.area(nullptr);
}

} // namespace ns

int main()
{
	ns::shape s = { 3 };
	int factor = 2;

	return ns::apply<int>(s, &factor) == 0;
}
