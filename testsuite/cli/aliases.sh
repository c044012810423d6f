#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# aliases.sh [-v]: holds what stap -L says of the tapset's aliases on $KERNEL against aliases.tbl. A line there is
#     NAME: VARIABLE... [| REASON]
# with the variables that the alias has at least, VARIABLE:string or a number's name alone. One with a reason may be missing on
# kernels, which is why. Then a script that uses each variable of each alias is resolved. Prints what differs; with -v a line for
# each alias as well, and the sums.
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# a file below linux/ hides one of the same name above it
find "$here"/../../tapset -name '*.stp' | sed 's|.*/||' | sort | uniq -d | sed 's/$/: twice in the tapset/'
for family in $(sed -n 's/^\([a-z_A-Z0-9]*\).*:.*/\1/p' "$here"/aliases.tbl | sort -u); do
	"$STAP" -r "$KERNEL" -L "$family.**" 2>&1
	"$STAP" -r "$KERNEL" -L "$family" 2>/dev/null
done | awk -v verbose="$1" -v script="$scratch/all.stp" '
	FNR == NR { shown[$1] = " " $0 " "; next }
	/^#/ || !NF { next }
	{
		reason = ""
		if (match($0, / \| /)) {
			reason = substr($0, RSTART + 3)
			$0 = substr($0, 1, RSTART - 1)
		}
		name = $1
		sub(/:$/, "", name)
		state = !(name in shown) ? reason : "served"
		if (state == "")
			print name ": missing, without a reason"
		for (i = 2; state == "served" && i <= NF; i++)
			if (!index(shown[name], " " ($i ~ /:/ ? $i : $i ":long") " "))
				print name ": no " $i
		if (state == "served" && NF > 1) {
			printf "probe %s {", name > script
			for (i = 2; i <= NF; i++) {
				sub(/:.*/, "", $i)
				printf " println(%s)", $i > script
			}
			print " }" > script
		}
		sums[state == "served"]++
		if (verbose)
			print name ": " state
	}
	END {
		if (!NR || !sums[1])
			print "nothing was listed"
		if (verbose)
			print sums[1] + 0 " served, " sums[0] + 0 " missing"
	}' - "$here"/aliases.tbl
# Kernels before 5.11 do not describe what is in modules: the aliases there are known, but few of their variables.
case $("$STAP" -r "$KERNEL" -L 'module("sunrpc").function("rpc_execute")') in
*'$task'*) ;;
*) sed -i -E '/^probe (nfs|nfsd|scsi|sunrpc)\./d' "$scratch/all.stp" ;;
esac
"$STAP" -r "$KERNEL" -v -p2 "$scratch/all.stp" 2>&1 > /dev/null | grep 'semantic error: ' | sort -u
