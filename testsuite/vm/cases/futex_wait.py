# SPDX-License-Identifier: GPL-2.0-or-later
# A thread waits for a lock that another one holds for 0.3 seconds.
import threading
import time

lock = threading.Lock()
lock.acquire()
thread = threading.Thread(target=lock.acquire)
thread.start()
time.sleep(0.3)
lock.release()
thread.join()
