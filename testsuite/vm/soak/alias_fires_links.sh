#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_fires.stp: a bridge with two hosts, and a third one behind this kernel as its router. The hosts are network namespaces.
modprobe -a bridge br_netfilter veth || exit
for host in a b c; do
	unshare -n sleep 900 &
	eval "$host=$!"
done
sleep 0.5
in_host() { # HOST COMMAND...
	eval "host_pid=\$$1"
	shift
	nsenter -t "$host_pid" -n "$@"
}
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
bash -c 'echo hello >/dev/udp/10.20.0.2/9'
in_host a bash -c 'echo hello >/dev/udp/10.20.0.3/9'
in_host a bash -c 'echo hello >/dev/udp/fd30::2/9'
sleep 1
echo 0 >/proc/sys/net/ipv6/conf/all/forwarding
ip link del br0
# shellcheck disable=SC2154
kill "$a" "$b" "$c"
true
