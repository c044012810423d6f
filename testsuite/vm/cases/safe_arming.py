#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run a session, interrupt it, and tell what it says: safe_arming.py terminal|pipe OUTPUT SECONDS COMMAND...

Its standard error is a terminal of its own, where Ctrl-C is pressed, or a pipe, and it is sent SIGINT. The command's standard output
goes to the file OUTPUT; it is interrupted SECONDS after something is in it. Prints the milliseconds from the start until then, from
there to the first "stopping:", and to the end, then what was said.
"""
import os, pty, select, signal, sys, time

how, output, pause, command = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:]
began = time.monotonic()
if how == "terminal":
    pid, heard = pty.fork()
else:
    heard, told = os.pipe()
    pid = os.fork()
if pid == 0:
    if how == "pipe":
        os.setsid()
        os.dup2(told, 2)
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.execv(command[0], command)
if how == "pipe":
    os.close(told)

said = b""


def listen(seconds):
    """Reads what is said for so long; false when the session is over."""
    global said
    if select.select([heard], [], [], seconds)[0]:
        try:
            some = os.read(heard, 4096)
        except OSError:  # the terminal is closed
            return False
        said += some
        return bool(some)
    return True


while listen(0.02) and not (os.path.exists(output) and os.path.getsize(output)):
    pass
until = time.monotonic() + pause
while time.monotonic() < until and listen(max(0, until - time.monotonic())):
    pass
asked = time.monotonic()
if how == "terminal":
    os.write(heard, b"\003")
else:
    os.kill(pid, signal.SIGINT)
while b"stopping:" not in said and listen(10):
    pass
answered = time.monotonic()
while listen(60):
    pass
os.waitpid(pid, 0)
print(*(int(1000 * (b - a)) for a, b in ((began, asked), (asked, answered), (asked, time.monotonic()))))
print(said.decode().replace("\r", "\n"))
