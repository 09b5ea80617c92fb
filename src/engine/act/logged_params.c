/* SPDX-License-Identifier: BSD-3-Clause */
/* logged_params.c - what the agents' result logs tell of tasks that are ok */
#include "base/base.h"

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "engine/act/logged_params.h"
#include "engine/act/tries_summary.h"
#include "engine/history/state.h"
#include "handover/result_log.h"
#include "space/layout.h"

enum { LOG_MAX_BYTES = 1 << 30 };

struct params_reader {
    const struct stage_state *stage;
    bool *taken; /* by task */
    void (*take) (int32_t task, const struct json *end, void *arg);
    void *arg;
};

static int take_params (const struct result_event *event, void *arg,
                        struct error *err)
{
    struct params_reader *reader = arg;

    (void)err;
    if (event->kind != RESULT_END || event->outcome != OUTCOME_OK
        || event->task >= reader->stage->n_tasks || reader->taken[event->task])
        return 0;
    reader->taken[event->task] = true;
    if (reader->stage->tasks[event->task].outcome == OUTCOME_OK)
        reader->take (event->task, event->record, reader->arg);
    return 0;
}

/* Is what was journaled of a log still there? */
static int check_log (const char *path, const struct strbuf *text,
                      const struct json *journaled, struct error *err)
{
    const char *sha256 = json_as_string (json_get (journaled, "sha256"));
    int64_t bytes = json_as_int (json_get (journaled, "bytes"));
    char hex[DIGEST_HEX_SIZE];

    if (bytes < 0 || (uint64_t)bytes > text->len)
        return error_set (err,
                          "'%s' has %zu bytes, but the results of tasks stand "
                          "on %" PRId64,
                          path, text->len, bytes);
    digest_bytes (text->buf, (size_t)bytes, hex);
    if (strcmp (hex, sha256) != 0)
        return error_set (err,
                          "'%s' was changed after results of tasks were "
                          "taken from it",
                          path);
    return 0;
}

/* Who takes the records. */
struct taker {
    int (*take) (const struct result_event *event, void *arg,
                 struct error *err);
    void *arg;
    struct tries_summary *tries; /* or NULL */
};

static int take_record (const struct result_event *event, void *arg,
                        struct error *err)
{
    const struct taker *taker = arg;

    if (taker->tries)
        tries_summary_add (taker->tries, event);
    return taker->take (event, taker->arg, err);
}

static int read_log (const char *path, const struct json *journaled,
                     const struct taker *taker, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    int rc = file_read (path, LOG_MAX_BYTES, &text, err);

    if (rc == 0)
        rc = check_log (path, &text, journaled, err);
    if (rc == 0)
        rc = result_log_scan (
            text.buf, (size_t)json_as_int (json_get (journaled, "bytes")), path,
            take_record, (void *)taker, &accepted, err);
    return rc;
}

/* 'all': one that is gone, or was changed, is an error. */
static int read_logs (const char *campaign_dir, const struct stage_place *place,
                      const struct stage_state *stage, bool all,
                      const struct taker *taker,
                      const struct heartbeat *heartbeat, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf run = STRBUF_INIT;
    size_t len;
    int rc = 0;

    strbuf_addf (&run, "%s/", campaign_dir);
    layout_run (place->generation, &run);
    len = run.len;
    JSON_FOREACH (stage->logs, it)
        strvec_push (&names, json_iter_key (it));
    strvec_sort (&names);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        struct error why = ERROR_INIT;

        heartbeat_send (heartbeat);
        strbuf_truncate (&run, len);
        strbuf_addf (&run, "/%s", names.v[i]);
        rc =
            read_log (run.buf, json_get (stage->logs, names.v[i]), taker, &why);
        if (rc < 0 && (all || error_is_machine_error (&why)))
            error_copy (err, &why);
        else
            rc = 0;
    }
    return rc;
}

static int check_all (const struct params_reader *reader, const char *stage,
                      struct error *err)
{
    for (int32_t t = 0; t < reader->stage->n_tasks; t++) {
        if (reader->stage->tasks[t].outcome == OUTCOME_OK && !reader->taken[t])
            return error_set (err,
                              "task %d of stage '%s' was ok, but no log that "
                              "was counted tells its parameters",
                              t, stage);
    }
    return 0;
}

int logged_params_read (const char *campaign_dir,
                        const struct stage_place *place,
                        const struct stage_state *stage,
                        void (*take) (int32_t task, const struct json *end,
                                      void *arg),
                        void *arg, struct tries_summary *tries,
                        const struct heartbeat *heartbeat, struct error *err)
{
    struct params_reader reader = {
        .stage = stage,
        .taken = xcalloc ((size_t)stage->n_tasks + 1, sizeof (bool)),
        .take = take,
        .arg = arg
    };
    const struct taker taker = { take_params, &reader, tries };
    int rc =
        read_logs (campaign_dir, place, stage, true, &taker, heartbeat, err);

    if (rc == 0)
        rc = check_all (&reader, place->stage, err);
    free (reader.taken);
    return rc;
}

int counted_logs_read (const char *campaign_dir,
                       const struct stage_place *place,
                       const struct stage_state *stage,
                       int (*each) (const struct result_event *event, void *arg,
                                    struct error *err),
                       void *arg, const struct heartbeat *heartbeat,
                       struct error *err)
{
    const struct taker taker = { each, arg, NULL };

    return read_logs (campaign_dir, place, stage, false, &taker, heartbeat,
                      err);
}

/* --- digests of results --- */

struct results_reader {
    int32_t n_tasks;
    char (*sha256)[DIGEST_HEX_SIZE];
    char **told; /* by task: another digest, "" it is the same, or NULL */
};

/* One that was found damaged was made again: any of its ends may be the one. */
static int compare_result (const struct result_event *event, void *arg,
                           struct error *err)
{
    const struct results_reader *reader = arg;
    const struct json *told = json_get (event->record, "result");
    char **other;

    (void)err;
    if (event->kind != RESULT_END || event->outcome != OUTCOME_OK || !told
        || event->task >= reader->n_tasks)
        return 0;
    other = &reader->told[event->task];
    if (*other && !**other)
        return 0;
    free (*other);
    *other = xstrdup (
        strcmp (json_as_string (told), reader->sha256[event->task]) == 0
            ? ""
            : json_as_string (told));
    return 0;
}

static int say_other (const struct stage_place *place, int32_t task,
                      const char *now, const char *then, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    layout_task_out (place, task, &path);
    error_set (
        err, "%s/" LAYOUT_RESULT_FILE " differs: its sha256 is %s, and was %s",
        path.buf, now, then);
    return -1;
}

int logged_results_compare (const char *campaign_dir,
                            const struct stage_place *place,
                            const struct stage_state *stage,
                            char (*sha256)[DIGEST_HEX_SIZE],
                            struct tries_summary *tries,
                            const struct heartbeat *heartbeat,
                            struct error *err)
{
    struct results_reader reader = { stage->n_tasks, sha256,
                                     xcalloc ((size_t)stage->n_tasks + 1,
                                              sizeof (char *)) };
    const struct taker taker = { compare_result, &reader, tries };
    int rc =
        read_logs (campaign_dir, place, stage, false, &taker, heartbeat, err);

    for (int32_t t = 0; t < stage->n_tasks; t++) {
        const char *told = reader.told[t];

        if (rc == 0 && told && told[0] && sha256[t][0])
            rc = say_other (place, t, sha256[t], told, err);
        free (reader.told[t]);
    }
    free (reader.told);
    return rc;
}
