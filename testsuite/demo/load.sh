#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Something to watch: reads files, lists directories and starts processes until the demonstration ends.
while :; do
	find /usr/bin /usr/lib -maxdepth 2 -type f 2>/dev/null | head -n 200 | xargs cat >/dev/null 2>&1
	ls -lR /etc >/dev/null 2>&1
done
