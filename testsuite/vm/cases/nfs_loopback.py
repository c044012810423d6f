# SPDX-License-Identifier: GPL-2.0-or-later
"""A server of NFS in this kernel, and its client: mounts a tmpfs by versions 3 and 4.2 and uses files on both.

No tool of NFS is needed: what rpcbind, mountd and exportfs do for the kernel is done here, for one directory and one client.
"""
import ctypes, fcntl, mmap, os, socket, struct, subprocess, sys, threading, time

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


def answer(call):
    """rpcbind (100000) agrees to everything, mountd (100005) gives the handle (RFC 1833, RFC 1813)."""
    xid, _, _, program, _, procedure = struct.unpack(">6I", call[:24])
    result = b""
    if procedure and program == 100000:
        result = struct.pack(">I", 1)
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
    if not os.path.exists("/proc/fs/nfsd/threads"):
        mount("nfsd", "/proc/fs/nfsd", "nfsd")
    serve(111)
    serve(20048)
    soon = int(time.time()) + 3600
    say("/proc/net/rpc/auth.unix.ip/channel", f"nfsd 127.0.0.1 {soon} {DOMAIN}\n")
    # insecure ports, no check of subtrees, fsid given (include/uapi/linux/nfsd/export.h); root stays root
    say("/proc/net/rpc/nfsd.export/channel", f"{DOMAIN} {EXPORT} {soon} {0x2402} 65534 65534 0\n")
    say("/proc/net/rpc/nfsd.fh/channel", f"{DOMAIN} 1 \\x00000000 {soon} {EXPORT}\n")
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


def use(where):
    path = where + "/file"
    with open(path, "wb") as f:
        f.write(b"x" * 5000)
        f.flush()
        os.fsync(f.fileno())
        fcntl.lockf(f, fcntl.LOCK_EX, 100, 10)
    with open("/proc/sys/vm/drop_caches", "w") as f:
        f.write("3")
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
    say("/proc/fs/nfsd/threads", "0\n")


main()
