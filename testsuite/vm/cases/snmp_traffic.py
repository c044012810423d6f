# SPDX-License-Identifier: GPL-2.0-or-later
"""snmp_traffic.py FILE: traffic that moves the counters of /proc/net/snmp and netstat; their differences go to FILE.
snmp_traffic.py FILE COUNTED: holds the lines "NAME NUMBER" of COUNTED against it.

The other side is this program: it writes to and reads from network interfaces of kind tun, so its packets may be of any form.
"""
import errno, fcntl, os, select, socket, struct, subprocess, sys, time

TUN, OURS, THEIRS, BEYOND = "/dev/net/tun", "10.9.0.1", "10.9.0.2", "10.10.0.2"


def sysctl(name, value):
    with open("/proc/sys/net/" + name, "r+") as f:
        old = f.read()
        f.seek(0)
        f.write(value)
    return old


def counters():
    found = {}
    for path in ("/proc/net/snmp", "/proc/net/netstat"):
        with open(path) as f:
            lines = f.readlines()
        for names, values in zip(lines[::2], lines[1::2]):
            kind, names, values = names.split(":")[0], names.split()[1:], values.split()[1:]
            if kind in ("Ip", "IpExt", "Tcp", "TcpExt"):
                found.update(zip(names, map(int, values)))
    return found


def interface(name, address, mtu):
    if not os.path.exists(TUN):
        os.makedirs("/dev/net", exist_ok=True)
        os.mknod(TUN, 0o20600, os.makedev(10, 200))
    fd = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, 0x400454ca, struct.pack("16sH22x", name.encode(), 0x1001))  # TUNSETIFF, IFF_TUN | IFF_NO_PI
    sysctl(f"ipv6/conf/{name}/disable_ipv6", "1")
    subprocess.run(["ip", "addr", "add", address + "/24", "dev", name], check=True)
    subprocess.run(["ip", "link", "set", name, "up", "mtu", str(mtu)], check=True)
    return fd


def checksum(data):
    total = sum(struct.unpack(f">{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2)))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def ip(protocol, payload, to=OURS, fragment=0, number=1):
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), number, fragment, 64, protocol, 0,
                         socket.inet_aton(THEIRS), socket.inet_aton(to))
    return header[:10] + struct.pack(">H", checksum(header)) + header[12:] + payload


def tcp(port, to, seq, ack, flags):
    segment = struct.pack(">HHIIBBHHH", port, to, seq, ack, 0x50, flags, 60000, 0, 0)
    pseudo = socket.inet_aton(THEIRS) + socket.inet_aton(OURS) + struct.pack(">BBH", 0, 6, len(segment))
    return ip(6, segment[:16] + struct.pack(">H", checksum(pseudo + segment)) + segment[18:])


FIN, SYN, RST, ACK = 1, 2, 4, 16


def answer(fd, flags, port, wait=10):
    """The next segment with these flags for PORT: its sequence number and the whole packet."""
    end = time.time() + wait
    while time.time() < end:
        if not select.select([fd], [], [], 0.1)[0]:
            continue
        packet = os.read(fd, 4096)
        if packet[9] == 6 and struct.unpack(">H", packet[22:24])[0] == port and packet[33] & flags == flags:
            return struct.unpack(">I", packet[24:28])[0], packet
    raise TimeoutError(f"no segment with flags {flags} for port {port}")


def listener(port, backlog, family=socket.AF_INET, address=""):
    s = socket.socket(family)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, port))
    s.listen(backlog)
    return s


def dial(address, port, family=socket.AF_INET, wait=True):
    s = socket.socket(family)
    s.setblocking(wait)
    error = s.connect_ex((address, port))
    assert error in (0, errno.EINPROGRESS, errno.ECONNREFUSED), error
    return s


def reset(s):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()


def conversations(family, address):
    """A connection that ends, one that is refused, one that is reset, one that gets delayed acknowledgements."""
    door = listener(7101, 8, family)
    a = dial(address, 7101, family)
    b = door.accept()[0]
    a.sendall(b"x" * 200000)
    while len(b.recv(200000, socket.MSG_WAITALL)) < 200000:
        pass
    b.close()
    a.recv(1)
    a.close()
    dial(address, 7102, family).close()
    a = dial(address, 7101, family)
    b = door.accept()[0]
    reset(a)
    b.close()
    a = dial(address, 7101, family)
    b = door.accept()[0]
    for s in (a, b):
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for _ in range(20):
        a.send(b"ping")
        b.recv(4)
        b.send(b"pong")
        a.recv(4)
    for _ in range(3):
        b.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 0)
        a.send(b"x")
        b.recv(1)
        time.sleep(0.3)
    a.close()
    b.close()
    door.close()


def overflows(tun, family, address):
    """More connections than a queue holds, at the first packet and at the last."""
    door = listener(7103, 0, family)
    callers = [dial(address, 7103, family, False) for _ in range(4)]
    time.sleep(1.6)
    for s in callers:
        reset(s)
    door.close()
    door = listener(7104, 0)
    begun = []
    for port in (8001, 8002):
        os.write(tun, tcp(port, 7104, 1000, 0, SYN))
        begun.append((port, answer(tun, SYN | ACK, port)[0]))
    for port, number in begun:
        os.write(tun, tcp(port, 7104, 1001, number + 1, ACK))
    for port, number in begun:
        os.write(tun, tcp(port, 7104, 1001, number + 1, RST | ACK))
    door.close()


def half_open(tun):
    """Requests taken back, refused by ICMP, and answered twice; to a port that nobody listens at."""
    door = listener(7105, 8)
    number = {}
    for port in (8003, 8004, 8005):
        os.write(tun, tcp(port, 7105, 1000, 0, SYN))
        number[port], packet = answer(tun, SYN | ACK, port)
        if port == 8004:
            message = struct.pack(">BBHI", 3, 1, 0, 0) + packet[:28]
            os.write(tun, ip(1, message[:2] + struct.pack(">H", checksum(message)) + message[4:]))
    os.write(tun, tcp(8003, 7105, 1001, 0, RST))
    os.write(tun, tcp(8005, 7105, 900, 0, RST))  # not in its window
    answer(tun, SYN | ACK, 8005)
    os.write(tun, tcp(8005, 7105, 1001, 0, RST))
    door.close()
    os.write(tun, tcp(8006, 7199, 1000, 0, SYN))
    os.write(tun, tcp(8007, 7199, 1000, 1, RST))
    answer(tun, RST, 8006)


def lost_data(tun):
    """Data that is not acknowledged, of several segments in one packet and of one."""
    s = socket.socket()
    s.setblocking(False)
    s.bind((OURS, 7106))
    s.connect_ex((THEIRS, 8008))
    number, _ = answer(tun, SYN, 8008)
    os.write(tun, tcp(8008, 7106, 5000, number + 1, SYN | ACK))
    time.sleep(0.1)
    s.send(b"y" * 5000)
    time.sleep(1.5)
    os.write(tun, tcp(8008, 7106, 5001, number + 1, RST | ACK))
    time.sleep(0.1)
    s.close()


def pressure():
    old = sysctl("ipv4/tcp_mem", "1 1 100000")
    door = listener(7107, 8)
    a = dial("127.0.0.1", 7107)
    b = door.accept()[0]
    a.setblocking(False)
    for _ in range(30):
        try:
            a.send(b"z" * 65536)
        except BlockingIOError:
            break
    time.sleep(0.3)
    reset(a)
    b.close()
    door.close()
    sysctl("ipv4/tcp_mem", old)


def packets(tun):
    """Packets of no protocol, to no place, to be forwarded whole and in parts, in parts themselves."""
    nothing, data = b"\0" * 32, struct.pack(">HHHH", 9, 9, 0, 0) + b"d" * 1200
    os.write(tun, ip(253, nothing))
    os.write(tun, ip(17, nothing, to="10.99.0.1"))
    sysctl("ipv4/conf/all/forwarding", "1")
    os.write(tun, ip(17, nothing, to="10.99.0.1"))
    os.write(tun, ip(17, nothing, to="10.98.0.1"))
    for fragment in (0, 0x4000):
        os.write(tun, ip(17, struct.pack(">HHHH", 9, 9, len(data), 0) + data[8:], to=BEYOND, fragment=fragment))
    os.write(tun, ip(17, nothing, to=BEYOND))
    sysctl("ipv4/conf/all/forwarding", "0")
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b"w" * 3000, (BEYOND, 9))
    s.sendto(b"w" * 3000, ("127.0.0.1", 9))
    s.close()
    os.write(tun, ip(17, data[:800], fragment=0x2000, number=2))
    os.write(tun, ip(17, data[800:], fragment=100, number=2))
    os.write(tun, ip(17, data[:800], fragment=0x2000, number=3))
    time.sleep(1.5)


def keep():
    """A connection that stays, and one that one side has closed."""
    door = listener(7108, 8)
    kept = [door]
    for _ in range(2):
        kept += [dial("127.0.0.1", 7108), door.accept()[0]]
    kept[1].shutdown(socket.SHUT_WR)
    return kept


def main(report):
    subprocess.run(["modprobe", "tun"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    near, _ = interface("tun0", OURS, 1500), interface("tun1", "10.10.0.1", 1000)
    subprocess.run(["ip", "route", "add", "unreachable", "10.98.0.0/24"], check=True)
    for name in ("all", "tun0"):
        sysctl(f"ipv4/conf/{name}/rp_filter", "0")
    sysctl("ipv4/conf/all/forwarding", "0")
    sysctl("ipv4/ipfrag_time", "1")
    before = counters()
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"), (socket.AF_INET6, "::ffff:127.0.0.1")):
        conversations(family, address)
        overflows(near, family, address)
    half_open(near)
    lost_data(near)
    pressure()
    packets(near)
    kept = keep()
    time.sleep(0.5)
    after = counters()
    with open(report, "w") as f:
        for name in after:
            f.write(f"{name} {after[name] - before[name]}\n")
    if not os.fork():  # closes what is kept when nobody counts any more
        for fd in range(3):
            os.dup2(os.open(os.devnull, os.O_RDWR), fd)
        time.sleep(20)
        kept.clear()
        os._exit(0)


def read(path):
    with open(path) as f:
        return {name: int(number) for name, number in (line.split() for line in f if not line.startswith(" "))}


def compare(report, counted):
    kernel = read(report)
    for name, number in read(counted).items():
        if name not in kernel:
            print(f"{name}: the kernel does not tell")
        elif number != kernel[name]:
            print(f"{name}: counted {number}, kernel {kernel[name]}")
        else:
            print(name, "moved" if number else "stood still")


if len(sys.argv) == 2:
    main(sys.argv[1])
else:
    compare(sys.argv[1], sys.argv[2])
