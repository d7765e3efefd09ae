"""helix.py HX FILE KEYS: runs Helix in a new terminal, types the keys and Enter, and waits until Helix has ended."""
import os
import pty
import select
import struct
import sys
import termios
import time
from fcntl import ioctl

program, file, keys = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execvp(program, [program, file])
ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
unsent = [key.encode() for key in keys] + [b"\r"]
end = time.monotonic() + 30
begun = False
while time.monotonic() < end:
    if select.select([terminal], [], [], 0.5 if not begun else 0.05)[0]:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break  # it has ended
        if not data:
            break
        if b"\x1b[c" in data:
            os.write(terminal, b"\x1b[?62c")  # it asks what the terminal is
        begun = True
    elif begun and unsent:
        os.write(terminal, unsent.pop(0))
os.kill(child, 9) if time.monotonic() >= end else None
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
