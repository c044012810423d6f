#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: entry_store.sh STAP PROGRAM: what a handler does around a store through a pointer that is known by the function's entry
line=$(grep -n 'use(2); /\* met' ../programs/kept.c | cut -d: -f1)
"$1" -r "$KERNEL" -g -p3 -e "probe process(\"$2\").statement(\"meet@*kept.c:$line\") { @cast(\$mine, \"list_head\", \"kernel\")->prev = 5 }" |
	grep -oE '(un)?lock_all\(c|stp_entry_value|stp_write_[a-z]*\(c|STP_POINT_WILD'
