# SPDX-License-Identifier: GPL-2.0-or-later
t=/sys/kernel/tracing
mountpoint -q $t || mount -t tracefs tracefs $t
cp "$(command -v bash)" /tmp/named
echo 1 >$t/events/kmem/mm_page_alloc/enable
echo 1 >$t/events/timer/hrtimer_start/enable
echo >$t/trace
$STAPRUN -o /tmp/named_ours -c "/tmp/named -c 'read -t 0.2 x < /dev/zero; for i in 1 2 3; do read x </proc/meminfo; done; sleep 0.1'" $MODULE
echo 0 >$t/events/kmem/mm_page_alloc/enable
echo 0 >$t/events/timer/hrtimer_start/enable
pid=$(sed -n 's/^pid //p' /tmp/named_ours)
grep -- "-$pid " $t/trace | sed -n 's/.*mm_page_alloc: .*gfp_flags=\([^ ]*\).*/page gfp_flags=\1/p; s/.*hrtimer_start: .* mode=\([^ ]*\).*/timer mode=\1/p' |
	sort | uniq >/tmp/named_trace
grep -v 'plain\|pid' /tmp/named_ours | sort | uniq >/tmp/named_here
cmp -s /tmp/named_trace /tmp/named_here && echo "the same"
diff /tmp/named_trace /tmp/named_here
for what in page timer; do grep -q $what /tmp/named_here && echo "$what"; done
grep plain /tmp/named_ours
rm -f /tmp/named /tmp/named_*
