#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Packets, calls, a program and reads, for functions_hostile_everywhere; $1 is the program.
ip link set lo up 2>/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$1" >/dev/null
	perl -MSocket -e 'socket(my $s, PF_INET, SOCK_DGRAM, 0); bind($s, sockaddr_in(7500, INADDR_LOOPBACK)); send($s, "x", 0, sockaddr_in(7500, INADDR_LOOPBACK)) for 1 .. 8; getppid for 1 .. 9'
	cat /etc/passwd >/dev/null
done
exit 0
