# SPDX-License-Identifier: GPL-2.0-or-later
mkfifo /tmp/user_attach
$BUILD/programs/survives calls 100 < /tmp/user_attach &
exec 3> /tmp/user_attach
$STAPRUN $MODULE
echo >&3
wait
rm /tmp/user_attach
