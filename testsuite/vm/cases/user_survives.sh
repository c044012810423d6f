# SPDX-License-Identifier: GPL-2.0-or-later
P=$BUILD/programs/survives
$STAPRUN -c "$P jumps 99" $MODULE
$STAPRUN -c "$P dies 40" $MODULE
$STAPRUN -c "$P loads 50 libm.so.6" $MODULE
