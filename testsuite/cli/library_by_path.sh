#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A library without a soname that a program was linked to by its path.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
echo 'int called_back(void) { return 1; }' >back.c
echo 'int called_back(void); int main(void) { return called_back(); }' >main.c
${CC:-cc} -g -shared -fPIC -o libback.so back.c && ${CC:-cc} -g -o main main.c ./libback.so || exit 1
for name in libback.so ./libback.so 'lib*.so' libother.so; do
	"$STAP" -l "process(\"./main\").library(\"$name\").function(\"called_*\")" 2>&1 |
		sed "/^indexing /d; s|$dir|DIR|g"
done
