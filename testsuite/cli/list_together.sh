# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by list_together.stp: the indexes of many modules are one file of the cache, that of a single one is its own.
dir=$(mktemp -d)
export SYSTEMTAP_DIR="$dir/state" XDG_CACHE_HOME="$dir/cache" SYSTEMTAP_DEBUGINFO_PATH=
kept="$dir/state/cache/modules"

# list NAME PATTERN: the list to the file NAME, what is told, and the files of the cache by the beginnings of their names
list() {
	"$STAP" -v -r "$KERNEL" -l "module(\"$2\").function(\"*\")" >"$dir/$1" 2>"$dir/err"
	sed -n 's/^\(Damaged in the cache, made anew\): .*\(all\)-.*/\1: \2/p; s/[0-9][0-9]* \(modules, once\)/N \1/p' "$dir/err"
	echo "$1:" $(ls "$kept" | sed 's/-.*//; /^all$/!{/^nf_conntrack$/!s/.*/others/}' | sort -u)
}

list some 'nf_*'
list again 'nf_*'
cmp "$dir/some" "$dir/again"
list one nf_conntrack
list more 'n*'
[ -s "$dir/more" ] || echo nothing is listed
for file in "$kept"/all-*; do
	size=$(stat -c %s "$file")
	printf 'damage%058d' 0 | dd of="$file" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
done
list damaged 'n*'
cmp "$dir/more" "$dir/damaged"
list anew 'n*'
cmp "$dir/more" "$dir/anew"
(list first '*') >"$dir/out.first" &
"$STAP" -r "$KERNEL" -l 'module("*").function("*")' >"$dir/second" 2>/dev/null
wait
cmp "$dir/first" "$dir/second"
list third '*'
cmp "$dir/first" "$dir/third"
rm -rf "$dir"
