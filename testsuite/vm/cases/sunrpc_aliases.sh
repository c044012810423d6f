# SPDX-License-Identifier: GPL-2.0-or-later
ip link set lo up
modprobe nfs
modprobe nfsv3
mkdir -p /tmp/mnt
timeout 10 mount -i -t nfs -o addr=127.0.0.1,vers=3,proto=tcp,mountaddr=127.0.0.1,mountproto=tcp,mountport=9999,port=9998,nolock,soft,timeo=1,retrans=0 127.0.0.1:/x /tmp/mnt 2>/dev/null
true
