# SPDX-License-Identifier: GPL-2.0-or-later
here=$(mktemp -d)
cd "$here" || exit 1
merge=$BUILD/stap-merge
$STAPRUN -o out $MODULE
echo "status $?"
[ "$(ls out_* | wc -l)" -ge "$(nproc)" ] && echo "a file for each"
$merge out_* | head -n 3
[ "$($merge out_* | grep -c '^cpu')" = "$(nproc)" ] && echo "each printed"
$merge out_* | tail -n 1 | grep -x "end $(nproc)" | tr -d 0-9
for k in out_*; do
	$merge $k | sed -n "s/^cpu ${k#out_}$/in its file/p"
done | sort -u
begun=$($merge out_* | sed -n 's/^on //p')
$merge -v out_$begun | head -n 2 | sed 's/CPU:[0-9]*/CPU:k/'
$merge -o all out_* && $merge out_* | cmp - all && echo "to a file, too"
dd if=out_$begun bs=1 skip=16 of=later 2> /dev/null
$merge later | tail -n 1 | tr -d 0-9
$merge out_* out_* | grep -q drops || echo "nothing lost of numbers that come twice"
head -c 12 out_$begun > cut
$merge cut > /dev/null
echo "status $?"
cd / && rm -rf "$here"
