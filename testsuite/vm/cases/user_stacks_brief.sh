# SPDX-License-Identifier: GPL-2.0-or-later
# Processes that are gone long before anybody could look at them, fifty and more, of a file that goes with the last of them; and one file that others
# than root may write, and a file system that is mounted nosuid.
dir=/tmp/brief
mkdir -p $dir/open $dir/nosuid
mount -t tmpfs -o nosuid none $dir/nosuid
for to in $dir $dir/open $dir/nosuid; do
	cp $BUILD/programs/storeys $to/storeys_brief
	cp $BUILD/programs/liblower.so $BUILD/programs/libupper.so $to
done
mv $dir/open/storeys_brief $dir/open/storeys_open
mv $dir/nosuid/storeys_brief $dir/nosuid/storeys_nosuid
chmod o+w $dir/open/*
cat > $dir/many.sh <<END
n=0
line=
until test "\$line" && test \$n -ge 50; do
	$dir/storeys_brief $dir/libupper.so 1
	n=\$((n + 1))
	read line < $dir/out
done
rm $dir/storeys_brief
n=0
until test \$n -ge 20; do
	$dir/open/storeys_open $dir/open/libupper.so 1
	$dir/nosuid/storeys_nosuid $dir/nosuid/libupper.so 1
	n=\$((n + 1))
done
END
$STAPRUN -o $dir/out -c "sh $dir/many.sh" $MODULE
status=$?
cat $dir/out
umount $dir/nosuid
rm -rf $dir
exit $status
