/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes, references, base classes and templates of C++. */
#include <cstdio>
#include <string>

namespace ns {

struct base {
	int id;
	virtual ~base() {}
	virtual int area() const { return id; }
};

enum class color : short { red = -1, green = 5 };

class shape : public base {
public:
	int w, h;
	color c;
	static int made;
	union {
		int whole;
		unsigned char parts[4];
	};
	shape(int a, int b) : w(a), h(b), c(color::green), whole(0x00020304) { id = 7; made++; }
	int area() const override;
};

int shape::made = 0;
static int hidden = 42;

__attribute__((noinline)) int shape::area() const
{
	hidden++;
	return w * h;
}

namespace inner {
__attribute__((noinline)) int deep(const shape &s, std::string &text, shape *&p, std::string copy)
{
	return s.area() + hidden + (int)text.size() + p->w + (int)copy.size();
}
} // namespace inner

/* with a virtual base, whose constructors have a parameter more when they make a part of something else */
struct origin {
	int from;
};

struct held : virtual origin {
	int size;
	__attribute__((noinline, noclone)) held(int a, short b);
};

held::held(int a, short b) : size(a * b)
{
	from = b;
}

struct kept : held {
	kept(int a) : held(a, 9) {}
};

namespace {
__attribute__((noinline)) int anon(shape *p) { return p->w + hidden; }
} // namespace

} // namespace ns

template <typename T> __attribute__((noinline)) T twice(T x)
{
	ns::hidden++;
	return x + x;
}

/* GCC does not note of this class that it is passed by its address: what follows is in the next registers. */
__attribute__((noinline)) int after(std::string first, int second, const char *third)
{
	return (int)first.size() + second + third[0];
}

int main()
{
	ns::shape s(3, 4), *p = &s;
	std::string t("hello");
	int r = ns::inner::deep(s, t, p, std::string("by value")) + ns::anon(&s) + twice(5) + (int)twice(2.5);

	ns::held whole(5, 6);
	ns::kept part(8);
	printf("%d\n", r + (whole.size > 99) + (part.size > 99) + after("by value", 77, "third"));
	return 0;
}
