# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_signals.stp: each thing that a program does with signals, once, with numbers of its own.
import ctypes
import os
import signal
import time

libc = ctypes.CDLL(None)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
signal.sigpending()
signal.signal(signal.SIGURG, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGURG)
try:
    signal.signal(signal.SIGKILL, signal.SIG_IGN)
except OSError:
    pass
signal.signal(signal.SIGHUP, signal.SIG_IGN)
signal.signal(signal.SIGUSR1, lambda *a: None)
os.kill(os.getpid(), signal.SIGUSR1)

# a timer of POSIX, whose signal waits in an entry of its own
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
timer = ctypes.c_void_p()
assert libc.timer_create(1, None, ctypes.byref(timer)) == 0
assert libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1000000), None) == 0
signal.sigwait({signal.SIGALRM})

# a stack for signals where no memory is
child = os.fork()
if not child:
    libc.sigaltstack((ctypes.c_long * 3)(4096, 0, 8192), None)
    action = (ctypes.c_ulong * 19)()  # struct sigaction of the C library: handler, mask, flags, restorer
    action[0] = ctypes.cast(libc.abs, ctypes.c_void_p).value
    action[17] = 0x08000000  # SA_ONSTACK
    libc.sigaction(signal.SIGPROF, action, None)
    os.kill(os.getpid(), signal.SIGPROF)
    os._exit(1)
assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGSEGV

child = os.fork()
if not child:
    time.sleep(1000)
time.sleep(0.2)
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
