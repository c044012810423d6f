#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# alias_fires.sh: what the cases of single families do, one after the other, and what they leave out.
# alias_fires.sh FIRED: what this kernel has of aliases.tbl, that is neither a line of FIRED nor has a reason in alias_fires.tbl, and
# what is both. Prints of each family whether anything of it fired; FIRED.table is all of it, a line for each alias.
table=../../cli/aliases.tbl
if [ $# = 1 ]; then
	families=$(sed -n 's|^\([a-z_][a-z_]*\)\..*:.*|\1|p' $table | sort -u | paste -sd,)
	"$STAP" -r "$KERNEL" -l "{$families}.**" 2>/dev/null | sort -u >"$1.served"
	exec awk -v served="$1.served" -v fired="$1" -v all="$1.table" -v release="$(uname -r)" '
	function order(release,  part) {
		split(release, part, /[^0-9]+/)
		return part[1] * 1000 + part[2]
	}
	function holds(condition) {
		if (condition ~ /^</)
			return order(release) < order(substr(condition, 2))
		return condition == "" || order(release) >= order(substr(condition, 3))
	}
	function reason(name,  at) {
		for (at in why)
			if (name ~ at)
				return why[at]
	}
	FILENAME == fired { hits[$1] = 1; next }
	FILENAME == served { has[$1] = 1; next }
	/^#/ || !NF { next }
	FILENAME ~ /alias_fires/ {
		at = $0
		sub(/: .*/, "", at)
		condition = at ~ / / ? at : ""
		sub(/.* /, "", condition)
		sub(/ .*/, "", at)
		gsub(/\./, "\\.", at)
		gsub(/\*/, ".*", at)
		at = "^" at "(\\.return)?$"
		if (!holds(condition))
			next
		why[at] = $0
		sub(/^[^:]*: /, "", why[at])
		next
	}
	{
		sub(/:$/, "", $1)
		if (!($1 in has)) {
			print $1 ": not in this kernel" > all
			next
		}
		family = $1
		sub(/\..*/, "", family)
		if ($1 in hits)
			works[family] = 1
		because = reason($1)
		if ($1 in hits && because != "")
			print $1 ": has a reason, and fires"
		if (!($1 in hits) && because == "")
			print $1 ": did not fire"
		print $1 ": " ($1 in hits ? "fires" : because == "" ? "did not fire" : because) > all
		families[family] = 1
	}
	END {
		for (family in families)
			print family (works[family] ? " fires" : " is silent") | "sort"
	}' "$1" "$1.served" alias_fires.tbl $table
fi
exec 2>/dev/null
here=$PWD
cd ../cases
ip link set lo up
for workload in "$BUILD/programs/loopback" "python3 snmp_traffic.py /tmp/snmp.kernel" "python3 nfs_loopback.py more" \
	"bash ./netfilter_aliases.sh" "bash ./scsi_aliases.sh" "python3 alias_files.py" ./alias_io.sh ./alias_process.sh "sh ./memory_group.sh" \
	"python3 $here/alias_fires_calls.py" "python3 $here/alias_fires_disks.py" "sh $here/alias_fires_links.sh"; do
	$workload >/dev/null || echo "$workload failed" >>/tmp/alias_fires.failed
done
true
