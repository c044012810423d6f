# SPDX-License-Identifier: GPL-2.0-or-later
dir=/tmp/absolute
mkdir -p $dir
$STAPRUN $MODULE
cp $BUILD/programs/watched $dir/watched
mkfifo $dir/go.1 $dir/go.2
for i in 1 2; do $dir/watched runs < $dir/go.$i > $dir/said.$i & eval "pid$i=$!"; done
exec 3> $dir/go.1 4> $dir/go.2
for i in 1 2; do until grep -q runs $dir/said.$i; do sleep 0.05; done; done
$STAP -r $KERNEL -e 'probe process('$pid1').statement(0x600000).absolute { n[pid() == '$pid1', uaddr()]++ } global n
	probe process('$pid1').end { exit() }
	probe begin { system("echo >'$dir/go.1'; echo >'$dir/go.2'") }
	probe end { foreach ([own, a] in n) printf("%d %x %d\n", own, a, n[own, a]) }'
wait
for what in "process($$).statement(0x10).absolute" "process(99999).statement(0x600000).absolute"; do
	$STAP -r $KERNEL -p2 -e "probe $what { println(1) }" 2>&1 | grep 'no match' | sed "s/process $$/process N/"
done
rm -r $dir
