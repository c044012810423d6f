# SPDX-License-Identifier: GPL-2.0-or-later
# 100 programs, one of them by a link; processes that only fork; a program in the place of another; 20 threads, 50 system calls
i=0
while [ $i -lt 99 ]; do /bin/true; i=$((i + 1)); done
ln -s /bin/true /tmp/process_life.$$ && /tmp/process_life.$$
rm -f /tmp/process_life.$$
(:) ; (:)
sh -c 'exec /bin/false'
/usr/bin/python3 -S -E -c '
import os, threading
ts = [threading.Thread(target=lambda: None) for i in range(20)]
[t.start() for t in ts]
[t.join() for t in ts]
[os.getppid() for i in range(50)]
try: os.close(12345)
except OSError: pass'
:
