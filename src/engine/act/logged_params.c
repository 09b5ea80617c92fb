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

struct taking {
    const struct stage_state *stage;
    struct json **params;
};

static int take_params (const struct result_event *event,
                        void *arg,
                        struct error *err)
{
    struct taking *taking = arg;

    (void)err;
    if (event->kind != RESULT_END || event->outcome != OUTCOME_OK
        || event->task >= taking->stage->n_tasks || taking->params[event->task])
        return 0;
    taking->params[event->task] =
        event->params ? json_deep_copy (event->params) : json_object ();
    return 0;
}

/* Is what was journaled of a log still there? */
static int check_log (const char *path,
                      const struct strbuf *text,
                      const struct json *journaled,
                      struct error *err)
{
    const char *sha256 = json_as_string (json_get (journaled, "sha256"));
    int64_t bytes = json_as_int (json_get (journaled, "bytes"));
    char hex[DIGEST_HEX_SIZE];

    if (bytes < 0 || (uint64_t)bytes > text->len)
        return error_set (err,
                          "'%s' has %zu bytes, but the results of tasks stand "
                          "on %" PRId64 "; restore it",
                          path, text->len, bytes);
    digest_bytes (text->buf, (size_t)bytes, hex);
    if (strcmp (hex, sha256) != 0)
        return error_set (err,
                          "'%s' was changed after results of tasks were "
                          "taken from it; restore it",
                          path);
    return 0;
}

static int take_log (const char *path,
                     const struct json *journaled,
                     struct taking *taking,
                     struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    int rc = file_read (path, LOG_MAX_BYTES, &text, err);

    if (rc == 0)
        rc = check_log (path, &text, journaled, err);
    if (rc == 0)
        rc = result_log_scan (
            text.buf, (size_t)json_as_int (json_get (journaled, "bytes")), path,
            take_params, taking, &accepted, err);
    strbuf_release (&text);
    return rc;
}

static int take_logs (const char *run_dir,
                      struct taking *taking,
                      const struct heartbeat *heartbeat,
                      struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = 0;

    JSON_FOREACH (taking->stage->logs, it)
        strvec_push (&names, json_iter_key (it));
    strvec_sort (&names);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *path = path_join (run_dir, names.v[i]);

        heartbeat_send (heartbeat);
        rc = take_log (path, json_get (taking->stage->logs, names.v[i]), taking,
                       err);
        free (path);
    }
    strvec_release (&names);
    return rc;
}

static int check_all (const struct taking *taking,
                      const char *stage,
                      struct error *err)
{
    for (int32_t t = 0; t < taking->stage->n_tasks; t++) {
        if (taking->stage->tasks[t].outcome == OUTCOME_OK && !taking->params[t])
            return error_set (err,
                              "task %d of stage '%s' was ok, but no log that "
                              "was counted tells its parameters",
                              t, stage);
    }
    return 0;
}

void logged_params_release (struct json **params, int32_t n_tasks)
{
    for (int32_t t = 0; params && t < n_tasks; t++)
        json_unref (params[t]);
    free (params);
}

struct json **logged_params (const char *campaign_dir,
                             const struct stage_place *place,
                             const struct stage_state *stage,
                             const struct heartbeat *heartbeat,
                             struct error *err)
{
    struct taking taking = { stage, xcalloc ((size_t)stage->n_tasks + 1,
                                             sizeof (*taking.params)) };
    struct strbuf run = STRBUF_INIT;
    char *dir;
    int rc;

    layout_run_stage (place->stage, place->iteration, &run);
    dir = path_join (campaign_dir, run.buf);
    rc = take_logs (dir, &taking, heartbeat, err);
    if (rc == 0)
        rc = check_all (&taking, place->stage, err);
    free (dir);
    strbuf_release (&run);
    if (rc == 0)
        return taking.params;
    logged_params_release (taking.params, stage->n_tasks);
    return NULL;
}
