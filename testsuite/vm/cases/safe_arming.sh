# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin
sleep 0.5
since=$(date +%s%N)
kill -INT $run
end "Ctrl-C"
# thousands, of which each takes some hundredths of a second
took=$((($(date +%s%N) - since) / 1000000))
[ $took -lt 10000 ] && echo "long before" || echo "after $took ms"
rm -rf "$dir"
