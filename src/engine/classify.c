/* SPDX-License-Identifier: BSD-3-Clause */
/* classify.c - how the tasks of a submission ended */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "engine/classify.h"
#include "engine/observe.h"
#include "engine/state.h"

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

/* What an agent says is final, but for `preempted`: somebody told it to end,
 * and only the scheduler knows whether that was a person's cancel, the end of
 * the walltime or a node that is being taken down.
 */
static enum outcome settled (const struct task_word *word,
                             const struct element_status *element)
{
    if (word->outcome != OUTCOME_PREEMPTED)
        return word->outcome;
    if (element->state != ELEMENT_ENDED)
        return OUTCOME_NONE;
    if (element->outcome == OUTCOME_CANCELLED
        || element->outcome == OUTCOME_TIMEOUT
        || element->outcome == OUTCOME_NODE_FAILURE)
        return element->outcome;
    return OUTCOME_PREEMPTED;
}

bool submission_is_complete (const struct stage_state *stage,
                             const struct observed_attempt *attempt,
                             const struct observed_submission *submission)
{
    for (int64_t e = 0; e < submission->n_elements; e++) {
        const struct task_range *bundle = &submission->bundles[e];

        for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
            if (stage->tasks[t].outcome == OUTCOME_NONE
                && settled (&attempt->words[t], &submission->elements[e])
                       == OUTCOME_NONE)
                return false;
        }
    }
    return true;
}

/* The agent left no word on a task: what does the scheduler's word mean? */
static enum outcome judge (const struct task_word *word,
                           const struct element_status *element)
{
    if (element->state == ELEMENT_ENDED
        && element->outcome == OUTCOME_CANCELLED)
        return OUTCOME_CANCELLED;
    if (word->outcome != OUTCOME_NONE)
        return word->outcome;
    if (!word->started)
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
    struct json *remarks; /* on tasks that are ok */
    struct task_range *nodes; /* by node: those of its tasks that are not ok */
    bool any;
};

static void add_finding (struct findings *findings,
                         const struct observed_attempt *attempt,
                         int32_t task,
                         enum outcome outcome)
{
    const struct json *why;
    char key[16];

    findings->any = true;
    task_range_add (&findings->outcomes[outcome], task);
    if (attempt->words[task].started)
        task_range_add (&findings->tried, task);
    if (outcome != OUTCOME_OK)
        task_range_add (&findings->nodes[attempt->words[task].node], task);
    snprintf (key, sizeof (key), "%d", task);
    why = json_get (attempt->why, key);
    if (why && (outcome != OUTCOME_OK || json_as_string (why)[0]))
        json_set (outcome == OUTCOME_OK ? findings->remarks : findings->why,
                  key, json_deep_copy (why));
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
    struct json *of_nodes = nodes_json (findings, nodes);

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
    json_unref (of_nodes);
    return v;
}

struct json *classify_results (const struct stage_state *stage,
                               const struct observed_attempt *attempt,
                               const struct observed_submission *submission,
                               struct judging judging)
{
    struct findings findings = { .why = json_object (),
                                 .remarks = json_object (),
                                 .nodes = xcalloc (
                                     attempt->nodes.n + 1,
                                     sizeof (*findings.nodes)) };
    struct json *results = NULL;

    for (int64_t e = 0; e < submission->n_elements; e++) {
        const struct task_range *bundle = &submission->bundles[e];

        for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
            enum outcome outcome =
                settled (&attempt->words[t], &submission->elements[e]);

            if (stage->tasks[t].outcome != OUTCOME_NONE)
                continue;
            if (outcome == OUTCOME_NONE && judging.final)
                outcome = judge (&attempt->words[t], &submission->elements[e]);
            if (outcome == OUTCOME_CANCELLED && judging.forgive)
                continue;
            if (outcome != OUTCOME_NONE)
                add_finding (&findings, attempt, t, outcome);
        }
    }
    if (findings.any)
        results = findings_json (&findings, &attempt->nodes);
    for (int o = 0; o < OUTCOME_COUNT; o++)
        task_range_release (&findings.outcomes[o]);
    for (size_t i = 0; i <= attempt->nodes.n; i++)
        task_range_release (&findings.nodes[i]);
    free (findings.nodes);
    task_range_release (&findings.tried);
    json_unref (findings.why);
    json_unref (findings.remarks);
    return results;
}

/* Split a range in two by is_found(). */
static void sift (const char *text,
                  bool (*is_found) (int32_t task, void *arg),
                  void *arg,
                  struct task_range *found,
                  struct task_range *left)
{
    struct task_range range = TASK_RANGE_INIT;

    task_range_parse (text, &range, NULL);
    for (int32_t t = -1; (t = task_range_next (&range, t)) >= 0;)
        task_range_add (is_found (t, arg) ? found : left, t);
    task_range_release (&range);
}

static void drop_reasons (struct json *event, const struct task_range *tasks)
{
    struct json *why = json_get (event, "why");

    for (int32_t t = -1; (t = task_range_next (tasks, t)) >= 0;) {
        char key[16];

        snprintf (key, sizeof (key), "%d", t);
        json_delete (why, key);
    }
    if (why && json_count (why) == 0)
        json_delete (event, "why");
}

struct json *classify_found (const struct json *event,
                             bool (*is_found) (int32_t task, void *arg),
                             void *arg)
{
    struct json *mended = json_deep_copy (event);
    struct json *outcomes = json_object ();
    struct task_range ok = TASK_RANGE_INIT;

    task_range_parse (
        json_as_string (json_get (json_get (event, "outcomes"), "ok")), &ok,
        NULL);
    JSON_FOREACH (json_get (event, "outcomes"), it) {
        struct task_range found = TASK_RANGE_INIT;
        struct task_range left = TASK_RANGE_INIT;

        if (strcmp (json_iter_key (it), "ok") != 0)
            sift (json_as_string (json_iter_value (it)), is_found, arg, &found,
                  &left);
        drop_reasons (mended, &found);
        for (int32_t t = -1; (t = task_range_next (&found, t)) >= 0;)
            task_range_add (&ok, t);
        if (left.n_spans > 0)
            json_set (outcomes, json_iter_key (it), task_range_to_json (&left));
        task_range_release (&found);
        task_range_release (&left);
    }
    if (ok.n_spans > 0)
        json_set (outcomes, "ok", task_range_to_json (&ok));
    json_set (mended, "outcomes", outcomes);
    task_range_release (&ok);
    return mended;
}
