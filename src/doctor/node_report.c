/* SPDX-License-Identifier: BSD-3-Clause */
/* node_report.c - what a probe job finds on its node */
#include "base/base.h"

#include <sched.h>
#include <unistd.h>

#include "adapter.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/process.h"
#include "base/version.h"
#include "doctor/doctor.h"
#include "placement/slots.h"
#include "placement/topology_file.h"

/* As agents start it, where gpu_sharing is mps. */
#define MPS_CONTROL "nvidia-cuda-mps-control"

/* --- what it means (pure) --- */

static void judge_gpus (const char *host, const char *gpus,
                        struct findings *findings)
{
    if (!gpus || !*gpus)
        findings_add (findings, GRADE_WARNING, "GPUs",
                      "is `gres` of the profile what the site calls a GPU?  "
                      "Where GPUs are only counted your elements lock theirs "
                      "in FANFOLD_SPOOL of the node, and what others run there "
                      "is not seen",
                      "the job asked for a GPU, and on %s neither "
                      "CUDA_VISIBLE_DEVICES nor ROCR_VISIBLE_DEVICES is set",
                      host);
    else
        findings_add (findings, GRADE_GOOD, "GPUs", NULL,
                      "%s gave the job device %s", host, gpus);
}

static void judge_mps (const char *host, bool there, struct findings *findings)
{
    if (there)
        findings_add (findings, GRADE_GOOD, "MPS", NULL,
                      MPS_CONTROL " is on PATH on %s", host);
    else
        findings_add (
            findings, GRADE_BAD, "MPS",
            "load the CUDA toolkit or the driver's programs with "
            "`setup` of the profile, or take `gpu_sharing` out",
            "gpu_sharing: mps, and no " MPS_CONTROL " is on PATH on %s", host);
}

/* Fewer cores than were asked for, but as many hardware threads. */
static void judge_threads (const char *host, const struct node_wish *wish,
                           const struct node_sight *sight,
                           struct findings *findings)
{
    char advice[256] = "ask the site how a job gets whole cores";

    if (sight->cores == 0 || sight->cores >= wish->cores
        || sight->threads < wish->cores)
        return;
    if (wish->whole_cores)
        snprintf (advice, sizeof (advice),
                  "add `directives: [%s]` and `node: {cores: N}`, with N whole "
                  "cores, to the profile",
                  wish->whole_cores);
    findings_add (findings, GRADE_WARNING, "cores", advice,
                  "the job asked for %d cores and was given %d of %s, with %d "
                  "hardware threads: the scheduler counts these, and tasks get "
                  "fewer cores than they ask for",
                  wish->cores, sight->cores, host, sight->threads);
}

void node_judge (const char *host, const struct node_wish *wish,
                 const struct node_sight *sight, struct findings *findings)
{
    judge_threads (host, wish, sight, findings);
    if (wish->gpu)
        judge_gpus (host, sight->gpus, findings);
    if (wish->mps)
        judge_mps (host, sight->mps_control, findings);
    /* Only a job that drives the campaign needs them there. */
    if (*sight->missing)
        findings_add (findings, GRADE_WARNING, "commands",
                      "for `fanfold submit --chain` put their directory on "
                      "PATH there, with `setup` of the profile or in the login "
                      "files; else nothing",
                      "not on PATH on %s: %s; a job there cannot drive the "
                      "campaign",
                      host, sight->missing);
}

/* --- on the node --- */

static void judge_cores (int cores, int of_cores, struct findings *findings)
{
    if (cores < of_cores)
        findings_add (findings, GRADE_WARNING, "topology",
                      "say `node: {cores: N}` of the whole node and probe "
                      "again; or leave it so where jobs never have more",
                      "the job saw %d of the %d cores of its node", cores,
                      of_cores);
}

/* Before the report, for which the doctor waits. */
static int write_topology (const char *dir, struct findings *findings,
                           struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, NODE_TOPOLOGY_FILE);
    _cleanup_ (strbuf_release) struct strbuf xml = STRBUF_INIT;
    int cores, of_cores;
    int rc = topology_of_this_node (&xml, &cores, &of_cores, err);

    if (rc == 0)
        rc = file_write_atomic (path, xml.buf, xml.len, err);
    judge_cores (cores, of_cores, findings);
    return rc;
}

static void look_around (const char *host, const struct node_wish *wish,
                         struct findings *findings)
{
    static const struct place_rules no_rules = { 0 };
    const char *cuda = getenv ("CUDA_VISIBLE_DEVICES");
    _cleanup_ (strbuf_release) struct strbuf missing = STRBUF_INIT;
    _cleanup_free_ char *mps_control = process_which (MPS_CONTROL, NULL);
    struct node_sight sight = { .gpus = cuda ? cuda
                                             : getenv ("ROCR_VISIBLE_DEVICES"),
                                .mps_control = mps_control != NULL };
    cpu_set_t threads;
    int reserved;

    if (granted_cores (&no_rules, &sight.cores, &reserved, NULL, NULL) < 0)
        sight.cores = 0;
    if (sched_getaffinity (0, sizeof (threads), &threads) == 0)
        sight.threads = CPU_COUNT (&threads);
    scheduler_missing_programs (wish->programs, &missing);
    sight.missing = missing.buf;
    node_judge (host, wish, &sight, findings);
}

int node_report_write (const char *dir, const struct node_wish *wish,
                       bool topology, struct error *err)
{
    _cleanup_ (findings_release) struct findings findings = FINDINGS_INIT;
    char host[128] = "";
    struct trial trial;
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_free_ char *path = path_join (dir, NODE_REPORT_FILE);
    int rc = -1;

    gethostname (host, sizeof (host) - 1);
    look_around (host, wish, &findings);
    if ((!topology || write_topology (dir, &findings, err) == 0)
        && node_programs_try (dir, host, &findings, err) == 0
        && trial_run (dir, &trial, err) == 0) {
        trial_judge (&trial, "data space on the node", &findings);
        json_set (v, "format", json_int (2));
        json_set (v, "version", json_string (program_version ()));
        json_set (v, "host", json_string (host));
        json_set (v, "findings", findings_to_json (&findings));
        rc = json_write_file (path, v, err);
    }
    return rc;
}

/* --- for whoever waits --- */

static void judge_version (const char *host, const char *version, double s,
                           struct findings *findings)
{
    if (strcmp (version, program_version ()) != 0)
        findings_add (findings, GRADE_BAD, "node",
                      "install one version for login and compute nodes",
                      "fanfold is %s on %s, and %s here", version, host,
                      program_version ());
    else
        findings_add (findings, GRADE_GOOD, "node", NULL,
                      "fanfold %s ran on %s and its report was seen %.1f s "
                      "after the job was released",
                      version, host, s);
}

int node_report_read (const char *dir, double s, struct findings *findings,
                      struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, NODE_REPORT_FILE);
    int there = file_look (path, err);
    _cleanup_json_ struct json *v =
        there > 0 ? json_read_file (path, err) : NULL;
    const char *host, *version;
    struct json *told;
    int rc = there == 0 ? 1 : -1;

    if (v && json_want_string (v, "host", &host, err) == 0
        && json_want_string (v, "version", &version, err) == 0
        && json_want_array (v, "findings", &told, err) == 0
        && findings_add_json (findings, told, err) == 0) {
        judge_version (host, version, s, findings);
        rc = 0;
    }
    if (v && rc < 0)
        error_prefix (err, "%s", path);
    return rc;
}
