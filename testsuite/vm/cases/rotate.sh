# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
exec 2>&1
cd "$dir"
until_there() { for i in $(seq 400); do [ -e "$1" ] && return; sleep 0.1; done; echo "no $1"; ls; }
# Until NAME.N is written for some N from $2 on: older files may be gone by then.
until_past() { for i in $(seq 400); do [ "$(ls "$1".* | sed 's/.*\.//' | sort -n | tail -n 1)" -ge "$2" ] && return; sleep 0.1; done 2>/dev/null; echo "no $1.$2"; ls; }
# whole NAME...: are these files, in this order, the script's lines without a gap and none cut?
whole() {
	cat "$@" | awk '
		$1 == "begin" { next }
		$1 == "total" { print "to the end"; next }
		NF != 2 || length($2) != 480 || (NR > 2 && last != "" && $1 != last + 1) { bad++ }
		{ last = $1 }
		END { print bad + 0 " bad" }'
}
largest() { stat -c %s "$@" | sort -n | tail -n 1 | awk '{ print ($1 <= 1048576 && $1 > 1040000) ? "as large as may be" : $1 }'; }
setsid $STAPRUN -b 64 -o all -S 1 "$MODULE" & run=$!
until_there all.3; kill -INT $run; wait $run; echo "status $?"
whole $(ls all.* | sort -t. -k2n); largest all.*; ls all.0 all.1
setsid $STAPRUN -b 64 -o few -S 1,2 "$MODULE" & run=$!
until_past few 3; kill -INT $run; wait $run; echo "status $?"
ls few.* | wc -l; ls few.0 few.1; whole $(ls few.* | sort -t. -k2n)
setsid $STAPRUN -o switched "$MODULE" big=0 & run=$!
wait $run; echo "status $?"; head switched switched.1
setsid $STAPRUN -o "day-%j" "$MODULE" big=0; ls day-[0-3][0-9][0-9] day-[0-3][0-9][0-9].1 | wc -l
setsid $STAPRUN -o usr "$MODULE" most=100000 & run=$!
until_there usr; sleep 0.5; kill -USR2 $run; until_there usr.1; kill -USR2 $run; until_there usr.2; kill -INT $run; wait $run; echo "status $?"
whole usr usr.1 usr.2
