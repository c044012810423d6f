# SPDX-License-Identifier: GPL-2.0-or-later
# For tapset_user_memory.stp: as users 5 and 6 of groups 7 and 8, writes 180 known bytes and prints what the script made of the last 56.
use strict;
$( = 7;
$) = 8;
$< = 5;
$> = 6;
my $known = pack("C8", 0xfe, (0xff) x 6, 0x80) . "text \"q\"\n\0" . pack("x6q6", 4096, 8192, 3, 0x22, -1, 0) .
	pack("l6", 0, 4096, 1, 2, 5, 8192) . pack("S4", 0x61, 0xe9, 0x20ac, 0) . pack("L4", 0x61, 0xe9, 0x1f600, 0) . pack("x4") . "-" x 56;
open(my $null, ">", "/dev/null");
syswrite($null, $known);
print unpack("H*", substr($known, 124)), "\n";
