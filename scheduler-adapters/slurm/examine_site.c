/* SPDX-License-Identifier: BSD-3-Clause */
/* examine_site.c - what `scontrol show config` means for campaigns
 *
 * Sources: slurm.conf(5), and what 22.05 was seen to do.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/findings.h"
#include "slurm/examine_site.h"
#include "slurm/site.h"

/* The setting's value, "" where it is not told.  Caller frees. */
static char *setting (const char *config, const char *key)
{
    char *value = slurm_config_value (config, key);

    return value ? value : xstrdup ("");
}

static bool setting_has (const char *config, const char *key, const char *word)
{
    char *value = setting (config, key);
    bool has = strstr (value, word) != NULL;

    free (value);
    return has;
}

/* --- version --- */

/* The first two numbers of a version: releases that differ in them may speak
 * different protocols.
 */
static bool read_release (const char *text, int *year, int *month)
{
    return sscanf (text, "%d.%d", year, month) == 2;
}

void slurm_judge_version (const char *commands,
                          const char *config,
                          struct findings *findings)
{
    char *controller = setting (config, "SLURM_VERSION");
    const char *ours = strchr (commands, ' ');
    int year[2], month[2];
    int len;

    ours = ours ? ours + 1 : commands;
    len = (int)strcspn (ours, "\n");
    if (!read_release (ours, &year[0], &month[0])
        || !read_release (controller, &year[1], &month[1]))
        findings_add (findings, GRADE_WARNING, "slurm: version",
                      "is sbatch on PATH a wrapper that prints other words?",
                      "the version cannot be told from '%.*s' and '%s'", len,
                      ours, controller);
    else if (year[0] != year[1] || month[0] != month[1])
        findings_add (findings, GRADE_WARNING, "slurm: version",
                      "put the commands of this cluster first on PATH",
                      "the commands are of %.*s, the controller of %s", len,
                      ours, controller);
    else
        findings_add (findings, GRADE_GOOD, "slurm: version", NULL, "%s",
                      controller);
    free (controller);
}

/* --- arrays and jobs --- */

static void judge_arrays (const char *config, struct findings *findings)
{
    struct slurm_site site = { 0 };

    if (!slurm_read_config (config, &site)) {
        findings_add (findings, GRADE_BAD, "slurm: arrays",
                      "ask the administrators to set MaxArraySize",
                      "job arrays are switched off (MaxArraySize = 0)");
        return;
    }
    findings_add (findings, GRADE_GOOD, "slurm: arrays", NULL,
                  "up to %" PRId64 " elements (MaxArraySize%s)",
                  site.max_tasks > 0 && site.max_tasks < site.max_array
                      ? site.max_tasks
                      : site.max_array,
                  site.max_tasks > 0 ? ", max_array_tasks" : "");
    if (site.max_jobs > 0 && site.max_jobs < site.max_array)
        findings_add (findings, GRADE_WARNING, "slurm: jobs",
                      "set `limits: submit:` of the profiles to a part of that",
                      "all users together may have %" PRId64
                      " jobs (MaxJobCount), and each element is one",
                      site.max_jobs);
    else if (site.max_jobs > 0)
        findings_add (findings, GRADE_GOOD, "slurm: jobs", NULL,
                      "%" PRId64 " of all users together (MaxJobCount)",
                      site.max_jobs);
}

/* --- history and accounting --- */

static void judge_history (const char *config,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings)
{
    struct slurm_site site = { 0 };
    bool often_enough = true;

    slurm_read_config (config, &site);
    for (size_t i = 0; i < n; i++) {
        if (site.accounting || uses[i].poll_s <= site.min_job_age_s / 2)
            continue;
        often_enough = false;
        findings_add (findings, GRADE_WARNING, "slurm: history",
                      "ask more often: lower `limits: poll:` of the profile "
                      "below half of that",
                      "jobs that ended are shown for %.0f s (MinJobAge), "
                      "nothing else remembers them, and profile '%s' looks "
                      "every %.0f s",
                      site.min_job_age_s, uses[i].profile, uses[i].poll_s);
    }
    if (often_enough)
        findings_add (findings, GRADE_GOOD, "slurm: history", NULL,
                      "jobs that ended are shown for %.0f s (MinJobAge)%s",
                      site.min_job_age_s,
                      site.accounting ? ", and then by sacct" : "");
    if (!site.accounting)
        findings_add (findings, GRADE_GOOD, "slurm: accounting",
                      "nothing: what agents log is what counts",
                      "there is none (AccountingStorageType): of an element "
                      "that Slurm has forgotten only its own log tells");
}

/* --- requeue, preemption --- */

static bool asks_requeue (const struct array_job *job)
{
    return strvec_contains (&job->directives, "--requeue");
}

static void judge_requeue (const char *config,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings)
{
    char *requeue = setting (config, "JobRequeue");

    findings_add (findings, GRADE_GOOD, "slurm: requeue", NULL,
                  "JobRequeue = %s does not matter: jobs ask for --no-requeue, "
                  "and what a node took with it is submitted again",
                  requeue);
    for (size_t i = 0; i < n; i++) {
        if (asks_requeue (uses[i].job))
            findings_add (findings, GRADE_WARNING, "slurm: requeue",
                          "remove --requeue from `directives` of the profile; "
                          "failed elements are tried again without it",
                          "profile '%s' asks for it: a job whose node lost "
                          "only its slurmd runs on while its requeue starts "
                          "elsewhere (one of the two does nothing)",
                          uses[i].profile);
    }
    free (requeue);
}

static void judge_preemption (const char *config, struct findings *findings)
{
    char *mode = setting (config, "PreemptMode");

    if (strstr (mode, "SUSPEND") || strstr (mode, "GANG"))
        findings_add (findings, GRADE_WARNING, "slurm: preemption",
                      "use a partition or a `qos` that is not preempted, or "
                      "state generous walltimes: time goes on for a suspended "
                      "task",
                      "preempted jobs are suspended (PreemptMode = %s)", mode);
    else if (!setting_has (config, "PreemptType", "none") && *mode)
        findings_add (findings, GRADE_GOOD, "slurm: preemption", NULL,
                      "preempted elements are tried again (PreemptMode = %s)",
                      mode);
    free (mode);
}

/* --- what keeps tasks within their bounds --- */

static void judge_memory (const char *config, struct findings *findings)
{
    char *constrain = setting (config, "ConstrainRAMSpace");

    if (setting_has (config, "TaskPlugin", "cgroup")
        && strcmp (constrain, "yes") == 0)
        findings_add (findings, GRADE_GOOD, "slurm: memory", NULL,
                      "kept by cgroups (ConstrainRAMSpace)");
    else if (setting_has (config, "JobAcctGatherParams", "OverMemoryKill"))
        findings_add (findings, GRADE_GOOD, "slurm: memory", NULL,
                      "looked at now and then (OverMemoryKill): a task that "
                      "grows quickly is late to be killed");
    else
        findings_add (findings, GRADE_WARNING, "slurm: memory",
                      "let elements fill nodes (`node:` of the profile), so "
                      "that a task harms nobody else's",
                      "nothing keeps jobs to the memory they ask for");
    free (constrain);
}

static void judge_processes (const char *config, struct findings *findings)
{
    char *type = setting (config, "ProctrackType");

    if (strstr (type, "cgroup"))
        findings_add (findings, GRADE_GOOD, "slurm: processes", NULL,
                      "what a job started ends with it (%s)", type);
    else
        findings_add (findings, GRADE_WARNING, "slurm: processes",
                      "nothing, unless agents are killed often: they find and "
                      "end what their tasks leave behind",
                      "what leaves a job's process group outlives it (%s)",
                      type);
    free (type);
}

static void judge_launcher (const char *config, struct findings *findings)
{
    char *kill = setting (config, "KillOnBadExit");

    if (strcmp (kill, "0") == 0)
        findings_add (findings, GRADE_GOOD, "slurm: srun",
                      "where `launcher` is srun and ranks wait for each other "
                      "for ever, add --kill-on-bad-exit=1 to it",
                      "a rank that fails does not end its srun "
                      "(KillOnBadExit = 0)");
    free (kill);
}

static void judge_sharing (const char *config,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings)
{
    if (!setting_has (config, "SelectType", "linear"))
        return;
    for (size_t i = 0; i < n; i++)
        findings_add (findings, GRADE_GOOD, "slurm: nodes",
                      "let `node:` of the profile be the whole node",
                      "every job gets whole nodes (select/linear), so do "
                      "elements of profile '%s' that ask for %d cores",
                      uses[i].profile, uses[i].job->cores);
}

void slurm_judge_config (const char *config,
                         const struct profile_use *uses,
                         size_t n,
                         struct findings *findings)
{
    judge_arrays (config, findings);
    judge_history (config, uses, n, findings);
    judge_requeue (config, uses, n, findings);
    judge_preemption (config, findings);
    judge_memory (config, findings);
    judge_processes (config, findings);
    judge_launcher (config, findings);
    judge_sharing (config, uses, n, findings);
}
