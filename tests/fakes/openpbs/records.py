# SPDX-License-Identifier: BSD-3-Clause
"""Records of jobs: attributes in the order the server has them, as text and as
JSON."""
import re
import time

from openpbs.state import DELETED, hms, output_path, seconds, sub_id, subs, when


def indices(job):
    left = [i for i, s in subs(job) if s["state"] == "Q"]
    if not left:
        return "-"
    if len(left) == 1:
        return str(left[0])
    if len(left) < len(job["subs"]):
        return ",".join(ranges(left))
    return job["range"]


def ranges(left):
    while left:
        n = 1
        while n < len(left) and left[n] == left[0] + n:
            n += 1
        yield str(left[0]) if n == 1 else "%d-%d" % (left[0], left[n - 1])
        left = left[n:]


def counts(job):
    if job["state"] == "F" and job["substate"] != DELETED:
        n = dict.fromkeys("QREX", 0)
    else:
        states = [s["state"].replace("F", "X") for _, s in subs(job)]
        n = {k: states.count(k) for k in "QREX"}
    return "Queued:%(Q)d Running:%(R)d Exiting:%(E)d Expired:%(X)d" % n


def expired(server, s):
    """A sub-job's own record is kept no longer than that of a whole job, even
    when its array lives on."""
    return s.get("obit") and time.time() - s["obit"] >= seconds(server.job_history_duration)


def attributes(server, job, index):
    """[(name, value)] of a job or sub-job, as qstat -f has them."""
    s = job if index is None else job["subs"][str(index)]
    array = job["array"] and index is None
    own = not job["array"] or (index is not None and s.get("own"))
    if index is not None and s["state"] in "XF" and (
            not server.job_history_enable or expired(server, s)
            or job.get("deleted_whole")
            and s["substate"] != DELETED):
        own = False
    a = [("Job_Name", job["name"]), ("Job_Owner", "%s@%s" % (job["user"], server.host))]
    if own and s.get("stime"):
        used = int((s.get("obit") or time.time()) - s["stime"])
        a += [("resources_used.cpupercent", "0"), ("resources_used.cput", "00:00:00"),
              ("resources_used.mem", "0kb"),
              ("resources_used.ncpus", str(sum(p[1] for p in s["placed"]) or 1)),
              ("resources_used.vmem", "0kb"), ("resources_used.walltime", hms(used))]
    copy = index is not None and not own
    part = own and index is not None
    src = s if own else job
    a += [("job_state", s["state"]), ("queue", job["queue"]), ("server", server.server)]
    if not part:
        a += [("Checkpoint", "u")]
    a += [("ctime", when(job["ctime"]))]
    if job.get("after") is not None and not part:
        other = server.jobs.get(str(job["after"]))
        a += [("depend", "afterany:%s@%s" % (sub_id(server, other, None), server.server))] \
            if other else []
    a += [("Error_Path", output_path(server, job, index if part else None, "e"))]
    if own and s.get("where"):
        a += [("exec_host", "%s/%d" % (s["where"][1:].split(":")[0], s["slot"])),
              ("exec_vnode", s["where"])]
    if not part:
        a += [("Hold_Types", job["hold"])]
    a += [("Join_Path", job["join"]), ("Keep_Files", "n"), ("Mail_Points", "a"),
          ("mtime", when(src.get("mtime", job["ctime"]))),
          ("Output_Path", output_path(server, job, index if part else None, "o")),
          ("Priority", "0"), ("qtime", when(job["ctime"])), ("Rerunable", "True")]
    a += [("Resource_List." + k, v) for k, v in sorted(job["resources"].items())]
    if src.get("stime"):
        a += [("stime", when(src["stime"]))]
    if src.get("obit") and s["state"] in "F":
        a += [("obittime", when(src["obit"]))]
    if own and s["state"] == "R":
        a += [("session_id", str(s["mom"])), ("jobdir", job["variables"]["PBS_O_HOME"])]
    elif own and s.get("stime"):
        a += [("jobdir", job["variables"]["PBS_O_HOME"])]
    substate = s["substate"]
    if copy:
        substate = job["substate"] if s["state"] in "XF" else 10
    a += [("substate", str(substate)),
          ("Variable_List", ",".join("%s=%s" % (k, v.replace(",", "\\,"))
                                     for k, v in job["variables"].items()))]
    comment = src.get("comment")
    if copy and s["state"] in "XF":
        comment = "Subjob finished"
    if comment:
        a += [("comment", comment)]
    if job["hold"] == "n" or src.get("stime"):
        a += [("etime", when(job["ctime"]))]
    if part or not job["array"]:
        a += [("run_count", str(s["run_count"]))] if s.get("run_count") else []
    if src.get("exit") is not None and (s["state"] in "XF" or array):
        a += [("Stageout_status", "1"), ("Exit_status", str(src["exit"]))]
    if not part:
        a += [("Submit_arguments", job["arguments"])]
    if array:
        a += [("array", "True"), ("array_state_count", counts(job)),
              ("array_indices_submitted", job["range"]),
              ("array_indices_remaining", indices(job))]
    if part:
        a += [("array_id", sub_id(server, job, None)), ("array_index", str(index))]
    if copy:
        return a
    if src.get("hist") and s["state"] in "XF":
        a += [("history_timestamp", str(src["hist"]))]
    a += [("project", "_pbs_project_default"), ("Submit_Host", server.host)]
    if array and job.get("max_run") is not None:
        a += [("max_run_subjobs", str(job["max_run"]))]
    return a


def fold(name, value):
    """One attribute as text: at most 79 columns, broken behind commas where
    that helps, continued with a tab."""
    out = "    %s = " % name
    col = len(out)
    tokens = value.split(",")
    for i, token in enumerate(tokens):
        last = i + 1 == len(tokens)
        token += "" if last else ","
        if col + len(token) > 79 and i > 0:
            out += "\n\t"
            col = 8
        for c in token:
            if col > 78:
                out += "\n\t"
                col = 8
            out += c
            col += 1
    return out + "\n"


def text_record(heading, rows):
    return heading + "\n" + "".join(fold(*row) for row in rows) + "\n"


def json_value(value):
    if re.fullmatch(r"-?\d+", value):
        return str(int(value))
    return '"%s"' % value.replace("\\", "\\\\").replace('"', '\\"')


def json_tree(rows):
    tree = {}
    for name, value in rows:
        if name == "Variable_List":
            parts = re.split(r"(?<!\\),", value)
            tree[name] = {k: v.replace("\\,", ",") for k, v in
                          (p.split("=", 1) for p in parts)}
        elif "." in name:
            first, second = name.split(".", 1)
            tree.setdefault(first, {})[second] = value
        else:
            tree[name] = value
    return tree


def json_text(tree, depth):
    tabs = "\t" * (depth + 1)
    lines = ['%s"%s":\t%s' % (tabs, k, json_text(v, depth + 1) if isinstance(v, dict)
                              else v if k in ("timestamp",) else json_value(v))
             for k, v in tree.items()]
    return "{\n" + ",\n".join(lines) + "\n" + "\t" * depth + "}"


def json_reply(name, kind, records):
    tree = {"timestamp": str(int(time.time())), "pbs_version": "23.06.06",
            "pbs_server": name}
    if records:
        tree[kind] = {name: json_tree(rows) for name, rows in records}
    return json_text(tree, 0) + "\n"
