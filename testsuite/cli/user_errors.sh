# SPDX-License-Identifier: GPL-2.0-or-later
# say POINT: what stap says of it, without the place and the machine's paths
P=$BUILD/programs
dir=$(mktemp -d)
say() {
	echo "$1:" | sed "s|$P/|P/|; s|$dir|D|"
	"$STAP" -r "$KERNEL" -p2 -e "probe $1 { ${2-next} }" 2>&1 | sed -n "s#[^ ]*/testsuite/#testsuite/#g; s/dieoffset 0x[0-9a-f]*/dieoffset N/; s/near pc 0x[0-9a-f]*/near pc N/; s|$P/|P/|g; s|$dir|D|g; s/^semantic error: \(.*\): [io][a-z]* '.*/	\1/p"
}
printf 'no program' > "$dir/text"
cp "$P/trace" "$dir/other"
printf '\050' | dd of="$dir/other" bs=1 seek=18 conv=notrunc 2> /dev/null
strip -o "$dir/stripped" "$P/trace"
say "process(\"$dir/nothing\").function(\"main\")"
say 'process("no-such-program").function("main")'
say "process(\"$dir\").function(\"main\")"
say "process(\"$dir/text\").function(\"main\")"
say "process(\"$dir/other\").function(\"main\")"
say "process(\"$dir/stripped\").function(\"main\")"
strip -g -o "$dir/symbols" "$P/trace"
say "process(\"$dir/symbols\").function(\"qqqqqqqq\")"
rm "$dir/symbols"
say "process(\"$P/trace\").function(\"tracme\")"
say "process(\"$P/trace\").function(\"_start\").return"
say "process(\"$P/coroutines\").plt(\"swapcontext\").return"
say "process(\"$P/coroutines_own\").function(\"__start_context\").return"
say "process(\"$P/widths\").plt(\"dlsym\").return"
say "process(\"$P/trace\").function(\"main@other.c\")"
say "process(\"$P/trace\").statement(\"main@trace.c:40\")"
say "process(\"$P/trace\").mark(\"end\")"
say "process(\"$P/trace\").function(\"main\").label(\"nolab\")"
say "process(\"$P/calls\").function(\"data\").label(\"nolab\")"
say "process(\"$P/trace\").function(\"main\").callee(\"nosuch\")"
say "process(\"$P/trace\").function(\"larger\").inline"
say "process(\"$P/trace\").function(\"larger\").exported"
say "process(\"$P/trace\").plt(\"qqqqqqqq\")"
say "process(\"$P/calls\").function(\"inlined\").call"
say "process(\"$P/marks\").mark(\"formes\")"
say "process(\"$P/marks\").mark(\"forms\")" 'println($arg6)'
say "process(\"$P/marks\").mark(\"forms\")" 'println($arg9)'
say "process(\"$P/trace\").function(\"traceme\")" 'println($c)'
say "process(\"$dir/*\").function(\"nothing\")"
say 'process("0123456789abcdef0123456789abcdef01234567").function("main")'
id=$(readelf -n "$P/trace" | sed -n 's/.*Build ID: //p')
echo "by build-id:"
PATH=$P:$PATH "$STAP" -r "$KERNEL" -l "process(\"$id\").function(\"traceme\")" | sed "s|$P/|P/|; s|@.*/|@|"
"$STAP" -r "$KERNEL" -c "$P/trace" -l "process(\"$id\").function(\"larger\")" | sed "s|$P/|P/|; s|@.*/|@|"
rm -r "$dir"
