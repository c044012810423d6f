# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit
say() {
	echo "$1"
	timeout 60 "$STAP" -r "$KERNEL" -p2 -e "probe $1 { next }" 2>&1 | sed -n "s/.*no match (\(.*\)): identifier.*/    \1/p" | sed "s,$dir/,,g; s/build-id [0-9a-f]*/build-id ID/"
}
cat > p.c <<'END'
int before(int n)
{
	return n;
}
int main(int argc, char **argv)
{
	return before(argc) < 0;
}
END
cc -g -O0 -Wl,--build-id=0x1111111111111111111111111111111111111111 -o whole p.c || exit
cc -g -O0 -Wl,--build-id=0x2222222222222222222222222222222222222222 -o other p.c || exit
# an address of 0, as one that was computed wrongly
say 'process("./whole").function(0)'
say 'process("./whole").statement(0)'
# lines that no function has choose none of the file's
"$STAP" -l 'process("./whole").function("*@p.c:4999")' 2> /dev/null | sed "s,$dir/,,g; s,@.*/p.c,@p.c,"
unset SYSTEMTAP_DEBUGINFO_PATH
# a debug file of another build, and one that nobody would ever write to
objcopy --only-keep-debug other p.debug && cp whole bare && objcopy -g --strip-all --add-gnu-debuglink=p.debug bare || exit
say 'process("./bare").function("before")'
rm p.debug && mkfifo p.debug || exit
say 'process("./bare").function("before")'
