# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin
sleep 0.5
since=$(date +%s%N)
kill -INT $run
end "Ctrl-C"
# all of them take half a minute; in an emulator on a busy machine a second may pass for a tenth
took=$((($(date +%s%N) - since) / 1000000))
[ $took -lt 3000 ] && echo "at once" || echo "after $took ms"
rm -rf "$dir"
