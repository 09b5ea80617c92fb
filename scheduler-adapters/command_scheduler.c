/* SPDX-License-Identifier: BSD-3-Clause */
/* command_scheduler.c - a scheduler that is reached by its commands */
#include "base/base.h"

#include "arrays/array_job.h"
#include "command_scheduler.h"
#include "job_view.h"
#include "reply_text.h"
#include "site_description.h"

enum {
    OVER = 1u << COMPLAINT_OVER,
    UNKNOWN = 1u << COMPLAINT_UNKNOWN_JOB,
};

/* A list of words, and one more behind it. */
static void list_words (const char *const *words, const char *last,
                        struct strvec *argv)
{
    for (; *words; words++)
        strvec_push (argv, *words);
    strvec_push (argv, last);
}

static const char *const *argv_of (const struct strvec *argv)
{
    return (const char *const *)argv->v;
}

static enum answer no_job (const struct client *client,
                           const struct job_key *job, struct error *err)
{
    error_set (err, "%s has no job '%s' called '%s'", client->commands->title,
               job->id, job->token);
    return ANSWER_REFUSED;
}

/* --- what the site told --- */

static const char *this_site (const struct client *client)
{
    const char *const *variable = client->commands->site_variables;

    while (*variable && !getenv (*variable))
        variable++;
    return *variable ? getenv (*variable) : NULL;
}

enum answer commands_facts (struct client *client, struct site_facts *facts,
                            struct error *err)
{
    const struct scheduler *scheduler = client->scheduler;
    enum answer answer = ANSWER_OK;
    struct site_description site;

    if (site_cache_get (scheduler, this_site (client), facts))
        return ANSWER_OK;
    site_init (&site, scheduler->adapter->name, client->commands);
    answer = client->commands->query_site (client, false, &site, err);
    if (answer == ANSWER_OK && site.no_arrays) {
        error_set (err, "job arrays are switched off (%s = 0)",
                   site.elements_setting);
        answer = ANSWER_TRY_LATER;
    }
    if (answer == ANSWER_OK) {
        site_facts (&site, scheduler->queue, facts);
        site_cache_put (scheduler, this_site (client), facts);
    }
    site_release (&site);
    return answer;
}

enum answer commands_limits (const struct scheduler *scheduler,
                             struct scheduler_limits *limits, struct error *err)
{
    struct client client = client_begin (scheduler);
    struct site_facts facts;
    enum answer answer = commands_facts (&client, &facts, err);

    if (answer == ANSWER_OK)
        *limits = facts.limits;
    return answer;
}

/* --- is it there, and ours? --- */

enum known { KNOWN_NOT, KNOWN_OVER, KNOWN_OTHER, KNOWN_OURS };

/* What the scheduler knows of the job with our id: nothing, that it has ended,
 * that it is queued or running under another name, or under ours.
 */
static enum answer ask_name (struct client *client, const struct job_key *job,
                             enum known *known, struct error *err)
{
    const struct command_scheduler *commands = client->commands;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    enum answer answer;

    list_words (commands->show, job->id, &argv);
    answer = client_ask (client, argv_of (&argv), 0, commands->read_names,
                         &names, err);
    if (answer == ANSWER_OK)
        *known = names.n == 0                           ? KNOWN_NOT
                 : strvec_contains (&names, job->token) ? KNOWN_OURS
                                                        : KNOWN_OTHER;
    if (client->complaint == COMPLAINT_OVER
        || client->complaint == COMPLAINT_UNKNOWN_JOB) {
        *known = client->complaint == COMPLAINT_OVER ? KNOWN_OVER : KNOWN_NOT;
        answer = ANSWER_OK;
    }
    return answer;
}

/* --- submit --- */

/* Is it queued or running, under whatever name? */
static enum answer is_there (struct client *client, const char *id, bool *there,
                             struct error *err)
{
    const struct job_key job = { id, "" };
    enum known known;
    enum answer answer = ask_name (client, &job, &known, err);

    if (answer == ANSWER_OK)
        *there = known == KNOWN_OTHER;
    return answer;
}

static enum answer run_submit (struct client *client,
                               const struct array_job *job,
                               const char *script_path, char **id,
                               struct error *err)
{
    const struct command_scheduler *commands = client->commands;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf printed = STRBUF_INIT;
    enum answer answer;

    commands->submit (job, script_path, &argv);
    answer =
        client_submit (client, argv_of (&argv),
                       commands->on_stdin ? script_path : NULL, &printed, err);
    if (answer == ANSWER_OK
        && !(*id = reply_last_id (printed.buf, commands->is_id,
                                  commands->id_ends))) {
        error_set (err, "%s printed no job id but '%.200s'", argv.v[0],
                   printed.buf);
        answer = ANSWER_TRY_LATER;
    }
    return answer;
}

/* A second time where it was dropped: then job->after is unknown to it. */
static enum answer submit_waiting (struct client *client, struct array_job *job,
                                   const char *script_path, char **id,
                                   struct error *err)
{
    bool there = true;
    enum answer answer = is_there (client, job->after, &there, err);

    if (answer == ANSWER_OK && there
        && (answer = run_submit (client, job, script_path, id, err))
               == ANSWER_OK)
        answer = is_there (client, *id, &there, err);
    if (answer != ANSWER_OK || there)
        return answer;
    free (*id);
    *id = NULL;
    job->after = NULL;
    return run_submit (client, job, script_path, id, err);
}

enum answer commands_try (struct client *client, const char *script_path,
                          struct error *err)
{
    const char *const *words = client->commands->try_submit;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;

    if (!words)
        return ANSWER_OK;
    list_words (words, script_path, &argv);
    return client_submit (client, argv_of (&argv), NULL, NULL, err);
}

enum answer commands_submit (const struct scheduler *scheduler,
                             const struct array_job *job,
                             const char *script_path, struct strbuf *id,
                             struct error *err)
{
    struct client client = client_begin (scheduler);
    struct array_job to_submit = *job;
    enum answer answer = ANSWER_OK;
    _cleanup_free_ char *made = NULL;

    if (job->exclude.n > 0)
        answer = commands_try (&client, script_path, err);
    if (answer == ANSWER_OK && job->after && client.commands->drops_waiting)
        answer = submit_waiting (&client, &to_submit, script_path, &made, err);
    else if (answer == ANSWER_OK)
        answer = run_submit (&client, job, script_path, &made, err);
    if (answer == ANSWER_OK)
        strbuf_add_str (id, made);
    return answer;
}

/* --- release, find, cancel --- */

enum answer commands_release (const struct scheduler *scheduler,
                              const struct job_key *job, struct error *err)
{
    struct client client = client_begin (scheduler);
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    enum answer answer;
    enum known known;

    if (!client.commands->is_id (job->id))
        return no_job (&client, job, err);
    answer = ask_name (&client, job, &known, err);
    if (answer != ANSWER_OK || known == KNOWN_OVER)
        return answer;
    if (known != KNOWN_OURS)
        return no_job (&client, job, err);
    list_words (client.commands->release, job->id, &argv);
    return client_do (&client, argv_of (&argv), OVER, err);
}

enum answer commands_find (const struct scheduler *scheduler, const char *token,
                           struct strvec *ids, struct error *err)
{
    struct client client = client_begin (scheduler);
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    enum answer answer;

    client.commands->find (token, &argv);
    answer = client_ask (&client, argv_of (&argv), 0, client_keep, &text, err);
    if (answer == ANSWER_OK
        && reply_ids (argv.v[0], text.buf, text.len, client.commands->is_id,
                      ids, err)
               < 0)
        answer = ANSWER_TRY_LATER;
    return answer;
}

enum answer commands_cancel (const struct scheduler *scheduler,
                             const struct job_key *job, int64_t element,
                             struct error *err)
{
    struct client client = client_begin (scheduler);
    const struct command_scheduler *commands = client.commands;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    enum known known = KNOWN_OURS;
    enum answer answer = ANSWER_OK;

    if (!commands->is_id (job->id))
        return ANSWER_OK;
    if (element >= 0 || !commands->cancel_by_name)
        answer = ask_name (&client, job, &known, err);
    if (answer != ANSWER_OK || known != KNOWN_OURS)
        return answer;
    commands->cancel (job, element, &argv);
    return client_do (&client, argv_of (&argv), OVER | UNKNOWN, err);
}

/* --- poll, time left --- */

enum answer commands_poll (const struct scheduler *scheduler,
                           struct job_status *jobs, size_t n, struct error *err)
{
    struct client client = client_begin (scheduler);
    enum answer answer = ANSWER_OK;
    struct job_view view;

    job_view_init (&view, jobs, n, client.commands->is_id);
    if (job_view_lacks (&view)) /* else no job is known */
        answer = client.commands->poll (&client, &view, err);
    if (answer == ANSWER_OK)
        job_view_result (&view, jobs);
    job_view_release (&view);
    return answer;
}

enum answer commands_time_left (const struct scheduler *scheduler,
                                double *left_s, struct error *err)
{
    struct client client = client_begin (scheduler);
    const struct command_scheduler *commands = client.commands;
    const char *id = getenv (commands->job_variable);
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    enum answer answer;

    if (!id || !commands->is_id (id)) {
        error_set (err, "this is no job of %s's", commands->title);
        return ANSWER_REFUSED;
    }
    list_words (commands->time_left, id, &argv);
    answer = client_ask (&client, argv_of (&argv), 0, commands->read_time_left,
                         left_s, err);
    if (client.complaint == COMPLAINT_OVER
        || client.complaint == COMPLAINT_UNKNOWN_JOB)
        answer = ANSWER_REFUSED;
    return answer;
}
