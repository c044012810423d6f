# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the aliases of performance events of their table: awk -f perf.awk perf.tbl

function event(name, type, config)
{
	printf "probe perf.%s = perf.type(%d).config(%s) {}\n", name, type, config
}

# What is done to a cache and how that ended, 1 for a miss, stand above its number.
function cache_config(cache, operation, result)
{
	return sprintf("0x%x%02x%02x", result, operation, cache)
}

BEGIN {
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Performance events by name."
	# enum perf_hw_cache_op_id
	operations["read"] = 0
	operations["write"] = 1
	operations["prefetch"] = 2
	hw_cache = 3 # PERF_TYPE_HW_CACHE
}
$1 == "events" {
	for (i = 4; i <= NF; i++)
		event($2 "." $i, $3, i - 4)
	next
}
$1 == "cache" {
	for (i = 4; i <= NF; i++) {
		event("hw_cache." $2 "." $i ".access", hw_cache, cache_config($3, operations[$i], 0))
		event("hw_cache." $2 "." $i ".miss", hw_cache, cache_config($3, operations[$i], 1))
	}
	next
}
NF && !/^#/ {
	printf "%s:%d: not a row\n", FILENAME, FNR > "/dev/stderr"
	exit 1
}
END {
	print "# Every processor, by perf's clock of it."
	print "probe timer.profile.freq = perf.sw.cpu_clock {}"
}
