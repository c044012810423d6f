# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
# check: the lines that were printed, those that were overwritten and those that are said to be lost are all there were
check() {
	lost=$(sed -n 's/.*There were \([0-9]*\) transport failures.*/\1/p' "$dir/err")
	over=$(sed -n 's/.*: \([0-9]*\) earlier records.*/\1/p' "$dir/err")
	awk -v over="${over:-0}" -v lost="${lost:-0}" '
		$1 == "line" || $1 == "read" { seen++ }
		$1 == "total" { total = $2 }
		$1 == "begin" { begin++ }
		END { print begin ? "from the begin" : "the begin is gone",
			seen + over + lost == total + !begin ? "complete" : seen "+" over "+" lost " of " total }' "$dir/out"
	# while the reader catches up some may be lost
	sed '/transport failures/d; s/[0-9][0-9]*/N/g' "$dir/err"
}
$STAPRUN -b 1 -L "$MODULE"
sleep 3
$STAPRUN -A --timeout=0.5 $NAME > "$dir/out" 2> "$dir/err"; echo "status $?"
check
# nothing is overwritten while somebody is attached; a script that ends by itself is found as it ended
$STAPRUN -L -b 64 "$MODULE" 2> /dev/null
sleep 0.3
$STAPRUN -A --timeout=0.5 $NAME > "$dir/out" 2> "$dir/err"; echo "status $?"
check
