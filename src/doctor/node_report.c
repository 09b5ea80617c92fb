/* SPDX-License-Identifier: BSD-3-Clause */
/* node_report.c - what a probe job finds on its node */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "base/error.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "doctor/doctor.h"
#include "placement/topology_file.h"

/* --- what it means (pure) --- */

void node_judge (const char *host, bool wants_gpu, const char *gpus,
                 const char *missing, struct findings *findings)
{
    if (wants_gpu && (!gpus || !*gpus))
        findings_add (findings, GRADE_WARNING, "GPUs",
                      "is `gres` of the profile what the site calls a GPU?  "
                      "Programs have to choose their devices themselves",
                      "the job asked for a GPU, and on %s neither "
                      "CUDA_VISIBLE_DEVICES nor ROCR_VISIBLE_DEVICES is set",
                      host);
    else if (wants_gpu)
        findings_add (findings, GRADE_GOOD, "GPUs", NULL,
                      "%s gave the job device %s", host, gpus);
    /* Only a job that drives the campaign needs them there. */
    if (*missing)
        findings_add (findings, GRADE_WARNING, "commands",
                      "for `fanfold submit --chain` put their directory on "
                      "PATH there, with `setup` of the profile or in the login "
                      "files; else nothing",
                      "not on PATH on %s: %s; a job there cannot drive the "
                      "campaign",
                      host, missing);
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

/* Before the report, for which somebody waits. */
static int write_topology (const char *dir, struct findings *findings,
                           struct error *err)
{
    char *path = path_join (dir, NODE_TOPOLOGY_FILE);
    struct strbuf xml = STRBUF_INIT;
    int cores, of_cores;
    int rc = topology_of_this_node (&xml, &cores, &of_cores, err);

    if (rc == 0)
        rc = file_write_atomic (path, xml.buf, xml.len, err);
    judge_cores (cores, of_cores, findings);
    strbuf_release (&xml);
    free (path);
    return rc;
}

int node_report_write (const char *dir, bool wants_gpu, bool topology,
                       const char *const *programs, struct error *err)
{
    struct findings findings = FINDINGS_INIT;
    struct strbuf missing = STRBUF_INIT;
    const char *cuda = getenv ("CUDA_VISIBLE_DEVICES");
    char host[128] = "";
    struct trial trial;
    struct json *v = json_object ();
    char *path = path_join (dir, NODE_REPORT_FILE);
    int rc = -1;

    gethostname (host, sizeof (host) - 1);
    scheduler_missing_programs (programs, &missing);
    node_judge (host, wants_gpu, cuda ? cuda : getenv ("ROCR_VISIBLE_DEVICES"),
                missing.buf, &findings);
    if ((!topology || write_topology (dir, &findings, err) == 0)
        && trial_run (dir, &trial, err) == 0) {
        trial_judge (&trial, "data space on the node", &findings);
        json_set (v, "format", json_int (2));
        json_set (v, "version", json_string (PACKAGE_VERSION));
        json_set (v, "host", json_string (host));
        json_set (v, "findings", findings_to_json (&findings));
        rc = json_write_file (path, v, err);
    }
    json_unref (v);
    free (path);
    strbuf_release (&missing);
    findings_release (&findings);
    return rc;
}

/* --- for whoever waits --- */

static void judge_version (const char *host, const char *version, double s,
                           struct findings *findings)
{
    if (strcmp (version, PACKAGE_VERSION) != 0)
        findings_add (findings, GRADE_BAD, "node",
                      "install one version for login and compute nodes",
                      "fanfold is %s on %s, and %s here", version, host,
                      PACKAGE_VERSION);
    else
        findings_add (findings, GRADE_GOOD, "node", NULL,
                      "fanfold %s ran on %s and its report was seen %.1f s "
                      "after the job was released",
                      version, host, s);
}

int node_report_read (const char *dir, double s, struct findings *findings,
                      struct error *err)
{
    char *path = path_join (dir, NODE_REPORT_FILE);
    int there = file_look (path, err);
    struct json *v = there > 0 ? json_read_file (path, err) : NULL;
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
    json_unref (v);
    free (path);
    return rc;
}
