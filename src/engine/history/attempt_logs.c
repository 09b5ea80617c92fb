/* SPDX-License-Identifier: BSD-3-Clause */
/* attempt_logs.c - what was read of the agents' logs of one open attempt */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/attempt_logs.h"
#include "engine/history/state.h"

int64_t attempt_first_element (const struct attempt *attempt, int chunk)
{
    return chunk * attempt->packing.per_chunk;
}

/* As the agents derive them from job.json. */
static void deal_bundles (const struct attempt *attempt,
                          struct task_range *bundles)
{
    for (int chunk = 0; chunk < attempt->packing.chunks; chunk++) {
        _cleanup_ (task_range_release) struct task_range tasks =
            TASK_RANGE_INIT;

        packing_chunk_tasks (&attempt->packing, &attempt->tasks, chunk, &tasks);
        packing_deal (&tasks, packing_chunk_elements (&attempt->packing, chunk),
                      &bundles[attempt_first_element (attempt, chunk)]);
    }
}

/* Of the stage's open attempt; nothing is read yet. */
static struct attempt_logs *attempt_logs_create (
    const struct stage_state *stage, int iteration)
{
    const struct attempt *attempt = stage_open_attempt (stage);
    struct attempt_logs *logs = xcalloc (1, sizeof (*logs));
    size_t elements = (size_t)attempt->packing.elements;

    logs->stage = xstrdup (stage->name);
    logs->iteration = iteration;
    logs->attempt = (int)stage->n_attempts - 1;
    logs->n_tasks = stage->n_tasks;
    logs->tasks = xcalloc ((size_t)stage->n_tasks + 1, sizeof (*logs->tasks));
    strvec_init (&logs->nodes);
    logs->why = json_object ();
    logs->n_elements = attempt->packing.elements;
    logs->elements = xcalloc (elements + 1, sizeof (*logs->elements));
    logs->bundles = xcalloc (elements + 1, sizeof (*logs->bundles));
    deal_bundles (attempt, logs->bundles);
    return logs;
}

void attempt_logs_destroy (struct attempt_logs *logs)
{
    for (int64_t e = 0; logs && e < logs->n_elements; e++) {
        free (logs->elements[e].logs);
        free (logs->elements[e].machine_error);
        json_unref (logs->elements[e].retired);
        task_range_release (&logs->bundles[e]);
    }
    if (!logs)
        return;
    free (logs->elements);
    free (logs->bundles);
    free (logs->tasks);
    free (logs->stage);
    strvec_release (&logs->nodes);
    json_unref (logs->why);
    free (logs);
}

void attempt_logs_forget (struct attempt_logs *logs, int64_t element)
{
    struct read_element *e = &logs->elements[element];
    const struct task_range *bundle = &logs->bundles[element];

    free (e->logs);
    free (e->machine_error);
    json_unref (e->retired);
    *e = (struct read_element){ .n_logs = 0 };
    for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
        char key[16];

        logs->tasks[t] = (struct logged_task){ .started = false };
        if (json_count (logs->why) == 0)
            continue;
        snprintf (key, sizeof (key), "%d", t);
        if (json_get (logs->why, key))
            json_delete (logs->why, key);
    }
}

/* --- of all open attempts --- */

static bool is_of_attempt (const struct attempt_logs *logs,
                           const struct stage_state *stage, int iteration)
{
    return logs->iteration == iteration
           && logs->attempt == (int)stage->n_attempts - 1
           && strcmp (logs->stage, stage->name) == 0;
}

void logs_read_release (struct logs_read *read)
{
    for (size_t i = 0; i < read->n; i++)
        attempt_logs_destroy (read->v[i]);
    free (read->v);
    *read = (struct logs_read)LOGS_READ_INIT;
}

static struct attempt_logs *add_attempt (struct logs_read *read,
                                         const struct stage_state *stage,
                                         int iteration)
{
    read->v = grow_array (read->v, read->n, &read->alloc, sizeof (*read->v));
    read->v[read->n] = attempt_logs_create (stage, iteration);
    return read->v[read->n++];
}

struct attempt_logs *logs_read_of (struct logs_read *read,
                                   const struct stage_state *stage,
                                   int iteration)
{
    for (size_t i = 0; i < read->n; i++) {
        if (is_of_attempt (read->v[i], stage, iteration))
            return read->v[i];
    }
    return add_attempt (read, stage, iteration);
}

/* The stage whose open attempt that is, or NULL. */
static const struct stage_state *stage_of (const struct attempt_logs *logs,
                                           const struct state *state)
{
    int iteration = state_iteration (state);
    const struct stage_state *stage =
        iteration >= 0 ? state_stage (state, iteration, logs->stage) : NULL;

    return stage && stage_open_attempt (stage)
                   && is_of_attempt (logs, stage, iteration)
               ? stage
               : NULL;
}

void logs_read_tidy (struct logs_read *read, const struct state *state)
{
    size_t n = 0;

    for (size_t i = 0; i < read->n; i++) {
        if (stage_of (read->v[i], state))
            read->v[n++] = read->v[i];
        else
            attempt_logs_destroy (read->v[i]);
    }
    read->n = n;
}

/* --- writing --- */

/* Is nothing known of an element's tasks but what is recorded, and which of
 * the others have started, where the last agent runs?
 */
static bool tells_no_more (const struct attempt_logs *logs,
                           const struct stage_state *stage, int64_t element)
{
    const struct task_range *bundle = &logs->bundles[element];

    for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
        const struct logged_task *task = &logs->tasks[t];
        uint8_t recorded = stage->tasks[t].outcome;

        if (recorded == OUTCOME_NONE
            && (task->outcome != OUTCOME_NONE
                || (task->started
                    && task->node != logs->elements[element].node)))
            return false;
        if (recorded != OUTCOME_OK && task->outcome == OUTCOME_OK)
            return false;
    }
    return true;
}

static bool is_kept (const struct attempt_logs *logs,
                     const struct stage_state *stage, int64_t element)
{
    const struct read_element *e = &logs->elements[element];

    if (e->n_logs == 0 || !e->settled || e->finished
        || e->logs[e->n_logs - 1].n != (int64_t)e->n_logs - 1)
        return false;
    for (size_t i = 0; i < e->n_logs; i++) {
        if (e->logs[i].durable_bytes > e->logs[i].journaled_bytes
            && i + 1 < e->n_logs)
            return false;
    }
    JSON_FOREACH (e->retired, it) {
        if (!json_get (stage->retired, json_iter_key (it)))
            return false;
    }
    return tells_no_more (logs, stage, element);
}

/* [ELEMENT, n, bytes, mtime_us, durable_bytes, node, sha256, blocks, claimed_s]
 * of its last log; the names of the older ones follow from n.
 */
static struct json *element_json (const struct read_element *e, int64_t element)
{
    const struct read_log *log = &e->logs[e->n_logs - 1];
    struct json *v = json_array ();
    char blocks[DIGEST_HEX_SIZE];

    digest_state_format (&log->digest, blocks);
    json_push (v, json_int (element));
    json_push (v, json_int (log->n));
    json_push (v, json_int ((int64_t)log->bytes));
    json_push (v, json_int (log->mtime_us));
    json_push (v, json_int ((int64_t)log->durable_bytes));
    json_push (v, json_int (e->node));
    json_push (v, json_string (log->sha256));
    json_push (v, json_string (blocks));
    json_push (v, json_real (e->claimed_s));
    return v;
}

/* [ELEMENT, TEXT, whether a person has to look at it] */
static struct json *machine_error_json (const struct read_element *e,
                                        int64_t element)
{
    struct json *v = json_array ();

    json_push (v, json_int (element));
    json_push (v, json_string (e->machine_error));
    json_push (v, json_bool (e->pause));
    return v;
}

static struct json *attempt_json (const struct attempt_logs *logs,
                                  const struct stage_state *stage)
{
    struct json *v = json_object ();
    struct json *nodes = json_array ();
    struct json *elements = json_array ();
    struct json *machine_errors = json_array ();
    _cleanup_ (task_range_release) struct task_range started = TASK_RANGE_INIT;

    for (size_t i = 0; i < logs->nodes.n; i++)
        json_push (nodes, json_string (logs->nodes.v[i]));
    for (int64_t e = 0; e < logs->n_elements; e++) {
        const struct task_range *bundle = &logs->bundles[e];

        if (logs->elements[e].machine_error
            && (logs->elements[e].finished || is_kept (logs, stage, e)))
            json_push (machine_errors,
                       machine_error_json (&logs->elements[e], e));
        if (!is_kept (logs, stage, e))
            continue;
        json_push (elements, element_json (&logs->elements[e], e));
        for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
            if (logs->tasks[t].started
                && stage->tasks[t].outcome == OUTCOME_NONE)
                task_range_add (&started, t);
        }
    }
    json_set (v, "stage", json_string (logs->stage));
    json_set (v, "attempt", json_int (logs->attempt));
    json_set (v, "nodes", nodes);
    json_set (v, "started", task_range_to_json (&started));
    json_set (v, "elements", elements);
    json_set (v, "machine_errors", machine_errors);
    return v;
}

struct json *logs_read_to_json (const struct logs_read *read,
                                const struct state *state)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < read->n; i++) {
        const struct stage_state *stage = stage_of (read->v[i], state);

        if (stage)
            json_push (list, attempt_json (read->v[i], stage));
    }
    return list;
}

/* --- reading --- */

static int read_last_log (const struct json *v, struct read_log *log)
{
    const char *sha256 = json_as_string (json_at (v, 6));
    int64_t bytes = json_as_int (json_at (v, 2));
    int64_t durable = json_as_int (json_at (v, 4));

    *log = (struct read_log){ .n = json_as_int (json_at (v, 1)),
                              .bytes = (uint64_t)bytes,
                              .mtime_us = json_as_int (json_at (v, 3)),
                              .durable_bytes = (uint64_t)durable };
    if (bytes < 0 || durable < 0 || durable > bytes
        || strlen (sha256) != DIGEST_HEX_SIZE - 1
        || digest_state_parse (json_as_string (json_at (v, 7)),
                               log->durable_bytes, &log->digest)
               < 0)
        return -1;
    memcpy (log->sha256, sha256, sizeof (log->sha256));
    return 0;
}

enum { CLAIMS_KEPT = 10000 }; /* more are damage */

static int read_element (const struct json *v, struct attempt_logs *logs)
{
    int64_t element = json_as_int (json_at (v, 0));
    int64_t node = json_as_int (json_at (v, 5));
    struct read_log log;
    struct read_element *e;

    if (json_count (v) != 9 || element < 0 || element >= logs->n_elements
        || node < 0 || node > (int64_t)logs->nodes.n
        || read_last_log (v, &log) < 0 || log.n < 0 || log.n > CLAIMS_KEPT
        || logs->elements[element].n_logs > 0)
        return -1;
    e = &logs->elements[element];
    e->n_logs = (size_t)log.n + 1;
    e->logs = xcalloc (e->n_logs, sizeof (*e->logs));
    for (size_t i = 0; i < e->n_logs; i++)
        e->logs[i].n = (int64_t)i;
    e->logs[log.n] = log;
    e->node = (uint32_t)node;
    e->claimed_s = json_as_double (json_at (v, 8));
    e->settled = true;
    return 0;
}

/* Which agent of an element started them is known from the last log. */
static int read_started (const struct json *v, struct attempt_logs *logs)
{
    _cleanup_ (task_range_release) struct task_range started = TASK_RANGE_INIT;
    int rc = task_range_parse (json_as_string (json_get (v, "started")),
                               &started, NULL);

    for (int64_t e = 0; rc == 0 && e < logs->n_elements; e++) {
        const struct task_range *bundle = &logs->bundles[e];

        for (size_t i = 0; i < bundle->n_spans; i++) {
            int32_t t = bundle->spans[i].first - 1;

            while ((t = task_range_next (&started, t)) >= 0
                   && t <= bundle->spans[i].last)
                logs->tasks[t] =
                    (struct logged_task){ .started = true,
                                          .node = logs->elements[e].node };
        }
    }
    return rc;
}

static int read_machine_error (const struct json *v, struct attempt_logs *logs)
{
    int64_t element = json_as_int (json_at (v, 0));

    if (json_count (v) != 3 || element < 0 || element >= logs->n_elements
        || logs->elements[element].machine_error)
        return -1;
    logs->elements[element].machine_error =
        xstrdup (json_as_string (json_at (v, 1)));
    logs->elements[element].pause = json_as_bool (json_at (v, 2));
    return 0;
}

static int read_attempt (const struct json *v, struct attempt_logs *logs)
{
    const struct json *nodes = json_get (v, "nodes");
    const struct json *elements = json_get (v, "elements");
    const struct json *errors = json_get (v, "machine_errors");

    if (json_as_int (json_get (v, "attempt")) != logs->attempt)
        return -1;
    for (size_t i = 0; i < json_count (nodes); i++)
        strvec_push (&logs->nodes, json_as_string (json_at (nodes, i)));
    for (size_t i = 0; i < json_count (elements); i++) {
        if (read_element (json_at (elements, i), logs) < 0)
            return -1;
    }
    for (size_t i = 0; i < json_count (errors); i++) {
        if (read_machine_error (json_at (errors, i), logs) < 0)
            return -1;
    }
    return read_started (v, logs);
}

void logs_read_from_json (const struct json *v, const struct state *state,
                          struct logs_read *read)
{
    int iteration = state_iteration (state);

    for (size_t i = 0; iteration >= 0 && i < json_count (v); i++) {
        const struct json *attempt = json_at (v, i);
        const struct stage_state *stage = state_stage (
            state, iteration, json_as_string (json_get (attempt, "stage")));

        if (!stage || !stage_open_attempt (stage))
            continue;
        if (read_attempt (attempt, add_attempt (read, stage, iteration)) < 0)
            attempt_logs_destroy (read->v[--read->n]);
    }
}
