# SPDX-License-Identifier: GPL-2.0-or-later
mkfifo /tmp/user_sessions
$BUILD/programs/survives calls 100 < /tmp/user_sessions &
exec 3> /tmp/user_sessions
for i in $(seq 30); do
	$STAPRUN $MODULE
done | sort | uniq -c | sed 's/^ *//'
echo >&3
wait
rm /tmp/user_sessions
