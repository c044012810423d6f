# SPDX-License-Identifier: GPL-2.0-or-later
# For user_returns.stp: the program under its path is another file here than for the kernel's workers.
dir=/tmp/user_returns.$$
cp -r "$BUILD/programs" "$dir"
unshare -m sh -c "mount --bind $dir '$BUILD/programs' && $STAPRUN -c '$BUILD/programs/calls' '$MODULE'"
status=$?
rm -r "$dir"
( exit $status )
