# SPDX-License-Identifier: BSD-3-Clause
"""What a server knows: one file under one lock, in one directory."""
import fcntl
import json
import os
import re
import time

SETTINGS = {
    "server": "pbs01", "host": "localhost", "user": "", "next_id": 0,
    "nodes": 1, "ncpus": 4, "mem": "8gb", "ngpus": 0,
    "job_history_enable": False, "job_history_duration": "336:00:00",
    "max_array_size": 10000,
    "kill_delay_s": 0.5, "cycle_after_qrls": True,
}

# The low bytes of PBS's error numbers.
UNKNOWN_JOB, INVALID, UNAUTHORIZED, NO_CONNECTION, BAD_VALUE = 153, 156, 159, 162, 166
UNKNOWN_QUEUE, DISABLED, END_OF_FILE, UNKNOWN_RESOURCE = 170, 173, 183, 187
LIMITS, TOO_LARGE, FINISHED, TOO_MANY, OVER_PART = 188, 3, 35, 38, 55
DELETED, OK, FAILED = 91, 92, 93  # substates of what has ended
ENDLESS_INDEX = 2 ** 31 - 16


class Reply(Exception):
    """The end of a command: what it prints and its exit status."""

    def __init__(self, status, err="", out=""):
        super().__init__()
        self.status, self.err, self.out = status, err, out


class Server:
    def __init__(self, root):
        self.root = os.path.abspath(root)

    def path(self, *names):
        return os.path.join(self.root, *names)

    def __enter__(self):
        self.lock = os.open(self.path("lock"), os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        with open(self.path("state")) as f:
            self.__dict__.update(json.load(f))
        return self

    def __exit__(self, kind, *_):
        if kind is None or kind is Reply:
            keys = ("settings", "queues", "jobs", "faults")
            with open(self.path("state.new"), "w") as f:
                json.dump({k: self.__dict__[k] for k in keys}, f)
            os.rename(self.path("state.new"), self.path("state"))
        os.close(self.lock)

    def __getattr__(self, name):
        return self.__dict__["settings"][name]

    def job(self, text):
        """The job an id names, and the indices of its sub-jobs that are meant
        (None: the job as a whole)."""
        m = re.fullmatch(r"(\d+)(\[([\d:-]*)\])?(\.[\w.-]+)?(@[\w.-]+)?", text)
        if not m:
            raise Reply(1, "illegally formed job identifier: %s" % text)
        name = "%s%s.%s" % (m[1], m[2] or "", self.server)
        job = self.jobs.get(m[1])
        if not job or bool(m[2]) != job["array"]:
            raise Reply(UNKNOWN_JOB, "Unknown Job Id %s" % name)
        return job, (expand(m[3]) if m[3] else None), name

    def job_of(self, text):
        """As job, but without the indices; None where there is none."""
        try:
            return self.job(text)[0]
        except Reply:
            return None


def expand(text):
    m = re.fullmatch(r"(\d+)(-(\d+))?(:(\d+))?", text)
    return list(range(int(m[1]), int(m[3] or m[1]) + 1, int(m[5] or 1)))


def forget(server, job):
    del server.jobs[str(job["seq"])]


def subs(job):
    """(index, sub-job) of an array, or the job itself."""
    if job["array"]:
        return [(int(i), s) for i, s in job["subs"].items()]
    return [(None, job)]


def sub_id(server, job, index):
    part = "" if not job["array"] else "[]" if index is None else "[%d]" % index
    return "%d%s.%s" % (job["seq"], part, server.server)


def hosts(server):
    return ["pbs%02d" % (i + 1) for i in range(server.nodes)]


def me(server):
    import pwd
    return server.user or pwd.getpwuid(os.getuid()).pw_name


def when(s):
    return time.strftime("%a %b %d %H:%M:%S %Y", time.localtime(s))


def at(s):
    return time.strftime("%a %b %d at %H:%M", time.localtime(s))


def seconds(text):
    s = 0
    for part in text.split(":"):
        s = 60 * s + int(part)
    return s


def hms(s):
    return "%02d:%02d:%02d" % (s // 3600, s // 60 % 60, s % 60)


def output_path(server, job, index, letter):
    path = job["paths"].get(letter)
    if path is None:
        path = "%s/%s.%s%d" % (job["workdir"].rstrip("/"), job["name"], letter,
                               job["seq"])
        if job["array"]:
            path += ".^array_index^"
    elif not path.startswith("/"):
        path = os.path.join(job["workdir"], path)
    if index is not None:
        path = path.replace("^array_index^", str(index))
    return "%s:%s" % (server.host, path)


def set_key(server, text):
    key, _, value = text.partition("=")
    kind = type(SETTINGS[key])
    server.settings[key] = value in ("True", "true", "1") if kind is bool else kind(value)


def hang(server):
    server.__exit__(None)
    while True:
        time.sleep(3600)
