# SPDX-License-Identifier: GPL-2.0-or-later
# user_tables_hostile.py MODULE NAME COMMAND...: a reader that answers what the module asks of files with what are no tables. What it does is in
# runtime/uapi/wire.h.
import errno, os, select, struct, subprocess, sys

module, name, command = sys.argv[1], sys.argv[2], sys.argv[3:]
here = '/proc/systemtap/' + name
START, EXIT = 1, 2
STARTED, STOPPED = 1, 2

def tell(cmd, kind):
    os.write(cmd, struct.pack('IiQ', kind, 0, 0))

def wait_for(cmd, kind):
    while struct.unpack_from('I', os.read(cmd, 4096))[0] != kind:
        pass

def outcome(what, *args):
    try:
        return str(what(*args))
    except OSError as e:
        return errno.errorcode[e.errno]

def answer(tables, slot, size, rest):
    return outcome(os.write, tables, struct.pack('II', slot, size) + rest)

def head(segments=0, rules=0, symbols=0, names=1):
    return struct.pack('QIIII', 0, segments, rules, symbols, names)

# a module that is another user's than root's asks for nothing
subprocess.run(['insmod', module, '_uid=1'], check=True)
os.close(os.open(here + '/cmd', os.O_RDWR))
print('for another user', os.path.exists(here + '/tables'))
subprocess.run(['rmmod', name], check=True)
subprocess.run(['insmod', module], check=True)
print('before a reader', outcome(os.open, here + '/tables', os.O_RDWR))
cmd = os.open(here + '/cmd', os.O_RDWR)
other = subprocess.run([sys.executable, '-c', 'open("%s/tables", "rb")' % here], stderr=subprocess.PIPE)
print('another process', b'PermissionError' in other.stderr)
tables = os.open(here + '/tables', os.O_RDWR)
print('twice', outcome(os.open, here + '/tables', os.O_RDWR))
tell(cmd, START)
wait_for(cmd, STARTED)
print('nothing is asked', len(os.read(tables, 8)))
print('too short a read', outcome(os.read, tables, 7))
# what a reader leaves behind, unread or unanswered, the next one is asked
for leave in 'unread', 'unanswered', None:
    subprocess.run(command)
    poll = select.poll()
    poll.register(tables, select.POLLIN)
    poll.poll()
    if leave != 'unread':
        slot, fd = struct.unpack('Ii', os.read(tables, 8))
        print('asked', os.path.basename(os.readlink('/proc/self/fd/%d' % fd)).split('.')[0], os.read(fd, 4))
    if leave:
        os.close(tables)
        subprocess.run(command)
        tables = os.open(here + '/tables', os.O_RDWR)
        print(leave, len(os.read(tables, 8)))
print('no head', outcome(os.write, tables, b'1234'))
print('another size', answer(tables, slot, 100, head()))
print('too large', answer(tables, slot, 2**25 + 1, b'\0' * (2**25 + 1)))
print('another slot', answer(tables, (slot + 1) % 512, 0, b''), answer(tables, 512, 0, b''), answer(tables, 2**32 - 1, 0, b''))
print('damaged', answer(tables, slot, 41, head(rules=2) + b'\0' * 17))
print('too late', answer(tables, slot, 25, head() + b'\0'))
subprocess.run(command)
print('not asked again', len(os.read(tables, 8)))
tell(cmd, EXIT)
wait_for(cmd, STOPPED)
os.close(tables)
os.close(cmd)
print('removed', subprocess.run(['rmmod', name]).returncode)
