# SPDX-License-Identifier: GPL-2.0-or-later
# The variable's module is there before the session and after it; the other one comes and goes in mid-session.
if [ "$1" = rounds ]; then
	dd if=/dev/zero of=/dev/null bs=1 2> /dev/null &
	for i in $(seq 30); do modprobe dummy numdummies=1; modprobe -r dummy; done
	kill $!
	exit
fi
modprobe ext4
$STAPRUN -c "sh ./modules_beside.sh rounds" $MODULE
modprobe -r ext4
