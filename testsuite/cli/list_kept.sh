# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by list_kept.stp: a list with variables is kept, and answers until what it rests on is another.
dir=$(mktemp -d)
export SYSTEMTAP_DIR="$dir/state" XDG_CACHE_HOME="$dir/cache"
p='kernel.function("a*")'

# list NAME OPTION...: the list to the file NAME, damage by its kind, and how many lists there are
list() {
	name=$1
	shift
	"$STAP" -v -r "$KERNEL" "$@" >"$dir/$name" 2>"$dir/err"
	sed -n 's/^Damaged in the cache, made anew: .*\(list\)-[0-9a-f]*.*/damaged: \1/p' "$dir/err"
	echo "$name: $(find "$dir/state" -name 'list-*[0-9a-f]' | wc -l)"
}

list first -L "$p"
list second -L "$p"
cmp "$dir/first" "$dir/second"
list short -L 'kernel.function("vfs_r*")'
list names -l "$p"
list guru -g -L "$p"
cmp "$dir/first" "$dir/guru"
for file in "$dir"/state/cache/list-*[0-9a-f]; do
	printf 'x' | dd of="$file" bs=1 seek=20 conv=notrunc 2>/dev/null
done
list anew -L "$p"
cmp "$dir/first" "$dir/anew"
list modules -L 'module("n*").function("*")'
list modules_again -L 'module("n*").function("*")'
cmp "$dir/modules" "$dir/modules_again"
[ "$(grep -c : "$dir/modules")" -ge 1000 ] || echo few modules are listed
list without --disable-cache -L "$p"
cmp "$dir/first" "$dir/without"
rm -rf "$dir"
