# SPDX-License-Identifier: GPL-2.0-or-later
# Patterns against one program that has symbols only; then a function by its address
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cat > "$dir/shop.cpp" <<'END'
#include <string>
#define FUNCTION __attribute__((noinline))
namespace shop {
struct item {
	int price;
	FUNCTION int sold(int n) const { return price * n; }
	FUNCTION int sold(const char *s) { return price + *s; }
	FUNCTION int operator()(int x) { return x + price; }
	FUNCTION bool operator<(const item &o) const { return price < o.price; }
};
template <typename T> FUNCTION T twice(T x) { return x + x; }
FUNCTION int text(const std::string &s, char **v) { return s.size() + **v; }
inline namespace __1 { FUNCTION int inside(int (*f)(int, long)) { return f(1, 2); } }
}
namespace { FUNCTION int hidden(int x) { return x + 1; } }
static int two(int a, long b) { return a + b; }
int main(int argc, char **argv)
{
	shop::item i = { argc };
	return i.sold(1) + i.sold("a") + i(2) + (i < i) + shop::twice(argc) + (int)shop::twice(1.5) +
	       shop::text(argv[0], argv) + shop::inside(two) + hidden(argc);
}
END
c++ -O0 -o "$dir/shop" "$dir/shop.cpp" || exit 1
# how many, and by which names
found() {
	"$STAP" -p2 -e "probe process(\"$dir/shop\").function(\"$1\") { println(pp()) }" > "$dir/out" 2> /dev/null
	printf '%s: %s' "$1" "$(grep -c '^process.*0x' "$dir/out")"
	"$STAP" -l "process(\"$dir/shop\").function(\"$1\")" 2> /dev/null | sed 's/.*function("/ /; s/")$//' | tr '\n' ';'
	echo
}
while read -r pattern; do
	found "$pattern"
done <<'END'
sold
sold(int)
sold(int) const
sold(char const*)
sold(const char *)
item::sold(*)
sold(long)
sold(int, int)
sold(char*)
operator()(int)
item::operator<(const shop::item &) const
shop::twice<int>(int)
twice<*>(*)
shop::text(std::string const&, char **)
text(const std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > &, *)
text(std::string, *)
shop::inside
shop::__1::inside
shop::inside(int (*)(int, long))
hidden(int)
::hidden
(anonymous namespace)::hidden(int)
shop::*::sold(*)
hid*
_ZN4shop4item4sold*
END
"$STAP" -l "process(\"$dir/shop\").function(\"*\")" | sed 's/.*function("//; s/")$//' | grep -E 'shop|hidden'
"$STAP" -l "process(\"$dir/shop\").function(0x$(nm "$dir/shop" | awk '/soldEi$/ { print $1 }'))" | sed 's/.*\/shop")//'
