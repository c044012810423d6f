# SPDX-License-Identifier: GPL-2.0-or-later
# A process in mounts of its own, where the C library's path leads to another file, one that has changed its root besides, and one with a library
# path of its own.
dir=/tmp/library_elsewhere
libc=$(readlink -f /lib/x86_64-linux-gnu/libc.so.6)
mkdir -p $dir/root/usr $dir/root$BUILD $dir/root$dir
mkfifo $dir/go.1 $dir/go.2 $dir/go.3
cp $libc $dir/libc.1
cp $libc $dir/libc.2
mkdir $dir/lib
cp $libc $dir/lib/libc.so.6
cat > $dir/start.1 <<END
mount --bind $dir/libc.1 $libc
exec $BUILD/programs/watched runs
END
cat > $dir/start.2 <<END
mount -t tmpfs none $dir/root
mkdir -p $dir/root/usr $dir/root$BUILD $dir/root/opt
for name in bin lib lib64; do ln -s usr/\$name $dir/root/\$name; done
mount --rbind /usr $dir/root/usr
mount --bind $dir/libc.2 $dir/root$libc
mount --bind $BUILD $dir/root$BUILD
exec chroot $dir/root $BUILD/programs/watched runs
END
cat > $dir/start.3 <<END
LD_LIBRARY_PATH=$dir/lib exec $BUILD/programs/watched runs
END
$STAPRUN $MODULE
for i in 1 2 3; do
	eval "unshare -m sh $dir/start.$i < $dir/go.$i > $dir/said.$i & pid$i=\$!"
	eval "exec $((i + 2))> $dir/go.$i"
done
for i in 1 2 3; do until grep -q runs $dir/said.$i; do sleep 0.05; done; done
for pid in $pid1 $pid2 $pid3; do
	$STAP -l "process($pid).library(\"libc.so.6\").function(\"getpid\")" | sed "s/$pid/PID/g"
done
$STAP -r $KERNEL -e 'global n, ended, lines
	probe process('$pid1').library("libc.so.6").function("pthread_create"),
		process('$pid1').library("'$libc'").function("fork"),
		process('$pid2').library("libc.so*").function("pthread_create"),
		process('$pid2').library("/lib/x86_64-linux-gnu/libc.so.6").function("fork"),
		process('$pid3').library("libc.so.6").function("pthread_create") { n[pid(), ppfunc()]++ }
	probe process('$pid1').end, process('$pid2').end, process('$pid3').end { if (++ended == 3) exit() }
	probe begin { system("echo >'$dir/go.1'; echo >'$dir/go.2'; echo >'$dir/go.3'") }
	probe end {
		foreach ([which, name] in n) lines[sprintf("%d: %d of %s", which == '$pid1' ? 1 : which == '$pid2' ? 2 : 3, n[which, name], name)] = 1
		foreach (line+ in lines) println(line)
	}'
wait
rm -rf $dir
