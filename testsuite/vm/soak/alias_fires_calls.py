# SPDX-License-Identifier: GPL-2.0-or-later
"""For alias_fires.stp: system calls, signals, sockets and terminals that the workloads of single families leave out."""
import ctypes, fcntl, mmap, os, select, signal, socket, struct, subprocess, sys, termios

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
TKILL, TGKILL, RT_SIGPENDING, TIMER_CREATE, TIMER_SETTIME, TIMER_DELETE, RSEQ = 200, 234, 127, 222, 223, 226, 334
PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207


def signals():
    signal.signal(signal.SIGUSR1, lambda number, frame: None)
    libc.syscall(TKILL, os.getpid(), int(signal.SIGUSR1))
    libc.syscall(TGKILL, os.getpid(), os.getpid(), int(signal.SIGUSR1))
    signal.sigpending()
    libc.syscall(RT_SIGPENDING, ctypes.byref(ctypes.c_ulong()), 8)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    timer = ctypes.c_int()
    event = ctypes.create_string_buffer(struct.pack("qii48x", 0, signal.SIGUSR1, 0), 64)
    assert not libc.syscall(TIMER_CREATE, 1, event, ctypes.byref(timer))
    libc.syscall(TIMER_SETTIME, timer, 0, struct.pack("4q", 0, 0, 0, 1000000), None)
    signal.sigwait([signal.SIGUSR1])
    libc.syscall(TIMER_DELETE, timer)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])


def unwritable_rseq():
    """A thread that the kernel cannot tell that it was interrupted dies of it: of the next switch, and in kernels since 6.19 in the way that
    counts here of a signal alone, which interrupts a program and not a system call, and comes before a switch; hence many tries. The C
    library is told not to ask for an area itself."""
    signal.signal(signal.SIGALRM, lambda number, frame: None)
    for _ in range(20):
        child = os.fork()
        if not child:
            where = libc.mmap(None, 4096, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, ctypes.c_long(0))
            if libc.syscall(RSEQ, ctypes.c_void_p(where), 32, 0, 0x53053053):
                os._exit(1)
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
            libc.munmap(ctypes.c_void_p(where), 4096)
            while True:
                pass
        status = os.waitpid(child, 0)[1]
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSEGV, status


def interrupted():
    """A process that another one traces is stopped."""
    child = os.fork()
    if not child:
        while True:
            signal.pause()
    libc.ptrace(PTRACE_SEIZE, child, None, None)
    libc.ptrace(PTRACE_INTERRUPT, child, None, None)
    os.waitpid(child, 0)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def stopped():
    """A process that is stopped already comes to be traced: it is woken to be told."""
    child = os.fork()
    if not child:
        while True:
            signal.pause()
    os.kill(child, signal.SIGSTOP)
    os.waitpid(child, os.WUNTRACED)
    assert not libc.ptrace(PTRACE_SEIZE, child, None, None)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def sockets():
    a, b = socket.socketpair()
    os.write(a.fileno(), b"one")
    os.read(b.fileno(), 3)
    os.writev(a.fileno(), [b"two", b"three"])
    os.readv(b.fileno(), [bytearray(3), bytearray(5)])
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.connect(("127.0.0.1", 9))
    assert not libc.connect(u.fileno(), bytes(16), 16)  # AF_UNSPEC


def terminals():
    """A driver of a terminal comes, its terminal changes its size, and it goes."""
    master, slave = os.openpty()
    wait = select.poll()
    wait.register(slave, select.POLLIN)
    wait.poll(1)
    assert os.system("modprobe ttyprintk") == 0
    fd = os.open("/dev/ttyprintk", os.O_WRONLY | os.O_NOCTTY)
    for rows in (20, 30):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("4H", rows, 80, 0, 0))
    os.close(fd)
    assert os.system("modprobe -r ttyprintk") == 0


if __name__ == "__main__":
    if sys.argv[1:] == ["rseq"]:
        unwritable_rseq()
        sys.exit()
    for work in (signals, interrupted, stopped, sockets, terminals):
        work()
    subprocess.run([sys.executable, __file__, "rseq"], env=os.environ | {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}, check=True)
