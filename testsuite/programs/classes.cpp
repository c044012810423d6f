/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes by value: those that C++ passes in registers, and those that it passes and returns by address. */
#include <cstdio>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#define SEEN __attribute__((noinline, noclone))

/* with code of its own for copies, for the end, with a table of functions, with copies forbidden */
struct copied {
	int n;
	explicit copied(int k) : n(k) {}
	copied(const copied &other) : n(other.n) { asm volatile(""); }
};
struct ended {
	int n;
	~ended() { asm volatile(""); }
};
struct watched {
	int n;
	explicit watched(int k) : n(k) {}
	virtual int get() const { return n; }
};
struct unique {
	int n;
	explicit unique(int k) : n(k) {}
	unique(const unique &) = delete;
};
/* by what they are made of */
struct holds {
	ended e[2];
};
struct from : ended {
	int more;
};
/* trivial, whatever they declare */
struct plain {
	int n;
	long m;
};
struct asked {
	int n;
	explicit asked(int k) : n(k) {}
	asked(const asked &) = default;
	asked(asked &&) = default;
	asked(const asked &, int k) : n(k) {}
	~asked() = default;
	static ended shared;
};
ended asked::shared{ 1 };
struct moved {
	int n;
	explicit moved(int k) : n(k) {}
	moved(const moved &) = delete;
	moved(moved &&) = default;
};

#define TAKES(type) \
	SEEN int takes_##type(type v, int after) { return v.n + after; }
TAKES(copied)
TAKES(ended)
TAKES(watched)
TAKES(unique)
TAKES(plain)
TAKES(asked)
TAKES(moved)
SEEN int takes_holds(holds v, int after) { return v.e[1].n + after; }
SEEN int takes_from(from v, int after) { return v.n + v.more + after; }
SEEN int takes_string(std::string v, int after) { return (int)v.size() + after; }
SEEN int takes_vector(std::vector<int> v, int after) { return v[0] + after; }
SEEN int takes_pair(std::pair<int, char> v, int after) { return v.first + after; }

#define GIVES(type) \
	SEEN type gives_##type(int k) { return type(k); }
GIVES(copied)
GIVES(watched)
GIVES(unique)
GIVES(asked)
GIVES(moved)
SEEN ended gives_ended(int k) { return ended{ k }; }
SEEN plain gives_plain(int k) { return plain{ k, 2 }; }
SEEN std::shared_ptr<int> gives_pointer(int k) { return std::make_shared<int>(k); }
SEEN std::string gives_string(const char *text, int k) { return std::string(text, k); }

int main()
{
	char text[] = "classes";
	int sum = takes_copied(copied(1), 101) + takes_ended(ended{ 2 }, 102) + takes_watched(watched(3), 103) + takes_unique(unique(4), 104);

	sum += takes_holds(holds{ { { 5 }, { 6 } } }, 105);
	from f;
	f.n = 7, f.more = 8;
	sum += takes_from(f, 106) + takes_plain(plain{ 9, 10 }, 107) + takes_asked(asked(11), 108) + takes_moved(moved(12), 109);
	sum += takes_string(std::string("by value"), 110) + takes_vector(std::vector<int>{ 13 }, 111) + takes_pair({ 14, 'c' }, 112);
	sum += gives_copied(21).n + gives_watched(22).n + gives_unique(23).n + gives_asked(24).n + gives_moved(25).n + gives_ended(26).n;
	sum += gives_plain(27).n + *gives_pointer(28) + (int)gives_string(text, 5).size();
	printf("%d\n", sum);
	return 0;
}
