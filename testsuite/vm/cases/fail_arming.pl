# SPDX-License-Identifier: GPL-2.0-or-later
# fail_arming.pl COMMAND...: run it while all four watchpoints of CPU 0 are taken, by perf_event_open(2): files that it inherits
use strict;
use warnings;

# struct perf_event_attr, PERF_ATTR_SIZE_VER1: breakpoints (5), of 4 bytes, when written (2)
my $attr = pack('LL QQQQQ LL QQ', 5, 72, 0, 1, 0, 0, 0, 0, 2, 0x1000, 4);
for (1 .. 4) {
	my $fd = syscall(298, $attr, -1, 0, -1, 0);
	die "perf_event_open: $!" if $fd < 0;
}
exec @ARGV;
