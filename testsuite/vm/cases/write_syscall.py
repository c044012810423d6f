# SPDX-License-Identifier: GPL-2.0-or-later
# For write_syscall.stp: signals, a directory and a timer, and what came of them.
import ctypes, os, signal, stat, threading

libc = ctypes.CDLL(None)
came = []
for number in 10, 12:
	signal.signal(number, lambda n, frame: came.append(n))
os.kill(os.getpid(), 12)
signal.pthread_kill(threading.get_ident(), 12)
print("signals", came)
path = ctypes.create_string_buffer(b"/tmp/write_syscall_old")
libc.mkdir(path, 0o755)
print(path.value.decode(), oct(stat.S_IMODE(os.stat("/tmp/write_syscall_new").st_mode)))
path = ctypes.create_string_buffer(b"/tmp/write_syscall_old")
print("rmdir", libc.rmdir(path), path.value.decode())
signal.alarm(77)
print("alarm", signal.alarm(0), flush=True)
