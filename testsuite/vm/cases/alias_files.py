# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_files.stp: a file of a file system that has only the kernel's general functions, and a pseudo terminal.
import mmap
import os
import subprocess
import tempfile

where = tempfile.mkdtemp(dir="/dev/shm")
subprocess.check_call(["mount", "-t", "ramfs", "none", where])
f = os.open(where + "/alias_files", os.O_RDWR | os.O_CREAT)
os.write(f, b"x" * 3000)
os.lseek(f, 1000, os.SEEK_SET)
os.read(f, 5000)
mmap.mmap(f, 3000).close()
os.close(f)
subprocess.check_call(["umount", where])
os.rmdir(where)

master, slave = os.openpty()
os.write(slave, b"hello\n")
os.read(master, 100)
os.write(master, b"line\n")
os.read(slave, 100)
os.close(slave)
os.close(master)
