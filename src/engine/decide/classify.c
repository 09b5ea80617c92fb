/* SPDX-License-Identifier: BSD-3-Clause */
/* classify.c - how the tasks of a submission ended */
#include "base/base.h"

#include "base/json.h"
#include "engine/decide/classify.h"
#include "engine/decide/observations.h"
#include "engine/history/state.h"

bool submission_is_live (const struct observed_submission *submission)
{
    for (int64_t e = 0; e < submission->n_elements; e++) {
        enum element_state state = submission->elements[e].state;

        if (state == ELEMENT_HELD || state == ELEMENT_QUEUED
            || state == ELEMENT_RUNNING || state == ELEMENT_UNCLEAR)
            return true;
    }
    return false;
}

bool submission_is_known (const struct observed_submission *submission)
{
    for (int64_t e = 0; e < submission->n_elements; e++) {
        if (submission->elements[e].state == ELEMENT_UNKNOWN)
            return false;
    }
    return true;
}

static bool has_several_nodes (const struct stage_state *stage)
{
    const struct attempt *attempt = stage_open_attempt (stage);

    return attempt && attempt->packing.nodes > 1;
}

/* What an agent logged is final, but for `preempted` and a task that was
 * killed: the element was told to end, and only the scheduler knows
 * whether that was a person's cancel, the end of the walltime or a node that is
 * being taken down; or whether it runs the element again.  So it is with a task
 * of several nodes that failed: a launcher says so when it has lost one.
 */
static enum outcome logged_outcome (const struct stage_state *stage,
                                    const struct logged_task *logged,
                                    const struct element_status *element)
{
    if (logged->outcome != OUTCOME_PREEMPTED && !logged->killed
        && !(logged->outcome == OUTCOME_FAILED && has_several_nodes (stage)))
        return logged->outcome;
    if (element->state != ELEMENT_ENDED)
        return OUTCOME_NONE;
    if (element->outcome == OUTCOME_CANCELLED
        || element->outcome == OUTCOME_TIMEOUT
        || element->outcome == OUTCOME_NODE_FAILURE)
        return element->outcome;
    return logged->outcome;
}

bool submission_is_complete (const struct stage_state *stage,
                             const struct observed_attempt *attempt,
                             const struct observed_submission *submission)
{
    for (int64_t e = 0; e < submission->n_elements; e++) {
        const struct task_range *bundle = &submission->bundles[e];

        for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
            if (!task_is_judged (&stage->tasks[t])
                && logged_outcome (stage, &attempt->logs->tasks[t],
                                   &submission->elements[e])
                       == OUTCOME_NONE)
                return false;
        }
    }
    return true;
}

/* The agent logged no outcome of a task: what does the scheduler's state mean?
 */
static enum outcome outcome_by_element (const struct logged_task *logged,
                                        const struct element_status *element)
{
    if (element->state == ELEMENT_ENDED
        && element->outcome == OUTCOME_CANCELLED)
        return OUTCOME_CANCELLED;
    if (logged->outcome != OUTCOME_NONE)
        return logged->outcome;
    if (!logged->started)
        return OUTCOME_NONE;
    if (element->state == ELEMENT_ENDED
        && (element->outcome == OUTCOME_TIMEOUT
            || element->outcome == OUTCOME_OUT_OF_MEMORY
            || element->outcome == OUTCOME_NODE_FAILURE
            || element->outcome == OUTCOME_PREEMPTED))
        return element->outcome;
    return OUTCOME_LOST;
}

struct findings {
    struct task_range tried;
    struct task_range outcomes[OUTCOME_COUNT];
    struct json *why;
    struct json *remarks;     /* on tasks that are ok */
    struct json *retired;     /* of devices, where not known before */
    struct task_range *nodes; /* by node: those of its tasks that are not ok */
    int64_t timed_tasks;      /* ok ones that told how long they took, */
    double timed_s;           /* and the sum */
    double lost_s;            /* of those that are not ok */
    struct time_spans ran;    /* when any of them did */
    struct task_sizes sizes;  /* of those that told them */
    bool any;
};

static void count_size (struct findings *findings, enum size_kind kind,
                        float size)
{
    if (size > 0)
        size_counts_add (&findings->sizes.of[kind], size_number (size), 1);
}

/* What a task that is ok needed. */
static void add_needs (struct findings *findings,
                       const struct logged_task *logged)
{
    if (logged->wall_s > 0) {
        findings->timed_tasks++;
        findings->timed_s += (double)logged->wall_s;
    }
    count_size (findings, SIZE_MEMORY, logged->peak_bytes);
    count_size (findings, SIZE_WALLTIME, logged->wall_s);
}

static void add_time (struct findings *findings,
                      const struct logged_task *logged, enum outcome outcome)
{
    if (outcome != OUTCOME_OK)
        findings->lost_s += (double)logged->wall_s;
    if (logged->ended_s > 0)
        time_spans_add (&findings->ran,
                        logged->ended_s - (double)logged->wall_s,
                        logged->ended_s);
}

static void add_finding (struct findings *findings,
                         const struct observed_attempt *attempt, int32_t task,
                         enum outcome outcome, bool charged)
{
    const struct json *why;
    char key[16];

    findings->any = true;
    task_range_add (&findings->outcomes[outcome], task);
    if (attempt->logs->tasks[task].started && !charged)
        task_range_add (&findings->tried, task);
    if (outcome != OUTCOME_OK)
        task_range_add (&findings->nodes[attempt->logs->tasks[task].node],
                        task);
    if (outcome == OUTCOME_OK)
        add_needs (findings, &attempt->logs->tasks[task]);
    add_time (findings, &attempt->logs->tasks[task], outcome);
    snprintf (key, sizeof (key), "%d", task);
    why = json_get (attempt->logs->why, key);
    if (why && (outcome != OUTCOME_OK || json_as_string (why)[0]))
        json_set (outcome == OUTCOME_OK ? findings->remarks : findings->why,
                  key, json_deep_copy (why));
}

static void add_retired (struct findings *findings, const struct json *retired,
                         const struct stage_state *stage)
{
    JSON_FOREACH (retired, it) {
        if (json_get (stage->retired, json_iter_key (it)))
            continue;
        json_set (findings->retired, json_iter_key (it),
                  json_ref (json_iter_value (it)));
        findings->any = true;
    }
}

/* The first range is of tasks whose node is not known. */
static struct json *nodes_json (const struct findings *findings,
                                const struct strvec *names)
{
    struct json *nodes = json_object ();

    for (size_t i = 0; i < names->n; i++) {
        if (findings->nodes[i + 1].n_spans > 0)
            json_set (nodes, names->v[i],
                      task_range_to_json (&findings->nodes[i + 1]));
    }
    return nodes;
}

static struct json *findings_json (const struct findings *findings,
                                   const struct strvec *nodes)
{
    struct json *v = json_object ();
    struct json *outcomes = json_object ();
    _cleanup_json_ struct json *of_nodes = nodes_json (findings, nodes);
    struct json *sizes = task_sizes_to_json (&findings->sizes);

    for (int o = 0; o < OUTCOME_COUNT; o++) {
        if (findings->outcomes[o].n_spans > 0)
            json_set (outcomes, outcome_name ((enum outcome)o),
                      task_range_to_json (&findings->outcomes[o]));
    }
    json_set (v, "tried", task_range_to_json (&findings->tried));
    json_set (v, "outcomes", outcomes);
    if (json_count (findings->why) > 0)
        json_set (v, "why", json_ref (findings->why));
    if (json_count (findings->remarks) > 0)
        json_set (v, "remarks", json_ref (findings->remarks));
    if (json_count (of_nodes) > 0)
        json_set (v, "nodes", json_ref (of_nodes));
    if (findings->timed_tasks > 0) {
        json_set (v, "timed_tasks", json_int (findings->timed_tasks));
        json_set (v, "timed_s", json_real (findings->timed_s));
    }
    if (findings->lost_s > 0)
        json_set (v, "lost_s", json_real (findings->lost_s));
    if (findings->ran.n > 0)
        json_set (v, "ran", time_spans_to_json (&findings->ran));
    if (json_count (findings->retired) > 0)
        json_set (v, "retired", json_ref (findings->retired));
    if (sizes)
        json_set (v, "sizes", sizes);
    return v;
}

struct json *classify_results (const struct stage_state *stage,
                               const struct observed_attempt *attempt,
                               const struct observed_submission *submission,
                               struct judging judging)
{
    struct findings findings = { .why = json_object (),
                                 .remarks = json_object (),
                                 .retired = json_object (),
                                 .nodes = xcalloc (attempt->logs->nodes.n + 1,
                                                   sizeof (*findings.nodes)) };
    struct json *results = NULL;

    for (int64_t e = 0; e < submission->n_elements; e++) {
        const struct task_range *bundle = &submission->bundles[e];

        if (submission->read)
            add_retired (&findings, submission->read[e].retired, stage);
        for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
            bool judged = task_is_judged (&stage->tasks[t]);
            enum outcome outcome;

            if (stage->tasks[t].outcome == OUTCOME_OK)
                continue;
            outcome = logged_outcome (stage, &attempt->logs->tasks[t],
                                      &submission->elements[e]);
            if (judged && outcome != OUTCOME_OK)
                continue;
            if (outcome == OUTCOME_NONE && judging.final)
                outcome = outcome_by_element (&attempt->logs->tasks[t],
                                              &submission->elements[e]);
            if (outcome == OUTCOME_CANCELLED && judging.forgive)
                continue;
            if (outcome != OUTCOME_NONE)
                add_finding (&findings, attempt, t, outcome, judged);
        }
    }
    if (findings.any)
        results = findings_json (&findings, &attempt->logs->nodes);
    if (findings.any && json_count (submission->logs) > 0)
        json_set (results, "logs", json_ref (submission->logs));
    for (int o = 0; o < OUTCOME_COUNT; o++)
        task_range_release (&findings.outcomes[o]);
    for (size_t i = 0; i <= attempt->logs->nodes.n; i++)
        task_range_release (&findings.nodes[i]);
    free (findings.nodes);
    task_sizes_release (&findings.sizes);
    task_range_release (&findings.tried);
    json_unref (findings.why);
    json_unref (findings.remarks);
    json_unref (findings.retired);
    return results;
}

/* Add the tasks of an element that ended so before they began. */
static void add_not_begun (const struct stage_state *stage,
                           const struct observed_attempt *attempt,
                           const struct task_range *bundle,
                           struct task_range *tasks)
{
    for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
        const struct logged_task *logged = &attempt->logs->tasks[t];

        if (!task_is_judged (&stage->tasks[t]) && !logged->started
            && logged->outcome == OUTCOME_NONE)
            task_range_add (tasks, t);
    }
}

struct json *classify_not_begun (const struct stage_state *stage,
                                 const struct observed_attempt *attempt,
                                 const struct observed_submission *submission)
{
    struct json *v = json_object ();

    for (int o = OUTCOME_OK + 1; o < OUTCOME_COUNT; o++) {
        _cleanup_ (task_range_release) struct task_range tasks =
            TASK_RANGE_INIT;

        for (int64_t e = 0; e < submission->n_elements; e++) {
            const struct element_status *element = &submission->elements[e];

            if (element->state == ELEMENT_ENDED && (int)element->outcome == o
                && o != OUTCOME_CANCELLED)
                add_not_begun (stage, attempt, &submission->bundles[e], &tasks);
        }
        if (tasks.n_spans > 0)
            json_set (v, outcome_name ((enum outcome)o),
                      task_range_to_json (&tasks));
    }
    return v;
}
