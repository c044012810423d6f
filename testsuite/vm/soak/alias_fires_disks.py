# SPDX-License-Identifier: GPL-2.0-or-later
"""For alias_fires.stp: disks and file systems that the workloads of single families leave out, and workers that are not needed any more.

A disk in memory has ext4 and minix file systems, a disk of scsi_debug is busy now and then, another one is a CD drive.
"""
import ctypes, glob, mmap, os, subprocess, time

libc = ctypes.CDLL(None, use_errno=True)
WHERE, SOFT_OFFLINE = "/tmp/alias_disks", 101
SCSI = "/sys/bus/pseudo/drivers/scsi_debug/"
QUEUE = "/sys/devices/virtual/workqueue/writeback/"


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def say(path, text):
    with open(path, "w") as f:
        f.write(text)


def until(holds):
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    raise TimeoutError(holds)


def read_direct(path, size):
    fd = os.open(path, os.O_RDONLY | os.O_DIRECT | os.O_NONBLOCK)
    try:
        os.preadv(fd, [mmap.mmap(-1, size)], 0)
    except OSError:
        pass  # the drive has no disc to its liking
    os.close(fd)


def mounted(kind, disk):
    run("mkfs." + kind, disk)
    os.makedirs(WHERE, exist_ok=True)
    run("mount", "-t", kind, disk, WHERE)


def files():
    """Splicing, pages that are changed in memory, and one that moves because its place is to be used no more."""
    fd = os.open(WHERE + "/file", os.O_RDWR | os.O_CREAT)
    os.writev(fd, [b"x" * 5000, b"y" * 5000])
    os.lseek(fd, 0, os.SEEK_SET)
    os.readv(fd, [bytearray(100), bytearray(100)])
    out, into = os.pipe()
    os.write(into, b"z" * 100)
    try:
        os.splice(out, fd, 100)
    except OSError:
        pass  # minix takes none
    page = mmap.mmap(fd, 4096)
    page[0] = 65
    os.fsync(fd)
    libc.madvise(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page))), 4096, SOFT_OFFLINE)
    os.close(fd)
    os.sync()


def memory_disk():
    run("modprobe", "brd", "rd_nr=1", "rd_size=16384")
    for kind in ("ext4", "minix"):
        mounted(kind, "/dev/ram0")
        files()
        run("umount", WHERE)
    fd = os.open("/dev/ram0", os.O_RDWR)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.read(fd, 65536)
    with mmap.mmap(fd, 4096) as page:
        page[0] = 1
    os.fsync(fd)
    os.close(fd)


def scsi_disk(kind, **more):
    """The disk's name, once there is one of the driver and its device."""
    until(lambda: not os.path.exists("/sys/module/scsi_debug") or not subprocess.run(["modprobe", "-r", "scsi_debug"]).returncode)
    run("modprobe", "scsi_debug", "delay=0", *(f"{name}={value}" for name, value in more.items()))

    def disks():
        found = glob.glob("/sys/bus/pseudo/devices/adapter*/host*/target*/*/block/" + kind + "*")
        return [os.path.basename(path) for path in found if os.path.exists("/dev/" + os.path.basename(path))]

    until(disks)
    return disks()[0]


def scsi_disks():
    run("modprobe", "-a", "sd_mod", "sr_mod")
    disk = scsi_disk("sd", dev_size_mb=8)
    say(f"/sys/block/{disk}/queue/scheduler", "mq-deadline")
    with open("/dev/" + disk, "wb") as f:
        f.write(bytes(2 << 20))
        f.flush()
        os.fsync(f.fileno())
    say(SCSI + "every_nth", "3")
    say(SCSI + "opts", "0x8000")  # says now and then that the host is busy
    for _ in range(6):
        read_direct("/dev/" + disk, 65536)
    say(SCSI + "opts", "0")
    read_direct("/dev/" + scsi_disk("sr", ptype=5), 4096)


def workers_of(nice):
    """How many of the kernel's workers are so nice."""
    found = 0
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as f:
                name, values = f.read().rsplit(")", 1)
        except OSError:
            continue  # has ended
        found += "(kworker" in name and int(values.split()[16]) == nice
    return found


def workers():
    """A queue gets workers of its own, and loses them."""
    say(QUEUE + "nice", "-5")
    until(lambda: workers_of(-5))
    say(QUEUE + "nice", "0")
    until(lambda: not workers_of(-5))


memory_disk()
scsi_disks()
workers()
