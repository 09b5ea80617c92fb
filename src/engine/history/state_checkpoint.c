/* SPDX-License-Identifier: BSD-3-Clause */
/* state_checkpoint.c - a state as JSON and back (state.json)
 *
 * Tasks are written as ranges: {"ok": "0-97,99"} and, by count, {"1": "0-99"}.
 */
#include "base/base.h"

#include "base/json.h"
#include "base/json_record.h"
#include "engine/history/state.h"

/* What is written and read as it stands in a structure. */
static const struct json_field submission_fields[] = {
    JSON_FIELD_AS (struct submission, status, "phase", COUNT,
                   .most = SUBMISSION_ABSENT),
    JSON_FIELD (struct submission, token, TEXT),
    JSON_FIELD (struct submission, id, STRING, .optional = true),
    JSON_FIELD (struct submission, chunk, COUNT),
    JSON_FIELD (struct submission, elements, COUNT, .least = 1,
                .most = TASK_MAX + 1),
    JSON_FIELD (struct submission, intended_s, REAL),
    JSON_FIELD (struct submission, empty_answers, COUNT),
    JSON_FIELD (struct submission, cancel_asked, BOOL),
    JSON_FIELD (struct submission, found, BOOL),
    JSON_FIELD (struct submission, swept, BOOL),
    JSON_FIELD (struct submission, over_s, REAL),
    JSON_FIELD (struct submission, note, STRING, .optional = true),
    JSON_FIELD (struct submission, asked, TREE),
    JSON_FIELDS_END,
};

static const struct json_field attempt_fields[] = {
    JSON_FIELD (struct attempt, closed, BOOL),
    JSON_FIELD (struct attempt, site_submit, COUNT),
    JSON_FIELDS_END,
};

static const struct json_field dependency_job_fields[] = {
    JSON_FIELD (struct dependency_job, after, TEXT),
    JSON_FIELD (struct dependency_job, at_s, REAL),
    JSON_FIELD (struct dependency_job, stage, STRING),
    JSON_FIELDS_END,
};

static const struct json_field stage_fields[] = {
    JSON_FIELD (struct stage_state, name, STRING),
    JSON_FIELD_AS (struct stage_state, status, "phase", COUNT,
                   .most = STAGE_FAILED),
    JSON_FIELD (struct stage_state, why, STRING, .optional = true),
    JSON_FIELD (struct stage_state, bad_input, BOOL),
    JSON_FIELD (struct stage_state, skip_asked, BOOL, .optional = true),
    JSON_FIELD (struct stage_state, generation, COUNT),
    JSON_FIELD (struct stage_state, config, COUNT, .optional = true),
    JSON_FIELD (struct stage_state, code, STRING, .optional = true),
    JSON_FIELD (struct stage_state, dir, STRING, .optional = true),
    JSON_FIELD (struct stage_state, first_name, STRING, .optional = true),
    JSON_FIELD (struct stage_state, unsteady, STRING, .optional = true),
    JSON_FIELD (struct stage_state, outputs, STRING, .optional = true),
    JSON_FIELD_AS (struct stage_state, n_tasks, "tasks", COUNT,
                   .most = TASK_MAX + 1),
    JSON_FIELD (struct stage_state, without_result, COUNT),
    JSON_FIELD (struct stage_state, timed_tasks, COUNT),
    JSON_FIELD (struct stage_state, timed_s, REAL),
    JSON_FIELD (struct stage_state, began_s, REAL),
    JSON_FIELD (struct stage_state, ended_s, REAL),
    JSON_FIELD (struct stage_state, count, COUNT, .least = -JSON_INT_MAX),
    JSON_FIELD (struct stage_state, proceed, BOOL),
    JSON_FIELD (struct stage_state, checkpoints, TREE),
    JSON_FIELD (struct stage_state, reused, TREE),
    JSON_FIELD (struct stage_state, avoid, TREE),
    JSON_FIELD (struct stage_state, retired, TREE),
    JSON_FIELD (struct stage_state, logs, TREE),
    JSON_FIELD (struct stage_state, removed, TREE),
    JSON_FIELDS_END,
};

static const struct json_field iteration_fields[] = {
    JSON_FIELD (struct iteration_state, closed, BOOL),
    JSON_FIELD (struct iteration_state, stop, BOOL),
    JSON_FIELD (struct iteration_state, phase, STRING, .optional = true),
    JSON_FIELD (struct iteration_state, phase_number, COUNT, .optional = true),
    JSON_FIELD (struct iteration_state, until, BOOL, .optional = true),
    JSON_FIELD (struct iteration_state, config_number, COUNT, .optional = true),
    JSON_FIELD (struct iteration_state, config_sha256, TEXT, .optional = true),
    JSON_FIELD (struct iteration_state, began_s, REAL),
    JSON_FIELD (struct iteration_state, ended_s, REAL),
    JSON_FIELD (struct iteration_state, history, TREE),
    JSON_FIELD (struct iteration_state, dataset, TREE),
    JSON_FIELDS_END,
};

static const struct json_field state_fields[] = {
    JSON_FIELD (struct state, n, COUNT),
    JSON_FIELD (struct state, id, STRING, .optional = true),
    JSON_FIELD_AS (struct state, home.path, "home_path", STRING,
                   .optional = true),
    JSON_FIELD_AS (struct state, home.inode, "home_inode", STRING,
                   .optional = true),
    JSON_FIELD_AS (struct state, status, "phase", COUNT,
                   .most = CAMPAIGN_FAILED),
    JSON_FIELD (struct state, why, STRING, .optional = true),
    JSON_FIELD (struct state, converged, BOOL),
    JSON_FIELD (struct state, cancelling, BOOL),
    JSON_FIELD (struct state, auto_paused, BOOL),
    JSON_FIELD (struct state, chained, BOOL),
    JSON_FIELD (struct state, path, STRING, .optional = true),
    JSON_FIELD (struct state, config_sha256, TEXT),
    JSON_FIELD (struct state, config_iteration, COUNT, .optional = true),
    JSON_FIELD (struct state, config_number, COUNT),
    JSON_FIELD (struct state, generation, COUNT),
    JSON_FIELD (struct state, kept, COUNT, .optional = true),
    JSON_FIELD_AS (struct state, then.event, "then_event", STRING,
                   .optional = true),
    JSON_FIELD_AS (struct state, then.status, "then_status", COUNT,
                   .optional = true, .most = THEN_DONE),
    JSON_FIELD_AS (struct state, then.n, "then_n", COUNT, .optional = true),
    JSON_FIELD_AS (struct state, then.why, "then_why", STRING,
                   .optional = true),
    JSON_FIELD (struct state, superseded, TREE),
    JSON_FIELD (struct state, fresh, TREE),
    JSON_FIELD (struct state, reuse_from, TREE),
    JSON_FIELD (struct state, moves, TREE),
    JSON_FIELD (struct state, requests_seen, TREE),
    JSON_FIELD (struct state, outages, TREE),
    JSON_FIELD (struct state, notify, TREE),
    JSON_FIELD (struct state, notices, TREE),
    JSON_FIELD (struct state, notice_failed, TREE),
    JSON_FIELD (struct state, moved_n, COUNT, .optional = true),
    JSON_FIELD (struct state, moved_s, REAL, .optional = true),
    JSON_FIELD (struct state, stuck_n, COUNT, .optional = true),
    JSON_FIELDS_END,
};

/* --- writing --- */

/* What is kept of each task, as {VALUE: RANGE} of those where it is not 0. */
static const struct task_field {
    const char *key;
    size_t offset; /* in struct task_state, of a uint8_t */
    bool outcome;  /* VALUE is the name of one; else a number */
} task_fields[] = {
    { "outcomes", offsetof (struct task_state, outcome), true },
    { "tries", offsetof (struct task_state, tries), false },
    { "timeouts", offsetof (struct task_state, timeouts), false },
    { "out_of_memory", offsetof (struct task_state, out_of_memory), false },
    { "renewed", offsetof (struct task_state, renewed), false },
};

static struct json *tasks_by (const struct stage_state *stage,
                              const struct task_field *field)
{
    struct json *by = json_object ();
    struct task_range ranges[UINT8_MAX + 1] = { { 0 } };
    char number[16];

    for (int32_t i = 0; i < stage->n_tasks; i++) {
        uint8_t value = ((const uint8_t *)&stage->tasks[i])[field->offset];

        if (value > 0)
            task_range_add (&ranges[value], i);
    }
    for (int v = 1; v <= UINT8_MAX; v++) {
        if (ranges[v].n_spans == 0)
            continue;
        snprintf (number, sizeof (number), "%d", v);
        json_set (by, field->outcome ? outcome_name ((enum outcome)v) : number,
                  task_range_to_json (&ranges[v]));
        task_range_release (&ranges[v]);
    }
    return by;
}

static struct json *submission_json (const struct submission *s)
{
    struct json *v = json_object ();

    json_record_write (s, submission_fields, v);
    if (s->note)
        json_set (v, "noted_s", json_real (s->noted_s));
    if (s->uid > 0)
        json_set (v, "uid", json_int (s->uid - 1));
    return v;
}

static struct json *attempt_json (const struct attempt *attempt)
{
    struct json *v = json_object ();
    struct json *list = json_array ();

    for (size_t i = 0; i < attempt->n_submissions; i++)
        json_push (list, submission_json (&attempt->submissions[i]));
    json_set (v, "tasks", task_range_to_json (&attempt->tasks));
    json_record_write (attempt, attempt_fields, v);
    json_set (v, "packing", packing_to_json (&attempt->packing));
    json_set (v, "task", resources_to_json (&attempt->task));
    if (attempt->node_share > 0)
        json_set (v, "node_share", json_real (attempt->node_share));
    json_set (v, "submissions", list);
    return v;
}

static struct json *dependency_job_json (
    const struct dependency_job *dependency_job)
{
    struct json *v = json_object ();

    json_set (v, "job", submission_json (&dependency_job->job));
    json_record_write (dependency_job, dependency_job_fields, v);
    return v;
}

static struct json *stage_json (const struct stage_state *stage)
{
    struct json *v = json_object ();
    struct json *attempts = json_array ();
    struct json *sizes = task_sizes_to_json (&stage->sizes);

    json_record_write (stage, stage_fields, v);
    for (size_t i = 0; i < ARRAY_SIZE (task_fields); i++)
        json_set (v, task_fields[i].key, tasks_by (stage, &task_fields[i]));
    for (size_t i = 0; i < stage->n_attempts; i++)
        json_push (attempts, attempt_json (&stage->attempts[i]));
    json_set (v, "attempts", attempts);
    if (sizes)
        json_set (v, "sizes", sizes);
    if (!usage_is_empty (&stage->usage))
        json_set (v, "usage", usage_to_json (&stage->usage));
    return v;
}

static struct json *iteration_json (const struct iteration_state *it)
{
    struct json *v = json_object ();
    struct json *stages = json_array ();

    for (size_t i = 0; i < it->n_stages; i++)
        json_push (stages, stage_json (&it->stages[i]));
    json_record_write (it, iteration_fields, v);
    json_set (v, "stages", stages);
    return v;
}

struct json *state_to_json (const struct state *state)
{
    struct json *v = json_object ();
    struct json *iterations = json_array ();
    struct json *dependency_jobs = json_array ();

    json_record_write (state, state_fields, v);
    for (size_t i = 0; i < state->n_dependency_jobs; i++)
        json_push (dependency_jobs,
                   dependency_job_json (&state->dependency_jobs[i]));
    json_set (v, "dependency_jobs", dependency_jobs);
    if (!usage_is_empty (&state->replaced_usage))
        json_set (v, "replaced_usage", usage_to_json (&state->replaced_usage));
    for (size_t i = 0; i < state->n_iterations; i++)
        json_push (iterations, iteration_json (&state->iterations[i]));
    json_set (v, "iterations", iterations);
    return v;
}

/* --- reading --- */

static int value_of (const struct task_field *field, const char *name)
{
    enum outcome outcome = outcome_from_name (name);

    if (!field->outcome)
        return atoi (name);
    return outcome == OUTCOME_COUNT ? OUTCOME_NONE : (int)outcome;
}

static int read_tasks_by (const struct json *by, const struct task_field *field,
                          struct stage_state *stage, struct error *err)
{
    JSON_FOREACH (by, it) {
        struct task_range range = TASK_RANGE_INIT;
        int number = value_of (field, json_iter_key (it));

        if (task_range_parse (json_as_string (json_iter_value (it)), &range,
                              err)
            < 0)
            return -1;
        for (size_t i = 0; i < range.n_spans; i++) {
            for (int32_t t = range.spans[i].first;
                 t <= range.spans[i].last && t < stage->n_tasks; t++)
                ((uint8_t *)&stage->tasks[t])[field->offset] = (uint8_t)number;
        }
        task_range_release (&range);
    }
    return 0;
}

static int read_tasks (const struct json *v, struct stage_state *stage,
                       struct error *err)
{
    stage->tasks = xcalloc ((size_t)stage->n_tasks + 1, sizeof (*stage->tasks));
    for (size_t i = 0; i < ARRAY_SIZE (task_fields); i++) {
        if (read_tasks_by (json_get (v, task_fields[i].key), &task_fields[i],
                           stage, err)
            < 0)
            return -1;
    }
    for (int32_t i = 0; i < stage->n_tasks; i++)
        stage->by_outcome[stage->tasks[i].outcome]++;
    return 0;
}

static int read_submission (const struct json *v, struct submission *s,
                            struct error *err)
{
    if (json_record_read (v, submission_fields, s, err) < 0)
        return -1;
    if (!s->id
        && (s->status == SUBMISSION_RECORDED
            || s->status == SUBMISSION_RELEASED))
        return error_set (err, "submission '%s' has no id", s->token);
    if (s->note)
        s->noted_s = json_get_double (v, "noted_s");
    s->uid = json_get (v, "uid") ? json_get_int (v, "uid") + 1 : 0;
    return 0;
}

static int read_attempt (const struct json *v, int32_t n_tasks,
                         struct attempt *attempt, struct error *err)
{
    const struct json *list = json_get (v, "submissions");
    const struct task_range *range = &attempt->tasks;
    const char *tasks;

    if (json_record_read (v, attempt_fields, attempt, err) < 0
        || json_want_string (v, "tasks", &tasks, err) < 0
        || task_range_parse (tasks, &attempt->tasks, err) < 0
        || packing_from_json (json_get (v, "packing"), &attempt->packing, err)
               < 0
        || resources_from_json (json_get (v, "task"), &attempt->task, err) < 0)
        return -1;
    if (range->n_spans > 0 && range->spans[range->n_spans - 1].last >= n_tasks)
        return error_set (err, "an attempt has tasks the stage has not");
    attempt->node_share = json_get_double (v, "node_share");
    attempt->alloc = json_count (list);
    attempt->submissions =
        xcalloc (attempt->alloc + 1, sizeof (*attempt->submissions));
    while (attempt->n_submissions < json_count (list)) {
        size_t i = attempt->n_submissions++;

        if (read_submission (json_at (list, i), &attempt->submissions[i], err)
            < 0)
            return -1;
    }
    return 0;
}

static int read_stage (const struct json *v, struct stage_state *stage,
                       struct error *err)
{
    const struct json *list = json_get (v, "attempts");

    if (json_record_read (v, stage_fields, stage, err) < 0
        || read_tasks (v, stage, err) < 0)
        return -1;
    task_sizes_add_json (&stage->sizes, json_get (v, "sizes"));
    usage_add_json (&stage->usage, json_get (v, "usage"));
    stage->attempts_alloc = json_count (list);
    stage->attempts =
        xcalloc (stage->attempts_alloc + 1, sizeof (*stage->attempts));
    while (stage->n_attempts < json_count (list)) {
        size_t i = stage->n_attempts++;

        if (read_attempt (json_at (list, i), stage->n_tasks,
                          &stage->attempts[i], err)
            < 0)
            return -1;
    }
    return 0;
}

static int read_iteration (const struct json *v, struct iteration_state *it,
                           struct error *err)
{
    const struct json *list = json_get (v, "stages");

    if (json_record_read (v, iteration_fields, it, err) < 0)
        return -1;
    it->alloc = json_count (list);
    it->stages = xcalloc (it->alloc + 1, sizeof (*it->stages));
    while (it->n_stages < json_count (list)) {
        size_t i = it->n_stages++;

        if (read_stage (json_at (list, i), &it->stages[i], err) < 0)
            return -1;
    }
    return 0;
}

static int read_dependency_job (const struct json *v,
                                struct dependency_job *dependency_job,
                                struct error *err)
{
    if (json_record_read (v, dependency_job_fields, dependency_job, err) < 0)
        return -1;
    return read_submission (json_get (v, "job"), &dependency_job->job, err);
}

static int read_dependency_jobs (const struct json *list, struct state *state,
                                 struct error *err)
{
    state->dependency_jobs_alloc = json_count (list);
    state->dependency_jobs = xcalloc (state->dependency_jobs_alloc + 1,
                                      sizeof (*state->dependency_jobs));
    while (state->n_dependency_jobs < json_count (list)) {
        size_t i = state->n_dependency_jobs++;

        if (read_dependency_job (json_at (list, i), &state->dependency_jobs[i],
                                 err)
            < 0)
            return -1;
    }
    return 0;
}

static int read_state (const struct json *v, struct state *state,
                       struct error *err)
{
    struct json *list;

    if (json_record_read (v, state_fields, state, err) < 0
        || json_want_array (v, "iterations", &list, err) < 0
        || read_dependency_jobs (json_get (v, "dependency_jobs"), state, err)
               < 0)
        return -1;
    usage_add_json (&state->replaced_usage, json_get (v, "replaced_usage"));
    if (json_kind (state->notices) != JSON_KIND_ARRAY)
        json_unref (steal (&state->notices));
    state->alloc = json_count (list);
    state->iterations = xcalloc (state->alloc + 1, sizeof (*state->iterations));
    while (state->n_iterations < json_count (list)) {
        size_t i = state->n_iterations++;

        if (read_iteration (json_at (list, i), &state->iterations[i], err) < 0)
            return -1;
    }
    return 0;
}

int state_from_json (const struct json *v, struct state *state,
                     struct error *err)
{
    struct state read = STATE_INIT;

    if (read_state (v, &read, err) < 0) {
        state_release (&read);
        return -1;
    }
    *state = read;
    return 0;
}
