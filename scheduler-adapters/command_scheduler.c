/* SPDX-License-Identifier: BSD-3-Clause */
/* command_scheduler.c - a scheduler that is reached by its commands */
#include "config.h"

#include <stdlib.h>

#include "arrays/array_job.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "command_scheduler.h"
#include "job_view.h"
#include "reply_text.h"
#include "site.h"
#include "site_cache.h"

enum {
    OVER = 1u << TROUBLE_OVER,
    UNKNOWN = 1u << TROUBLE_UNKNOWN_JOB,
};

/* A list of words, and one more behind it. */
static void list_words (const char *const *words,
                        const char *last,
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
                           const char *id,
                           struct error *err)
{
    error_set (err, "there is no %s job '%s'", client->commands->title, id);
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

bool commands_facts_remembered (const struct client *client,
                                struct site_facts *facts)
{
    return site_cache_get (client->scheduler, this_site (client), facts);
}

enum answer commands_facts (const struct client *client,
                            struct site_facts *facts,
                            struct error *err)
{
    const struct scheduler *scheduler = client->scheduler;
    enum answer answer = ANSWER_OK;
    struct site site;

    if (commands_facts_remembered (client, facts))
        return ANSWER_OK;
    site_init (&site, scheduler->adapter->name, client->commands);
    answer = client->commands->look (client, false, &site, err);
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
                             struct scheduler_limits *limits,
                             struct error *err)
{
    struct client client = client_begin (scheduler);
    struct site_facts facts;
    enum answer answer = commands_facts (&client, &facts, err);

    if (answer == ANSWER_OK)
        *limits = facts.limits;
    return answer;
}

/* --- submit --- */

/* Is it queued or running? */
static enum answer is_there (const struct client *client,
                             const char *id,
                             bool *there,
                             struct error *err)
{
    struct strvec argv = STRVEC_INIT;
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble = TROUBLE_OVER;
    enum answer answer = ANSWER_OK;
    struct client_command command = { .submits = false };
    bool ok;

    list_words (client->commands->is_waiting, id, &argv);
    command.argv = argv_of (&argv);
    ok = client_run (client, &command, &result, &trouble, err);
    if (ok || trouble == TROUBLE_OVER || trouble == TROUBLE_UNKNOWN_JOB)
        *there = ok;
    else
        answer = trouble_answer (trouble);
    process_result_release (&result);
    strvec_release (&argv);
    return answer;
}

static enum answer run_submit (const struct client *client,
                               const struct array_job *job,
                               const char *script_path,
                               char **id,
                               struct error *err)
{
    const struct command_scheduler *commands = client->commands;
    struct process_result result = PROCESS_RESULT_INIT;
    struct strvec argv = STRVEC_INIT;
    enum answer answer = ANSWER_OK;
    struct client_command command = { .submits = true };
    enum trouble trouble;

    commands->submit (job, script_path, &argv);
    command.argv = argv_of (&argv);
    if (commands->on_stdin)
        command.stdin_path = script_path;
    if (!client_run (client, &command, &result, &trouble, err)) {
        answer = trouble_answer (trouble);
    } else {
        *id =
            reply_last_id (result.out.buf, commands->is_id, commands->id_ends);
        if (!*id) {
            error_set (err, "%s printed no job id but '%.200s'", argv.v[0],
                       result.out.buf);
            answer = ANSWER_TRY_LATER;
        }
    }
    strvec_release (&argv);
    process_result_release (&result);
    return answer;
}

/* A second time where it was dropped: then nobody knows job->after any more. */
static enum answer submit_waiting (const struct client *client,
                                   struct array_job *job,
                                   const char *script_path,
                                   char **id,
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

bool commands_try (const struct client *client,
                   const char *script_path,
                   enum trouble *trouble,
                   struct error *err)
{
    const char *const *words = client->commands->try_submit;
    struct process_result result = PROCESS_RESULT_INIT;
    struct client_command command = { .submits = true };
    struct strvec argv = STRVEC_INIT;
    bool ok;

    if (!words)
        return true;
    list_words (words, script_path, &argv);
    command.argv = argv_of (&argv);
    ok = client_run (client, &command, &result, trouble, err);
    strvec_release (&argv);
    process_result_release (&result);
    return ok;
}

enum answer commands_submit (const struct scheduler *scheduler,
                             const struct array_job *job,
                             const char *script_path,
                             struct strbuf *id,
                             struct error *err)
{
    struct client client = client_begin (scheduler);
    struct array_job to_submit = *job;
    enum trouble trouble;
    enum answer answer;
    char *made = NULL;

    if (job->exclude.n > 0
        && !commands_try (&client, script_path, &trouble, err))
        answer = trouble_answer (trouble);
    else if (job->after && client.commands->is_waiting)
        answer = submit_waiting (&client, &to_submit, script_path, &made, err);
    else
        answer = run_submit (&client, job, script_path, &made, err);
    if (answer == ANSWER_OK)
        strbuf_add_str (id, made);
    free (made);
    return answer;
}

/* --- release, find, cancel --- */

enum answer commands_release (const struct scheduler *scheduler,
                              const char *id,
                              struct error *err)
{
    struct client client = client_begin (scheduler);
    struct strvec argv = STRVEC_INIT;
    enum answer answer;

    if (!client.commands->is_id (id))
        return no_job (&client, id, err);
    list_words (client.commands->release, id, &argv);
    answer = client_do (&client, argv_of (&argv), OVER, err);
    strvec_release (&argv);
    return answer;
}

struct finding_ids {
    const char *program;
    bool (*is_id) (const char *text);
    struct strvec *ids;
};

static int read_ids (const char *text, size_t len, void *arg, struct error *err)
{
    const struct finding_ids *f = arg;

    return reply_ids (f->program, text, len, f->is_id, f->ids, err);
}

enum answer commands_find (const struct scheduler *scheduler,
                           const char *token,
                           struct strvec *ids,
                           struct error *err)
{
    struct client client = client_begin (scheduler);
    struct finding_ids finding = { .is_id = client.commands->is_id,
                                   .ids = ids };
    struct strvec argv = STRVEC_INIT;
    enum answer answer;

    client.commands->find (token, &argv);
    finding.program = argv.v[0];
    answer = client_ask (&client, argv_of (&argv), 0, read_ids, &finding, err);
    strvec_release (&argv);
    return answer;
}

enum answer commands_cancel (const struct scheduler *scheduler,
                             const char *id,
                             int64_t element,
                             struct error *err)
{
    struct client client = client_begin (scheduler);
    struct strvec argv = STRVEC_INIT;
    enum answer answer;

    if (!client.commands->is_id (id))
        return ANSWER_OK;
    client.commands->cancel (id, element, &argv);
    answer = client_do (&client, argv_of (&argv), OVER | UNKNOWN, err);
    strvec_release (&argv);
    return answer;
}

/* --- poll, time left --- */

static bool has_known (const struct job_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].number >= 0)
            return true;
    }
    return false;
}

enum answer commands_poll (const struct scheduler *scheduler,
                           struct job_status *jobs,
                           size_t n,
                           struct error *err)
{
    struct client client = client_begin (scheduler);
    enum answer answer = ANSWER_OK;
    struct job_view view;

    job_view_init (&view, jobs, n, client.commands->is_id);
    if (has_known (&view))
        answer = client.commands->poll (&client, &view, err);
    if (answer == ANSWER_OK)
        job_view_result (&view, jobs);
    job_view_release (&view);
    return answer;
}

enum answer commands_time_left (const struct scheduler *scheduler,
                                double *left_s,
                                struct error *err)
{
    struct client client = client_begin (scheduler);
    const struct command_scheduler *commands = client.commands;
    const char *id = getenv (commands->job_variable);
    struct strvec argv = STRVEC_INIT;
    enum answer answer;

    if (!id || !commands->is_id (id)) {
        error_set (err, "this is no job of %s's", commands->title);
        return ANSWER_REFUSED;
    }
    list_words (commands->time_left, id, &argv);
    answer = client_ask (&client, argv_of (&argv), 0, commands->read_time_left,
                         left_s, err);
    strvec_release (&argv);
    return answer;
}
