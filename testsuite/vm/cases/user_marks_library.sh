# SPDX-License-Identifier: GPL-2.0-or-later
# For user_marks_library.stp: three processes, one of them begins when the session runs.
D=/tmp/user_marks_library P=$BUILD/programs/widths L=$BUILD/programs/libwidths.so
mkdir -p $D
until_says() { until grep -qs "$1" $D/$2; do sleep 0.05; done; }
$P $L before first 20 > $D/before & before=$!
$P $L during later 7 > $D/during & during=$!
until_says waits before
until_says waits during
$STAPRUN $MODULE > $D/session & session=$!
until_says runs session
$P $L after first 5 > $D/after & after=$!
until_says waits after
kill -USR1 $before
kill -USR1 $during
kill -USR1 $after
wait $session || echo "status $?"
wait
cat $D/before $D/during $D/after $D/session
rm -r $D
