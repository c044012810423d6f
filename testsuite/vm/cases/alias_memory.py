# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_memory.stp: pages at known addresses, tasks that move and end, terminals.
import ctypes
import fcntl
import mmap
import os
import select
import struct
import termios

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.syscall.restype = ctypes.c_long
PRIVATE_FIXED = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x10
page = 0x123456000
assert libc.mmap(ctypes.c_void_p(page), 8192, 3, PRIVATE_FIXED, -1, 0) == page
word = ctypes.c_char.from_address(page + 0x123)
word.value = b"a"  # a page of its own
child = os.fork()
if not child:
    word.value = b"b"  # which is copied
    other = ctypes.c_char.from_address(page + 0x1456)
    assert other.value == b"\0"  # the page of zeroes
    other.value = b"c"  # which is replaced
    libc.munmap(ctypes.c_void_p(page), 8192)
    heap = libc.syscall(12, 0)
    libc.syscall(12, ctypes.c_long((heap + 4095 & ~4095) + 0x123000))
    os._exit(7)
os.waitpid(child, 0)

cpus = sorted(os.sched_getaffinity(0))
for cpu in cpus[:1] + cpus[-1:]:
    os.sched_setaffinity(0, {cpu})
os.sched_setaffinity(0, cpus)

# a thread of the kernel for each CPU, which go with their module
assert os.system("modprobe pktgen && modprobe -r pktgen") == 0

# a child is looked at when it has stopped
child = os.fork()
if not child:
    libc.ptrace(0, 0, 0, 0)
    os.kill(os.getpid(), 19)
    os._exit(0)
os.waitpid(child, 0)
libc.ptrace(12, child, 0, ctypes.create_string_buffer(512))  # PTRACE_GETREGS
libc.ptrace(7, child, 0, 0)
os.waitpid(child, 0)

master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 31, 77, 5, 6))
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 32, 78, 7, 8))
select.select([slave], [], [], 0)
