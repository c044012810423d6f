#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: p2_entries.sh STAP PROGRAM: what -v, -p2 and -p3 say of probes that keep values of entries
stap=$1
program=$2

# point FUNCTION TEXT: the statement at the line that has TEXT
point() {
	echo "process(\"$program\").statement(\"$1@*:$(grep -nF "$2" ../programs/kept.c | cut -d: -f1)\")"
}

ask() {
	"$stap" -r "$KERNEL" -v "$@" 2>&1 |
		sed -n -E "s|$program|KEPT|g; s/ using.*//; s/<input>:1:[0-9]+/<input>:1:N/; s/(kept\.c|@\*):[0-9]+/\1:LINE/g
			/^Pass 2|^process.*call|\.location|from =/p" | sed -E 's/0x[0-9a-f]+/ADDRESS/g'
}

met=$(point meet 'use(2);')
waits=$(point waits 'use(3);')
ask -p2 -e "probe begin { println(1) }"
ask -p2 -e "probe $met { println(\$mine) }"
ask -p2 -e "global n probe $met { n += \$mine + \$other } probe $waits { n += \$mine } probe end { println(n) }"
ask -p2 -e "probe $met { println(\$mine) } probe $met, $waits { println(1, \$mine) }"
ask -p3 -t -e "probe $met { println(\$mine) } probe $waits { println(\$mine) }"
