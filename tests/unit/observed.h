/* SPDX-License-Identifier: BSD-3-Clause */
/* observed.h - observations written as text, for the tests of decide
 *
 * For every stage with an open attempt: its submissions, separated by `|`,
 * each a letter per element (H held, Q queued, R running, ? unknown; ended as
 * E ok, F failed, C cancelled, T timeout, N node failure; W queued, and X in a
 * state that is not understood, with a note "why W" or "why X"; a `!` instead:
 * the scheduler did not answer) and a letter per task (. nothing, s started,
 * o ok, f failed, k failed by a signal, t timeout, p preempted; O ok, and a
 * device of its element was retired).  Every element has one task, those of
 * chunk 0 come first.
 */
#ifndef TESTS_OBSERVED_H
#define TESTS_OBSERVED_H

#include "base/json.h"
#include "engine/decide/observations.h"
#include "engine/history/state.h"

static inline struct element_status element_of (char letter)
{
    static const struct {
        char letter;
        struct element_status status;
    } known[] = {
        { 'H', { ELEMENT_HELD, 0 } },
        { 'Q', { ELEMENT_QUEUED, 0 } },
        { 'R', { ELEMENT_RUNNING, 0 } },
        { 'E', { ELEMENT_ENDED, OUTCOME_OK } },
        { 'F', { ELEMENT_ENDED, OUTCOME_FAILED } },
        { 'C', { ELEMENT_ENDED, OUTCOME_CANCELLED } },
        { 'T', { ELEMENT_ENDED, OUTCOME_TIMEOUT } },
        { 'N', { ELEMENT_ENDED, OUTCOME_NODE_FAILURE } },
        { 'W', { ELEMENT_QUEUED, 0 } },
        { 'X', { ELEMENT_UNCLEAR, 0 } },
    };

    for (size_t i = 0; i < ARRAY_SIZE (known); i++) {
        if (known[i].letter == letter)
            return known[i].status;
    }
    return (struct element_status){ ELEMENT_UNKNOWN, 0 };
}

static inline struct logged_task logged_of (char letter)
{
    switch (letter) {
    case 's':
        return (struct logged_task){ .started = true };
    case 'o':
    case 'O':
        return (struct logged_task){ .started = true, .outcome = OUTCOME_OK };
    case 'f':
        return (struct logged_task){ .started = true,
                                     .outcome = OUTCOME_FAILED };
    case 'k':
        return (struct logged_task){ .started = true,
                                     .outcome = OUTCOME_FAILED,
                                     .killed = true };
    case 't':
        return (struct logged_task){ .started = true,
                                     .outcome = OUTCOME_TIMEOUT };
    case 'p':
        return (struct logged_task){ .started = true,
                                     .outcome = OUTCOME_PREEMPTED };
    default:
        return (struct logged_task){ .started = false };
    }
}

/* As read of a stage's open attempt: nothing yet. */
static inline struct attempt_logs *observed_logs (const char *stage,
                                                  int32_t n_tasks,
                                                  int64_t n_elements)
{
    struct attempt_logs *logs = xcalloc (1, sizeof (*logs));

    logs->stage = xstrdup (stage);
    logs->n_tasks = n_tasks;
    logs->tasks = xcalloc ((size_t)n_tasks + 1, sizeof (*logs->tasks));
    logs->why = json_object ();
    strvec_init (&logs->nodes);
    logs->n_elements = n_elements;
    logs->elements = xcalloc ((size_t)n_elements + 1, sizeof (*logs->elements));
    logs->bundles = xcalloc ((size_t)n_elements + 1, sizeof (*logs->bundles));
    return logs;
}

static inline void observed_release (struct observations *seen)
{
    for (size_t i = 0; i < seen->n_attempts; i++)
        attempt_logs_destroy ((struct attempt_logs *)seen->attempts[i].logs);
    observations_release (seen);
}

/* One submission; moves *elements behind its letters. */
static inline void observe_submission (const struct attempt *attempt,
                                       const struct submission *s,
                                       const char **elements,
                                       const char *logged,
                                       struct attempt_logs *logs,
                                       struct observed_submission *seen)
{
    const char *letters = *elements;
    size_t n = strcspn (letters, "|");

    *elements += n + (letters[n] == '|');
    seen->token = s->token;
    if (s->status != SUBMISSION_RELEASED)
        return;
    seen->polled = letters[0] != '!';
    seen->n_elements = s->elements;
    seen->elements = xcalloc ((size_t)s->elements, sizeof (*seen->elements));
    seen->bundles = &logs->bundles[s->chunk * s->elements];
    for (int64_t e = 0; e < s->elements; e++) {
        int64_t task = s->chunk * s->elements + e;
        struct task_cursor at = { 0 };

        task_range_take (&attempt->tasks, &at, task, NULL);
        task_range_take (&attempt->tasks, &at, 1, &logs->bundles[task]);
        if (logged[0] && strchr (logged, 'O') == logged + task) {
            seen->read = &logs->elements[s->chunk * s->elements];
            logs->elements[task].retired = json_object ();
            json_set (logs->elements[task].retired, "sick", json_object ());
        }
        if (seen->polled && (size_t)e < n)
            seen->elements[e] = element_of (letters[e]);
        if ((size_t)e < n && strchr ("WX", letters[e]))
            snprintf (seen->note, sizeof (seen->note), "why %c", letters[e]);
    }
}

static inline void observed_make (const struct state *state,
                                  const char *elements, const char *logged,
                                  double now_s, struct observations *seen)
{
    const struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;

    *seen = (struct observations){ .now_s = now_s, .up = { "b", now_s } };
    seen->attempts =
        xcalloc (it ? it->n_stages + 1 : 1, sizeof (*seen->attempts));
    for (size_t i = 0; it && i < it->n_stages; i++) {
        const struct stage_state *stage = &it->stages[i];
        const struct attempt *attempt = stage_open_attempt (stage);
        struct observed_attempt *a = &seen->attempts[seen->n_attempts];
        struct attempt_logs *logs;

        if (!attempt)
            continue;
        seen->n_attempts++;
        a->stage = stage->name;
        a->logs = logs =
            observed_logs (stage->name, stage->n_tasks, stage->n_tasks + 8);
        for (int32_t t = 0; t < stage->n_tasks && logged[t]; t++)
            logs->tasks[t] = logged_of (logged[t]);
        a->n_submissions = attempt->n_submissions;
        a->submissions =
            xcalloc (attempt->n_submissions + 1, sizeof (*a->submissions));
        for (size_t s = 0; s < attempt->n_submissions; s++)
            observe_submission (attempt, &attempt->submissions[s], &elements,
                                logged, logs, &a->submissions[s]);
    }
}

/* What is seen of the dependency jobs: a group of letters for each, one for
 * each of its elements, as above; of those without one nothing.
 */
static inline void observe_dependency_jobs (const struct state *state,
                                            const char *letters,
                                            struct observations *seen)
{
    seen->n_dependency_jobs = state->n_dependency_jobs;
    seen->dependency_jobs =
        xcalloc (state->n_dependency_jobs + 1, sizeof (*seen->dependency_jobs));
    for (size_t i = 0; i < state->n_dependency_jobs && *letters; i++) {
        struct observed_dependency_job *w = &seen->dependency_jobs[i];

        w->polled = *letters != '!' && *letters != '|';
        w->ended = w->polled;
        for (; *letters && *letters != '|'; letters++) {
            enum element_state now = element_of (*letters).state;

            w->started =
                w->started || now == ELEMENT_RUNNING || now == ELEMENT_ENDED;
            w->living =
                w->living || (now != ELEMENT_UNKNOWN && now != ELEMENT_ENDED);
            w->ended = w->ended && now == ELEMENT_ENDED;
        }
        letters += *letters == '|';
    }
}

#endif /* !TESTS_OBSERVED_H */
