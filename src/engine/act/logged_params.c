/* SPDX-License-Identifier: BSD-3-Clause */
/* logged_params.c - the parameters of tasks, from the agents' result logs */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "engine/act/logged_params.h"
#include "engine/history/state.h"
#include "handover/result_log.h"
#include "space/layout.h"

enum { LOG_MAX_BYTES = 1 << 30 };

struct params_reader {
    const struct stage_state *stage;
    bool *taken; /* by task */
    void (*take) (int32_t task, const struct json *params, void *arg);
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
        reader->take (event->task, event->params, reader->arg);
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

static int read_log (const char *path, const struct json *journaled,
                     struct params_reader *reader, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    int rc = file_read (path, LOG_MAX_BYTES, &text, err);

    if (rc == 0)
        rc = check_log (path, &text, journaled, err);
    if (rc == 0)
        rc = result_log_scan (
            text.buf, (size_t)json_as_int (json_get (journaled, "bytes")), path,
            take_params, reader, &accepted, err);
    strbuf_release (&text);
    return rc;
}

static int read_logs (const char *run_dir, struct params_reader *reader,
                      const struct heartbeat *heartbeat, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = 0;

    JSON_FOREACH (reader->stage->logs, it)
        strvec_push (&names, json_iter_key (it));
    strvec_sort (&names);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *path = path_join (run_dir, names.v[i]);

        heartbeat_send (heartbeat);
        rc = read_log (path, json_get (reader->stage->logs, names.v[i]), reader,
                       err);
        free (path);
    }
    strvec_release (&names);
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

int logged_params_read (
    const char *campaign_dir, const struct stage_place *place,
    const struct stage_state *stage,
    void (*take) (int32_t task, const struct json *params, void *arg),
    void *arg, const struct heartbeat *heartbeat, struct error *err)
{
    struct params_reader reader = {
        .stage = stage,
        .taken = xcalloc ((size_t)stage->n_tasks + 1, sizeof (bool)),
        .take = take,
        .arg = arg
    };
    struct strbuf run = STRBUF_INIT;
    char *dir;
    int rc;

    layout_run_stage (place->stage, place->iteration, &run);
    dir = path_join (campaign_dir, run.buf);
    rc = read_logs (dir, &reader, heartbeat, err);
    if (rc == 0)
        rc = check_all (&reader, place->stage, err);
    free (reader.taken);
    free (dir);
    strbuf_release (&run);
    return rc;
}
