# SPDX-License-Identifier: GPL-2.0-or-later
# For process_threads.stp: two processes of one program, of which the session means the first.
D=/tmp/process_threads P=$BUILD/programs/turns
mkdir -p $D
until_says() { until grep -qs "$1" $D/$2; do sleep 0.05; done; }
$P 4 25 > $D/first & first=$!
$P 3 10 > $D/second & second=$!
until_says waits first
until_says waits second
$STAPRUN -x $first $MODULE > $D/session & session=$!
until_says runs session
kill -USR1 $second
wait $second
kill -USR1 $first
wait $session || echo "status $?"
cat $D/session
rm -r $D
