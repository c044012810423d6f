# SPDX-License-Identifier: GPL-2.0-or-later
dir=/tmp/elsewhere
mkdir -p $dir
$STAPRUN $MODULE
mkfifo $dir/go.1 $dir/go.2
cp $BUILD/programs/trace $dir/other
cp $BUILD/programs/watched $dir/deleted
cat > $dir/start <<END
mount --bind $BUILD/programs/watched $dir/other
exec $dir/other runs
END
unshare -m sh $dir/start < $dir/go.1 > $dir/said.1 & other=$!
$dir/deleted runs < $dir/go.2 > $dir/said.2 & deleted=$!
exec 3> $dir/go.1 4> $dir/go.2
for i in 1 2; do until grep -q runs $dir/said.$i; do sleep 0.05; done; done
rm $dir/deleted
$STAP -r $KERNEL -e 'global n, ended, names
	probe process('$other').function("step"), process('$other').statement(0x600000).absolute,
		process('$deleted').function("step"), process('$deleted').statement(0x600000).absolute {
		n[pid() == '$other', pp()]++
		names[usymname(uaddr())]++
	}
	probe process('$other').end, process('$deleted').end { if (++ended == 2) exit() }
	probe begin { system("echo >'$dir/go.1'; echo >'$dir/go.2'") }
	probe end {
		foreach ([which, p+] in n) println(which ? "other " : "deleted ", n[which, p], " ", p)
		foreach (name in names) println(name, " ", names[name])
	}' | sed "s/process($other)/process(O)/; s/process($deleted)/process(D)/; s|$BUILD||; s|/[^ ]*/watched.c|watched.c|"
wait
$STAP -r $KERNEL -p2 -e 'probe process(2).function("main") { println(1) }' 2>&1 | grep 'no match'
rm -r $dir
