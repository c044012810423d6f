#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debug information of a stripped program comes from a server on this machine; without the variable nothing is asked, and what the
# server does not have, or another file under the build-id, is as if there were none.
dir=$(mktemp -d) || exit 1
trap 'kill "$server" 2> /dev/null; rm -rf "$dir"' EXIT
port=$((20000 + $$ % 20000))
cat > "$dir/p.c" <<'P'
static int __attribute__((noinline)) twice(int number) { return number * TIMES; }
int main(int argc, char **argv) { return twice(argc + **argv); }
P
mkdir "$dir/served" "$dir/own"
gcc -g -O1 -Wl,--build-id -DTIMES=3 -o "$dir/p" "$dir/p.c" || exit 1
gcc -g -O1 -Wl,--build-id -DTIMES=5 -o "$dir/q" "$dir/p.c" || exit 1 # not served
objcopy --only-keep-debug "$dir/p" "$dir/served/p.debug"
strip -g "$dir/p" "$dir/q"
debuginfod -d :memory: -p "$port" -F "$dir/served" > "$dir/log" 2>&1 &
server=$!
for i in $(seq 100); do
	grep -q "fts traversed" "$dir/log" && break
	sleep 0.1
done
list() { # WHAT URL PROGRAM [OPTION]
	echo "$1:"
	DEBUGINFOD_URLS=$2 DEBUGINFOD_CACHE_PATH=$dir/own DEBUGINFOD_TIMEOUT=20 \
		"$STAP" $4 -r "$KERNEL" -L "process(\"$dir/$3\").function(\"twice\")" 2>&1 |
		sed "s,$dir,DIR,g; s/:[0-9]* for/ for/; s/build-id [0-9a-f]*/build-id ID/; s,/own/[0-9a-f]*,/own/ID,"
	echo "$(grep -c " UA:.*GET /buildid" "$dir/log") requests"
}
list "not set" "" p
list "no servers" "" p --download-debuginfo
list "told not to" "http://127.0.0.1:$port" p --download-debuginfo=no
list "not served" "http://127.0.0.1:$port" q
list "served" "http://127.0.0.1:$port" p
list "kept" "http://127.0.0.1:$port" p --download-debuginfo=20
# what came is checked: another program's under this build-id
id=$(readelf -n "$dir/q" | sed -n 's/.*Build ID: //p')
mkdir -p "$dir/own/$id"
cp "$dir/served/p.debug" "$dir/own/$id/debuginfo"
list "another's" "http://127.0.0.1:$port" q
