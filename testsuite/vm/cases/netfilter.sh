# SPDX-License-Identifier: GPL-2.0-or-later
ip link set lo up
for port in 9 11 12 13; do
	(echo x >/dev/udp/127.0.0.1/$port) 2>/dev/null
done
