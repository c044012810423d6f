#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
words=$("$STAP" --dump-probe-types | sed 's/([^)]*)//g' | tr . '\n' | sort -u)
[ -n "$words" ] || echo "no probe types"
for word in $words; do
	grep -qxF "\"$word\"" ../fuzz/script.dict || echo "$word: not in script.dict"
done
