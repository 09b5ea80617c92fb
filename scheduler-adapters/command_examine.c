/* SPDX-License-Identifier: BSD-3-Clause */
/* command_examine.c - what is wrong with a site that is reached by commands?
 *
 * Asks; what the answers mean is for site_findings to say.
 */
#include "base/base.h"

#include "arrays/array_job.h"
#include "base/arena.h"
#include "base/file.h"
#include "command_scheduler.h"
#include "site_description.h"

/* --- one profile --- */

/* What the site lets one have queued, as a submission would find it. */
static void report_limits (const struct scheduler *scheduler,
                           const struct profile_use *use,
                           struct findings *findings)
{
    struct scheduler of_profile = *scheduler;
    struct scheduler_limits limits;
    char *submit, *elements;

    of_profile.queue = use->job->queue;
    of_profile.account = use->job->account;
    of_profile.qos = use->job->qos;
    if (commands_limits (&of_profile, &limits, NULL) == ANSWER_OK) {
        submit = limits.submit > 0 ? xasprintf ("%" PRId64, limits.submit)
                                   : xstrdup ("any number");
        elements = limits.elements > 0 ? xasprintf ("%" PRId64, limits.elements)
                                       : xstrdup ("any number of");
        findings_add (findings, GRADE_GOOD, "limits", NULL,
                      "arrays of %s elements, %s queued and running at a time",
                      elements, submit);
        free (elements);
        free (submit);
    }
}

/* Would such a job be taken?  The scheduler says so in its own words, and
 * nothing is submitted.
 */
static void try_job (struct client *client, const struct array_job *job,
                     struct findings *findings)
{
    const struct command_scheduler *commands = client->commands;
    const char *dir = client->scheduler->cache_dir;
    _cleanup_free_ char *path = path_join (dir ? dir : "", "try-submit");
    _cleanup_ (strbuf_release) struct strbuf script = STRBUF_INIT;
    struct error why = ERROR_INIT;

    if (commands_render (client->scheduler, job, &script, &why) != ANSWER_OK)
        findings_add (findings, GRADE_BAD, "script",
                      "change that key of the profile", "%s", why.text);
    else if (!commands->try_submit || !dir || file_make_dirs (dir, NULL) < 0
             || file_write_atomic (path, script.buf, script.len, NULL) < 0)
        ;
    else if (commands_try (client, path, &why) == ANSWER_OK)
        findings_add (findings, GRADE_GOOD, commands->program, NULL,
                      "%s would take such a job", commands->title);
    else
        findings_add (findings, GRADE_BAD, commands->program,
                      client->complaint == COMPLAINT_REFUSED
                          ? "change what is named there in the profile"
                          : "try again",
                      "%s would not take such a job: %s", commands->title,
                      why.text);
    file_remove_tree (path, NULL, NULL);
}

static void examine_profile (struct client *client,
                             const struct site_description *site,
                             const struct profile_use *use,
                             struct findings *findings)
{
    size_t bad = findings_count (findings, GRADE_BAD);

    site_judge_profile (site, use, findings);
    if (findings_count (findings, GRADE_BAD) > bad)
        return; /* the scheduler would only say the same again */
    try_job (client, use->job, findings);
    report_limits (client->scheduler, use, findings);
}

/* --- the whole --- */

static void ask_version (struct client *client, struct site_description *site)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (client_ask (client, client->commands->version, 0, client_keep, &text,
                    NULL)
        == ANSWER_OK)
        site->commands_version = arena_strdup (site->arena, text.buf);
}

static void report_silence (struct client *client, const struct error *why,
                            struct findings *findings)
{
    const struct command_scheduler *commands = client->commands;
    _cleanup_free_ char *advice =
        xasprintf ("is this a login node of the cluster, and is the "
                   "%s up? try `%s`",
                   commands->server, commands->ping);

    findings_add (findings, GRADE_BAD, commands->server, advice, "%s",
                  why->text);
}

enum answer commands_examine (const struct scheduler *scheduler,
                              const struct profile_use *uses, size_t n,
                              struct findings *findings, struct error *err)
{
    struct client client = client_begin (scheduler);
    struct error why = ERROR_INIT;
    enum answer answer;
    struct site_description site;

    findings_about (findings, "%s: ", scheduler->adapter->name);
    if (!client_find_programs (&client, findings, err))
        return ANSWER_BROKEN;
    site_init (&site, scheduler->adapter->name, client.commands);
    ask_version (&client, &site);
    answer = client.commands->query_site (&client, true, &site, &why);
    if (answer == ANSWER_OK) {
        site_judge (&site, uses, n, findings);
        for (size_t i = 0; i < n; i++)
            examine_profile (&client, &site, &uses[i], findings);
    } else {
        report_silence (&client, &why, findings);
        error_copy (err, &why);
    }
    site_release (&site);
    return answer;
}
