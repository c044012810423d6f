# SPDX-License-Identifier: GPL-2.0-or-later
# One program runs when the session begins, the other comes later: copies, so that they and their libraries are files of their own, and root's.
dir=/tmp/storeys
echo 2 > /proc/sys/kernel/randomize_va_space # each process has the libraries elsewhere
mkdir -p $dir/early $dir/late
for when in early late; do
	cp $BUILD/programs/storeys $dir/$when/storeys_$when
	cp $BUILD/programs/liblower.so $BUILD/programs/libupper.so $dir/$when
done
$dir/early/storeys_early $dir/early/libupper.so 0 &
early=$!
$STAPRUN -c "$dir/late/storeys_late $dir/late/libupper.so 0" $MODULE
status=$?
kill $early
wait $early 2>/dev/null
rm -rf $dir
echo 0 > /proc/sys/kernel/randomize_va_space
exit $status
