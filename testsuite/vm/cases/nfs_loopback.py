# SPDX-License-Identifier: GPL-2.0-or-later
"""A server of NFS in this kernel, and its client: mounts a tmpfs by versions 3 and 4.2 and uses files on both.

No tool of NFS is needed: what rpcbind, mountd and exportfs do for the kernel is done here, for one directory and one client.
With the argument "more" versions 2 and 4.0 too, and what clients and servers seldom do. This program is the server of version 2
when the kernel has none.
"""
import ctypes, fcntl, mmap, os, signal, socket, stat, struct, subprocess, sys, threading, time

EXPORT, DOMAIN = "/tmp/nfs_export", "loopback"
HANDLE = b""
libc = ctypes.CDLL(None, use_errno=True)


def mount(source, where, kind, data=""):
    os.makedirs(where, exist_ok=True)
    if libc.mount(source.encode(), where.encode(), kind.encode(), 0, data.encode()):
        raise OSError(ctypes.get_errno(), "mount " + where)


def say(path, text):
    with open(path, "r+b", buffering=0) as f:
        f.write(text.encode())


def opaque(data):
    return struct.pack(">I", len(data)) + data + b"\0" * (-len(data) % 4)


def arguments(call):
    """What follows the caller's credentials and their proof."""
    at = 24
    for _ in range(2):
        length, = struct.unpack(">I", call[at + 4:at + 8])
        at += 8 + (length + 3) // 4 * 4
    return call[at:]


class Version2:
    """One directory of files in memory, as RFC 1094 has them. A file's handle has its number."""
    ROOT = struct.pack(">I", 1).ljust(32, b"\0")

    def __init__(self):
        self.number, self.names, self.data = 1, {}, {}

    def attributes(self, handle):
        data = self.data.get(handle)
        kind, mode, size = (2, 0o40755, 4096) if data is None else (1, 0o100644, len(data))
        return struct.pack(">17I", kind, mode, 1, 0, 0, size, 4096, 0, 8, 1, struct.unpack(">I", handle[:4])[0], 1, 0, 1, 0, 1, 0)

    def answer(self, procedure, asked):
        handle, rest = asked[:32], asked[32:]
        if procedure == 0:
            return b""
        if procedure == 17:  # of the file system
            return struct.pack(">6I", 0, 4096, 4096, 1000, 1000, 1000)
        if procedure in (4, 9, 10, 11):
            length, = struct.unpack(">I", rest[:4])
            name = rest[4:4 + length]
            if procedure == 9:
                self.number += 1
                self.names[name] = struct.pack(">I", self.number).ljust(32, b"\0")
                self.data[self.names[name]] = b""
            if name not in self.names:
                return struct.pack(">I", 2)
            if procedure == 11:
                to = rest[4 + (length + 3) // 4 * 4 + 32:]
                self.names[to[4:4 + struct.unpack(">I", to[:4])[0]]] = self.names[name]
            if procedure in (10, 11):
                del self.names[name]
                return struct.pack(">I", 0)
            return struct.pack(">I", 0) + self.names[name] + self.attributes(self.names[name])
        if procedure == 6:
            offset, count, _ = struct.unpack(">3I", rest[:12])
            return struct.pack(">I", 0) + self.attributes(handle) + opaque(self.data[handle][offset:offset + count])
        if procedure == 8:
            _, offset, _, length = struct.unpack(">4I", rest[:16])
            data = self.data[handle].ljust(offset, b"\0")
            self.data[handle] = data[:offset] + rest[16:16 + length] + data[offset + length:]
        return struct.pack(">I", 0) + self.attributes(handle)


version2 = Version2()


def kernel_has_version_2():
    with open("/proc/fs/nfsd/versions") as f:
        return "+2" in f.read().split()


def answer(call):
    """rpcbind (100000) agrees to everything, mountd (100005) gives the handle (RFC 1833, RFC 1813)."""
    xid, _, _, program, version, procedure = struct.unpack(">6I", call[:24])
    result = b""
    if procedure and program == 100000:
        result = struct.pack(">I", 1)
    elif program == 100003:
        result = version2.answer(procedure, arguments(call))
    elif procedure == 1 and version == 1:
        result = struct.pack(">I", 0) + (HANDLE if kernel_has_version_2() else version2.ROOT).ljust(32, b"\0")
    elif procedure == 1:
        result = struct.pack(">I", 0) + opaque(HANDLE) + struct.pack(">2I", 1, 1)
    return struct.pack(">6I", xid, 1, 0, 0, 0, 0) + result


def exactly(s, n):
    data = b""
    while len(data) < n:
        more = s.recv(n - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def speak(s):
    try:
        while True:
            length, = struct.unpack(">I", exactly(s, 4))
            reply = answer(exactly(s, length & 0x7fffffff))
            s.sendall(struct.pack(">I", 0x80000000 | len(reply)) + reply)
    except (EOFError, OSError):
        s.close()


def serve(port):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()

    def accept():
        while True:
            threading.Thread(target=speak, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def start_server():
    global HANDLE
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for module in ("nfsd", "nfs", "nfsv3", "nfsv4"):
        subprocess.run(["modprobe", module], check=True)
    mount("none", EXPORT, "tmpfs")
    mount("none", EXPORT + "/inner", "tmpfs")
    if not os.path.exists("/proc/fs/nfsd/threads"):
        mount("nfsd", "/proc/fs/nfsd", "nfsd")
    serve(111)
    serve(20048)
    soon = int(time.time()) + 3600
    say("/proc/net/rpc/auth.unix.ip/channel", f"nfsd 127.0.0.1 {soon} {DOMAIN}\n")
    # insecure ports, no check of subtrees, fsid given (include/uapi/linux/nfsd/export.h); root stays root
    for fsid, path in enumerate((EXPORT, EXPORT + "/inner")):
        say("/proc/net/rpc/nfsd.export/channel", f"{DOMAIN} {path} {soon} {0x2402} 65534 65534 {fsid}\n")
        say("/proc/net/rpc/nfsd.fh/channel", f"{DOMAIN} 1 \\x0{fsid}000000 {soon} {path}\n")
    say("/proc/fs/nfsd/nfsv4gracetime", "10\n")
    say("/proc/fs/nfsd/portlist", "tcp 2049\n")
    say("/proc/fs/nfsd/threads", "2\n")
    try:
        say("/proc/fs/nfsd/v4_end_grace", "Y\n")
    except OSError:
        pass
    with open("/proc/fs/nfsd/filehandle", "r+b", buffering=0) as f:
        f.write(f"{DOMAIN} {EXPORT} 64\n".encode())
        HANDLE = bytes.fromhex(f.read().decode().strip().replace("\\x", ""))


def drop_caches(which):
    with open("/proc/sys/vm/drop_caches", "w") as f:
        f.write(which)


def drop_pages(path):
    """Also the pages that a processor is about to put on a list, which drop_caches leaves."""
    fd = os.open(path, os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


def use(where):
    path = where + "/file"
    with open(path, "wb") as f:
        f.write(b"x" * 5000)
        f.flush()
        os.fsync(f.fileno())
        fcntl.lockf(f, fcntl.LOCK_EX, 100, 10)
    drop_caches("3")
    with open(path, "r+b") as f:
        f.seek(10, os.SEEK_END)
        f.seek(0)
        with mmap.mmap(f.fileno(), 4096) as m:
            m[0] = 65
        fd = os.open(path, os.O_RDONLY)
        os.sendfile(os.open("/dev/null", os.O_WRONLY), fd, 0, 100)
        f.read()
    os.mkdir(where + "/dir")
    os.mknod(where + "/pipe", 0o600 | 0o10000)
    os.rename(path, where + "/dir/renamed")
    os.path.exists(where + "/absent")
    os.close(fd)
    os.unlink(where + "/dir/renamed")
    os.unlink(where + "/pipe")
    os.rmdir(where + "/dir")


def mount_version(version, where, more):
    drop_caches("3")
    mount("127.0.0.1:" + ("/" if version[0] == "4" else EXPORT), where, "nfs4" if version[0] == "4" else "nfs",
          f"vers={version},proto=tcp,addr=127.0.0.1,rsize=4096,wsize=4096,{more}")


def use_pages(where):
    """Pages that are given up before they are committed, one that is read for the part that is not written, a directory."""
    path = where + "/pages"
    with open(path, "wb") as f:
        for _ in range(20):  # a commit may come first
            f.seek(0)
            f.write(b"x" * 40000)
            f.flush()
            libc.sync_file_range(f.fileno(), ctypes.c_long(0), ctypes.c_long(0), 7)
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        drop_pages(path)
    drop_pages(path)
    with open(path, "r+b", buffering=0) as f:
        f.seek(5000)
        f.write(b"y" * 10)
    os.mknod(where + "/made", 0o600 | stat.S_IFREG)
    os.listdir(where)
    os.unlink(where + "/made")
    os.unlink(path)


def use_version_2(where):
    for name in ("/two", "/gone"):
        with open(where + name, "wb") as f:
            f.write(b"x" * 5000)
    os.unlink(where + "/gone")
    drop_pages(where + "/two")
    with open(where + "/two", "rb") as f:
        f.read()
    os.path.exists(where + "/absent")
    os.rename(where + "/two", where + "/renamed")
    with open(where + "/renamed", "rb"):  # renamed again instead of removed while it is open
        os.unlink(where + "/renamed")


def read_leased(where):
    """The server asks to come again while a program of its own gives a lease back: the client waits and repeats its call."""
    with open(EXPORT + "/leased", "wb") as f:
        f.write(b"x" * 5000)
    fd = os.open(EXPORT + "/leased", os.O_WRONLY)
    signal.signal(signal.SIGIO, lambda number, frame: fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK))
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    subprocess.run(["cat", where + "/leased"], stdout=subprocess.DEVNULL, check=True)
    os.close(fd)


def be_dropped():
    """A request from an address that nobody tells the server about, while somebody listens to its question."""
    with open("/proc/net/rpc/auth.unix.ip/channel", "rb", buffering=0):
        s = socket.socket()
        s.bind(("127.0.0.2", 0))
        s.connect(("127.0.0.1", 2049))
        owner = struct.pack(">I", 0) + opaque(b"host") + struct.pack(">3I", 0, 0, 0)
        call = struct.pack(">7I", 77, 0, 2, 100003, 3, 1, 1) + opaque(owner) + struct.pack(">2I", 0, 0) + opaque(HANDLE)
        s.sendall(struct.pack(">I", 0x80000000 | len(call)) + call)
        time.sleep(7)
        s.close()


def seldom():
    where = "/tmp/nfs_more"
    subprocess.run(["modprobe", "nfsv2"], check=True)
    serve(20492)
    port = 2049 if kernel_has_version_2() else 20492
    mount_version("2", where, f"port={port},mountaddr=127.0.0.1,mountproto=tcp,mountport=20048,mountvers=1,nolock")
    use_version_2(where)
    libc.umount2(where.encode(), 2)
    mount_version("3", where, "port=2049,mountaddr=127.0.0.1,mountproto=tcp,mountport=20048,mountvers=3,nolock")
    use_pages(where)
    read_leased(where)
    libc.umount2(where.encode(), 2)
    for version in ("4.0", "4.2"):
        mount_version(version, where, "port=2049,clientaddr=127.0.0.1")
        use_pages(where)
        os.listdir(where + "/inner")
        libc.umount2(where.encode(), 2)
    be_dropped()


def main():
    start_server()
    for version, more in (("3", "mountaddr=127.0.0.1,mountproto=tcp,mountport=20048,nolock,mountvers=3"),
                          ("4.2", "clientaddr=127.0.0.1")):
        where = "/tmp/nfs" + version
        mount("127.0.0.1:" + ("/" if version != "3" else EXPORT), where, "nfs" if version == "3" else "nfs4",
              f"vers={version},proto=tcp,port=2049,addr=127.0.0.1,rsize=4096,wsize=4096,{more}")
        try:
            use(where)
        finally:
            libc.umount2(where.encode(), 2)
    try:
        if sys.argv[1:] == ["more"]:
            seldom()
    finally:
        say("/proc/fs/nfsd/threads", "0\n")


main()
