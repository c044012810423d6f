# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_files.stp: a file of a file system that has only the kernel's general functions, and a pseudo terminal.
import mmap
import os
import tty

where = "/dev/shm/alias_files.%d" % os.getpid()
os.mkdir(where)
assert os.system("mount -t ramfs none " + where) == 0
f = os.open(where + "/alias_files", os.O_RDWR | os.O_CREAT)
os.write(f, b"x" * 3000)
os.lseek(f, 1000, os.SEEK_SET)
os.read(f, 5000)
os.pwritev(f, [b"a" * 100, b"b" * 23], 0)
os.preadv(f, [bytearray(10), bytearray(7), bytearray(60)], 2950)
mmap.mmap(f, 3000).close()
os.close(f)
assert os.system("umount " + where) == 0
os.rmdir(where)

master, slave = os.openpty()
tty.setraw(slave)  # else what arrives is cut into pieces as it comes, the echo too
os.write(slave, b"hello\n")
os.read(master, 100)
os.write(master, b"line\n")
os.read(slave, 100)
os.close(slave)
os.close(master)
