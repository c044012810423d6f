# SPDX-License-Identifier: GPL-2.0-or-later
# Of C++ without debug information: what the compiler has split from a function is none.
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
{ echo 'namespace ns {'; sed '/^#include/d; s/^int main/} using namespace ns; int main/' "$1/rests.c"; } > body
{ grep '^#include' "$1/rests.c"; cat body; } > rests.cc
g++ -O2 -o rests rests.cc || exit 1
nm rests | grep -c '\.part\.'
for f in 'ns::rarely' 'ns::*'; do
	"$STAP" -p2 -e 'probe process("./rests").function(@1) { println(pp()) }' "$f" 2>&1 | sed -n "s,$(realpath "$dir"),DIR,; s, /[*].*,,; /^process/p"
done
