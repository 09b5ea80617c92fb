/* SPDX-License-Identifier: BSD-3-Clause */
/* examine_profile.c - does what a profile asks for exist on the site? */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "slurm/examine_profile.h"
#include "slurm/nodes.h"
#include "slurm/site.h"
#include "slurm/submit_limits.h"

/* "profile 'cpu': partition".  Caller frees. */
static char *subject (const struct profile_use *use, const char *what)
{
    return xasprintf ("profile '%s': %s", use->profile, what);
}

/* --- partition --- */

static void list_partitions (const char *partitions, struct strbuf *names)
{
    struct strvec lines = STRVEC_INIT;

    strvec_split (&lines, partitions, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        char *name = slurm_record_value (lines.v[i], "PartitionName");

        if (name)
            strbuf_addf (names, "%s%s", names->len > 0 ? ", " : "", name);
        free (name);
    }
    strvec_release (&lines);
}

static void no_partition (const struct profile_use *use,
                          const char *partitions,
                          struct findings *findings)
{
    char *what = subject (use, "partition");
    struct strbuf names = STRBUF_INIT;

    list_partitions (partitions, &names);
    if (use->job->queue)
        findings_add (findings, GRADE_BAD, what,
                      "correct `partition` of the profile",
                      "there is no partition '%s'; there is: %s",
                      use->job->queue, names.buf);
    else
        findings_add (findings, GRADE_BAD, what,
                      "name one with `partition` of the profile",
                      "the site has no default; there is: %s", names.buf);
    strbuf_release (&names);
    free (what);
}

/* Is 'word' in Slurm's list "a,b", or is that "ALL"? */
static bool list_allows (const char *list, const char *word)
{
    struct strvec words = STRVEC_INIT;
    bool found;

    strvec_split (&words, list, ",");
    found = strcmp (list, "ALL") == 0 || strvec_contains (&words, word);
    strvec_release (&words);
    return found;
}

/* Who may use the partition: 'word' is the profile's 'key'. */
static void judge_allowed (const struct profile_use *use,
                           const char *record,
                           const char *setting,
                           const char *key,
                           const char *word,
                           struct findings *findings)
{
    char *list = slurm_record_value (record, setting);
    char *what = subject (use, key);
    char *advice = xasprintf ("change `%s` or `partition` of the profile", key);

    if (word && list && !list_allows (list, word))
        findings_add (findings, GRADE_BAD, what, advice,
                      "the partition does not take '%s', but %s (%s)", word,
                      list, setting);
    free (advice);
    free (what);
    free (list);
}

static void judge_state (const struct profile_use *use,
                         const char *record,
                         struct findings *findings)
{
    char *name = slurm_record_value (record, "PartitionName");
    char *state = slurm_record_value (record, "State");
    char *what = subject (use, "partition");

    if (state && strcmp (state, "UP") != 0)
        findings_add (findings, GRADE_BAD, what,
                      "wait, or name another `partition` in the profile",
                      "partition %s is %s: jobs are %s", name, state,
                      strcmp (state, "DOWN") == 0 ? "taken and wait"
                                                  : "refused");
    else
        findings_add (findings, GRADE_GOOD, what, NULL, "%s is up%s", name,
                      use->job->queue ? "" : ", the site's default");
    free (what);
    free (state);
    free (name);
}

/* --- walltime --- */

static void judge_walltime (const struct profile_use *use,
                            const char *record,
                            struct findings *findings)
{
    double most_s = slurm_record_time (record, "MaxTime");
    double default_s = slurm_record_time (record, "DefaultTime");
    struct strbuf most = STRBUF_INIT, asked = STRBUF_INIT, given = STRBUF_INIT;
    char *what = subject (use, "walltime");

    format_duration (most_s, &most);
    format_duration (use->job->walltime_s, &asked);
    format_duration (default_s > 0 ? default_s : most_s, &given);
    if (use->job->walltime_s > 0 && most_s > 0 && use->job->walltime_s > most_s)
        findings_add (findings, GRADE_WARNING, what,
                      "lower `limits: walltime:` of the profile to that, or "
                      "name a longer `partition`",
                      "the partition gives %s (MaxTime), the profile says %s; "
                      "elements are made for what the partition gives",
                      most.buf, asked.buf);
    else if (use->job->walltime_s <= 0 && (default_s > 0 || most_s > 0))
        findings_add (findings, GRADE_WARNING, what,
                      "state `limits: walltime:` in the profile, or `walltime` "
                      "of every task",
                      "none is stated: a task that states none either gets %s",
                      given.buf);
    else
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "%s, and the partition gives %s",
                      use->job->walltime_s > 0 ? asked.buf : "no limit",
                      most_s > 0 ? most.buf : "any");
    free (what);
    strbuf_release (&given);
    strbuf_release (&asked);
    strbuf_release (&most);
}

/* --- nodes --- */

struct fitting {
    const struct array_job *job;
    const char *partition;
    const char *gres;  /* what the profile calls a GPU */
    int64_t nodes;     /* of the partition */
    int64_t fit;       /* have all that an element needs */
    int64_t fit_up;    /* ... and can be given to jobs */
    int64_t most_cpus; /* the most that any node has of one thing */
    int64_t most_mib;
    int64_t most_gpus;
    struct strbuf kinds; /* of GPUs, as Slurm calls them */
};

static void add_kind (const char *gres, struct strbuf *kinds)
{
    if (strncmp (gres, "gpu", 3) == 0 && !strstr (kinds->buf, gres))
        strbuf_addf (kinds, "%s%s", kinds->len > 0 ? ", " : "", gres);
}

static int64_t larger (int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t needed_mib (const struct array_job *job)
{
    return (job->memory_bytes + (1 << 20) - 1) >> 20;
}

static void count_nodes (const struct slurm_nodes *nodes, void *arg)
{
    struct fitting *f = arg;
    int64_t gpus = slurm_gres_count (nodes->gres, f->gres);

    if (strcmp (nodes->partition, f->partition) != 0)
        return;
    f->nodes += nodes->nodes;
    f->most_cpus = larger (f->most_cpus, nodes->cpus);
    f->most_mib = larger (f->most_mib, nodes->memory_mib);
    f->most_gpus = larger (f->most_gpus, gpus);
    add_kind (nodes->gres, &f->kinds);
    if (nodes->cpus < f->job->cores || nodes->memory_mib < needed_mib (f->job)
        || gpus < f->job->gpus)
        return;
    f->fit += nodes->nodes;
    f->fit_up += nodes->usable ? nodes->nodes : 0;
}

static void no_node_fits (const struct fitting *f,
                          const char *what,
                          struct findings *findings)
{
    if (f->most_gpus < f->job->gpus)
        findings_add (findings, GRADE_BAD, what,
                      "correct `gres` or `node: gpus:` of the profile",
                      "no node of partition %s has %d of '%s'; it has: %s",
                      f->partition, f->job->gpus, f->gres,
                      f->kinds.len > 0 ? f->kinds.buf : "no GPUs");
    else if (f->most_cpus < f->job->cores)
        findings_add (findings, GRADE_BAD, what,
                      "lower `node: cores:` of the profile, or name another "
                      "`partition`",
                      "no node of partition %s has %d cores; the largest has "
                      "%" PRId64,
                      f->partition, f->job->cores, f->most_cpus);
    else if (f->most_mib < needed_mib (f->job))
        findings_add (findings, GRADE_BAD, what,
                      "lower `node: memory:` of the profile (Slurm keeps some "
                      "for itself), or name another `partition`",
                      "no node of partition %s has %" PRId64
                      " MiB of memory; the largest has %" PRId64,
                      f->partition, needed_mib (f->job), f->most_mib);
    else
        findings_add (findings, GRADE_BAD, what,
                      "lower `node` of the profile, or name another "
                      "`partition`",
                      "no node of partition %s has cores, memory and GPUs of "
                      "`node` together",
                      f->partition);
}

static void judge_fitting (const struct profile_use *use,
                           const struct fitting *f,
                           struct findings *findings)
{
    char *what = subject (use, "nodes");

    if (f->fit == 0)
        no_node_fits (f, what, findings);
    else if (f->fit_up == 0)
        findings_add (findings, GRADE_BAD, what,
                      "wait, or name another `partition` in the profile",
                      "%" PRId64 " of %" PRId64
                      " nodes fit, and all of them are down or drained",
                      f->fit, f->nodes);
    else
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "%" PRId64 " of %" PRId64 " fit, %" PRId64
                      " of them can be had",
                      f->fit, f->nodes, f->fit_up);
    free (what);
}

static void judge_nodes (const struct profile_use *use,
                         const char *record,
                         const char *nodes,
                         struct findings *findings)
{
    char *partition = slurm_record_value (record, "PartitionName");
    struct fitting f = { .job = use->job,
                         .partition = partition,
                         .gres = use->job->gres ? use->job->gres : "gpu",
                         .kinds = STRBUF_INIT };

    slurm_each_nodes (nodes, count_nodes, &f);
    judge_fitting (use, &f, findings);
    strbuf_release (&f.kinds);
    free (partition);
}

/* --- the whole --- */

void slurm_judge_profile (const struct profile_use *use,
                          const char *partitions,
                          const char *nodes,
                          struct findings *findings)
{
    char *record = slurm_find_partition (partitions, use->job->queue);

    if (!record) {
        no_partition (use, partitions, findings);
        return;
    }
    judge_state (use, record, findings);
    judge_allowed (use, record, "AllowAccounts", "account", use->job->account,
                   findings);
    judge_allowed (use, record, "AllowQos", "qos", use->job->qos, findings);
    judge_walltime (use, record, findings);
    judge_nodes (use, record, nodes, findings);
    free (record);
}

static void list_accounts (const char *associations, struct strbuf *names)
{
    struct strvec lines = STRVEC_INIT;

    strvec_split (&lines, associations, "\n");
    for (size_t i = 0; i < lines.n; i++)
        strbuf_addf (names, "%s%.*s", i > 0 ? ", " : "",
                     (int)strcspn (lines.v[i], "|"), lines.v[i]);
    strvec_release (&lines);
}

void slurm_judge_account (const struct profile_use *use,
                          const char *associations,
                          struct findings *findings)
{
    char *what = subject (use, "account");
    struct strbuf names = STRBUF_INIT;

    list_accounts (associations, &names);
    if (names.len == 0)
        findings_add (findings, GRADE_BAD, what,
                      "ask the administrators for an account",
                      "the site wants one and this user has none");
    else if (!slurm_has_association (associations, use->job->account,
                                     use->job->queue))
        findings_add (findings, GRADE_BAD, what,
                      "correct `account` of the profile",
                      "this user may not use '%s'%s; there is: %s",
                      use->job->account ? use->job->account : "any",
                      use->job->queue ? " in this partition" : "", names.buf);
    else
        findings_add (findings, GRADE_GOOD, what, NULL, "%s",
                      use->job->account ? use->job->account
                                        : "the user's default");
    strbuf_release (&names);
    free (what);
}
