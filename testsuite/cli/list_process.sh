# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d) && dir=$(realpath "$dir") && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir bin other
cp /bin/true bin/prog_one
cp /bin/true bin/prog_two
ln -s ../bin/prog_one other/link
printf '#!%s/other/link -x\nrest\n' "$dir" > other/script
printf '#! %s/other/script\n' "$dir" > other/twice
printf '#!%s/other/loop\n' "$dir" > other/loop
echo text > other/text
chmod +x other/*
PATH=$dir/bin:$PATH
list() { "$STAP" -r "$KERNEL" "$@" 2>&1 | sed "s,$dir,DIR,g" | grep -v -e '^ ' -e '^$' -e '^Tip' -e '^Pass' -e 'while resolving'; }
list -l 'process("prog_one").begin'
list -l 'process("./other/link").end'
list -l 'process("other/script").thread.begin'
list -l 'process("other/twice").thread.end'
list -l 'process("bin/prog_*").begin'
list -L 'process("prog_two").syscall'
list -L 'process(1).syscall.return'
list -L 'process.*'
sleep 100 & pid=$!
list -l "process($pid).plt(\"nanosl*\")" | sed "s/$pid/PID/"
list -l "process($pid).library(\"libc.so*\").function(\"getpid\")" | sed "s/$pid/PID/; s,/[^\"]*/,,"
kill $pid
list -l 'process("/bin/true").plt("exit").return'
list -p2 -e 'probe process("/bin/true").library("libnothing*").function("f") { exit() }'
list -p2 -e 'probe process("/bin/true").plt("exi") { exit() }'
for bad in '"other/loop"' '"other/text"' '"other/none"' '"prog_three"' '"bin/none*"' '"other"' 999999999 0; do
	list -p2 -e "probe process($bad).begin { exit() }"
done
list -p2 -e 'probe process("prog_three").begin ?, begin { exit() }'
