#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit
printf '#!/bin/sh\ncat said >&2\n' > say
chmod +x say
echo '# program: ./say' > case.stp

# judge WHAT LINE...: a case that prints these lines and expects what is in case.err
judge() {
	what=$1
	shift
	printf '%s\n' "$@" > said
	"$BUILD/spile-test" --stap "$STAP" case.stp | sed -n "s/^ok .*/$what: passes/p; s/^not ok [^]]*\] /$what: fails: /p"
}

echo '^semantic error: expected' > case.err
judge "the expected" "semantic error: expected" "        source: probe x"
for line in "semantic error: another" "parse error: another" "WARNING: another" "ERROR: another" "Pass 2: analysis failed.  [man error::pass2]"; do
	judge "$line" "semantic error: expected" "$line"
done
judge "lines of no weight" "semantic error: expected" "Pass 2: analyzed script: 1 probe in 0 ms." "hint: another"
true > case.err
judge "an empty file" "text"
rm case.err
judge "no file" "text"
