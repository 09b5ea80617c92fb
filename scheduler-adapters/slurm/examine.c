/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.c - what is wrong with this site?
 *
 * Asks; what the answers mean is for examine_site and examine_profile to say.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "slurm/client.h"
#include "slurm/examine.h"
#include "slurm/examine_profile.h"
#include "slurm/examine_site.h"
#include "slurm/limits.h"
#include "slurm/nodes.h"
#include "slurm/script.h"
#include "slurm/site.h"

/* --- commands --- */

/* Append what a command prints to 'text'. */
static enum answer ask (const struct client *client,
                        const char *const *argv,
                        struct strbuf *text,
                        struct error *err)
{
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (slurm_run (client, argv, &result, &trouble, err))
        strbuf_add (text, result.out.buf, result.out.len);
    else
        answer = trouble_answer (trouble);
    process_result_release (&result);
    return answer;
}

/* --- accounting --- */

/* Where it is, does it answer? */
static bool try_accounting (const struct client *client,
                            struct findings *findings)
{
    static const char *const argv[] = { "sacct", "--noheader", "--allocations",
                                        "--starttime=now", NULL };
    struct strbuf text = STRBUF_INIT;
    struct error why = ERROR_INIT;
    bool answers = ask (client, argv, &text, &why) == ANSWER_OK;

    if (answers)
        findings_add (findings, GRADE_GOOD, "slurm: accounting", NULL,
                      "sacct answers");
    else
        findings_add (findings, GRADE_WARNING, "slurm: accounting",
                      "nothing, if it comes back: what agents log is what "
                      "counts",
                      "it does not answer now: %s", why.text);
    strbuf_release (&text);
    return answers;
}

static void examine_accounts (const struct client *client,
                              const struct slurm_site *site,
                              const struct profile_use *uses,
                              size_t n,
                              struct findings *findings)
{
    struct strbuf associations = STRBUF_INIT;

    if (!site->accounting || !try_accounting (client, findings)
        || !site->enforces_limits)
        return;
    slurm_ask_associations (client, &associations);
    for (size_t i = 0; i < n; i++)
        slurm_judge_account (&uses[i], associations.buf, findings);
    strbuf_release (&associations);
}

/* --- one profile --- */

/* What the site lets one have queued, as a submission would find it. */
static void report_limits (const struct scheduler *scheduler,
                           const struct profile_use *use,
                           struct findings *findings)
{
    struct scheduler of_profile = *scheduler;
    struct scheduler_limits limits;
    struct strbuf submit = STRBUF_INIT;
    char *what = xasprintf ("profile '%s': limits", use->profile);

    of_profile.queue = use->job->queue;
    of_profile.account = use->job->account;
    of_profile.qos = use->job->qos;
    if (slurm_limits (&of_profile, &limits, NULL) == ANSWER_OK) {
        if (limits.submit > 0)
            strbuf_addf (&submit, "%" PRId64, limits.submit);
        findings_add (
            findings, GRADE_GOOD, what, NULL,
            "arrays of %" PRId64 " elements, %s queued and running at a time",
            limits.elements, limits.submit > 0 ? submit.buf : "any number");
    }
    strbuf_release (&submit);
    free (what);
}

/* Would Slurm take such a job?  Says so in its own words, and submits nothing.
 */
static void test_only (const struct client *client,
                       const struct profile_use *use,
                       const char *script_path,
                       struct findings *findings)
{
    const char *const argv[] = { "sbatch",    "--test-only",
                                 "--chdir=/", "--output=/dev/null",
                                 script_path, NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    char *what = xasprintf ("profile '%s': sbatch", use->profile);
    enum trouble trouble;
    struct error why = ERROR_INIT;

    if (slurm_run_sbatch (client, argv, &result, &trouble, &why))
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "Slurm would take such a job");
    else
        findings_add (findings, GRADE_BAD, what,
                      trouble == TROUBLE_REFUSED
                          ? "change what is named there in the profile"
                          : "try again",
                      "Slurm would not take such a job: %s", why.text);
    free (what);
    process_result_release (&result);
}

static void try_job (const struct client *client,
                     const struct profile_use *use,
                     struct findings *findings)
{
    const char *dir = client->scheduler->cache_dir;
    char *path = path_join (dir ? dir : "", "test-only");
    struct strbuf script = STRBUF_INIT;
    struct error why = ERROR_INIT;
    char *what = xasprintf ("profile '%s': script", use->profile);

    if (slurm_render (use->job, &script, &why) != ANSWER_OK)
        findings_add (findings, GRADE_BAD, what, "correct that key", "%s",
                      why.text);
    else if (dir && file_make_dirs (dir, NULL) == 0
             && file_write_atomic (path, script.buf, script.len, NULL) == 0)
        test_only (client, use, path, findings);
    file_remove_tree (path, NULL);
    free (what);
    strbuf_release (&script);
    free (path);
}

static void examine_profile (const struct client *client,
                             const struct profile_use *use,
                             const char *partitions,
                             const char *nodes,
                             struct findings *findings)
{
    size_t bad = findings_count (findings, GRADE_BAD);

    slurm_judge_profile (use, partitions, nodes, findings);
    if (findings_count (findings, GRADE_BAD) > bad)
        return; /* Slurm would only say the same again */
    try_job (client, use, findings);
    report_limits (client->scheduler, use, findings);
}

/* --- the whole --- */

static enum answer examine_site (const struct client *client,
                                 const struct profile_use *uses,
                                 size_t n,
                                 struct findings *findings,
                                 struct error *err)
{
    static const char *const config_argv[] = { "scontrol", "show", "config",
                                               NULL };
    static const char *const version_argv[] = { "sbatch", "--version", NULL };
    struct strbuf config = STRBUF_INIT;
    struct strbuf version = STRBUF_INIT;
    struct slurm_site site = { 0 };
    enum answer answer = ask (client, config_argv, &config, err);

    if (answer == ANSWER_OK) {
        ask (client, version_argv, &version, NULL);
        slurm_judge_version (version.buf, config.buf, findings);
        slurm_judge_config (config.buf, uses, n, findings);
        slurm_read_config (config.buf, &site);
        examine_accounts (client, &site, uses, n, findings);
    }
    strbuf_release (&version);
    strbuf_release (&config);
    return answer;
}

static enum answer examine_profiles (const struct client *client,
                                     const struct profile_use *uses,
                                     size_t n,
                                     struct findings *findings,
                                     struct error *err)
{
    static const char *const partitions_argv[] = { "scontrol", "--oneliner",
                                                   "show", "partition", NULL };
    static const char *const nodes_argv[] = { "sinfo",
                                              "--noheader",
                                              "--all",
                                              "--exact",
                                              "--format=" SLURM_SINFO_FORMAT,
                                              NULL };
    struct strbuf partitions = STRBUF_INIT;
    struct strbuf nodes = STRBUF_INIT;
    enum answer answer = ask (client, partitions_argv, &partitions, err);

    if (answer == ANSWER_OK)
        answer = ask (client, nodes_argv, &nodes, err);
    for (size_t i = 0; answer == ANSWER_OK && i < n; i++)
        examine_profile (client, &uses[i], partitions.buf, nodes.buf, findings);
    strbuf_release (&nodes);
    strbuf_release (&partitions);
    return answer;
}

enum answer slurm_examine (const struct scheduler *scheduler,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings,
                           struct error *err)
{
    static const char *const needed[] = { "sbatch",  "squeue", "scontrol",
                                          "scancel", "sinfo",  NULL };
    struct client client = slurm_client (scheduler);
    struct error why = ERROR_INIT;
    enum answer answer = ANSWER_BROKEN;

    if (!client_find_commands (&client, "slurm: commands", needed, findings,
                               err))
        return ANSWER_BROKEN;
    answer = examine_site (&client, uses, n, findings, &why);
    if (answer == ANSWER_OK)
        answer = examine_profiles (&client, uses, n, findings, &why);
    if (answer == ANSWER_OK)
        return ANSWER_OK;
    findings_add (findings, GRADE_BAD, "slurm: controller",
                  "is this a login node of the cluster, and is the controller "
                  "up? try `scontrol ping`",
                  "%s", why.text);
    error_copy (err, &why);
    return answer;
}
