/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_summary.c - what a report tells of a stage */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/sort.h"
#include "engine/act/logged_params.h"
#include "engine/act/stage_summary.h"
#include "engine/act/tries_summary.h"
#include "engine/history/engine.h"
#include "engine/history/outputs_store.h"
#include "space/layout.h"

/* --- numbers --- */

static double mean_of (const double *values, size_t n)
{
    double mean = 0;

    for (size_t i = 0; i < n; i++)
        mean += (values[i] - mean) / (double)(i + 1);
    return mean;
}

struct json *number_spread (const struct json *list)
{
    _cleanup_free_ double *values =
        xcalloc (json_count (list) + 1, sizeof (*values));
    struct json *v;
    size_t n = 0;

    if (json_kind (list) != JSON_KIND_ARRAY)
        return NULL;
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *number = json_at (list, i);

        if (json_is_number (number) && isfinite (json_as_double (number)))
            values[n++] = json_as_double (number);
    }
    if (n == 0)
        return NULL;
    sort_doubles (values, n);
    v = json_object ();
    json_set (v, "n", json_int ((int64_t)n));
    json_set (v, "least", json_real (values[0]));
    json_set (v, "median",
              json_real ((values[(n - 1) / 2] + values[n / 2]) / 2));
    json_set (v, "mean", json_real (mean_of (values, n)));
    json_set (v, "most", json_real (values[n - 1]));
    return v;
}

static struct json *numbers_of (const struct json *outputs)
{
    struct json *numbers = json_object ();

    JSON_FOREACH (outputs, it) {
        const struct json *list = json_iter_value (it);
        struct json *spread = json_kind (list) == JSON_KIND_ARRAY
                                      && json_count (list) > SUMMARY_TASKS
                                  ? number_spread (list)
                                  : NULL;

        if (spread)
            json_set (numbers, json_iter_key (it), spread);
    }
    return numbers;
}

/* --- making --- */

static int take_record (const struct result_event *event, void *arg,
                        struct error *err)
{
    (void)err;
    tries_summary_add (arg, event);
    return 0;
}

/* Logs that are gone leave a gap. */
static struct tries_summary *read_tries (const struct engine *engine,
                                         const struct stage_place *place,
                                         const struct stage_state *state)
{
    struct tries_summary *tries = tries_summary_create (state->n_tasks);

    counted_logs_read (engine->dir, place, state, take_record, tries,
                       &engine->heartbeat, NULL);
    return tries;
}

static struct json *summary_json (struct tries_summary *tries,
                                  const struct json *outputs,
                                  const char *sha256)
{
    struct json *v = json_object ();
    struct json *told = tries_summary_json (tries);

    json_set (v, "format", json_int (1));
    json_set (v, "outputs", json_string (sha256));
    json_set (v, "tries", told ? told : json_null ());
    json_set (v, "numbers", numbers_of (outputs));
    return v;
}

static char *path_of (const struct engine *engine,
                      const struct stage_place *place)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    char *whole;

    layout_run (place->generation, &path);
    strbuf_add_str (&path, "/" LAYOUT_SUMMARY);
    whole = path_join (engine->dir, path.buf);
    return whole;
}

void stage_summary_write (const struct engine *engine,
                          const struct stage_place *place,
                          struct tries_summary *tries,
                          const struct json *outputs, const char *sha256)
{
    _cleanup_free_ char *path = path_of (engine, place);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v = summary_json (tries, outputs, sha256);

    json_dump (v, JSON_COMPACT, &text);
    file_write_atomic (path, text.buf, text.len, NULL);
    json_unref (v);
}

/* --- reading --- */

/* NULL: it is not there, or of other results. */
static struct json *read_summary (const struct engine *engine,
                                  const struct stage_place *place,
                                  const struct stage_state *state)
{
    _cleanup_free_ char *path = path_of (engine, place);
    struct json *v = state->outputs ? json_read_file (path, NULL) : NULL;

    if (v
        && (json_get_int (v, "format") != 1
            || strcmp (json_get_string (v, "outputs"), state->outputs) != 0)) {
        json_unref (v);
        v = NULL;
    }
    return v;
}

struct json *stage_summary_get (const struct engine *engine, int iteration,
                                const char *stage, int64_t *allowance)
{
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage);
    struct tries_summary *tries;
    struct stage_place place;
    struct json *v;

    if (!state || state->generation == 0)
        return NULL;
    place = state_place (&engine->state, iteration, stage);
    v = read_summary (engine, &place, state);
    if (v || state->n_tasks > *allowance)
        return v;
    *allowance -= state->n_tasks;
    tries = read_tries (engine, &place, state);
    v = summary_json (tries,
                      state->status == STAGE_DONE ? outputs_store_get (
                          engine->outputs, iteration, stage, NULL)
                                                  : NULL,
                      state->outputs ? state->outputs : "");
    tries_summary_destroy (tries);
    return v;
}
