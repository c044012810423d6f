# SPDX-License-Identifier: GPL-2.0-or-later
# table_orphan.py STAP-TABLE: it is stopped by a pipe that is full, and the process that started it, as the reader does, is killed.
import ctypes, os, select, signal, subprocess, sys, tempfile

PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)
library = [line.split()[-1] for line in open('/proc/self/maps') if '/libc.so' in line][0]

with tempfile.NamedTemporaryFile() as copy: # a file without a name
    copy.write(open(library, 'rb').read())
    copy.flush()
    os.chmod(copy.name, 0o644)
    file = open(copy.name, 'rb')
table, into = os.pipe()
said, tell = os.pipe()
starter = os.fork()
if not starter:
    maker = subprocess.Popen([sys.argv[1]], stdin=file, stdout=into, env={**os.environ, 'TMPDIR': '/tmp'},
                             preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM))
    os.close(into)
    os.write(tell, b'%d' % maker.pid)
    signal.pause()
os.close(into)
maker = int(os.read(said, 32))
watch = os.pidfd_open(maker)
reads = select.poll()
reads.register(table, select.POLLIN)
print('writes' if reads.poll()[0][1] & select.POLLIN else 'failed')
os.kill(starter, signal.SIGKILL)
os.waitpid(starter, 0)
ends = select.poll()
ends.register(watch, select.POLLIN)
print('gone' if ends.poll(20000) else 'left')
if not ends.poll(0):
    os.kill(maker, signal.SIGKILL)
