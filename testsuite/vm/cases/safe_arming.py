#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run a session on a terminal of its own, press Ctrl-C there, and tell what it says: safe_arming.py OUTPUT SECONDS COMMAND...

The command's standard output goes to the file OUTPUT; the key is pressed SECONDS after something is in it. Prints the milliseconds from
the start to the key, from the key to the first "stopping:", and from the key to the end, then what was on the terminal.
"""
import os, pty, select, sys, time

output, pause, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
began = time.monotonic()
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.execv(command[0], command)

said = b""


def listen(seconds):
    """Reads what is said for so long; false when the session is over."""
    global said
    if select.select([terminal], [], [], seconds)[0]:
        try:
            said += os.read(terminal, 4096)
        except OSError:  # closed
            return False
    return True


while listen(0.02) and not (os.path.exists(output) and os.path.getsize(output)):
    pass
until = time.monotonic() + pause
while time.monotonic() < until and listen(max(0, until - time.monotonic())):
    pass
pressed = time.monotonic()
os.write(terminal, b"\003")
while b"stopping:" not in said and listen(10):
    pass
answered = time.monotonic()
while listen(60):
    pass
os.waitpid(pid, 0)
print(*(int(1000 * (b - a)) for a, b in ((began, pressed), (pressed, answered), (pressed, time.monotonic()))))
print(said.decode().replace("\r", "\n"))
