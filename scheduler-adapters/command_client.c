/* SPDX-License-Identifier: BSD-3-Clause */
/* command_client.c - run the commands of a scheduler under the deadline of one
 * call */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "command_client.h"

/* What a scheduler says of 10^5 elements fits. */
enum { CAPTURE_BYTES = 1 << 28 };

/* How long a command that is told to end may take; part of the deadline. */
static const double grace_s = 1;

/* --- environment --- */

static bool begins_with (const char *entry, const char *const *prefixes)
{
    for (; prefixes && *prefixes; prefixes++) {
        if (strncmp (entry, *prefixes, strlen (*prefixes)) == 0)
            return true;
    }
    return false;
}

void client_env_pick (char *const *from,
                      const char *const *prefixes,
                      struct strvec *env)
{
    for (; *from; from++) {
        if (begins_with (*from, prefixes))
            strvec_push (env, *from);
    }
}

void client_env_drop (char *const *from,
                      const char *const *prefixes,
                      const char *const *kept,
                      struct strvec *env)
{
    for (; *from; from++) {
        if (!begins_with (*from, prefixes) || begins_with (*from, kept))
            strvec_push (env, *from);
    }
}

/* --- running --- */

struct client client_begin (const struct scheduler *scheduler,
                            const struct client_words *words)
{
    double deadline_s = scheduler->deadline_s > 0 ? scheduler->deadline_s : 20;

    return (struct client){ scheduler, words, clock_mono_s () + deadline_s };
}

/* What a command that failed said, or else how it ended. */
static void describe (const struct client *client,
                      const char *program,
                      const struct process_result *result,
                      const char *advice,
                      struct error *err)
{
    struct strbuf how = STRBUF_INIT;
    char words[600];

    process_describe (result, &how);
    trouble_words (result->err.buf, client->words->prefixes, words,
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
    strbuf_release (&how);
}

bool client_run (const struct client *client,
                 const struct client_command *command,
                 struct process_result *result,
                 enum trouble *trouble,
                 struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct strvec env = STRVEC_INIT;
    const char *advice = NULL;
    int rc;

    command->make_env (environ, &env);
    spec.argv = command->argv;
    spec.env = env.v;
    spec.stdin_path = command->stdin_path;
    spec.cwd = command->cwd;
    spec.capture_bytes = CAPTURE_BYTES;
    spec.grace_s = grace_s;
    spec.deadline_s = fmax (client->end_s - clock_mono_s () - grace_s, 0.5);
    spec.beat = client->scheduler->beat;
    spec.beat_arg = client->scheduler->beat_arg;
    *trouble = TROUBLE_BROKEN;
    rc = process_run (&spec, result, err);
    strvec_release (&env);
    if (rc < 0) {
        error_prefix (err, "%s cannot be reached from here",
                      client->words->scheduler);
        return false;
    }
    if (process_succeeded (result))
        return true;
    *trouble = client->words->trouble (result->err.buf, &advice);
    if (result->timed_out && *trouble == TROUBLE_REFUSED)
        *trouble = TROUBLE_UNCLEAR;
    describe (client, command->argv[0], result, advice, err);
    return false;
}

enum answer client_do (const struct client *client,
                       const struct client_command *command,
                       unsigned fine,
                       struct error *err)
{
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    bool ok = client_run (client, command, &result, &trouble, err);

    process_result_release (&result);
    return ok || (fine & 1u << trouble) ? ANSWER_OK : trouble_answer (trouble);
}

enum answer client_ask (const struct client *client,
                        const struct client_command *command,
                        unsigned fine,
                        client_read read,
                        void *arg,
                        struct error *err)
{
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!client_run (client, command, &result, &trouble, err)) {
        if (trouble == TROUBLE_BROKEN)
            answer = ANSWER_BROKEN;
        else if (!(fine & 1u << trouble))
            answer = ANSWER_TRY_LATER;
    } else if (read (result.out.buf, result.out.len, arg, err) < 0) {
        answer = ANSWER_TRY_LATER;
    }
    process_result_release (&result);
    return answer;
}

bool client_find_commands (const struct client *client,
                           const char *subject,
                           const char *const *programs,
                           struct findings *findings,
                           struct error *err)
{
    const char *scheduler = client->words->scheduler;
    struct strbuf missing = STRBUF_INIT;
    bool all;

    for (; *programs; programs++) {
        char *path = process_which (*programs, NULL);

        if (!path)
            strbuf_addf (&missing, "%s%s", missing.len > 0 ? ", " : "",
                         *programs);
        free (path);
    }
    all = missing.len == 0;
    if (all) {
        findings_add (findings, GRADE_GOOD, subject, NULL, "all are on PATH");
    } else {
        error_set (err, "%s's commands are not on PATH", scheduler);
        findings_add (findings, GRADE_BAD, subject,
                      "log in where they are, or add their directory to PATH",
                      "not on PATH: %s", missing.buf);
    }
    strbuf_release (&missing);
    return all;
}
