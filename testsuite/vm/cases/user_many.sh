# SPDX-License-Identifier: GPL-2.0-or-later
# For user_many.stp: once as it is; then its file is replaced between two runs, and only the first is of the program that is probed.
P=$BUILD/programs/many
$STAPRUN -c "$P 50 200" $MODULE
$STAPRUN -c "sh -c '$P 20 5; cp $P $P.new; mv $P.new $P; $P 20 5'" $MODULE
