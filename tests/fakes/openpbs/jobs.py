# SPDX-License-Identifier: BSD-3-Clause
"""What changes jobs and settings: qdel, qrls, qhold, qsig, qrerun, qmgr."""
import re
import signal

from openpbs.moms import children, close, cycle, kill_session, tell_mom
from openpbs.options import options, refuse_to_emulate
from openpbs.state import (DELETED, FINISHED, INVALID, OVER_PART, UNAUTHORIZED, Reply,
                           forget, me, set_key, subs)


def on_each(command, server, ids, act):
    """Call act (job, indices, name) for each id; the last complaint counts."""
    err, status = "", 0
    for text in ids:
        try:
            job, part, name = server.job(text)
            if job["user"] != me(server):
                raise Reply(UNAUTHORIZED, "Unauthorized Request  %s" % name)
            act(job, part, name)
        except Reply as r:
            err += "%s: %s\n" % (command, r.err)
            status = r.status
    return Reply(status, err)


def finished(job, name):
    if job["state"] == "F":
        raise Reply(FINISHED, "Job has finished %s" % name)


def delete(server, job, s):
    """True when it is gone; else its mom ends it."""
    if s["state"] == "R":
        tell_mom(s, signal.SIGUSR1)
        return False
    if s["state"] in "QHW":
        s.update(state="X", own=False, substate=DELETED, placed=[])
        return True
    return False


def qdel(server, args):
    flags, ids = options(args, "xW:")
    known = [server.job_of(i) for i in ids]
    if None in known and any(j and j["array"] for j in known):
        return Reply(134, "malloc_consolidate(): unaligned fastbin chunk detected\n")

    def act(job, part, name):
        if "-x" in flags and job["state"] == "F":
            forget(server, job)
            return
        finished(job, name)
        members = dict(subs(job))
        if part and not any(i in members for i in part):
            raise Reply(INVALID, "Invalid request %s" % name)
        if part and len(part) == 1 and members[part[0]]["state"] == "X":
            raise Reply(OVER_PART, "Request invalid for finished array subjob %s" % name)
        if part is None and job["array"]:
            job["deleted"] = True
            # The exit codes of those that have ended are lost.
            for s in members.values():
                if s["state"] == "X":
                    s.update(own=False, substate=DELETED)
        gone = [s for i, s in members.items() if part is None or i in part
                if delete(server, job, s)]
        if gone:
            if job["state"] == "H":
                job.update(hold="n")
            job.setdefault("exit", 1)
            if all(s["state"] == "X" for _, s in subs(job)):
                close(server, job, {"exit": 1})

    reply = on_each("qdel", server, ids, act)
    cycle(server)
    return reply


def qrls(server, args):
    def act(job, part, name):
        finished(job, name)
        if part:
            raise Reply(INVALID, "Invalid request %s" % name)
        if job["hold"] in ("us", "su"):
            job["hold"] = "s"
        elif job["state"] == "H" and job["hold"] == "u":
            began = any(s["state"] in "RX" for _, s in subs(job))
            job.update(hold="n", state="B" if job["array"] and began else "Q",
                       substate=70 if job["array"] and began else 10)
            if not job["array"]:
                job["substate"] = 10

    reply = on_each("qrls", server, options(args, "h:")[1], act)
    if server.cycle_after_qrls:
        cycle(server)
    return reply


def qhold(server, args):
    def act(job, part, name):
        finished(job, name)
        if part:
            raise Reply(INVALID, "Invalid request %s" % name)
        if job["state"] in "QB":
            job.update(hold="u", state="H", substate=20)

    return on_each("qhold", server, options(args, "h:")[1], act)


def qsig(server, args):
    flags, ids = options(args, "s:")
    name = flags.get("-s", "SIGTERM")
    sig = getattr(signal, name if name.startswith("SIG") else "SIG" + name)

    def act(job, part, name):
        if job["state"] == "F":
            raise Reply(FINISHED, "Job has finished")
        for i, s in subs(job):
            if s["state"] == "R" and (part is None or i in part):
                for child in children(s["mom"]):
                    kill_session(child, sig)

    return on_each("qsig", server, ids, act)


def qrerun(server, args):
    """The manager's: processes are killed, the job comes again."""
    def act(job, part, name):
        finished(job, name)
        for i, s in subs(job):
            if s["state"] == "R" and (part is None or i in part):
                tell_mom(s, signal.SIGUSR2)

    return on_each("qrerun", server, args, act)


# What a server has that print shows, with its defaults.
PRINTED = """scheduling = True
default_queue = workq
log_events = 511
mailer = /usr/sbin/sendmail
mail_from = adm
query_other_jobs = True
resources_default.ncpus = 1
default_chunk.ncpus = 1
scheduler_iteration = 600
resv_enable = True
node_fail_requeue = 310
max_array_size = %(max_array_size)d
resend_term_delay = 5
pbs_license_min = 0
pbs_license_max = 2147483647
pbs_license_linger_time = 31536000
eligible_time_enable = False
%(history)smax_concurrent_provision = 5
clear_topjob_estimates_enable = False
max_job_sequence_id = 9999999
"""


def print_server(server):
    out = "#\n# Create queues and set their attributes.\n#\n"
    for name, q in server.queues.items():
        out += "#\n# Create and define queue %s\n#\ncreate queue %s\n" % (name, name)
        q = {"queue_type": "Execution", **q, "enabled": q.get("enabled", "True"),
             "started": q.get("started", "True")}
        out += "".join("set queue %s %s = %s\n" % (name, k, v) for k, v in q.items())
    history = "job_history_enable = True\n" if server.job_history_enable else ""
    lines = PRINTED % dict(server.settings, history=history)
    out += "#\n# Set server attributes.\n#\n"
    return out + "".join("set server %s\n" % line for line in lines.splitlines())


def qmgr(server, args):
    flags, _ = options(args, "c:")
    if flags.get("-c") in ("print server", "p s"):
        return Reply(0, out=print_server(server))
    words = re.fullmatch(r"(set|create|unset|delete) (server|queue)\s*(\w*)\s*"
                         r"([\w.]+)?\s*(?:=\s*(.*))?", flags.get("-c", "").strip())
    if not words:
        refuse_to_emulate("qmgr", args)
    verb, kind, name, key, value = words.groups()
    if kind == "server":
        set_key(server, "%s=%s" % (key or name, value))
    elif verb == "create":
        server.queues[name] = {}
    elif verb == "delete":
        del server.queues[name]
    else:
        server.queues[name][key] = value
    cycle(server)
    return Reply(0)
