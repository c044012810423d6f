#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Something to watch: reads files, lists directories and starts processes until the demonstration ends.

# The session runs us with -c, so it lives as long as our parent.
session_lives()
{
	kill -0 "$PPID" 2>/dev/null
}

while session_lives; do
	find /usr/bin /usr/lib -maxdepth 2 -type f 2>/dev/null | head -n 200 | while session_lives && read -r file; do
		cat "$file" >/dev/null 2>&1
	done
	ls -lR /etc >/dev/null 2>&1
done
