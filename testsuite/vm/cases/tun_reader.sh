# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced: a process $! in tun_chr_read_iter(). It reads a network device of its own without packets, so it waits.
perl -e 'my $name = pack("Z16 s x22", "quiet%d", 0x1001);
	open($t, "+<", "/dev/net/tun") and ioctl($t, 0x400454ca, $name) and sysread($t, $b, 1500);
	print "not waiting: $!\n"' &
