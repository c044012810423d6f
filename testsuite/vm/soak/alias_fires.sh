#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# alias_fires.sh: what the cases of single families do, one after the other.
# alias_fires.sh FIRED: what this kernel has of aliases.tbl, that is neither a line of FIRED nor has a reason in alias_fires.tbl.
# Prints of each family whether anything of it fired.
table=../../cli/aliases.tbl
if [ $# = 1 ]; then
	families=$(sed -n 's|^\([a-z_][a-z_]*\)\..*:.*|\1|p' $table | sort -u | paste -sd,)
	"$STAP" -r "$KERNEL" -l "{$families}.**" 2>/dev/null | sort -u >"$1.served"
	exec awk -v served="$1.served" -v fired="$1" '
	function reason(name,  at) {
		for (at in why)
			if (name ~ at)
				return at
	}
	FILENAME == fired { hits[$1] = 1; next }
	FILENAME == served { has[$1] = 1; next }
	/^#/ || !NF { next }
	FILENAME ~ /alias_fires/ {
		at = $1
		sub(/:$/, "", at)
		gsub(/\./, "\\.", at)
		gsub(/\*/, ".*", at)
		why["^" at "(\\.return)?$"] = 1
		next
	}
	{
		sub(/:$/, "", $1)
		if (!($1 in has))
			next
		family = $1
		sub(/\..*/, "", family)
		if ($1 in hits)
			works[family] = 1
		else if (reason($1) == "")
			print $1 ": did not fire"
		families[family] = 1
	}
	END {
		for (family in families)
			print family (works[family] ? " fires" : " is silent") | "sort"
	}' "$1" "$1.served" alias_fires.tbl $table
fi
exec 2>/dev/null
cd ../cases
ip link set lo up
for workload in "$BUILD/programs/loopback" "python3 snmp_traffic.py /tmp/snmp.kernel" "python3 nfs_loopback.py" \
	"bash ./netfilter_aliases.sh" "bash ./scsi_aliases.sh" "python3 alias_files.py" ./alias_io.sh ./alias_process.sh; do
	$workload >/dev/null
done
true
