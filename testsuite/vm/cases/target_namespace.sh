# SPDX-License-Identifier: GPL-2.0-or-later
unshare --pid --fork --mount-proc sh -c "$STAPRUN -c true $MODULE"
unshare --pid --fork --mount-proc sh -c "sleep 3 & $STAPRUN -x \$! $MODULE; wait"
