# SPDX-License-Identifier: GPL-2.0-or-later
# Runs of the program that nobody traces go on beside two that the command makes.
P=$BUILD/programs/trace
(while :; do "$P"; done) &
other=$!
$STAPRUN -c "sh -c '$P; sleep 1; $P'" $MODULE
kill $other
wait $other 2> /dev/null
true
