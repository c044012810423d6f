# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_sockets.stp: a pair of local sockets, TCP and UDP over IPv6, and connections that are taken back.
import ctypes
import os
import socket

libc = ctypes.CDLL(None)
os.system("ip link set lo up")
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
a.send(b"x" * 301)
b.recv(400, socket.MSG_PEEK)
b.recv(400)
os.write(a.fileno(), b"y" * 302)
os.read(b.fileno(), 401)
b.setblocking(False)
try:
    b.recv(402, socket.MSG_DONTWAIT)
except BlockingIOError:
    pass
try:
    os.read(b.fileno(), 403)
except BlockingIOError:
    pass
b.close()

listener = socket.socket(socket.AF_INET6)
listener.bind(("::1", 7302))
listener.listen(1)
c = socket.socket(socket.AF_INET6)
c.bind(("::1", 7301))
c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
try:
    c.setsockopt(socket.IPPROTO_TCP, 99, 1)
except OSError:
    pass
c.connect(("::1", 7302))
d, who = listener.accept()
c.send(b"z" * 1000)
d.recv(2000)

UNSPEC = (ctypes.c_char * 16)()
d.close()
assert libc.connect(c.fileno(), UNSPEC, 16) == 0
e = socket.socket()
e.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 9)
e.close()

u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(("127.0.0.1", 7303))
v = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
v.connect(("127.0.0.1", 7303))
v.send(b"q" * 77)
u.recv(100)
assert libc.connect(v.fileno(), UNSPEC, 16) == 0
w = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
w.bind(("::1", 7304))
w.sendto(b"w" * 55, ("::1", 7304))
w.recvfrom(56)
