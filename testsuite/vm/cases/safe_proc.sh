# SPDX-License-Identifier: GPL-2.0-or-later
# in WHAT COMMAND...: with /proc unmounted, or WHAT mounted there
in_ns() {
	what=$1
	shift
	echo "$what:"
	unshare -m sh -c '
		what=$1
		shift
		case $what in
		none) umount -l /proc;;
		tmpfs) mount -t tmpfs none /proc; mkdir -p /proc/systemtap;;
		covered) mount -t tmpfs none /proc/systemtap;;
		processes) mount -t proc -o subset=pid proc /proc;;
		esac
		"$@" 2>&1' sh "$what" "$@" | sed "s,'[^']*/,'," | grep -v 'module verification'
	grep -q "^$NAME " /proc/modules && echo "loaded"
}
for what in none tmpfs processes; do
	in_ns $what $STAPRUN "$MODULE"
	in_ns $what $STAPRUN -d "$NAME"
	in_ns $what insmod "$MODULE" | grep -v '^insmod: '
done
$STAPRUN "$MODULE"
for load in $STAPRUN insmod; do
	in_ns covered $load "$MODULE" | grep -v '^insmod: '
done
