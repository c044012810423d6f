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
printf '#!/usr/bin/env \t prog_two \t\n' > other/by_env
printf '#! /bin/env -S A=B C= prog_two -x\n' > other/by_words
printf '#!/usr/bin/env other/by_env\n' > other/by_path
printf '#!/usr/bin/env -i prog_two\n' > other/by_option
printf '#!/usr/bin/env -SPATH=/ prog_two\n' > other/by_variable
printf '#!/usr/bin/env' > other/by_nothing
printf '#!/usr/bin/env prog_two -x\n' > other/by_two
printf '#!/usr/bin/env -Sprog_three\n' > other/by_none
echo text > other/text
chmod +x other/*
PATH=$dir/bin:$PATH
list() { "$STAP" -r "$KERNEL" "$@" 2>&1 | sed "s,$dir,DIR,g" | grep -v -e '^ ' -e '^$' -e '^Tip' -e '^Pass' -e 'while resolving'; }
list -l 'process("prog_one").begin'
list -l 'process("./other/link").end'
list -l 'process("other/script").thread.begin'
list -l 'process("other/twice").thread.end'
for by in env words path option variable nothing; do list -l "process(\"other/by_$by\").begin"; done
list -l 'process.plt("exit")' -c other/by_env
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
for bad in '"other/loop"' '"other/text"' '"other/by_two"' '"other/by_none"' '"other/none"' '"prog_three"' '"bin/none*"' '"other"' 999999999 0; do
	list -p2 -e "probe process($bad).begin { exit() }"
done
list -p2 -e 'probe process("prog_three").begin ?, begin { exit() }'
