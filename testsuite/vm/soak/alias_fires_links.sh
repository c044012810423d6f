#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_fires.stp: a bridge with two hosts, and a third one behind this kernel as its router. The hosts are network namespaces.
modprobe -a bridge br_netfilter veth || exit
until_holds() { # COMMAND...: a minute at most
	tries=600
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || { echo "not within a minute: $*" >&2; return 1; }
		sleep 0.1
	done
}
is_apart() { # PID: in a namespace of its own
	[ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}
for host in a b c; do
	unshare -n sleep 900 &
	eval "$host=$!"
	until_holds is_apart $!
done
in_host() { # HOST COMMAND...
	eval "host_pid=\$$1"
	shift
	nsenter -t "$host_pid" -n "$@"
}
refused() { # HOST 4|6: how many datagrams came to it that nobody took
	if [ "$2" = 4 ]; then
		in_host "$1" awk '$1 == "Udp:" { n = $3 } END { print n + 0 }' /proc/net/snmp
	else
		in_host "$1" awk '$1 == "Udp6NoPorts" { print $2 }' /proc/net/snmp6
	fi
}
has_come() { # HOST 4|6 SENDER|here ADDRESS REFUSED
	if [ "$3" = here ]; then
		bash -c "echo hello >/dev/udp/$4/9"
	else
		in_host "$3" bash -c "echo hello >/dev/udp/$4/9"
	fi
	[ "$(refused "$1" "$2")" -gt "$5" ]
}
# HOST 4|6 SENDER|here ADDRESS: a datagram reaches the host. It is sent again until one does: a link is not ready at once, nor is a
# neighbour known.
reach() {
	until_holds has_come "$@" "$(refused "$1" "$2")" || failed=1
}
failed=0
ip link add br0 type bridge
for host in a b c; do
	eval "pid=\$$host"
	ip link add "to_$host" type veth peer name eth0 netns "$pid"
	ip link set "to_$host" up
	in_host $host ip link set lo up
	in_host $host ip link set eth0 address 02:00:00:00:00:0$host up
done
ip link set to_a master br0
ip link set to_b master br0
ip link set br0 up
ip addr add 10.20.0.1/24 dev br0
ip addr add fd20::1/64 dev br0 nodad
ip addr add fd30::1/64 dev to_c nodad
in_host a ip addr add 10.20.0.2/24 dev eth0
in_host a ip addr add fd20::2/64 dev eth0 nodad
in_host a ip -6 route add default via fd20::1
in_host b ip addr add 10.20.0.3/24 dev eth0
in_host c ip addr add fd30::2/64 dev eth0 nodad
in_host c ip -6 route add default via fd30::1
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
reach a 4 here 10.20.0.2
reach b 4 a 10.20.0.3
reach c 6 a fd30::2
# What br_netfilter hands to the hooks of IPv4 does not come to those of bridges that are behind its own.
echo 0 >/proc/sys/net/bridge/bridge-nf-call-iptables
reach b 4 a 10.20.0.3
echo 0 >/proc/sys/net/ipv6/conf/all/forwarding
ip link del br0
# shellcheck disable=SC2154
kill "$a" "$b" "$c"
exit $failed
