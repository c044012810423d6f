#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/src" "$tree/runtime" "$tree/testsuite" "$tree/grammar"
cp ../../.clang-format "$tree"
try() {
	../layout "$tree" 2>&1 | sed "s|$tree|TREE|g"
}
printf 'int fine;\n' > "$tree/src/a.c"
try
printf 'int  loose;\n' > "$tree/src/b.c"
try | sed 's/^ *//'
rm "$tree/src/b.c"
echo 'NoSuchKey: true' >> "$tree/.clang-format"
try | tail -n 1
