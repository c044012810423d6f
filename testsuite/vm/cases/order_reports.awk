# SPDX-License-Identifier: GPL-2.0-or-later
# Lines "CPU TICK LINE MS": is each report in one piece, and did both CPUs print some? The reader waits a second for the
# rest of one, which a machine may exceed.
$3 > 1 && ($1 != cpu || $2 != tick) && $4 - start[$1, $2] < 900 { cut++ }
{ cpu = $1; tick = $2 }
$3 == 1 { start[cpu, tick] = $4 }
$3 == 40 { reports[cpu]++ }
END {
	print "CPUs with at least 3 reports: " (reports[0] > 2) + (reports[1] > 2)
	print "reports cut: " cut + 0
}
