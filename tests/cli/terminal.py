"""terminal.py COLUMNSxROWS STEP... -- COMMAND... - a command on a terminal, by steps

  wait:TEXT         until TEXT is on the screen
  gone:TEXT         until it is not
  resize:80x24      the terminal has another size; until it is drawn anew it is full
                    of ~
  key:TEXT          press keys
  kill:NAME         send the command a signal
  stopped           until it has stopped
  continue          in the foreground; here, too, the screen is full of ~
  save:FILE         write the screen as it is
  raw:FILE          ... and all bytes that came until now
  run:COMMAND       with sh, here

A small shell (one job, in the foreground of the terminal) is between.  Prints what
stands on the terminal at the end; the exit status is the command's, 99 where a step
was not reached in time.  The terminal is checked: when the command has ended or
stopped it shows its usual screen, with a cursor, and reads lines.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

PATIENCE_S = 240


class Screen:
    """What our sequences make of a screen; two of them, the usual and the other."""

    def __init__(self, columns, rows):
        self.both = [[""] * rows, [""] * rows]
        self.other = 0
        self.x = self.y = 0
        self.cursor = True
        self.rest = b""
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        for s in self.both:
            s[:] = [line[:columns] for line in (s + [""] * rows)[:rows]]
        self.spoil()
        self.y = min(self.y, rows - 1)

    def spoil(self):
        if self.other:
            self.both[1][:] = ["~" * self.columns] * self.rows

    def text(self):
        return "\n".join(line.rstrip() for line in self.both[self.other]) + "\n"

    def put(self, c):
        lines = self.both[self.other]
        if self.x >= self.columns:
            if self.other:
                return
            self.newline()
            lines = self.both[self.other]
        line = lines[self.y].ljust(self.x)
        lines[self.y] = line[: self.x] + c + line[self.x + 1 :]
        self.x += 1

    def newline(self):
        self.x = 0
        self.y += 1
        if self.y == self.rows:
            lines = self.both[self.other]
            lines[:] = lines[1:] + [""]
            self.y -= 1

    def order(self, args, name):
        lines = self.both[self.other]
        if name in "hl" and args.startswith("?"):
            if args == "?1049":
                self.other = int(name == "h")
            elif args == "?25":
                self.cursor = name == "h"
        elif name == "H":
            self.y, self.x = (int(n) - 1 for n in (args or "1;1").split(";"))
        elif name == "K":
            lines[self.y] = lines[self.y][: self.x]
        elif name == "J":
            lines[:] = [""] * self.rows
        elif name != "m":
            sys.exit("terminal.py: an order that is not known: %s%s" % (args, name))

    def feed(self, data):
        data = self.rest + data
        cut = re.search(rb"\x1b(\[[0-9;?]*)?$|[\xc0-\xff][\x80-\xbf]{0,2}$", data)
        self.rest = data[cut.start() :] if cut else b""
        if cut and self.rest[0] >= 0xC0:
            try:
                self.rest.decode()
                self.rest, cut = b"", None
            except UnicodeDecodeError:
                pass
        text = data[: cut.start()].decode() if cut else data.decode()
        for args, name, c in re.findall(r"\x1b\[([0-9;?]*)([A-Za-z])|([\s\S])", text):
            if name:
                self.order(args, name)
            elif c == "\r":
                self.x = 0
            elif c == "\n":
                self.newline()
            else:
                self.put(c)


def shell(command, told):
    """The session's leader: the command is its job."""
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(command[0], command)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(told, b"p%d\n" % pid)
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(status):
            os.write(told, b"e%d\n" % status)
            time.sleep(PATIENCE_S)  # the terminal is looked at, and closed
        os.write(told, b"s%d\n" % os.WSTOPSIG(status))
        signal.sigwait([signal.SIGUSR1])
        os.tcsetpgrp(0, pid)
        os.write(told, b"c0\n")
        os.kill(pid, signal.SIGCONT)


class Session:
    def __init__(self, size, command):
        self.screen = Screen(*size)
        self.raw = b""
        self.stopped, self.status = False, None
        self.words, told = os.pipe()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        self.shell, self.fd = pty.fork()
        if self.shell == 0:
            self.set_size(0, size)
            shell(command, told)
        self.pid = int(self.word()[1:])

    @staticmethod
    def set_size(fd, size):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def word(self):
        word = b""
        while not word.endswith(b"\n"):
            word += os.read(self.words, 1)
        return word.decode().strip()

    def look(self):
        ready, _, _ = select.select([self.fd, self.words], [], [], 0.2)
        if self.fd in ready:
            data = os.read(self.fd, 65536)
            self.raw += data
            self.screen.feed(data)
        elif self.words in ready:
            word = self.word()
            self.stopped = word[0] == "s"
            if word[0] == "e":
                self.status = os.waitstatus_to_exitcode(int(word[1:]))
            if word[0] == "e" or word == "s%d" % signal.SIGTSTP:
                self.check_given_back()

    def check_given_back(self):
        flags = termios.tcgetattr(self.fd)[3]
        if not flags & termios.ICANON or not flags & termios.ECHO:
            sys.exit("terminal.py: the terminal does not read lines any more")
        if self.screen.other or not self.screen.cursor:
            sys.exit("terminal.py: the terminal does not show its usual screen")

    def until(self, what, holds):
        end_s = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > end_s or (self.status is not None and what != "the end"):
                print("terminal.py: not reached: %s; the screen:" % what)
                print(self.screen.text())
                os.kill(self.shell, signal.SIGKILL)
                sys.exit(99)
            self.look()

    def step(self, step):
        name, _, arg = step.partition(":")
        if name == "wait":
            self.until(step, lambda: arg in self.screen.text())
        elif name == "gone":
            self.until(step, lambda: arg not in self.screen.text())
        elif name == "stopped":
            self.until(step, lambda: self.stopped)
        elif name == "continue":
            self.screen.spoil()
            os.kill(self.shell, signal.SIGUSR1)
            self.until(step, lambda: not self.stopped)
        elif name == "resize":
            size = tuple(int(n) for n in arg.split("x"))
            self.screen.resize(*size)
            self.set_size(self.fd, size)
        elif name == "key":
            os.write(self.fd, arg.encode())
        elif name == "kill":
            os.kill(self.pid, getattr(signal, "SIG" + arg))
        elif name == "save":
            open(arg, "w").write(self.screen.text())
        elif name == "raw":
            open(arg, "wb").write(self.raw)
        elif name == "run":
            subprocess.run(["sh", "-c", arg], check=True)
        else:
            sys.exit("terminal.py: no step '%s'" % step)


def main():
    at = sys.argv.index("--")
    size = tuple(int(n) for n in sys.argv[1].split("x"))
    session = Session(size, sys.argv[at + 1 :])
    for step in sys.argv[2:at]:
        session.step(step)
    session.until("the end", lambda: session.status is not None)
    os.kill(session.shell, signal.SIGKILL)
    print(session.screen.text().strip("\n"))
    sys.exit(128 - session.status if session.status < 0 else session.status)


if __name__ == "__main__":
    main()
