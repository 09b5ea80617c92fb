/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_judge.c - what a node's report means (pure) */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/findings.h"
#include "doctor/probe.h"

/* Clocks that differ by less are taken for the same. */
static const double clock_matters_s = 5;

/* "profile 'cpu': node".  Caller frees. */
static char *subject (const struct probe_result *result, const char *what)
{
    return xasprintf ("profile '%s': %s", result->profile, what);
}

static void judge_program (const struct probe_result *result,
                           const char *what,
                           struct findings *findings)
{
    const struct node_report *report = &result->report;

    if (strcmp (report->version, PACKAGE_VERSION) != 0)
        findings_add (findings, GRADE_BAD, what,
                      "install one version for login and compute nodes",
                      "fanfold is %s on %s, and %s here", report->version,
                      report->host, PACKAGE_VERSION);
    else
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "fanfold %s ran on %s and its report was seen %.1f s "
                      "after the job was let go",
                      report->version, report->host,
                      result->seen_s - result->released_s);
}

/* Its clock must show a time between the two looks at ours. */
static void judge_clock (const struct probe_result *result,
                         const char *what,
                         struct findings *findings)
{
    const struct node_report *report = &result->report;
    double ahead_s = report->wall_s - result->seen_s;
    double behind_s = result->released_s - report->wall_s;
    double off_s = ahead_s > behind_s ? ahead_s : behind_s;

    if (off_s < clock_matters_s)
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "the clock of %s agrees with this host's", report->host);
    else
        findings_add (findings, GRADE_WARNING, what,
                      "nothing for Fanfold, which compares no clocks; tell the "
                      "administrators",
                      "the clock of %s is at least %.0f s %s this host's",
                      report->host, off_s, ahead_s > 0 ? "before" : "behind");
}

static void judge_locks (const struct probe_result *result,
                         const char *what,
                         struct findings *findings)
{
    const struct node_report *report = &result->report;

    if (report->lock_is_seen || report->trial.failure[ABILITY_LOCK][0])
        return;
    findings_add (findings, GRADE_WARNING, what,
                  "nothing for Fanfold, which does not need it; programs that "
                  "lock files against other nodes need another mount option "
                  "(Lustre: flock, NFS: no nolock)",
                  "a lock held here is not seen on %s", report->host);
}

static void judge_cores (const struct probe_result *result,
                         const char *what,
                         struct findings *findings)
{
    const struct node_report *report = &result->report;

    if (report->cores < result->cores)
        findings_add (findings, GRADE_WARNING, what,
                      "lower `node: cores:` of the profile to what a node has",
                      "the job asked for %d cores, %s gave %d", result->cores,
                      report->host, report->cores);
}

static void judge_gpus (const struct probe_result *result,
                        const char *what,
                        struct findings *findings)
{
    const struct node_report *report = &result->report;

    if (result->gpus > 0 && !report->gpus[0])
        findings_add (findings, GRADE_WARNING, what,
                      "is `gres` of the profile what the site calls a GPU?  "
                      "Programs have to choose their devices themselves",
                      "the job asked for a GPU, and on %s neither "
                      "CUDA_VISIBLE_DEVICES nor ROCR_VISIBLE_DEVICES is set",
                      report->host);
    else if (result->gpus > 0)
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "%s gave the job device %s", report->host, report->gpus);
}

void probe_judge (const struct probe_result *result, struct findings *findings)
{
    static void (*const judges[]) (const struct probe_result *, const char *,
                                   struct findings *) = {
        judge_program, judge_clock, judge_locks, judge_cores, judge_gpus,
    };
    static const char *const subjects[] = { "node", "clock", "locks", "cores",
                                            "GPUs" };
    char *where = subject (result, "data space on the node");

    for (size_t i = 0; i < ARRAY_SIZE (judges); i++) {
        char *what = subject (result, subjects[i]);

        judges[i](result, what, findings);
        free (what);
    }
    trial_judge (&result->report.trial, where, findings);
    free (where);
}
