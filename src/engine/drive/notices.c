/* SPDX-License-Identifier: BSD-3-Clause */
/* notices.c - programs that tell people are run */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/process.h"
#include "campaign/plan.h"
#include "engine/decide/notices.h"
#include "engine/drive/driver.h"
#include "engine/drive/notice_event.h"
#include "engine/drive/notices.h"
#include "engine/history/engine.h"
#include "signature/template.h"
#include "space/layout.h"

/* What it printed is told in one line at most. */
enum { CAPTURED_BYTES = 1 << 16 };

/* --- what is asked for --- */

/* Calls have `then:`. */
static const struct notify *notify_of (const struct engine *engine)
{
    const struct plan *plan = engine_offered_plan (engine);

    return plan->notify.known && !plan->call && engine->state.id ? &plan->notify
                                                                 : NULL;
}

static int ask (struct engine *engine, const struct notify *notify,
                struct error *err)
{
    _cleanup_json_ struct json *names = json_array ();
    _cleanup_json_ struct json *none = json_array ();
    const struct json *before = engine->state.notify;
    struct json *event;

    for (size_t i = 0; i < NOTICE_EVENTS; i++) {
        if (notify->argv[i])
            json_push (names,
                       json_string (notice_event_name ((enum notice_event)i)));
    }
    if (json_equal (names, before ? before : none))
        return 0;
    event = event_new ("notify", engine_now_s (engine));
    json_set (event, "events", json_ref (names));
    return engine_record (engine, event, err);
}

/* --- one of them --- */

static int record (struct engine *engine, const struct notice *notice,
                   const char *phase, const char *why, struct error *err)
{
    struct json *event = event_new ("notice", engine_now_s (engine));

    json_set (event, "event", json_string (notice_event_name (notice->event)));
    json_set (event, "of", json_int (notice->of));
    json_set (event, "phase", json_string (phase));
    if (why)
        json_set (event, "why", json_string (why));
    return engine_record (engine, event, err);
}

static int expand (const struct engine *engine, const char *const *argv,
                   struct strvec *words, struct error *err)
{
    _cleanup_json_ struct json *values = json_object ();

    json_set (values, "campaign", json_string (engine->dir));
    json_set (values, "fanfold", json_string (engine->program));
    return template_expand_argv (argv, values, words, err);
}

static double deadline_s (const struct engine *engine,
                          const struct notify *notify)
{
    double s = notify->deadline_s > 0 ? notify->deadline_s : NOTIFY_DEADLINE_S;

    return engine->stop_at_s > 0
               ? fmin (s, fmax (engine->stop_at_s - clock_mono_s (), 1))
               : s;
}

/* How it ended, and the last line that it printed. */
static int describe (const struct process_result *result, const char *program,
                     struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    const struct strbuf *said =
        result->err.len > 0 ? &result->err : &result->out;
    const char *last;

    process_describe (result, &text);
    if (said->len > 0)
        strvec_split (&lines, said->buf, "\r\n");
    if ((last = strvec_last_words (&lines, lines.n)))
        strbuf_addf (&text, ": %.400s", last);
    return error_set (err, "%s %s", program, text.buf);
}

/* 0, or -1 with 'err'; *stopped is set where it was ended, since this driver is
 * to end.
 */
static int run_program (struct engine *engine, const struct notify *notify,
                        enum notice_event event, const char *input,
                        bool *stopped, struct error *err)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;

    if (expand (engine, notify->argv[event], &argv, err) < 0)
        return -1;
    spec.argv = (const char *const *)argv.v;
    spec.cwd = engine->dir;
    spec.stdin_path = input;
    spec.capture_bytes = CAPTURED_BYTES;
    spec.deadline_s = deadline_s (engine, notify);
    spec.heartbeat = engine->heartbeat;
    spec.stop = engine->stop;
    if (process_run (&spec, &result, err) < 0)
        return -1;
    *stopped = result.stopped;
    return process_succeeded (&result) ? 0 : describe (&result, argv.v[0], err);
}

/* Write the event for its program, and run that. */
static int give (struct engine *engine, const struct notify *notify,
                 const struct notice *notice, const struct json *event,
                 bool *stopped, struct error *err)
{
    _cleanup_free_ char *input =
        xasprintf ("%s/" LAYOUT_NOTICES_DIR "/%s", engine->dir,
                   json_get_string (event, "id"));
    int rc =
        file_make_parent (input, err) < 0
                || json_write_file (input, event, err) < 0
            ? -1
            : run_program (engine, notify, notice->event, input, stopped, err);

    unlink (input);
    return rc;
}

static int tell (struct engine *engine, const struct notify *notify,
                 const struct notice *notice, bool *stopped, struct error *err)
{
    _cleanup_json_ struct json *event = notice_event_json (engine, notice);
    struct error why = ERROR_INIT;
    int rc;

    if (record (engine, notice, "begun", NULL, err) < 0)
        return -1;
    point_reached ("notice.begun");
    rc = give (engine, notify, notice, event, stopped, &why);
    if (*stopped)
        return 0;
    point_reached ("notice.ended");
    return record (engine, notice, rc == 0 ? "told" : "failed",
                   rc == 0 ? NULL : why.text, err);
}

static int give_up (struct engine *engine, const struct notice *notice,
                    struct error *err)
{
    return record (engine, notice, "failed",
                   "each driver that ran its program ended before that did; "
                   "it is not run a third time",
                   err);
}

int notices_tell (struct engine *engine, struct error *err)
{
    const struct notify *notify = notify_of (engine);
    struct notice notice;
    bool stopped = false;

    if (notify && ask (engine, notify, err) < 0)
        return -1;
    while (notify && !stopped && !driver_is_to_stop (engine)
           && notice_due (notify, &engine->state, engine_now_s (engine),
                          engine_quiet_s (), &notice)) {
        int rc = notice.begun < NOTICE_BEGUN_MOST
                     ? tell (engine, notify, &notice, &stopped, err)
                     : give_up (engine, &notice, err);

        if (rc < 0)
            return -1;
    }
    return 0;
}
