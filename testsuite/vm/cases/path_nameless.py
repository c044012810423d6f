# SPDX-License-Identifier: GPL-2.0-or-later
# For path_nameless.stp: has one descriptor of each kind of file that is in no directory, and asks where each leads to.
import ctypes, os, socket

libc = ctypes.CDLL(None, use_errno=True)
SFD, TIMERFD_CLOCK, EVENTFD, PIDFD_OPEN = 289, 1, 290, 434 # numbers of x86-64
mask = ctypes.create_string_buffer(8)
files = [
	os.pipe()[0],
	socket.socket(socket.AF_UNIX).detach(),
	libc.memfd_create(b"some name", 0),
	libc.syscall(EVENTFD, 0, 0),
	libc.timerfd_create(TIMERFD_CLOCK, 0),
	libc.epoll_create(1),
	libc.syscall(SFD, -1, mask, 8, 0),
	libc.inotify_init(),
	libc.syscall(PIDFD_OPEN, os.getpid(), 0),
	os.open("/proc/self/ns/net", os.O_RDONLY),
	os.open("/proc/self/ns/pid", os.O_RDONLY),
	os.open("/proc/self/ns/mnt", os.O_RDONLY),
	os.open("/proc/self/ns", os.O_RDONLY),
	os.open("/dev/null", os.O_RDONLY),
	os.open("/", os.O_RDONLY),
]
for f in files:
	os.readlink("/proc/self/fd/%d" % f)
