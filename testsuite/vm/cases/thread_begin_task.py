# SPDX-License-Identifier: GPL-2.0-or-later
# Threads one after the other, each of which tells the signals that wait for it alone (SIGUSR1 is the 10th), and the first thread's.
import signal, threading


def pending(who):
    with open("/proc/thread-self/status") as f:
        print(who, [line.split()[1] for line in f if line.startswith("SigPnd")][0], flush=True)


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
sum(range(1000000))
for i in range(3):
    thread = threading.Thread(target=pending, args=("thread",))
    thread.start()
    thread.join()
pending("first")
