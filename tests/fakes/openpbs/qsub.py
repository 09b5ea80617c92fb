# SPDX-License-Identifier: BSD-3-Clause
"""qsub."""
import getopt
import os
import re
import sys
import time

from openpbs.moms import chunks, cores, cycle, wait_for_time, walltime
from openpbs.state import (BAD_VALUE, DISABLED, LIMITS, TOO_LARGE, TOO_MANY,
                           UNKNOWN_QUEUE, UNKNOWN_RESOURCE, Reply, forget, hms, me,
                           sub_id, subs)

QSUB_LETTERS = "a:A:c:C:e:fhIj:J:k:l:m:M:N:o:p:P:q:r:R:S:u:W:v:Vz"
QSUB_USAGE = """usage: qsub [-a date_time] [-A account_string] [-c interval]
	[-C directive_prefix] [-e path] [-f ] [-h ] [-I [-X]] [-j oe|eo] [-J X-Y[:Z]]
	[-k keep] [-l resource_list] [-m mail_options] [-M user_list]
	[-N jobname] [-o path] [-p priority] [-P project] [-q queue] [-r y|n]
	[-R o|e|oe] [-S path] [-u user_list] [-W otherattributes=value...]
	[-v variable_list] [-V ] [-z] [script | -- command [arg1 ...]]
       qsub --version
"""


def usage(what):
    raise Reply(2, "qsub: %s\n%s" % (what, QSUB_USAGE))


def qsub_refuse(status, what):
    raise Reply(status, "qsub: %s\n" % what)


def read_range(text):
    m = re.fullmatch(r"(\d+)-(\d+)(?::(\d+))?(%(.*))?", text)
    if not m or int(m[1]) >= int(m[2]) or (m[3] and int(m[3]) < 1):
        usage("illegal -J value")
    if m[4] is not None and not m[5].isdigit():
        qsub_refuse(BAD_VALUE, "Error (15014) submitting job")
    step = int(m[3] or 1)
    text = "%d-%d" % (int(m[1]), int(m[2])) + (":%d" % step if step > 1 else "")
    return text, list(range(int(m[1]), int(m[2]) + 1, step)), \
        int(m[5]) if m[5] else None


def read_time(text):
    m = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?", text)
    if not m:
        usage("illegal -a value")
    fields = [int(x or 0) for x in m.groups()]
    return time.mktime(tuple(fields) + (0, 0, -1))


def read_depend(server, text):
    m = re.fullmatch(r"afterany:(\d+)(\[\])?(\.[\w.-]+)?", text)
    if not m:
        usage("illegal -W value")
    return int(m[1])


def from_script(text, prefix):
    """Options on directive lines up to the first line that is no comment."""
    found = []
    for line in text.split("\n") if prefix else []:
        if line.startswith(prefix):
            words = line[len(prefix):]
            try:
                found += getopt.getopt(words.split(), QSUB_LETTERS)[0]
            except getopt.GetoptError as e:
                raise Reply(1, "qsub: invalid option -- '%s'\nqsub: directive error:%s \n"
                               % (e.opt, words))
        elif line.strip() and not line.startswith("#"):
            break
    return found


def qsub_options(args):
    try:
        if "--" in args:
            end = args.index("--")
            return getopt.getopt(args[:end], QSUB_LETTERS)[0], args[end:]
        return getopt.getopt(args, QSUB_LETTERS)
    except getopt.GetoptError as e:
        usage("invalid option -- '%s'" % e.opt if "recognized" in e.msg else e.msg)


def read_script(operands):
    if not operands:
        return sys.stdin.read(), "STDIN"
    if operands[0] == "--":
        words = ["'%s'" % w.replace("'", "'\\''") for w in operands[1:]]
        return "#!/bin/sh\nexec %s\n" % " ".join(words), "STDIN"
    if len(operands) > 1:
        raise Reply(2, QSUB_USAGE)
    path = operands[0]
    if not os.path.exists(path):
        qsub_refuse(1, "script file:: No such file or directory")
    if not os.path.isfile(path):
        qsub_refuse(1, "script not a file")
    with open(path, newline="") as f:
        return f.read(), os.path.basename(path)


def read_resources(server, texts):
    found = {}
    known = ("select", "place", "walltime", "ncpus", "mem", "nodes")
    for text in texts:
        for word in text.split(","):
            key, _, value = word.partition("=")
            if key not in known:
                qsub_refuse(UNKNOWN_RESOURCE, "Unknown resource Resource_List." + key)
            found.setdefault(key, value)
    if "walltime" in found:
        if not re.fullmatch(r"\d*|\d+:\d+(:\d+)?", found["walltime"]):
            qsub_refuse(BAD_VALUE, "Illegal attribute or resource value Resource_List.walltime")
        found["walltime"] = hms(walltime({"resources": found}))
    for key in ("ncpus", "mem"):
        if "select" in found and key in found:
            qsub_refuse(5, '"-lresource=" cannot be used with "select" or '
                           '"place", resource is: %s' % key)
    for word in re.split("[:+]", found.get("select", "")):
        key = word.partition("=")[0]
        if "=" in word and key not in ("ncpus", "mem", "mpiprocs", "host", "ompthreads") \
                and not (key == "ngpus" and server.ngpus):
            qsub_refuse(UNKNOWN_RESOURCE, "Unknown resource: " + key)
    defaults(found)
    return found


def defaults(found):
    if "select" not in found:
        found["ncpus"] = found.get("ncpus", "1")
        if not found["ncpus"].isdigit():
            qsub_refuse(BAD_VALUE, "Illegal attribute or resource value Resource_List.ncpus")
        found["select"] = "1:ncpus=" + found["ncpus"]
    else:
        job = {"resources": found}
        found["ncpus"] = str(sum(n * cores(c) for n, c in chunks(job)))
        procs = sum(n * int(c.get("mpiprocs", 1)) for n, c in chunks(job))
        if "mpiprocs" in found["select"]:
            found["mpiprocs"] = str(procs)
        if "mem=" in found["select"]:
            found["mem"] = chunks(job)[0][1]["mem"]
    found["nodect"] = str(sum(n for n, _ in chunks({"resources": found})))
    found.setdefault("place", "pack" if found["select"].startswith("1:") else "free")


def check_limits(server, queue, job, elements):
    q = server.queues[queue]
    if q.get("enabled") == "False":
        qsub_refuse(DISABLED, "Queue is not enabled")
    most = min(int(q.get("max_array_size", server.max_array_size)), server.max_array_size)
    if elements > most:
        qsub_refuse(TOO_LARGE, "Array job exceeds server or queue size limit")
    m = re.match(r"\[u:PBS_GENERIC=(\d+)\]", q.get("max_queued", ""))
    if m:
        there = sum(s["state"] not in "XF" for j in server.jobs.values()
                    if j["queue"] == queue for _, s in subs(j))
        if there + max(elements, 1) > int(m[1]):
            qsub_refuse(TOO_MANY, "would exceed queue generic's per-user limit")
    most = q.get("resources_max.walltime")
    if most and walltime(job) > walltime({"resources": {"walltime": most}}):
        qsub_refuse(LIMITS, "Job violates queue and/or server resource limits")


def variables(server, user, queue):
    e = os.environ
    return {"PBS_O_HOME": e.get("HOME", "/"), "PBS_O_LANG": e.get("LANG", "C.UTF-8"),
            "PBS_O_LOGNAME": user, "PBS_O_PATH": e.get("PATH", ""),
            "PBS_O_SHELL": e.get("SHELL", "/bin/bash"),
            "PBS_O_INTERACTIVE_AUTH_METHOD": "resvport",
            "PBS_O_INTERACTIVE_ENCRYPT_METHOD": "", "PBS_O_WORKDIR": os.getcwd(),
            "PBS_O_SYSTEM": "Linux", "PBS_O_QUEUE": queue, "PBS_O_HOST": server.host}


def qsub(server, args):
    if args == ["--version"]:
        return Reply(0, out="pbs_version = 23.06.06\n")
    given, operands = qsub_options(args)
    if "-t" in args:
        usage("invalid option -- 't'")
    if any(key == "-I" for key, _ in given):
        raise Reply(1, "qsub:\tstandard input and output must be a terminal for\n"
                       "\tinteractive job submission\n")
    server.__exit__(None)  # a script that comes slowly holds up nobody
    try:
        text, name = read_script(operands)
    finally:
        server.__enter__()
    if "\r\n" in text:
        qsub_refuse(1, "script contains cr, lf")
    # What comes first counts; the command line comes first.
    options = given + from_script(text, dict(given).get("-C", "#PBS"))
    first = {}
    for key, value in options:
        first.setdefault(key, value)
    name = first.get("-N", name)
    if len(name) > 230:
        qsub_refuse(2, "Job name is too long ")
    if not re.fullmatch(r"[A-Za-z0-9._+-]+", name):
        usage("illegal -N value")
    other = dict(w.split("=", 1) for k, v in options if k == "-W" for w in v.split(","))
    start_s = read_time(first["-a"]) if "-a" in first else 0
    after = read_depend(server, other["depend"]) if "depend" in other else None
    array, members, most = None, [], None
    if "-J" in first:
        array, members, most = read_range(first["-J"])
        if first.get("-r") == "n":
            usage(" cannot submit non-rerunable Array Job")
    if "max_run_subjobs" in other:
        if most is not None:
            usage("multiple max_run_subjobs values found")
        most = int(other["max_run_subjobs"])
    queue = first.get("-q", "workq").split("@")[0]
    seq = server.settings["next_id"]
    resources = read_resources(server, [v for k, v in options if k == "-l"])
    server.settings["next_id"] = seq + 1
    if queue not in server.queues:
        qsub_refuse(UNKNOWN_QUEUE, "Unknown queue")
    now, user = time.time(), me(server)
    job = {"seq": seq, "name": name, "user": user, "queue": queue,
           "array": array is not None, "range": array, "max_run": most,
           "hold": "u" if "-h" in first else "n",
           "state": "H" if "-h" in first else "Q",
           "substate": 20 if "-h" in first else 10, "ctime": now,
           "resources": resources, "join": first.get("-j", "n"),
           "paths": {k[1]: v for k, v in first.items() if k in ("-o", "-e")},
           "umask": other.get("umask", "077"), "workdir": os.getcwd(),
           "variables": variables(server, user, queue),
           "arguments": " ".join(args), "kill_delay_s": server.kill_delay_s,
           "subs": {str(i): {"state": "Q", "substate": 10} for i in members}}
    check_limits(server, queue, job, len(members))
    job["script"] = server.path("jobs", "%d.SC" % seq)
    with open(job["script"], "w", newline="") as f:
        f.write(text)
    os.chmod(job["script"], 0o700)
    server.jobs[str(seq)] = job
    if after is not None:
        there = server.jobs.get(str(after))
        if not there:  # what cannot be waited for is dropped without a word
            forget(server, job)
        elif there["state"] != "F":
            job.update(after=after, state="H", substate=20,
                       hold=job["hold"].replace("n", "") + "s")
    if start_s > now and job["state"] == "Q":
        job.update(state="W", substate=30)
        wait_for_time(server, seq, start_s)
    cycle(server)
    return Reply(0, out="" if "-z" in first else sub_id(server, job, None) + "\n")
