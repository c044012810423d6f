/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Base classes: names that hide those of a base, bases with the same names, virtual ones; and pointers to members. */
#include <memory>
#include <tuple>

#define SEEN __attribute__((noinline, noclone))

struct A {
	int id = 1;
};
struct B : A {
	int id = 2;
	int own = 5;
};
/* an anonymous union hides them too */
struct C : A {
	union {
		int id;
		int other;
	};
};
struct left {
	int n = 10;
};
struct right {
	int n = 11, m = 12;
};
struct both : left, right {
	int last = 13;
};

struct far {
	int far_n = 20;
	virtual ~far() {}
};
struct near1 : virtual far {
	int one = 21;
};
struct near2 : virtual far {
	int two = 22;
};
struct diamond : near1, near2 {
	int three = 23;
};

struct methods {
	int a = 30, b = 31;
	SEEN int get(int k) { return a + k; }
};

SEEN int hides(B *b, C *c, A *a)
{
	asm volatile("");
	return b->id + c->id + a->id;
}
SEEN int same(both *p)
{
	asm volatile("");
	return p->last;
}
SEEN int standard(std::tuple<int, char> *t, std::unique_ptr<int> *u)
{
	asm volatile("");
	return std::get<0>(*t) + **u;
}
SEEN int virtually(near1 *alone, near1 *part, diamond *whole)
{
	asm volatile("" : : "r"(alone), "r"(part), "r"(whole) : "memory");
	return alone->one + part->one + whole->three;
}
SEEN int members(int methods::*data, int (methods::*function)(int), std::nullptr_t none, int last)
{
	methods m;

	asm volatile("");
	return m.*data + (m.*function)(last);
}

int main()
{
	B b;
	C c;
	both p;
	std::tuple<int, char> t{ 1, 't' };
	auto u = std::make_unique<int>(7);
	near1 alone;
	diamond whole;

	asm volatile("" : : "r"(&alone), "r"(&whole) : "memory");
	c.id = 3;
	return hides(&b, &c, &b) + same(&p) + standard(&t, &u) + virtually(&alone, &whole, &whole) +
		       members(&methods::b, &methods::get, nullptr, 40) ==
	       0;
}
