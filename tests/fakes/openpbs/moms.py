# SPDX-License-Identifier: BSD-3-Clause
"""The scheduler's cycle, and a mom for each (sub-)job that runs."""
import os
import signal
import time

from openpbs.state import (DELETED, FAILED, OK, Server, at, forget, hosts,
                           output_path, seconds, sub_id, subs)


def chunks(job):
    """[(count, {resource: value})] of select, or of what stands for it."""
    found = []
    for part in job["resources"].get("select", "1:ncpus=1").split("+"):
        words = part.split(":")
        count = int(words.pop(0)) if words[0].isdigit() else 1
        found.append((count, dict(w.split("=", 1) for w in words)))
    return found


def cores(chunk):
    return int(chunk.get("ncpus", 1))


def devices(chunk):
    return int(chunk.get("ngpus", 0))


def walltime(job):
    return seconds(job["resources"].get("walltime") or "0")


def place(server, job):
    """The hosts for each chunk, fullest fit first; None: not now."""
    free = {h: server.ncpus for h in hosts(server)}
    gpus = {h: server.ngpus for h in hosts(server)}
    for other in server.jobs.values():
        for _, s in subs(other):
            for host, n, devs in s.get("placed", []):
                free[host] -= n
                gpus[host] -= devs
    placed = []
    scatter = "scatter" in job["resources"].get("place", "")
    for count, chunk in chunks(job):
        for _ in range(count):
            fit = [h for h in free if free[h] >= cores(chunk)
                   and gpus[h] >= devices(chunk)
                   and not (scatter and h in [p[0] for p in placed])]
            if not fit:
                return None
            free[fit[0]] -= cores(chunk)
            gpus[fit[0]] -= devices(chunk)
            placed.append((fit[0], cores(chunk), devices(chunk)))
    return placed


def never(server, job):
    for count, chunk in chunks(job):
        if cores(chunk) > server.ncpus:
            n = server.nodes * server.ncpus
            return ("Can Never Run: Insufficient amount of resource: ncpus "
                    "(R: %d A: %d T: %d)" % (cores(chunk), n, n))
        if int(chunk.get("ngpus", 0)) > server.ngpus:
            n = server.ngpus
            return ("Can Never Run: Insufficient amount of resource: ngpus "
                    "(R: %s A: %d T: %d)" % (chunk["ngpus"], n, n))
    return None


def cycle(server):
    for job in list(server.jobs.values()):
        if job["state"] not in "QB":
            continue
        if server.queues[job["queue"]].get("started") == "False":
            job["comment"] = "Not Running: Queue not started."
            continue
        job["comment"] = never(server, job) or job.get("comment")
        if (job.get("comment") or "").startswith("Can Never"):
            continue
        for index, s in subs(job):
            if s["state"] != "Q":
                continue
            running = sum(x["state"] == "R" for _, x in subs(job))
            if job.get("max_run") is not None and running >= job["max_run"]:
                if running == 0:
                    job["comment"] = ("Not Running: Number of concurrent "
                                      "running subjobs limit reached")
                break
            placed = place(server, job)
            if not placed:
                break
            start(server, job, index, s, placed)


def start(server, job, index, s, placed):
    now = time.time()
    if job["array"] and job["state"] == "Q":
        job.update(state="B", substate=70, stime=now,
                   comment="Job Array Began at %s" % at(now))
    s.update(state="R", substate=42, stime=now, mtime=now, placed=placed,
             run_count=s.get("run_count", 0) + 1, own=True, slot=slot(server),
             where="(%s)" % ")+(".join(
                 "%s:ncpus=%d" % p[:2] + (":ngpus=%d" % p[2] if p[2] else "")
                 for p in placed))
    s["comment"] = "Job run at %s on %s" % (at(now), s["where"])
    s["mom"] = spawn_mom(server, job, index, s)


def slot(server):
    used = {s.get("slot") for j in server.jobs.values() for _, s in subs(j)
            if s["state"] == "R"}
    return next(i for i in range(len(used) + 1) if i not in used)


def job_env(server, job, index, s):
    env = dict(job["variables"])
    name = sub_id(server, job, index)
    env.update(HOME=env["PBS_O_HOME"], LOGNAME=job["user"], USER=job["user"],
               SHELL=env["PBS_O_SHELL"], PATH="/usr/local/bin:/usr/bin:/bin",
               PBS_JOBID=name, PBS_JOBNAME=job["name"],
               PBS_JOBDIR=env["PBS_O_HOME"], PBS_QUEUE=job["queue"],
               PBS_ENVIRONMENT="PBS_BATCH", ENVIRONMENT="BATCH",
               PBS_NODENUM="0", PBS_TASKNUM="1", PBS_MOMPORT="15003",
               PBS_NODEFILE=server.path("aux", name),
               TMPDIR=server.path("tmp", "pbs." + name))
    env["NCPUS"] = env["OMP_NUM_THREADS"] = str(cores(chunks(job)[0][1]))
    if job["array"]:
        env.update(PBS_ARRAY_ID=sub_id(server, job, None),
                   PBS_ARRAY_INDEX=str(index))
    os.makedirs(env["TMPDIR"], 0o700, exist_ok=True)
    placed = list(s["placed"])
    with open(env["PBS_NODEFILE"], "w") as f:
        for count, chunk in chunks(job):
            for _ in range(count):
                host = placed.pop(0)[0]
                f.write((host + "\n") * int(chunk.get("mpiprocs", 1)))
    return env


def spawn_mom(server, job, index, s):
    """A process that runs the script, reports its end and starts what is
    next; its pid."""
    env = job_env(server, job, index, s)
    ready, told = os.pipe()
    middle = os.fork()
    if middle == 0:
        mom = os.fork()
        if mom:
            os.write(told, b"%d" % mom)
            os._exit(0)
        os.setsid()
        os.close(server.lock)
        null = os.open("/dev/null", os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        os.closerange(3, 256)
        try:
            watch(server.root, job["seq"], index, job, s, env)
        finally:
            os._exit(0)
    os.close(told)
    os.waitpid(middle, 0)
    pid = int(os.read(ready, 32))
    os.close(ready)
    return pid


def run_script(job, env, output):
    pid = os.fork()
    if pid:
        return pid
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.setsid()
    os.umask(int(job.get("umask", "077"), 8))
    read, write = os.pipe()
    os.close(write)
    os.dup2(read, 0)
    for fd in (1, 2):
        os.dup2(output, fd)
    os.closerange(3, 256)
    os.chdir(env["HOME"])
    try:
        os.execve(job["script"], [job["script"]], env)
    except OSError:
        os._exit(127)


def kill_session(sid, sig):
    """All processes of a session: a job may have made groups of its own.  One
    after the other, the youngest first, as slowly as a mom on a busy node."""
    for name in sorted((n for n in os.listdir("/proc") if n.isdigit()), key=int,
                       reverse=True):
        try:
            if os.getsid(int(name)) == sid:
                os.kill(int(name), sig)
                time.sleep(0.02 if sig == signal.SIGTERM else 0)
        except (ProcessLookupError, PermissionError):
            pass


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return [int(w) for w in f.read().split()]


def tell_mom(s, sig):
    try:
        os.kill(s["mom"], sig)
    except (ProcessLookupError, TypeError):
        pass


def watch(root, seq, index, job, s, env):
    signals = [signal.SIGCHLD, signal.SIGUSR1, signal.SIGUSR2]
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    output = os.open(env["PBS_NODEFILE"] + ".OU", os.O_RDWR | os.O_CREAT, 0o600)
    pid = run_script(job, env, output)
    end = time.time() + walltime(job) if walltime(job) else None
    how, force = None, None
    while True:
        due = [t for t in (end, force) if t]
        left = max(0.0, min(due) - time.time()) if due else 3600.0
        got = signal.sigtimedwait(signals, left)
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        now = time.time()
        if got and got.si_signo == signal.SIGUSR2:
            how = "lost"
            kill_session(pid, signal.SIGKILL)
        elif (got and got.si_signo == signal.SIGUSR1) or (end and now >= end):
            how = "walltime" if not got or got.si_signo != signal.SIGUSR1 \
                else "deleted"
            end, force = None, now + job["kill_delay_s"]
            kill_session(pid, signal.SIGTERM)
        elif force and now >= force:
            force = now + 1
            kill_session(pid, signal.SIGKILL)
    kill_session(pid, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(status)
    with Server(root) as server:
        ended(server, seq, index, how, code if code >= 0 else 256 - code, env)
        cycle(server)


def deliver(server, job, index, env):
    """What was printed is seen when the job has ended."""
    spool = env["PBS_NODEFILE"] + ".OU"
    target = output_path(server, job, index, "o").split(":", 1)[1]
    try:
        with open(spool, "rb") as f, open(target, "ab") as to:
            to.write(f.read())
    except OSError:
        pass
    for path in (spool, env["PBS_NODEFILE"]):
        if os.path.exists(path):
            os.unlink(path)
    for top, dirs, files in os.walk(env["TMPDIR"], topdown=False):
        for name in files:
            os.unlink(os.path.join(top, name))
        os.rmdir(top)


def ended(server, seq, index, how, status, env):
    job = server.jobs.get(str(seq))
    s = job and dict(subs(job)).get(index)
    if not s or s.get("mom") != os.getpid():
        return
    now = time.time()
    s.update(placed=[], mom=None, mtime=now)
    if how == "lost":
        s.update(state="Q", substate=10, own=False, comment=None)
        return
    deliver(server, job, index, env)
    if how == "walltime":
        status = -29
    words = {"walltime": "exceeded resource walltime",
             "deleted": "terminated"}.get(how)
    words = words or ("failed" if status else "finished")
    s.update(state="X", exit=status, obit=now, hist=int(now),
             comment="%s and %s" % (s["comment"], words),
             substate=DELETED if how == "deleted" else FAILED if status else OK)
    close(server, job, s)


def close(server, job, last):
    """A (sub-)job has ended: the exit status of an array is that of the last
    one; with the last one the array ends."""
    now = time.time()
    if job["array"]:
        status = last.get("exit", 0)
        job["exit"] = 2 if status < 0 else int(status != 0)
    if any(s["state"] != "X" for _, s in subs(job)):
        return
    let_go(server, job)
    if not server.job_history_enable:
        forget(server, job)
        return
    if job["array"]:
        parts = [s["substate"] for _, s in subs(job)]
        job["substate"] = (DELETED if DELETED in parts or job.get("deleted")
                           else FAILED if FAILED in parts else OK)
        words = {DELETED: "terminated", OK: "finished", FAILED: "failed"}
        if job.get("comment"):
            job["comment"] += " and " + words[job["substate"]]
    for _, s in subs(job):
        s["state"] = "F"
    job.update(state="F", obit=now, hist=int(now), mtime=now)


def let_go(server, ended_job):
    """Those that waited for it wait no longer."""
    for job in server.jobs.values():
        if job.get("after") == ended_job["seq"] and job["state"] == "H":
            job["after"] = None
            job["hold"] = job["hold"].replace("s", "") or "n"
            if job["hold"] == "n":
                job.update(state="Q", substate=10)


def wait_for_time(server, seq, s):
    """A process that lets the job start when its time has come."""
    if os.fork():
        return
    if os.fork():
        os._exit(0)
    os.setsid()
    os.close(server.lock)
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.closerange(3, 256)
    try:
        while time.time() < s:
            time.sleep(min(1, max(0.01, s - time.time())))
            if not os.path.exists(server.path("state")):
                os._exit(0)
        with Server(server.root) as again:
            job = again.jobs.get(str(seq))
            if job and job["state"] == "W":
                job.update(state="Q", substate=10)
                cycle(again)
    finally:
        os._exit(0)
