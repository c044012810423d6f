# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin
rmmod $NAME 2> /dev/null && echo "rmmod did it"
cat /proc/systemtap/$NAME/cmd 2> /dev/null && echo "cmd opened twice"
$STAPRUN "$MODULE" > "$dir/second" 2>&1 && echo "loaded twice"
grep -o 'File exists' "$dir/second"
$STAPRUN -R --timeout=0.5 "$MODULE"
kill -INT -$run; end "all that time"
insmod "$MODULE" && rmmod $NAME && echo "insmod, rmmod"
insmod "$MODULE" && $STAPRUN -d $NAME && echo "insmod, staprun -d"
insmod "$MODULE" && exec 3< /proc/systemtap/$NAME/ledger && rmmod $NAME && echo "rmmod with a file open"
cat <&3 2> /dev/null && echo "the file can still be read"
exec 3<&-
