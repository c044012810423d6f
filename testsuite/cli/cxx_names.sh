# SPDX-License-Identifier: GPL-2.0-or-later
# Names of C++ with debug information, without it, with that of other units, and without symbols: namespaces without a name, lists of parameters
unset SYSTEMTAP_DEBUGINFO_PATH # what is beside a program is found without it
dir=$(mktemp -d) && dir=$(realpath "$dir") && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
cat > p.cpp <<'END'
#define HERE(a) __asm__ volatile("" : : "m"(a))
namespace {
__attribute__((noinline)) int hidden(int a) { HERE(a); return a + 1; }
namespace deep {
__attribute__((noinline)) int low(int a) { HERE(a); return a + 2; }
}
}
namespace outer {
namespace {
__attribute__((noinline)) int hidden(int a) { HERE(a); return a + 3; }
}
int go(int a) { return hidden(a); }
}
__attribute__((noinline)) double area(double r) { HERE(r); return r * r; }
__attribute__((noinline)) int area(int r) { HERE(r); return r * r; }
int main(int argc, char **argv)
{
	return hidden(argc) + deep::low(argc) + outer::go(argc) + (int)area(2.5) + area(argc);
}
END
g++ -g -O1 p.cpp -o debug && strip -g -o symbols debug && objcopy --only-keep-debug debug none.debug &&
	objcopy -S --add-gnu-debuglink=none.debug debug none
for p in debug symbols none; do
	for f in '*hidden*' '*::hidden' '::hidden' '(anonymous namespace)::hidden' 'outer::*::hidden' '*::deep::low' area 'area(double)' 'area( int )' 'area(*)'; do
		echo "-- $p $f"
		"$STAP" -L "process(\"./$p\").function(\"$f\")" 2>&1 | sed "/^indexing/d; s,$dir/,,g"
	done
	echo "-- $p area(float)"
	"$STAP" -r "$KERNEL" -p2 -e "probe process(\"./$p\").function(\"area(float)\") { next }" 2>&1 | sed -n 's/.*no match (\(.*\)): identifier.*/\1/p'
done
# a unit with debug information beside one without
cat > with.cpp <<'END'
struct worker { int run(int); int described(int); };
template <typename T> int twice(T);
int run(int);
__attribute__((noinline)) int worker::described(int a) { return a + 1; }
__attribute__((noinline)) int run(long a) { return (int)a; }
int main(int argc, char **argv)
{
	worker w;
	return w.run(argc) + w.described(argc) + twice(argc) + run(argc) + run((long)argc);
}
END
cat > without.cpp <<'END'
struct worker { int run(int); worker(long); };
__attribute__((noinline)) int worker::run(int a) { return a + 2; }
__attribute__((noinline)) int run(int a) { return a + 3; }
template <typename T> __attribute__((noinline)) int twice(T a) { return a * 2; }
template int twice<int>(int);
worker::worker(long) {}
END
g++ -O1 -c without.cpp && g++ -g -O1 with.cpp without.o -o mixed
for f in run 'worker::run' '*::run' 'r*n' '*run*' 'worker::*' 'described' 'twice<*' 'twice<int>' '*<int>' 'run(*)' 'worker' '_Z*run*'; do
	echo "-- mixed $f"
	"$STAP" -L "process(\"./mixed\").function(\"$f\")" 2>&1 | sed "/^indexing/d; s,$dir/,,g"
done
echo "-- mixed worker::rn"
"$STAP" -r "$KERNEL" -p2 -e "probe process(\"./mixed\").function(\"worker::rn\") { next }" 2>&1 | sed -n 's/.*no match (\(.*\)): identifier.*/\1/p'
echo "-- traceme"
"$STAP" -r "$KERNEL" -p2 -e "probe process(\"$BUILD/programs/goroutines\").function(\"traceme\") { next }" 2>&1 | sed -n 's/.*no match (\(.*\)): identifier.*/\1/p'
