# SPDX-License-Identifier: GPL-2.0-or-later
# run NAME: compile, uncached, with TMPDIR below a directory of ours
dir=$(mktemp -d)
run() {
	TMPDIR="$dir/$1" "$STAP" -r "$KERNEL" -p4 -m tmpdir_case -e 'probe begin { exit() }' > "$dir/out" 2> "$dir/err"
	echo "$1: status $? $(sed -n 's/^ERROR: \(cannot create temporary directory\).*: \(.*\)/\1: \2/p' "$dir/err")"
	[ -d "$dir/$1" ] && ls -A "$dir/$1"
	rm -f tmpdir_case.ko
}
mkdir "$dir/a b" "$dir/it's \$(x);"
run "a b"
run "it's \$(x);"
run nowhere
HOME="$dir/a b" "$STAP" -r "$KERNEL" -p2 -e 'probe begin { exit() }' | grep -c '^begin'
rm -rf "$dir"
