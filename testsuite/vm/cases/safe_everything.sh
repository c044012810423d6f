# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d)
cat > "$dir/load" << 'END'
load() {
	end=$(($(date +%s) + $1))
	while [ $(date +%s) -lt $end ]; do
		cat /proc/self/maps /proc/interrupts > /dev/null
		ls -l /proc/$$ > /dev/null
		dd if=/dev/zero of="$2" bs=4k count=100 2> /dev/null
	done
	rm -f "$2"
}
load $1 "$0.1" & load $1 "$0.2"
wait
END
$STAPRUN --progress -w -c "sh $dir/load $((10 * LONGER))" "$MODULE" > "$dir/out" 2> "$dir/err"
echo "status $?"
counted=$(sed -n 's/^counted //p' "$dir/out")
ran=$(awk '/^kernel.function.*, hits: / { sub(/.*, hits: /, ""); n += $1 } END { printf "%d", n }' "$dir/out")
[ "$counted" -gt 100000 ] || echo "few hits: $counted"
[ "$counted" = "$ran" ] || echo "counted $counted, and $ran ran"
# arming takes seconds, and tells how far it is
grep -q '^armed [0-9,]* of [0-9,]*$' "$dir/err" || echo "no progress was shown"
# what the kernel does where no handler can run, and while probes come and go
grep -v -e '^armed [0-9,]* of ' -e '^stopping: ' -e '^WARNING: Number of errors: 0, ' -e '^WARNING: Skipped due to session ' \
	-e '^WARNING: Skipped due to hit \(in NMI context\|on the way into or out of idle\): ' \
	-e '^WARNING: Left out, without a patchable call ' "$dir/err"
rm -rf "$dir"
