# SPDX-License-Identifier: BSD-3-Clause
"""What looks and changes nothing: qstat, qselect, pbsnodes."""
import re
import time

from openpbs.options import options, refuse_to_emulate
from openpbs.records import attributes, json_reply, text_record
from openpbs.state import (ENDLESS_INDEX, FINISHED, UNKNOWN_JOB, UNKNOWN_QUEUE, Reply,
                           hang, hosts, sub_id, subs, when)


def visible(server, job, index, name, history):
    """Raise what qstat says instead of showing it."""
    members = dict(subs(job))
    if index is not None and index not in members:
        raise Reply(UNKNOWN_JOB, "Unknown Job Id %s" % name)
    if job["state"] == "F" and not history:
        raise Reply(FINISHED, "%s Job has finished, use -x or -H to obtain "
                              "historical job information" % name)


def selected(server, ids, expanded, history):
    """([(job, index)], [complaint], status) for the operands of qstat."""
    found, complaints, status = [], [], 0
    if not ids:
        ids = [sub_id(server, j, None) for j in server.jobs.values()
               if history or j["state"] != "F"]
    for text in ids:
        try:
            job, part, name = server.job(text)
            for index in part or [None]:
                visible(server, job, index, name, history)
                found.append((job, index))
            if part is None and expanded and job["array"]:
                found += [(job, i) for i, _ in subs(job)]
        except Reply as r:
            complaints.append(r.err)
            status = r.status
    return found, complaints, status


def row(server, job, index):
    s = job if index is None else job["subs"][str(index)]
    used = "0"
    if s.get("stime") and s["state"] != "B" and not (job["array"] and index is None):
        used = "00:00:00"
    return "%-17.17s %-16.16s %-16.16s %9s %s %-16.16s\n" % (
        sub_id(server, job, index), job["name"], job["user"], used, s["state"],
        job["queue"])


def qstat_jobs(server, flags, ids):
    history = "-x" in flags
    if history and not server.job_history_enable:
        return Reply(0, "qstat: PBS is not configured to maintain job history\n")
    if "-t" in flags and any(i > ENDLESS_INDEX for j in server.jobs.values()
                             for i, _ in subs(j) if i):
        hang(server)
    found, complaints, status = selected(server, ids, "-t" in flags, history)
    err = "".join("qstat: %s\n" % c for c in complaints)
    if "-f" not in flags:
        head = ("Job id            Name             User              Time Use S Queue\n"
                "----------------  ---------------- ----------------  -------- - -----\n")
        if not found or (complaints and ids and server.job_of(ids[0]) is None):
            head = ""
        return Reply(status, err, head + "".join(row(server, *f) for f in found))
    records = [(sub_id(server, *f), attributes(server, *f)) for f in found]
    if flags.get("-F") == "json":
        return Reply(status, err, json_reply(server.server, "Jobs", records))
    return Reply(status, err, "".join(text_record("Job Id: " + n, a) for n, a in records))


def server_attributes(server):
    s = server.settings
    states = [j["state"] for j in server.jobs.values()]
    a = [("server_state", "Active"), ("server_host", server.server),
         ("scheduling", "True"), ("total_jobs", str(len(states))),
         ("state_count", "Transit:0 Queued:%d Held:%d Waiting:0 Running:%d Exiting:0 Begun:%d "
          % tuple(states.count(c) for c in "QHRB")),
         ("default_queue", "workq"), ("log_events", "511"),
         ("mailer", "/usr/sbin/sendmail"), ("mail_from", "adm"),
         ("query_other_jobs", "True"), ("resources_default.ncpus", "1"),
         ("default_chunk.ncpus", "1"), ("scheduler_iteration", "600"),
         ("resv_enable", "True"), ("node_fail_requeue", "310"),
         ("max_array_size", str(s["max_array_size"])), ("resend_term_delay", "5"),
         ("pbs_license_min", "0"), ("pbs_license_max", "2147483647"),
         ("pbs_license_linger_time", "31536000"),
         ("license_count", "Avail_Global:1000000 Avail_Local:1000000 Used:0 High_Use:0"),
         ("pbs_version", "23.06.06"), ("eligible_time_enable", "False")]
    if s["job_history_enable"]:
        a += [("job_history_enable", "True"), ("job_history_duration", s["job_history_duration"])]
    return a + [("max_concurrent_provision", "5"),
                ("clear_topjob_estimates_enable", "False"),
                ("power_provisioning", "False"), ("max_job_sequence_id", "9999999")]


def queue_attributes(server, name):
    q = dict(server.queues[name])
    states = [j["state"] for j in server.jobs.values() if j["queue"] == name]
    a = [("queue_type", q.pop("queue_type", "Execution")), ("total_jobs", str(len(states))),
         ("state_count", "Transit:0 Queued:%d Held:%d Waiting:0 Running:%d Exiting:0 Begun:%d "
          % tuple(states.count(c) for c in "QHRB"))]
    rest = ("max_queued", "resources_max.walltime", "max_array_size")
    a += [(k, q[k]) for k in rest if k in q]
    return a + [("enabled", q.get("enabled", "True")), ("started", q.get("started", "True"))]


def qstat_site(server, flags, names):
    if "-B" in flags:
        records = [(server.server, server_attributes(server))]
        kind, heading = "Server", "Server: "
    else:
        for name in names:
            if not re.fullmatch(r"[\w.@-]+", name):
                return Reply(1, "qstat: illegal 'destination' value\n")
            if name not in server.queues:
                return Reply(UNKNOWN_QUEUE, "qstat: Unknown queue %s\n" % name)
        records = [(n, queue_attributes(server, n)) for n in names or server.queues]
        kind, heading = "Queue", "Queue: "
    if flags.get("-F") == "json":
        return Reply(0, out=json_reply(server.server, kind, records))
    return Reply(0, out="".join(text_record(heading + n, a) for n, a in records))


def qstat(server, args):
    if args == ["--version"]:
        return Reply(0, out="pbs_version = 23.06.06\n")
    flags, operands = options(args, "BQfF:tx")
    if "-B" in flags or "-Q" in flags:
        if "-f" not in flags:
            refuse_to_emulate("qstat", args)
        return qstat_site(server, flags, operands)
    return qstat_jobs(server, flags, operands)


def qselect(server, args):
    flags, _ = options(args, "N:u:q:s:xT")
    out = ""
    for job in server.jobs.values():
        if job["state"] == "F" and "-x" not in flags:
            continue
        if flags.get("-N", job["name"]) == job["name"] \
                and flags.get("-u", job["user"]) == job["user"] \
                and flags.get("-q", job["queue"]) == job["queue"] \
                and "-T" not in flags and job["state"] in flags.get("-s", job["state"]):
            out += sub_id(server, job, None) + "\n"
        elif "-T" in flags and job["array"]:
            out += "".join(sub_id(server, job, i) + "\n" for i, s in subs(job)
                           if s["state"] in flags.get("-s", s["state"]))
    return Reply(0, out=out)


def pbsnodes(server, args):
    flags, _ = options(args, "avF:")
    rows = []
    for host in hosts(server):
        a = [("Mom", host), ("Port", "15002"), ("pbs_version", "23.06.06"),
             ("ntype", "PBS"), ("state", "free"), ("pcpus", str(server.ncpus)),
             ("resources_available.arch", "linux"), ("resources_available.host", host),
             ("resources_available.mem", server.mem),
             ("resources_available.ncpus", str(server.ncpus))]
        if server.ngpus:
            a += [("resources_available.ngpus", str(server.ngpus))]
        a += [("resources_available.vnode", host),
              ("resources_assigned.accelerator_memory", "0kb"),
              ("resources_assigned.hbmem", "0kb"), ("resources_assigned.mem", "0kb"),
              ("resources_assigned.naccelerators", "0"), ("resources_assigned.ncpus", "0"),
              ("resources_assigned.vmem", "0kb"), ("resv_enable", "True"),
              ("sharing", "default_shared"), ("license", "l"),
              ("last_state_change_time", when(time.time()))]
        rows.append((host, a))
    if "-a" not in flags:
        refuse_to_emulate("pbsnodes", args)
    return Reply(0, out="".join(
        n + "\n" + "".join("     %s = %s\n" % x for x in a) + "\n" for n, a in rows))
