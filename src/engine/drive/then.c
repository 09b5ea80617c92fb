/* SPDX-License-Identifier: BSD-3-Clause */
/* then.c - what a function says is run when a call of it is done */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/process.h"
#include "campaign/plan.h"
#include "engine/drive/then.h"
#include "engine/history/call_result.h"
#include "engine/history/engine.h"
#include "signature/template.h"
#include "space/layout.h"

/* It tells a person; what takes longer is a stage. */
static const double deadline_s = 3600;

/* Where it is run, and what it finds. */
struct then {
    struct engine *engine;
    const struct call *call;
    const char *event;
    char *campaign; /* the directory of whose function it is */
    char *result, *log;
};

static int record (const struct then *then, const char *phase, const char *why,
                   struct error *err)
{
    struct json *event = event_new ("then", engine_now_s (then->engine));

    json_set (event, "event", json_string (then->event));
    json_set (event, "phase", json_string (phase));
    if (why)
        json_set (event, "why", json_string (why));
    return engine_record (then->engine, event, err);
}

static int write_result (const struct then *then, struct error *err)
{
    const char *function = then->call->function;
    const struct plan *plan = then->engine->plan;
    const struct operator_spec *op = plan_call_operator (plan);
    _cleanup_json_ struct json *outputs = call_outputs (
        then->engine, function, plan_family_find (plan, function), err);
    struct json *result;
    int rc = -1;

    if (outputs && !op) {
        error_set (err, "there is no stage '%s'", function);
    } else if (outputs && file_make_parent (then->result, err) == 0) {
        result = call_result (op, outputs, function, then->call->number);
        rc = json_write_file (then->result, result, err);
        json_unref (result);
    }
    return rc;
}

static void make_env (const struct then *then, struct strvec *env)
{
    static const char *const own[] = { "FANFOLD_EVENT_ID=", "FANFOLD_FUNCTION=",
                                       "FANFOLD_CALL=", "FANFOLD_CALL_DIR=",
                                       "PWD=" };

    strvec_pushf (env, "%s%s", own[0], then->event);
    strvec_pushf (env, "%s%s", own[1], then->call->function);
    strvec_pushf (env, "%s%d", own[2], then->call->number);
    strvec_pushf (env, "%s%s", own[3], then->engine->dir);
    strvec_pushf (env, "%s%s", own[4], then->campaign);
    for (char **entry = environ; *entry; entry++) {
        bool known = false;

        for (size_t i = 0; i < sizeof (own) / sizeof (own[0]); i++)
            known = known || strncmp (*entry, own[i], strlen (own[i])) == 0;
        if (!known)
            strvec_push (env, *entry);
    }
}

static int expand (const struct then *then, struct strvec *argv,
                   struct error *err)
{
    _cleanup_json_ struct json *values = json_object ();

    json_set (values, "campaign", json_string (then->engine->dir));
    json_set (values, "fanfold", json_string (then->engine->program));
    return template_expand_argv (then->call->then, values, argv, err);
}

/* The log's last line that says something. */
static void add_last_line (const char *log, struct strbuf *text)
{
    _cleanup_ (strbuf_release) struct strbuf content = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    const char *said;

    if (file_read (log, 1 << 20, &content, NULL) == 0) {
        strvec_split (&lines, content.buf, "\r\n");
        said = strvec_last_words (&lines, lines.n);
        if (said)
            strbuf_addf (text, ": %.400s", said);
    }
}

/* 0, or -1 with 'err' when it could not be started or did not exit 0; *stopped
 * is set where it was ended, since this driver is to end.
 */
static int run_program (const struct then *then, bool *stopped,
                        struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_fd_ int fd = -1;

    make_env (then, &env);
    if (expand (then, &argv, err) < 0)
        return -1;
    fd = file_open (then->log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return error_errno (err, "%s", then->log);
    spec.argv = (const char *const *)argv.v;
    spec.env = env.v;
    spec.cwd = then->campaign;
    spec.stdin_path = then->result;
    spec.deadline_s = deadline_s;
    spec.heartbeat = (struct heartbeat){ engine_heartbeat, then->engine };
    spec.stop = then->engine->stop;
    spec.output_fd = fd;
    if (process_run (&spec, &result, err) < 0)
        return -1;
    *stopped = result.stopped;
    if (process_succeeded (&result))
        return 0;
    process_describe (&result, &text);
    add_last_line (then->log, &text);
    return error_set (err, "%s %s (log: %s)", argv.v[0], text.buf, then->log);
}

static int run_journaled (const struct then *then, struct error *err)
{
    struct error why = ERROR_INIT;
    bool stopped = false;
    int rc;

    if (record (then, "begun", NULL, err) < 0)
        return -1;
    point_reached ("then.begun");
    rc = run_program (then, &stopped, &why);
    if (stopped)
        return 0;
    point_reached ("then.ended");
    return record (then, rc == 0 ? "done" : "failed", rc == 0 ? NULL : why.text,
                   err);
}

static bool is_due (const struct engine *engine, const char *event)
{
    const struct then_state *state = &engine->state.then;

    if (!state->event || strcmp (state->event, event) != 0)
        return true;
    return state->status == THEN_RUNNING
           || (state->status == THEN_FAILED && state->n <= engine->taken_n);
}

int then_run (struct engine *engine, struct error *err)
{
    const struct call *call = engine->plan->call;
    char event[DIGEST_HEX_SIZE];
    struct then then = { .engine = engine, .call = call, .event = event };
    _cleanup_free_ char *up = NULL;
    int rc = 0;

    if (!call || !call->then || engine->state.status != CAMPAIGN_DONE)
        return 0;
    if (call_result_id (engine, call->function,
                        plan_family_find (engine->plan, call->function), event,
                        err)
        < 0)
        return -1;
    if (!is_due (engine, event))
        return 0;
    up = path_join (engine->dir, LAYOUT_CALL_UP);
    then.campaign = path_absolute (up);
    then.result = path_join (engine->dir, LAYOUT_THEN_DIR "/result.json");
    then.log = path_join (engine->dir, LAYOUT_THEN_DIR "/log");
    rc = write_result (&then, err);
    if (rc == 0)
        rc = run_journaled (&then, err);
    free (then.log);
    free (then.result);
    free (then.campaign);
    return rc;
}
