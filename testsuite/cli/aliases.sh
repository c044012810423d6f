#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# aliases.sh TABLE [-v]: holds what stap -L says of the tapset's aliases on $KERNEL against TABLE. A line there is
#     NAME: VARIABLE... [|]
# with the variables that the alias has at least, VARIABLE:string or a number's name alone. One that ends in "|" may be missing on
# kernels, and stap says why. Then a script that uses each variable of each alias is resolved. Prints what differs; with -v a line
# for each alias as well, and the sums.
here=$(dirname "$0")
table=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# a file below linux/ hides one of the same name above it
find "$here"/../../tapset -name '*.stp' | sed 's|.*/||' | sort | uniq -d | sed 's/$/: twice in the tapset/'
for family in $(sed -n 's/^\([a-z_A-Z0-9]*\).*:.*/\1/p' "$table" | sort -u); do
	"$STAP" -r "$KERNEL" -L "$family.**" 2>&1
	"$STAP" -r "$KERNEL" -L "$family" 2>/dev/null
done | awk -v verbose="$2" -v script="$scratch/all.stp" -v missing="$scratch/missing" '
	FNR == NR { shown[$1] = " " $0 " "; next }
	/^#/ || !NF { next }
	{
		may_lack = sub(/ \|$/, "")
		name = $1
		sub(/:$/, "", name)
		served = name in shown
		if (!served && !may_lack)
			print name ": missing"
		else if (!served)
			print name > missing
		for (i = 2; served && i <= NF; i++)
			if (!index(shown[name], " " ($i ~ /:/ ? $i : $i ":long") " "))
				print name ": no " $i
		if (served && NF > 1) {
			printf "probe %s {", name > script
			for (i = 2; i <= NF; i++) {
				sub(/:.*/, "", $i)
				printf " println(%s)", $i > script
			}
			print " }" > script
		}
		sums[served]++
		if (verbose)
			print name ": " (served ? "served" : "missing")
	}
	END {
		if (!NR || !sums[1])
			print "nothing was listed"
		if (verbose)
			print sums[1] + 0 " served, " sums[0] + 0 " missing"
	}' - "$table"
if [ -s "$scratch/all.stp" ]; then
	# Kernels before 5.11 do not describe what is in modules: the aliases there are known, but few of their variables.
	case $("$STAP" -r "$KERNEL" -L 'module("sunrpc").function("rpc_execute")') in
	*'$task'*) ;;
	*) sed -i -E '/^probe (nfs|nfsd|scsi|sunrpc)\./d' "$scratch/all.stp" ;;
	esac
	"$STAP" -r "$KERNEL" -v -p2 "$scratch/all.stp" 2> "$scratch/said" > /dev/null || echo "stap -p2 ended with status $?"
	grep -e 'semantic error: ' -e 'parse error: ' -e '^ERROR: ' "$scratch/said" | sort -u
else
	echo "no alias has a variable to resolve"
fi
# what is missing says why
[ -e "$scratch/missing" ] || exit 0
(echo 'probe begin { println(1) }'; sed 's/.*/probe & { println(1) }/' "$scratch/missing") > "$scratch/missing.stp"
"$STAP" -r "$KERNEL" -v -p2 "$scratch/missing.stp" 2>&1 > /dev/null |
	sed -n 's/^WARNING: \([^ ]*\) is not in this kernel: \([^:]*[a-z].*\): identifier .*/\1/p' | sort -u > "$scratch/told"
sort -u "$scratch/missing" | comm -23 - "$scratch/told" | sed 's/$/: missing, and no reason is told/'
