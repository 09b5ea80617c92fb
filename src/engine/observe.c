/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.c - what the scheduler and the agents' logs say */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/bundles.h"
#include "arrays/result_log.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/engine.h"
#include "engine/observe.h"
#include "engine/wakeups.h"
#include "space/layout.h"

enum { LOG_MAX_BYTES = 1 << 30 };

static void submission_release (struct observed_submission *s)
{
    for (int64_t e = 0; s->bundles && e < s->n_elements; e++)
        task_range_release (&s->bundles[e]);
    free (s->bundles);
    free (s->elements);
}

void observations_release (struct observations *observations)
{
    for (size_t i = 0; i < observations->n_attempts; i++) {
        struct observed_attempt *attempt = &observations->attempts[i];

        for (size_t j = 0; j < attempt->n_submissions; j++)
            submission_release (&attempt->submissions[j]);
        free (attempt->submissions);
        free (attempt->words);
        free (attempt->trouble);
        strvec_release (&attempt->nodes);
        json_unref (attempt->why);
    }
    free (observations->attempts);
    free (observations->wakeups);
    free (observations->trouble);
    memset (observations, 0, sizeof (*observations));
}

const struct observed_attempt *observations_find (
    const struct observations *observations,
    const char *name)
{
    for (size_t i = 0; i < observations->n_attempts; i++) {
        if (strcmp (observations->attempts[i].stage, name) == 0)
            return &observations->attempts[i];
    }
    return NULL;
}

/* --- bundles --- */

static int read_bundles (const char *chunk_dir,
                         struct observed_submission *s,
                         int32_t n_tasks,
                         struct error *err)
{
    char *path = path_join (chunk_dir, LAYOUT_BUNDLES);
    struct strbuf text = STRBUF_INIT;
    int rc = file_read (path, LOG_MAX_BYTES, &text, err);

    if (rc == 0
        && (rc = bundles_parse (text.buf, text.len, n_tasks, s->bundles,
                                s->n_elements, err))
               < 0)
        error_prefix (err, "%s", path);
    strbuf_release (&text);
    free (path);
    return rc;
}

/* --- logs --- */

/* That room is missing counts more than anything else, and the first task to
 * miss it more than those that missed it then.
 */
static void hear_trouble (const struct result_event *event,
                          struct observed_attempt *attempt)
{
    if (attempt->no_space)
        return;
    free (attempt->trouble);
    attempt->trouble = xasprintf ("task %d: %s", event->task, event->message);
    attempt->no_space = event->no_space;
}

/* One log being read. */
struct hearing {
    struct observed_attempt *attempt;
    size_t node; /* of the agent that writes, as in a task_word */
};

/* The number of a node, as in a task_word. */
static size_t know_node (struct observed_attempt *attempt, const char *name)
{
    size_t i;

    if (!name[0])
        return 0;
    for (i = 0; i < attempt->nodes.n; i++) {
        if (strcmp (attempt->nodes.v[i], name) == 0)
            return i + 1;
    }
    strvec_push (&attempt->nodes, name);
    return i + 1;
}

/* An `ok` is never taken back; of two failures the later word counts. */
static int hear (const struct result_event *event, void *arg, struct error *err)
{
    struct hearing *hearing = arg;
    struct observed_attempt *attempt = hearing->attempt;
    struct task_word *word;
    char key[16];

    (void)err;
    if (event->kind == RESULT_CLAIM)
        hearing->node = know_node (attempt, event->node);
    if (event->task < 0 || event->task >= attempt->n_words)
        return 0;
    word = &attempt->words[event->task];
    if (event->kind == RESULT_START) {
        word->started = true;
        word->node = hearing->node;
    }
    if (event->kind == RESULT_FOUND)
        word->outcome = OUTCOME_OK;
    if (event->kind == RESULT_TROUBLE) {
        word->started = false; /* no try is charged */
        hear_trouble (event, attempt);
    }
    if (event->kind == RESULT_END && word->outcome != OUTCOME_OK) {
        word->outcome = event->outcome;
        snprintf (key, sizeof (key), "%d", event->task);
        if (event->message[0])
            json_set (attempt->why, key, json_string (event->message));
    }
    return 0;
}

static int read_log (const char *path,
                     struct observed_attempt *attempt,
                     struct error *err)
{
    struct hearing hearing = { .attempt = attempt };
    struct strbuf text = STRBUF_INIT;
    uint64_t accepted = 0;
    int rc = -1;

    if (file_read (path, LOG_MAX_BYTES, &text, err) == 0)
        rc = result_log_scan (text.buf, text.len, path, hear, &hearing,
                              &accepted, err);
    strbuf_release (&text);
    return rc;
}

static int read_logs (const char *chunk_dir,
                      struct observed_attempt *attempt,
                      struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (chunk_dir, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *path;

        if (result_log_element (names.v[i]) < 0)
            continue;
        path = path_join (chunk_dir, names.v[i]);
        rc = read_log (path, attempt, err);
        free (path);
    }
    strvec_release (&names);
    return rc;
}

/* --- the scheduler --- */

/* Whom the answer on a job is for: one of the two. */
struct poll_owner {
    struct observed_submission *submission;
    struct observed_wakeup *wakeup;
};

/* All released submissions and all wake-ups of one profile, for one poll. */
struct poll_list {
    struct job_status *jobs;
    struct poll_owner *owners;
    size_t n;
    size_t jobs_alloc, owners_alloc;
};

static void poll_list_add (struct poll_list *list,
                           const struct submission *submission,
                           struct element_status *elements,
                           struct poll_owner owner)
{
    list->jobs = grow_array (list->jobs, list->n, &list->jobs_alloc,
                             sizeof (*list->jobs));
    list->owners = grow_array (list->owners, list->n, &list->owners_alloc,
                               sizeof (*list->owners));
    list->jobs[list->n] =
        (struct job_status){ .id = submission->id,
                             .n_elements = submission->elements,
                             .elements = elements };
    list->owners[list->n++] = owner;
}

static void read_wakeup (const struct job_status *job,
                         struct observed_wakeup *wakeup)
{
    int64_t ended = 0;

    for (int64_t e = 0; e < job->n_elements; e++) {
        enum element_state state = job->elements[e].state;

        wakeup->started = wakeup->started || state == ELEMENT_RUNNING
                          || state == ELEMENT_ENDED;
        wakeup->living = wakeup->living
                         || (state != ELEMENT_UNKNOWN
                             && state != ELEMENT_ENDED);
        ended += state == ELEMENT_ENDED;
    }
    wakeup->ended = ended == job->n_elements;
    wakeup->polled = true;
}

static void take_answer (const struct poll_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct observed_submission *submission = list->owners[i].submission;

        if (!submission) {
            read_wakeup (&list->jobs[i], list->owners[i].wakeup);
            continue;
        }
        submission->polled = true;
        memcpy (submission->note, list->jobs[i].note, JOB_NOTE_SIZE);
    }
}

static void poll_profile (struct engine *engine,
                          const struct profile *profile,
                          struct poll_list *list,
                          struct observations *observations)
{
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, profile, &scheduler);
    struct error trouble = ERROR_INIT;

    if (adapter->poll (&scheduler, list->jobs, list->n, &trouble)
        == ANSWER_OK) {
        take_answer (list);
        return;
    }
    observations->unreachable = true;
    free (observations->trouble);
    observations->trouble = xasprintf ("profile '%s' (%s): %s", profile->name,
                                       profile->scheduler, trouble.text);
}

/* A driver that looks at logs often asks the scheduler seldom. */
static bool is_poll_due (const struct engine *engine, size_t profile)
{
    double last_s = engine->polled_s[profile];

    return last_s == 0
           || clock_mono_s () - last_s
                  >= engine->plan->profiles[profile].poll_s;
}

static void list_submissions (const struct engine *engine,
                              const struct profile *profile,
                              const struct observations *observations,
                              struct poll_list *list)
{
    const struct plan *plan = engine->plan;
    int iteration = state_iteration (&engine->state);

    for (size_t i = 0; i < observations->n_attempts; i++) {
        struct observed_attempt *seen = &observations->attempts[i];
        int s = plan_stage_find (plan, seen->stage);
        const struct attempt *attempt = stage_open_attempt (
            state_stage (&engine->state, iteration, seen->stage));

        for (size_t j = 0; s >= 0 && j < seen->n_submissions; j++) {
            struct observed_submission *o = &seen->submissions[j];

            if (plan->stages[s].profile == profile
                && attempt->submissions[j].phase == SUBMISSION_RELEASED)
                poll_list_add (list, &attempt->submissions[j], o->elements,
                               (struct poll_owner){ .submission = o });
        }
    }
}

static void list_wakeups (const struct engine *engine,
                          const struct profile *profile,
                          const struct observations *observations,
                          struct poll_list *list)
{
    for (size_t i = 0; i < observations->n_wakeups; i++) {
        const struct wakeup *w = &engine->state.wakeups[i];
        struct observed_wakeup *o = &observations->wakeups[i];

        if (w->job.phase == SUBMISSION_RECORDED
            && wakeup_profile (engine->plan, w) == profile)
            poll_list_add (list, &w->job, o->elements,
                           (struct poll_owner){ .wakeup = o });
    }
}

/* One poll for each profile that has anything released, when it is due. */
static void poll_all (struct engine *engine, struct observations *observations)
{
    const struct plan *plan = engine->plan;

    for (size_t p = 0; p < plan->n_profiles; p++) {
        const struct profile *profile = &plan->profiles[p];
        struct poll_list list = { 0 };

        if (!is_poll_due (engine, p))
            continue;
        list_submissions (engine, profile, observations, &list);
        list_wakeups (engine, profile, observations, &list);
        if (list.n > 0) {
            poll_profile (engine, profile, &list, observations);
            engine->polled_s[p] = clock_mono_s ();
        }
        free (list.jobs);
        free (list.owners);
    }
}

/* --- attempts --- */

static char *chunk_path (const struct engine *engine,
                         const char *stage,
                         int attempt,
                         int chunk)
{
    struct strbuf path = STRBUF_INIT;

    layout_run_chunk (stage, state_iteration (&engine->state), attempt, chunk,
                      &path);
    return engine_path (engine, &path);
}

/* Room for what will be seen; bundles are read now. */
static int begin_attempt (const struct engine *engine,
                          const struct stage_state *stage,
                          const struct attempt *attempt,
                          struct observed_attempt *seen,
                          struct error *err)
{
    seen->stage = stage->name;
    seen->n_words = stage->n_tasks;
    seen->words = xcalloc ((size_t)stage->n_tasks + 1, sizeof (*seen->words));
    seen->why = json_object ();
    strvec_init (&seen->nodes);
    seen->submissions =
        xcalloc (attempt->n_submissions + 1, sizeof (*seen->submissions));
    seen->n_submissions = attempt->n_submissions;
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];
        struct observed_submission *o = &seen->submissions[i];
        char *dir;
        int rc;

        o->token = s->token;
        if (s->phase != SUBMISSION_RELEASED)
            continue;
        o->n_elements = s->elements;
        o->elements = xcalloc ((size_t)s->elements + 1, sizeof (*o->elements));
        o->bundles = xcalloc ((size_t)s->elements + 1, sizeof (*o->bundles));
        dir = chunk_path (engine, stage->name, (int)stage->n_attempts - 1,
                          s->chunk);
        rc = read_bundles (dir, o, stage->n_tasks, err);
        free (dir);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int hear_attempt (const struct engine *engine,
                         const struct stage_state *stage,
                         const struct attempt *attempt,
                         struct observed_attempt *seen,
                         struct error *err)
{
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        char *dir;
        int rc;

        if (attempt->submissions[i].phase != SUBMISSION_RELEASED)
            continue;
        dir = chunk_path (engine, stage->name, (int)stage->n_attempts - 1,
                          attempt->submissions[i].chunk);
        rc = read_logs (dir, seen, err);
        free (dir);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int for_each_open (struct engine *engine,
                          struct observations *observations,
                          int (*each) (const struct engine *engine,
                                       const struct stage_state *stage,
                                       const struct attempt *attempt,
                                       struct observed_attempt *seen,
                                       struct error *err),
                          struct error *err)
{
    const struct iteration_state *it =
        &engine->state.iterations[engine->state.n_iterations - 1];
    size_t n = 0;

    for (size_t i = 0; i < it->n_stages; i++) {
        const struct attempt *attempt = stage_open_attempt (&it->stages[i]);

        if (!attempt)
            continue;
        if (++n > observations->n_attempts)
            observations->n_attempts = n;
        if (each (engine, &it->stages[i], attempt,
                  &observations->attempts[n - 1], err)
            < 0)
            return -1;
    }
    return 0;
}

int observe (struct engine *engine,
             bool ask_scheduler,
             struct observations *observations,
             struct error *err)
{
    struct observations seen = { .now_s = clock_wall_s (),
                                 .waking = engine->waking,
                                 .patience_s = engine->patience_s,
                                 .n_wakeups = engine->state.n_wakeups };

    seen.wakeups = xcalloc (seen.n_wakeups + 1, sizeof (*seen.wakeups));
    if (engine->state.n_iterations > 0) {
        size_t n =
            engine->state.iterations[engine->state.n_iterations - 1].n_stages;

        seen.attempts = xcalloc (n + 1, sizeof (*seen.attempts));
        if (for_each_open (engine, &seen, begin_attempt, err) < 0)
            goto fail;
    }
    if (ask_scheduler)
        poll_all (engine, &seen);
    if (engine->state.n_iterations > 0
        && for_each_open (engine, &seen, hear_attempt, err) < 0)
        goto fail;
    *observations = seen;
    return 0;
fail:
    observations_release (&seen);
    return -1;
}
