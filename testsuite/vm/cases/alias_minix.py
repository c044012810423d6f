# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_minix.stp: a file system that has no function of its own for most of what is done with files.
import mmap
import os

where = "/dev/shm/alias_minix.%d" % os.getpid()
image = where + ".img"
os.mkdir(where)
with open(image, "wb") as f:
    f.truncate(1 << 20)
assert os.system("mkfs.minix -3 %s > /dev/null" % image) == 0
assert os.system("modprobe loop max_loop=1 && modprobe minix && mount -o loop %s %s" % (image, where)) == 0
f = os.open(where + "/alias_minix", os.O_RDWR | os.O_CREAT)
os.write(f, b"x" * 5001)
os.fsync(f)
os.lseek(f, 1001, os.SEEK_SET)
os.read(f, 6001)
mmap.mmap(f, 5000, prot=mmap.PROT_READ).close()
m = mmap.mmap(f, 5000)
m[4500] = 65  # the page has buffers, and is clean
m.close()
os.close(f)
g = os.open(where + "/alias_minix", os.O_RDONLY)
os.posix_fadvise(g, 0, 0, os.POSIX_FADV_DONTNEED)
os.read(g, 100)
os.close(g)
os.unlink(where + "/alias_minix")
assert os.system("umount " + where) == 0

# what it does not have, of other file systems
assert os.system("mkfs.ext2 -q %s && modprobe ext4 && mount -t ext4 -o loop %s %s" % (image, image, where)) == 0
f = os.open(where + "/alias_minix", os.O_RDWR | os.O_CREAT)
os.write(f, b"y" * 5001)
a, b = os.pipe()
assert os.splice(f, b, 2001, offset_src=0) == 2001
assert os.splice(a, f, 2001, offset_dst=6000) == 2001
os.close(f)
disk = os.open("/dev/loop0", os.O_RDONLY)
os.posix_fadvise(disk, 0, 0, os.POSIX_FADV_DONTNEED)
os.pread(disk, 4096, 500 << 10)
os.close(disk)
disk = os.open("/dev/loop0", os.O_WRONLY)
os.write(disk, b"\0" * 512)
os.fsync(disk)
os.close(disk)
assert os.system("umount " + where) == 0
os.rmdir(where)
os.unlink(image)
