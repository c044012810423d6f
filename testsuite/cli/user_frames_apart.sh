#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: user_frames_apart.sh STAP KERNEL SOURCE
STAP=$1 KERNEL=$2 source=$3
dir=$(mktemp -d) && dir=$(realpath "$dir") && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
unset SYSTEMTAP_DEBUGINFO_PATH # what is beside a program is found without it
gcc -g -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -o whole "$source/../programs/frames.c"
objcopy --only-keep-debug whole apart.debug
objcopy --strip-debug --add-gnu-debuglink=apart.debug whole apart
objcopy --strip-all --add-gnu-debuglink=apart.debug whole bare
objcopy --strip-debug whole none
table() {
	"$STAP" -r "$KERNEL" -p3 -e "probe process(\"./$1\").function(\"leaf\") { print_ubacktrace() }" > "$1.c"
	cp "$(sed -n 's/.*user_table_0: .incbin [^/]*\(\/[^"\\]*\).*/\1/p' "$1.c")" "$1.table"
}
for name in whole apart bare none; do table $name; done
[ -s whole.table ] && cmp whole.table apart.table && echo same
cmp whole.table bare.table && echo 'same names'
cmp -s whole.table none.table || echo other
