/* SPDX-License-Identifier: BSD-3-Clause */
/* toy_world.h - a batch system and its nodes that exist in numbers only
 *
 * Nothing here waits and nothing is on disk: a clock that jumps, jobs with a
 * hold, elements that run their tasks one after the other, logs and a queue
 * that are seen late, and every kind of bad luck, drawn from a seed.  What is
 * late is less late than the profile allows for, so a driver that waits as it
 * should never runs a task twice that took effect: that is asserted here.
 */
#ifndef TESTS_TOY_WORLD_H
#define TESTS_TOY_WORLD_H

#include "adapter.h"
#include "arrays/array_job.h"
#include "arrays/task_range.h"
#include "base/hash.h"

enum { TOY_STAGES = 4, TOY_TASKS = 16, TOY_CHUNKS = 8, TOY_ELEMENTS = 3 };

/* Less than the profile's settle_s and visibility_s. */
#define TOY_QUEUE_LAG_S 50
#define TOY_LOG_LAG_S 8

struct toy_element {
    struct task_range bundle;
    enum element_state state;
    enum outcome outcome;
    double begins_s, ends_s;
};

struct toy_job {
    char token[TOKEN_LENGTH + 1];
    char id[16];
    int stage, iteration, attempt, chunk;
    bool twin; /* the request was repeated on its way */
    double seen_from_s, forgotten_s;
    struct toy_element elements[TOY_ELEMENTS];
    int n;
};

/* One line of an agent's log. */
struct toy_line {
    int job, stage, iteration, attempt;
    int32_t task;
    double at_s, seen_s;
    enum outcome outcome; /* NONE: started */
    bool took_effect;
};

/* The files of a stage's last attempt. */
struct toy_attempt {
    int iteration, number;
    bool closed;
    int chunks;
    struct task_range bundles[TOY_CHUNKS][TOY_ELEMENTS];
    int elements[TOY_CHUNKS];
    char submission[TOY_CHUNKS][16]; /* the recorded id */
};

struct toy_task {
    bool ok;
    double busy_until_s;
};

struct toy_world {
    uint64_t seed, drawn;
    double now_s;
    int luck; /* in percent: how often things go well; 100: always */
    struct toy_job *jobs;
    size_t n_jobs, jobs_alloc;
    struct toy_line *lines;
    size_t n_lines, lines_alloc;
    struct toy_attempt attempts[TOY_STAGES];
    struct toy_task tasks[TOY_STAGES][TOY_TASKS];
};

/* 0 .. below-1 */
static inline int toy_draw (struct toy_world *w, int below)
{
    uint64_t words[] = { w->seed, w->drawn++ };

    return (int)(hash_words (7, words, 2) % (uint64_t)below);
}

/* Bad luck of 'percent', as long as there is bad luck at all. */
static inline bool toy_bad (struct toy_world *w, int percent)
{
    return toy_draw (w, 100) >= w->luck && toy_draw (w, 100) < percent;
}

static inline void toy_forget_lines (struct toy_world *w, int stage)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->n_lines; i++) {
        if (w->lines[i].stage != stage)
            w->lines[kept++] = w->lines[i];
    }
    w->n_lines = kept;
}

static inline void toy_attempt_release (struct toy_attempt *a)
{
    for (int c = 0; c < TOY_CHUNKS; c++) {
        for (int e = 0; e < TOY_ELEMENTS; e++)
            task_range_release (&a->bundles[c][e]);
    }
}

static inline void toy_release (struct toy_world *w)
{
    for (int s = 0; s < TOY_STAGES; s++)
        toy_attempt_release (&w->attempts[s]);
    for (size_t j = 0; j < w->n_jobs; j++) {
        for (int e = 0; e < w->jobs[j].n; e++)
            task_range_release (&w->jobs[j].elements[e].bundle);
    }
    free (w->jobs);
    free (w->lines);
}

/* Write the files of a new attempt: one or two tasks to an element. */
static inline void toy_open (struct toy_world *w, int stage, int iteration,
                             int number, const struct task_range *tasks)
{
    struct toy_attempt *a = &w->attempts[stage];
    int room = 1 + toy_draw (w, 2);
    int n = 0;

    toy_attempt_release (a);
    memset (a, 0, sizeof (*a));
    a->iteration = iteration;
    a->number = number;
    for (int32_t t = -1; (t = task_range_next (tasks, t)) >= 0; n++) {
        int element = n / room;
        int chunk = element / TOY_ELEMENTS;

        task_range_add (&a->bundles[chunk][element % TOY_ELEMENTS], t);
        a->elements[chunk] = element % TOY_ELEMENTS + 1;
        a->chunks = chunk + 1;
    }
    toy_forget_lines (w, stage);
}

/* --- the scheduler --- */

/* A held job of the chunk comes to be; its id. */
static inline const char *toy_submit (struct toy_world *w, int stage, int chunk,
                                      const char *token)
{
    const struct toy_attempt *a = &w->attempts[stage];
    struct toy_job *job;

    w->jobs = grow_array (w->jobs, w->n_jobs, &w->jobs_alloc, sizeof (*job));
    job = &w->jobs[w->n_jobs++];
    memset (job, 0, sizeof (*job));
    snprintf (job->token, sizeof (job->token), "%s", token);
    snprintf (job->id, sizeof (job->id), "%zu", w->n_jobs);
    job->stage = stage;
    job->iteration = a->iteration;
    job->attempt = a->number;
    job->chunk = chunk;
    job->seen_from_s = w->now_s + toy_draw (w, TOY_QUEUE_LAG_S);
    job->n = a->elements[chunk];
    for (int e = 0; e < job->n; e++) {
        job->elements[e].state = ELEMENT_HELD;
        task_range_copy (&job->elements[e].bundle, &a->bundles[chunk][e]);
    }
    return job->id;
}

static inline struct toy_job *toy_job (struct toy_world *w, const char *id)
{
    size_t i = (size_t)atoi (id) - 1;

    assert_true (i < w->n_jobs);
    return &w->jobs[i];
}

/* Job after *from (-1 to begin) that carries the token, seen or not. */
static inline struct toy_job *toy_find (struct toy_world *w, const char *token,
                                        bool all, int *from)
{
    while (++*from < (int)w->n_jobs) {
        struct toy_job *job = &w->jobs[*from];

        if (strcmp (job->token, token) == 0
            && (all || job->seen_from_s <= w->now_s))
            return job;
    }
    return NULL;
}

static inline void toy_release_job (struct toy_world *w, struct toy_job *job)
{
    for (int e = 0; e < job->n; e++) {
        if (job->elements[e].state != ELEMENT_HELD)
            continue;
        job->elements[e].state = ELEMENT_QUEUED;
        job->elements[e].begins_s = w->now_s + toy_draw (w, 90);
    }
}

/* --- the nodes --- */

static inline void toy_log (struct toy_world *w, const struct toy_job *job,
                            int32_t task, double at_s, enum outcome outcome)
{
    struct toy_line *line;

    w->lines =
        grow_array (w->lines, w->n_lines, &w->lines_alloc, sizeof (*line));
    line = &w->lines[w->n_lines++];
    *line = (struct toy_line){ .job = atoi (job->id),
                               .stage = job->stage,
                               .iteration = job->iteration,
                               .attempt = job->attempt,
                               .task = task,
                               .at_s = at_s,
                               .seen_s = at_s + toy_draw (w, TOY_LOG_LAG_S),
                               .outcome = outcome };
}

/* What the in-job check finds. */
static inline bool toy_may_run (const struct toy_world *w,
                                const struct toy_job *job)
{
    const struct toy_attempt *a = &w->attempts[job->stage];

    return a->iteration == job->iteration && a->number == job->attempt
           && !a->closed && strcmp (a->submission[job->chunk], job->id) == 0;
}

static inline enum outcome toy_fate (struct toy_world *w)
{
    static const enum outcome bad[] = { OUTCOME_FAILED, OUTCOME_TIMEOUT,
                                        OUTCOME_OUT_OF_MEMORY,
                                        OUTCOME_BAD_OUTPUT };

    return toy_bad (w, 30) ? bad[toy_draw (w, 4)] : OUTCOME_OK;
}

/* An agent begins: all it will do is written down at once, with the times. */
static inline void toy_run_element (struct toy_world *w, struct toy_job *job,
                                    struct toy_element *e)
{
    static const enum outcome ends[] = { OUTCOME_NODE_FAILURE, OUTCOME_FAILED,
                                         OUTCOME_TIMEOUT, OUTCOME_PREEMPTED,
                                         OUTCOME_CANCELLED };
    double at_s = e->begins_s;
    bool dies = toy_bad (w, 20);
    int32_t victim = dies && toy_draw (w, 4) > 0
                         ? task_range_next (&e->bundle, -1) + toy_draw (w, 2)
                         : -1;

    e->state = ELEMENT_RUNNING;
    e->outcome = dies ? ends[toy_draw (w, 5)] : OUTCOME_OK;
    e->ends_s = at_s + 1;
    if (!toy_may_run (w, job) || (dies && victim < 0))
        return;
    for (int32_t t = -1; (t = task_range_next (&e->bundle, t)) >= 0;) {
        struct toy_task *task = &w->tasks[job->stage][t];

        assert_false (task->ok);                  /* never again */
        assert_true (task->busy_until_s <= at_s); /* nor beside */
        toy_log (w, job, t, at_s, OUTCOME_NONE);
        at_s += 1 + toy_draw (w, 60);
        task->busy_until_s = e->ends_s = at_s;
        if (t >= victim && victim >= 0)
            return;
        toy_log (w, job, t, at_s, toy_fate (w));
    }
}

/* Everything up to now happens. */
static inline void toy_run (struct toy_world *w)
{
    for (size_t j = 0; j < w->n_jobs; j++) {
        for (int i = 0; i < w->jobs[j].n; i++) {
            struct toy_element *e = &w->jobs[j].elements[i];

            if (e->state == ELEMENT_QUEUED && e->begins_s <= w->now_s)
                toy_run_element (w, &w->jobs[j], e);
            if (e->state == ELEMENT_RUNNING && e->ends_s <= w->now_s) {
                e->state = ELEMENT_ENDED;
                w->jobs[j].forgotten_s = w->now_s + toy_draw (w, 200);
            }
        }
    }
    for (size_t i = 0; i < w->n_lines; i++) {
        struct toy_line *line = &w->lines[i];

        if (line->took_effect || line->at_s > w->now_s)
            continue;
        line->took_effect = true;
        if (line->outcome == OUTCOME_OK) {
            assert_false (w->tasks[line->stage][line->task].ok);
            w->tasks[line->stage][line->task].ok = true;
        }
    }
}

/* Does the log of the job have a line on the task: its start, or its end? */
static inline bool toy_told (const struct toy_world *w,
                             const struct toy_job *job, int32_t task, bool end)
{
    for (size_t i = 0; i < w->n_lines; i++) {
        const struct toy_line *line = &w->lines[i];

        if (line->job == atoi (job->id) && line->task == task
            && (line->outcome != OUTCOME_NONE) == end)
            return true;
    }
    return false;
}

/* An agent that is told to end says so of the task it runs. */
static inline void toy_interrupt (struct toy_world *w, struct toy_job *job,
                                  struct toy_element *e)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->n_lines; i++) {
        const struct toy_line *line = &w->lines[i];

        if (line->job != atoi (job->id) || line->at_s <= w->now_s
            || !task_range_contains (&e->bundle, line->task))
            w->lines[kept++] = *line;
    }
    w->n_lines = kept;
    for (int32_t t = -1; (t = task_range_next (&e->bundle, t)) >= 0;) {
        if (!toy_may_run (w, job))
            continue;
        w->tasks[job->stage][t].busy_until_s = w->now_s;
        if (toy_told (w, job, t, false) && !toy_told (w, job, t, true))
            toy_log (w, job, t, w->now_s, OUTCOME_PREEMPTED);
    }
}

static inline void toy_cancel (struct toy_world *w, struct toy_job *job)
{
    for (int i = 0; i < job->n; i++) {
        struct toy_element *e = &job->elements[i];

        if (e->state == ELEMENT_ENDED)
            continue;
        if (e->state == ELEMENT_RUNNING)
            toy_interrupt (w, job, e);
        e->state = ELEMENT_ENDED;
        e->outcome = OUTCOME_CANCELLED;
        job->forgotten_s = w->now_s + toy_draw (w, 200);
    }
}

/* What squeue says: nothing of a job that is too new or too old. */
static inline struct element_status toy_status (const struct toy_world *w,
                                                const struct toy_job *job,
                                                int element)
{
    const struct toy_element *e = &job->elements[element];

    if (job->seen_from_s > w->now_s
        || (e->state == ELEMENT_ENDED && job->forgotten_s <= w->now_s))
        return (struct element_status){ ELEMENT_UNKNOWN, OUTCOME_NONE };
    return (struct element_status){ e->state, e->state == ELEMENT_ENDED
                                                  ? e->outcome
                                                  : OUTCOME_NONE };
}

#endif /* !TESTS_TOY_WORLD_H */
