/* SPDX-License-Identifier: BSD-3-Clause */
/* command_client.c - run the commands of a scheduler under the deadline of one
 * call, and what a failed one says
 */
#include "base/base.h"

#include <pwd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/findings.h"
#include "command_client.h"
#include "command_scheduler.h"

/* What a scheduler says of 10^5 elements fits. */
enum { CAPTURE_BYTES = 1 << 28 };

/* How long a command that is told to end may take; part of the deadline. */
static const double grace_s = 1;

/* --- what a failed command says --- */

const struct complaint_text *complaint_find (const struct complaint_text *texts,
                                             const char *message)
{
    for (; texts->words; texts++) {
        if (strstr (message, texts->words))
            return texts;
    }
    return NULL;
}

bool complaint_only (const struct complaint_text *texts, const char *message,
                     unsigned fine)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    size_t n = 0;
    bool only;

    strvec_split (&lines, message, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        const struct complaint_text *text = complaint_find (texts, lines.v[i]);

        n += text && (fine & 1u << text->complaint);
    }
    only = lines.n > 0 && n == lines.n;
    return only;
}

static const char *skip_prefixes (const char *line, const char *const *prefixes)
{
    for (size_t i = 0; prefixes[i];) {
        size_t n = strlen (prefixes[i]);

        if (strncmp (line, prefixes[i], n) == 0) {
            line += n;
            i = 0;
        } else {
            i++;
        }
    }
    return line;
}

void complaint_words (const char *message, const char *const *prefixes,
                      char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    while (*message && used + 1 < size) {
        const char *end = message + strcspn (message, "\n");
        const char *words = skip_prefixes (message, prefixes);
        int n = words < end ? (int)(end - words) : 0;

        if (n > 0 && used > 0)
            used += (size_t)snprintf (out + used, size - used, "; ");
        if (n > 0 && used < size)
            used +=
                (size_t)snprintf (out + used, size - used, "%.*s", n, words);
        message = *end ? end + 1 : end;
    }
}

enum answer complaint_answer (enum complaint complaint)
{
    switch (complaint) {
    case COMPLAINT_NONE:
        return ANSWER_OK;
    case COMPLAINT_REFUSED:
    case COMPLAINT_UNKNOWN_JOB:
        return ANSWER_REFUSED;
    case COMPLAINT_BROKEN:
        return ANSWER_BROKEN;
    case COMPLAINT_OVER:
    case COMPLAINT_FULL:
    case COMPLAINT_UNCLEAR:
        break;
    }
    return ANSWER_TRY_LATER;
}

/* --- environment --- */

static bool begins_with (const char *entry, const char *const *prefixes)
{
    for (; prefixes && *prefixes; prefixes++) {
        if (strncmp (entry, *prefixes, strlen (*prefixes)) == 0)
            return true;
    }
    return false;
}

/* What is picked gets into the scheduler's records of a job, where what breaks
 * a line could pass for something else.
 */
static bool is_wanted (const char *entry, const struct command_env *wanted)
{
    if (wanted->picked)
        return begins_with (entry, wanted->picked)
               && !strpbrk (entry, "\n\r\t");
    return !begins_with (entry, wanted->dropped)
           || begins_with (entry, wanted->kept);
}

void client_env (char *const *from, const struct command_env *wanted,
                 struct strvec *env)
{
    for (; *from; from++) {
        if (is_wanted (*from, wanted))
            strvec_push (env, *from);
    }
    for (size_t i = 0; wanted->fixed && wanted->fixed[i]; i++)
        strvec_push (env, wanted->fixed[i]);
}

const char *client_user (void)
{
    const struct passwd *user = getpwuid (getuid ());

    return user ? user->pw_name : "";
}

/* --- running --- */

struct client client_begin (const struct scheduler *scheduler)
{
    double deadline_s = scheduler->deadline_s > 0 ? scheduler->deadline_s : 20;

    return (struct client){ scheduler, scheduler->adapter->commands,
                            clock_mono_s () + deadline_s, COMPLAINT_NONE };
}

/* What a command that failed said, or else how it ended. */
static void describe_failure (const struct client *client, const char *program,
                              const struct process_result *result,
                              const char *advice, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf how = STRBUF_INIT;
    char words[600];

    process_describe (result, &how);
    complaint_words (result->err.buf, client->commands->prefixes, words,
                     sizeof (words));
    if (words[0] && !result->timed_out)
        error_set (err, "%s: %s", program, words);
    else if (words[0])
        error_set (err, "%s %s: %s", program, how.buf, words);
    else
        error_set (err, "%s %s", program, how.buf);
    if (err && advice) {
        size_t used = strlen (err->text);

        snprintf (err->text + used, sizeof (err->text) - used, " (%s)", advice);
    }
}

/* Run to its end; client->complaint says how that went, and 'err' why not. */
static void run (struct client *client, const char *const *argv, bool submits,
                 const char *stdin_path, struct process_result *result,
                 struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    const struct command_scheduler *commands = client->commands;
    const struct complaint_text *text;
    struct strvec env = STRVEC_INIT;
    struct error why = ERROR_INIT;
    int rc;

    client_env (environ, submits ? &commands->submitting : &commands->asking,
                &env);
    spec.argv = argv;
    spec.env = env.v;
    spec.stdin_path = stdin_path;
    spec.cwd = submits ? "/" : NULL;
    spec.capture_bytes = CAPTURE_BYTES;
    spec.grace_s = grace_s;
    spec.deadline_s = fmax (client->end_s - clock_mono_s () - grace_s, 0.5);
    spec.heartbeat = client->scheduler->heartbeat;
    rc = process_run (&spec, result, &why);
    strvec_release (&env);
    if (rc < 0) {
        client->complaint =
            error_may_pass (&why) ? COMPLAINT_UNCLEAR : COMPLAINT_BROKEN;
        error_set (err, "%s cannot be reached from here: %s", commands->title,
                   why.text);
        return;
    }
    client->complaint = COMPLAINT_NONE;
    if (process_succeeded (result))
        return;
    text = complaint_find (commands->complaints, result->err.buf);
    client->complaint = text ? text->complaint : COMPLAINT_UNCLEAR;
    if (result->timed_out && client->complaint == COMPLAINT_REFUSED)
        client->complaint = COMPLAINT_UNCLEAR;
    describe_failure (client, argv[0], result, text ? text->advice : NULL, err);
}

enum answer client_submit (struct client *client, const char *const *argv,
                           const char *stdin_path, struct strbuf *printed,
                           struct error *err)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;

    run (client, argv, true, stdin_path, &result, err);
    if (printed)
        strbuf_add (printed, result.out.buf, result.out.len);
    return client->complaint == COMPLAINT_FULL
               ? ANSWER_NOT_NOW
               : complaint_answer (client->complaint);
}

enum answer client_do (struct client *client, const char *const *argv,
                       unsigned fine, struct error *err)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;

    run (client, argv, false, NULL, &result, err);
    return fine & 1u << client->complaint
               ? ANSWER_OK
               : complaint_answer (client->complaint);
}

enum answer client_ask (struct client *client, const char *const *argv,
                        unsigned fine, client_read read, void *arg,
                        struct error *err)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    enum answer answer = ANSWER_OK;

    run (client, argv, false, NULL, &result, err);
    if (client->complaint != COMPLAINT_NONE
        && (result.timed_out
            || !complaint_only (client->commands->complaints, result.err.buf,
                                fine)))
        answer = client->complaint == COMPLAINT_BROKEN ? ANSWER_BROKEN
                                                       : ANSWER_TRY_LATER;
    else if (read (result.out.buf, result.out.len, arg, err) < 0)
        answer = ANSWER_TRY_LATER;
    return answer;
}

int client_keep (const char *text, size_t len, void *sb, struct error *err)
{
    (void)err;
    strbuf_add (sb, text, len);
    return 0;
}

bool client_find_programs (const struct client *client,
                           struct findings *findings, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf missing = STRBUF_INIT;
    bool all;

    scheduler_missing_programs (client->scheduler->adapter->programs, &missing);
    all = missing.len == 0;
    if (all) {
        findings_add (findings, GRADE_GOOD, "commands", NULL,
                      "all are on PATH");
    } else {
        error_set (err, "%s's commands are not on PATH",
                   client->commands->title);
        findings_add (findings, GRADE_BAD, "commands",
                      "log in where they are, or add their directory to PATH",
                      "not on PATH: %s", missing.buf);
    }
    return all;
}
