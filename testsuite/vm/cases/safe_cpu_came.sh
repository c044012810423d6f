# SPDX-License-Identifier: GPL-2.0-or-later
echo 1 > /sys/devices/system/cpu/cpu1/online
end=$(($(date +%s) + 2))
while [ "$(date +%s)" -lt "$end" ]; do :; done &
while [ "$(date +%s)" -lt "$end" ]; do :; done
wait
