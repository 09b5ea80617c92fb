/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_stage.c - what happens to a stage and its tasks, folded in */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

static void skip_stage (struct stage_state *stage, const struct json *event)
{
    stage->status = STAGE_SKIPPED;
    stage->skip_asked = json_get (event, "id") != NULL;
    stage->ended_s = fold_now_s (event);
    fold_text (&stage->why, json_as_string (json_get (event, "why")));
}

/* One, or of one that has steps those that are named. */
int fold_skip (struct state *state, const struct json *event, struct error *err)
{
    const struct json *steps = json_get (event, "steps");
    const char *name = fold_event_stage_name (state, event, err);

    if (!name)
        return -1;
    if (!steps)
        skip_stage (fold_new_stage (state, name), event);
    for (size_t i = 0; i < json_count (steps); i++)
        skip_stage (fold_new_stage (state, json_as_string (json_at (steps, i))),
                    event);
    return 0;
}

/* Tasks whose results were taken, of 'tasks'. */
static int read_taken (const struct json *event, int64_t tasks,
                       struct task_range *ok, struct error *err)
{
    const struct json *text = json_get (event, "ok");
    int64_t last = -1;

    if (text && task_range_parse (json_as_string (text), ok, err) < 0)
        return -1;
    for (int32_t t = -1; (t = task_range_next (ok, t)) >= 0;)
        last = t;
    if (last < tasks)
        return 0;
    task_range_release (ok);
    return error_set (err, "task %" PRId64 " is out of range", last);
}

/* Of each origin the tasks, which are within the stage. */
static int check_reused (const struct json *reused, int64_t tasks,
                         struct error *err)
{
    for (size_t i = 0; i < json_count (reused); i++) {
        struct task_range range = TASK_RANGE_INIT;
        const struct task_span *last;
        int rc = task_range_parse (
            json_get_string (json_at (reused, i), "tasks"), &range, err);

        last = range.n_spans > 0 ? &range.spans[range.n_spans - 1] : NULL;
        if (rc == 0 && last && last->last >= tasks)
            rc =
                error_set (err, "task %" PRId32 " is out of range", last->last);
        task_range_release (&range);
        if (rc < 0)
            return error_prefix (err, "key 'reused': [%zu]", i);
    }
    return 0;
}

/* Into the object *to, made when there is something. */
static void fold_members (struct json **to, const struct json *members)
{
    if (members && !*to)
        *to = json_object ();
    JSON_FOREACH (members, it)
        json_set (*to, json_iter_key (it), json_ref (json_iter_value (it)));
}

/* What it is called, and by which code its place is known. */
static void fold_names_of (struct stage_state *stage, const struct json *event)
{
    const char *first_name = json_get_string (event, "first_name");

    fold_text (&stage->code, json_get_string (event, "code"));
    fold_text (&stage->dir, NULL);
    fold_text (&stage->first_name,
               strcmp (first_name, stage->name) != 0 ? first_name : NULL);
}

/* May the stage of the event be prepared?  *generation: the number that it has
 * for that, 0: none.
 */
static int check_waiting (const struct state *state, const struct json *event,
                          int *generation, struct error *err)
{
    const char *name = fold_event_stage_name (state, event, err);
    const struct stage_state *stage =
        name ? state_stage (state, state_iteration (state), name) : NULL;

    *generation = stage ? stage->generation : 0;
    if (stage && stage->status != STAGE_WAITING)
        return error_set (err, "stage '%s' was prepared before", name);
    return name ? 0 : -1;
}

static int fold_preparing (struct state *state, const struct json *event,
                           struct error *err)
{
    const struct json *found = json_get (event, "found");
    struct stage_state *stage;
    int64_t number;
    int before;

    if (json_want_int (event, "generation", &number, err) < 0
        || check_waiting (state, event, &before, err) < 0
        || fold_generation (state, number, err) < 0)
        return -1;
    stage = fold_event_new_stage (state, event, err);
    stage->generation = (int)number;
    fold_names_of (stage, event);
    for (size_t i = 0; i < json_count (found); i++)
        fold_found (state, json_get_int (json_at (found, i), "generation"),
                    json_get_string (event, "first_name"),
                    state_iteration (state));
    return 0;
}

static void begin_tasks (struct stage_state *stage, int32_t tasks,
                         const struct task_range *ok)
{
    free (stage->tasks);
    stage->tasks = xcalloc ((size_t)tasks + 1, sizeof (*stage->tasks));
    stage->n_tasks = tasks;
    memset (stage->by_outcome, 0, sizeof (stage->by_outcome));
    stage->by_outcome[OUTCOME_NONE] = tasks;
    for (int32_t t = -1; (t = task_range_next (ok, t)) >= 0;)
        fold_set_outcome (stage, t, OUTCOME_OK);
}

static void begin_stage (const struct state *state, const struct json *event,
                         struct stage_state *stage)
{
    json_unref (stage->checkpoints);
    stage->checkpoints = NULL;
    stage->status = STAGE_PREPARED;
    stage->began_s = fold_now_s (event);
    stage->config = state->config_number;
    fold_names_of (stage, event);
    fold_members (&stage->logs, json_get (event, "logs"));
    json_unref (stage->reused);
    stage->reused = json_ref (json_get (event, "reused"));
}

static int fold_prepared (struct state *state, const struct json *event,
                          struct error *err)
{
    struct task_range ok = TASK_RANGE_INIT;
    struct stage_state *stage;
    int64_t tasks;
    int generation;

    if (json_want_int (event, "tasks", &tasks, err) < 0)
        return -1;
    if (tasks < 0 || tasks > TASK_MAX + 1)
        return error_set (err, "%" PRId64 " tasks are out of range", tasks);
    if (check_waiting (state, event, &generation, err) < 0
        || check_reused (json_get (event, "reused"), tasks, err) < 0)
        return -1;
    if (json_get_int (event, "generation") != generation)
        return error_set (err, "the stage is prepared as generation %d",
                          generation);
    if (read_taken (event, tasks, &ok, err) < 0)
        return -1;
    stage = fold_event_new_stage (state, event, err);
    begin_stage (state, event, stage);
    begin_tasks (stage, (int32_t)tasks, &ok);
    task_range_release (&ok);
    return 0;
}

static int fold_unfit (struct state *state, const struct json *event,
                       struct error *err)
{
    struct stage_state *stage = fold_event_new_stage (state, event, err);

    if (!stage)
        return -1;
    stage->status = STAGE_FAILED;
    stage->bad_input = true;
    stage->ended_s = fold_now_s (event);
    fold_text (&stage->why, json_as_string (json_get (event, "why")));
    return 0;
}

static void count_up (uint8_t *counter)
{
    if (*counter < UINT8_MAX)
        (*counter)++;
}

/* One task's end; 'further': it left a newer checkpoint. */
static void fold_outcome (struct stage_state *stage, int32_t task,
                          enum outcome outcome, bool further)
{
    struct task_state *t = &stage->tasks[task];

    if (t->outcome == OUTCOME_OK)
        return;
    if (outcome == OUTCOME_TIMEOUT && !further)
        count_up (&t->timeouts);
    if (outcome == OUTCOME_OUT_OF_MEMORY)
        count_up (&t->out_of_memory);
    fold_set_outcome (stage, task, outcome);
}

/* The tasks of a range, all of them within the stage. */
static int event_range (const struct stage_state *stage,
                        const struct json *text, struct task_range *range,
                        struct error *err)
{
    const struct task_span *last;

    if (task_range_parse (json_as_string (text), range, err) < 0)
        return -1;
    if (range->n_spans == 0)
        return 0;
    last = &range->spans[range->n_spans - 1];
    if (last->last < stage->n_tasks)
        return 0;
    error_set (err, "stage '%s' has %d tasks, not %d", stage->name,
               stage->n_tasks, last->last + 1);
    task_range_release (range);
    return -1;
}

static int fold_attempt (struct state *state, const struct json *event,
                         struct error *err)
{
    struct stage_state *stage;
    struct attempt *attempt;
    struct task_range tasks = TASK_RANGE_INIT;
    struct packing packing;
    struct resources task;
    int64_t number;

    if (json_want_int (event, "attempt", &number, err) < 0
        || !(stage = fold_event_stage (state, event, err))
        || packing_from_json (json_get (event, "packing"), &packing, err) < 0
        || resources_from_json (json_get (event, "task"), &task, err) < 0
        || event_range (stage, json_get (event, "tasks"), &tasks, err) < 0)
        return -1;
    if (number != (int64_t)stage->n_attempts || stage_open_attempt (stage)) {
        task_range_release (&tasks);
        return error_set (err, "attempt %" PRId64 " is not next", number);
    }
    stage->attempts =
        grow_array (stage->attempts, stage->n_attempts, &stage->attempts_alloc,
                    sizeof (*stage->attempts));
    attempt = &stage->attempts[stage->n_attempts++];
    memset (attempt, 0, sizeof (*attempt));
    attempt->tasks = tasks;
    attempt->packing = packing;
    attempt->task = task;
    attempt->node_share = json_get_double (event, "node_share");
    attempt->site_submit = json_as_int (json_get (event, "site_submit"));
    for (int32_t t = -1; (t = task_range_next (&tasks, t)) >= 0;) {
        fold_set_outcome (stage, t, OUTCOME_NONE);
        stage->tasks[t].renewed = 0;
    }
    return 0;
}

static bool is_listed (const struct json *list, const char *name)
{
    for (size_t i = 0; i < json_count (list); i++) {
        if (strcmp (json_as_string (json_at (list, i)), name) == 0)
            return true;
    }
    return false;
}

/* Behind those that were known. */
static void fold_avoid (struct stage_state *stage, const struct json *nodes)
{
    struct json *avoid = json_array ();

    for (size_t i = 0; i < json_count (stage->avoid); i++) {
        const char *name = json_as_string (json_at (stage->avoid, i));

        if (!is_listed (nodes, name))
            json_push (avoid, json_string (name));
    }
    for (size_t i = 0; i < json_count (nodes); i++)
        json_push (avoid, json_ref (json_at (nodes, i)));
    json_unref (stage->avoid);
    stage->avoid = avoid;
}

/* Add to 'further' the tasks that left a newer checkpoint. */
static void fold_checkpoints (struct stage_state *stage,
                              const struct json *event,
                              const struct task_range outcomes[OUTCOME_COUNT],
                              const struct task_range *tried,
                              struct task_range *further)
{
    const struct json *told = json_get (event, "checkpoints");

    if (!told && !stage->checkpoints)
        return;
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        for (int32_t t = -1; (t = task_range_next (&outcomes[o], t)) >= 0;) {
            char key[16];

            snprintf (key, sizeof (key), "%d", t);
            if (fold_checkpoint (stage, t, (enum outcome)o,
                                 task_range_contains (tried, t),
                                 told ? json_get (told, key) : NULL))
                task_range_add (further, t);
        }
    }
}

/* The time of tries that left what the next one goes on from. */
static double further_s (const struct json *event,
                         const struct task_range *further)
{
    double s = 0;

    for (int32_t t = -1; (t = task_range_next (further, t)) >= 0;) {
        char key[16];

        snprintf (key, sizeof (key), "%d", t);
        s += json_get_double (json_get (json_get (event, "checkpoints"), key),
                              "wall_s");
    }
    return s;
}

/* Tries are recorded while their attempt is open. */
static void fold_usage (struct stage_state *stage, const struct json *event,
                        const struct task_range *further)
{
    const struct attempt *attempt = stage_open_attempt (stage);
    struct usage *usage = &stage->usage;
    double kept_s = further_s (event, further);
    double lost_s = json_get_double (event, "lost_s") - kept_s;

    time_spans_add_json (&usage->ran, json_get (event, "ran"));
    if (!attempt)
        return;
    used_add (&usage->ok, json_get_double (event, "timed_s") + kept_s,
              &attempt->task, attempt->node_share);
    if (lost_s > 1e-3) /* less is what rounding leaves */
        used_add (&usage->lost, lost_s, &attempt->task, attempt->node_share);
}

static int fold_results (struct state *state, const struct json *event,
                         struct error *err)
{
    struct stage_state *stage = fold_event_stage (state, event, err);
    const struct json *outcomes = json_get (event, "outcomes");
    struct task_range ranges[OUTCOME_COUNT] = { { 0 } };
    struct task_range tried = TASK_RANGE_INIT;
    struct task_range further = TASK_RANGE_INIT;
    int rc = -1;

    if (!stage
        || event_range (stage, json_get (event, "tried"), &tried, err) < 0)
        goto done;
    JSON_FOREACH (outcomes, it) {
        enum outcome outcome = outcome_from_name (json_iter_key (it));

        if (outcome == OUTCOME_COUNT) {
            error_set (err, "unknown outcome '%s'", json_iter_key (it));
            goto done;
        }
        if (event_range (stage, json_iter_value (it), &ranges[outcome], err)
            < 0)
            goto done;
    }
    fold_checkpoints (stage, event, ranges, &tried, &further);
    /* A try counts whatever it led to, but for one that got further. */
    for (int32_t t = -1; (t = task_range_next (&tried, t)) >= 0;) {
        if (!task_range_contains (&further, t))
            count_up (&stage->tasks[t].tries);
    }
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        for (int32_t t = -1; (t = task_range_next (&ranges[o], t)) >= 0;)
            fold_outcome (stage, t, (enum outcome)o,
                          task_range_contains (&further, t));
    }
    if (json_get (event, "avoid"))
        fold_avoid (stage, json_get (event, "avoid"));
    stage->timed_tasks += json_as_int (json_get (event, "timed_tasks"));
    stage->timed_s += json_as_double (json_get (event, "timed_s"));
    task_sizes_add_json (&stage->sizes, json_get (event, "sizes"));
    fold_usage (stage, event, &further);
    fold_members (&stage->retired, json_get (event, "retired"));
    fold_members (&stage->logs, json_get (event, "logs"));
    rc = 0;
done:
    for (int o = 0; o < OUTCOME_COUNT; o++)
        task_range_release (&ranges[o]);
    task_range_release (&further);
    task_range_release (&tried);
    return rc;
}

static int fold_closed (struct state *state, const struct json *event,
                        struct error *err)
{
    struct stage_state *stage = fold_event_stage (state, event, err);
    struct attempt *attempt;

    if (!stage)
        return -1;
    if (!(attempt = stage_open_attempt (stage)))
        return error_set (err, "stage '%s' has no open attempt", stage->name);
    attempt->closed = true;
    stage->without_result = json_as_bool (json_get (event, "without_result"))
                                ? stage->without_result + 1
                                : 0;
    fold_text (&stage->why, json_get (event, "said")
                                ? json_as_string (json_get (event, "said"))
                                : NULL);
    return 0;
}

static int fold_stage (struct state *state, const struct json *event,
                       struct error *err)
{
    struct stage_state *stage;
    const char *status;

    if (json_want_string (event, "phase", &status, err) < 0
        || !(stage = fold_event_stage (state, event, err)))
        return -1;
    if (strcmp (status, "done") == 0)
        stage->status = STAGE_DONE;
    else if (strcmp (status, "failed") == 0)
        stage->status = STAGE_FAILED;
    else
        return error_set (err, "unknown status '%s'", status);
    if (json_get (event, "dataset"))
        fold_dataset (state, state_iteration (state),
                      json_get (event, "dataset"));
    stage->ended_s = fold_now_s (event);
    stage->count = json_as_int (json_get (event, "count"));
    stage->proceed = json_as_bool (json_get (event, "proceed"));
    fold_text (&stage->unsteady, json_get (event, "unsteady")
                                     ? json_get_string (event, "unsteady")
                                     : NULL);
    fold_text (&stage->outputs, json_get (event, "outputs")
                                    ? json_get_string (event, "outputs")
                                    : NULL);
    fold_text (&stage->why, json_as_string (json_get (event, "why")));
    return 0;
}

const struct event_fold stage_folds[] = {
    { "skip", fold_skip },
    { "preparing", fold_preparing },
    { "prepared", fold_prepared },
    { "unfit", fold_unfit },
    { "attempt", fold_attempt },
    { "results", fold_results },
    { "closed", fold_closed },
    { "stage", fold_stage },
    { NULL, NULL },
};
