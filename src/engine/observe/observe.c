/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.c - what the scheduler and the agents' logs say */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/packing.h"
#include "handover/element_logs.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/observe/scheduler_access.h"
#include "engine/observe/observe.h"
#include "engine/history/outputs_store.h"
#include "engine/decide/conditions.h"
#include "engine/decide/dependency_jobs.h"
#include "space/layout.h"

enum { LOG_MAX_BYTES = 1 << 30 };

/* --- bundles --- */

/* As the agents derive them from job.json. */
static void deal_bundles (const struct attempt *attempt,
                          const struct submission *s,
                          struct task_range *bundles)
{
    struct task_range tasks = TASK_RANGE_INIT;

    packing_chunk_tasks (&attempt->packing, &attempt->tasks, s->chunk, &tasks);
    packing_deal (&tasks, s->elements, bundles);
    task_range_release (&tasks);
}

/* --- logs --- */

/* What a person has to look at counts more than anything else, and the first
 * task to meet it more than those that met it then.
 */
static void note_machine_error (const struct result_event *event,
                                struct observed_attempt *attempt)
{
    if (attempt->pause)
        return;
    free (attempt->machine_error);
    attempt->machine_error =
        xasprintf ("task %d: %s", event->task, event->message);
    attempt->pause = event->pause;
}

/* One log being read. */
struct log_reading {
    struct observed_attempt *attempt;
    size_t node; /* of the agent that writes, as in a logged_outcome */
};

/* The number of a node, as in a logged_outcome. */
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

/* An `ok` is never taken back; of two failures the later one counts. */
static int read_log_record (const struct result_event *event,
                            void *arg,
                            struct error *err)
{
    struct log_reading *log_reading = arg;
    struct observed_attempt *attempt = log_reading->attempt;
    struct logged_outcome *word;
    char key[16];

    (void)err;
    if (event->kind == RESULT_CLAIM)
        log_reading->node = know_node (attempt, event->node);
    if (event->task < 0 || event->task >= attempt->n_words)
        return 0;
    word = &attempt->words[event->task];
    if (event->kind == RESULT_START) {
        word->started = true;
        word->node = log_reading->node;
    }
    if (event->kind == RESULT_FOUND)
        word->outcome = OUTCOME_OK;
    if (event->kind == RESULT_MACHINE_ERROR) {
        word->started = false; /* no try is charged */
        note_machine_error (event, attempt);
    }
    if (event->kind == RESULT_END && word->outcome != OUTCOME_OK) {
        word->outcome = event->outcome;
        word->killed = result_is_killed (event);
        word->wall_s = (float)event->wall_s;
        snprintf (key, sizeof (key), "%d", event->task);
        if (event->message[0])
            json_set (attempt->why, key, json_string (event->message));
    }
    return 0;
}

/* The logs of one chunk. */
struct chunk_logs {
    const char *dir;              /* absolute */
    const char *name;             /* as the journal names it: ATTEMPT/CHUNK */
    const struct json *journaled; /* {LOG: {bytes, sha256}} */
    struct observed_attempt *attempt;
    struct json *grown; /* observed_submission.logs */
};

/* "results-<element>.<n>", taken apart. */
struct log_name {
    int64_t element, n;
};

static int compare_names (const void *a, const void *b)
{
    const struct log_name *x = a, *y = b;

    if (x->element != y->element)
        return x->element < y->element ? -1 : 1;
    return x->n < y->n ? -1 : x->n > y->n;
}

/* The key of a log in the journal. */
static void name_log (const struct chunk_logs *chunk,
                      const struct log_name *log,
                      struct strbuf *key)
{
    strbuf_addf (key, "%s/" LAYOUT_RESULTS_PREFIX "%" PRId64 ".%" PRId64,
                 chunk->name, log->element, log->n);
}

/* Note how much of a log counts, if that is more than was journaled. */
static void note_grown (struct chunk_logs *chunk,
                        const struct log_name *name,
                        const struct element_log *log)
{
    struct older_log counted;
    struct strbuf key = STRBUF_INIT;
    struct json *v;

    if (element_log_durable (log) <= log->extent.journaled_bytes)
        return;
    counted = element_log_as_older (log);
    v = json_object ();
    json_set (v, "bytes", json_int ((int64_t)counted.bytes));
    json_set (v, "sha256", json_string (counted.sha256));
    name_log (chunk, name, &key);
    json_set (chunk->grown, key.buf, v);
    strbuf_release (&key);
}

static int add_log (const struct chunk_logs *chunk,
                    const struct log_name *name,
                    struct element_logs *logs,
                    struct error *err)
{
    struct strbuf key = STRBUF_INIT;
    int64_t journaled;

    name_log (chunk, name, &key);
    journaled =
        json_as_int (json_get (json_get (chunk->journaled, key.buf), "bytes"));
    strbuf_release (&key);
    return element_logs_add (logs, chunk->dir, name->element, name->n,
                             (uint64_t)journaled, err);
}

/* All logs of one element, in their order. */
static int read_element (struct chunk_logs *chunk,
                         const struct log_name *names,
                         size_t n,
                         struct error *err)
{
    struct element_logs logs = ELEMENT_LOGS_INIT;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = add_log (chunk, &names[i], &logs, err);
    if (rc == 0)
        rc = element_logs_limit (&logs, err);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct log_reading log_reading = { .attempt = chunk->attempt };

        rc = element_log_scan (&logs.v[i], read_log_record, &log_reading, err);
        note_grown (chunk, &names[i], &logs.v[i]);
    }
    element_logs_release (&logs);
    return rc;
}

/* The logs in the chunk's directory, sorted; caller frees. */
static int list_logs (const char *dir,
                      struct log_name **names,
                      size_t *n,
                      struct error *err)
{
    struct strvec files = STRVEC_INIT;

    *n = 0;
    *names = NULL;
    if (file_list_dir (dir, &files, err) < 0)
        return -1;
    *names = xcalloc (files.n + 1, sizeof (**names));
    for (size_t i = 0; i < files.n; i++) {
        struct log_name *name = &(*names)[*n];

        name->element = result_log_element (files.v[i], &name->n);
        *n += name->element >= 0;
    }
    qsort (*names, *n, sizeof (**names), compare_names);
    strvec_release (&files);
    return 0;
}

static int read_logs (struct chunk_logs *chunk,
                      const struct heartbeat *heartbeat,
                      struct error *err)
{
    struct log_name *names;
    size_t n, end;
    int rc = list_logs (chunk->dir, &names, &n, err);

    for (size_t i = 0; rc == 0 && i < n; i = end) {
        for (end = i; end < n && names[end].element == names[i].element; end++)
            continue;
        heartbeat_send (heartbeat);
        rc = read_element (chunk, &names[i], end - i, err);
    }
    free (names);
    return rc;
}

/* --- the scheduler --- */

/* Whom the answer on a job is for: one of the two. */
struct poll_owner {
    struct observed_submission *submission;
    struct observed_dependency_job *dependency_job;
};

/* All released submissions and all dependency jobs of one profile, for one
 * poll. */
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
        (struct job_status){ .key = { submission->id, submission->token },
                             .n_elements = submission->elements,
                             .elements = elements };
    list->owners[list->n++] = owner;
}

static void read_dependency_job (const struct job_status *job,
                                 struct observed_dependency_job *dependency_job)
{
    int64_t ended = 0;

    for (int64_t e = 0; e < job->n_elements; e++) {
        enum element_state state = job->elements[e].state;

        dependency_job->started = dependency_job->started
                                  || state == ELEMENT_RUNNING
                                  || state == ELEMENT_ENDED;
        dependency_job->living =
            dependency_job->living
            || (state != ELEMENT_UNKNOWN && state != ELEMENT_ENDED);
        ended += state == ELEMENT_ENDED;
    }
    dependency_job->ended = ended == job->n_elements;
    dependency_job->polled = true;
}

static void take_answer (const struct poll_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct observed_submission *submission = list->owners[i].submission;

        if (!submission) {
            read_dependency_job (&list->jobs[i],
                                 list->owners[i].dependency_job);
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
    struct error why = ERROR_INIT;

    if (adapter->poll (&scheduler, list->jobs, list->n, &why) == ANSWER_OK) {
        take_answer (list);
        return;
    }
    observations->unreachable = true;
    free (observations->unreachable_why);
    observations->unreachable_why = xasprintf (
        "profile '%s' (%s): %s", profile->name, profile->scheduler, why.text);
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

static void list_dependency_jobs (const struct engine *engine,
                                  const struct profile *profile,
                                  const struct observations *observations,
                                  struct poll_list *list)
{
    for (size_t i = 0; i < observations->n_dependency_jobs; i++) {
        const struct dependency_job *w = &engine->state.dependency_jobs[i];
        struct observed_dependency_job *o = &observations->dependency_jobs[i];

        if (w->job.phase == SUBMISSION_RECORDED
            && dependency_job_profile (engine->plan, w) == profile)
            poll_list_add (list, &w->job, o->elements,
                           (struct poll_owner){ .dependency_job = o });
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
        list_dependency_jobs (engine, profile, observations, &list);
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

/* Memory for what will be seen. */
static int begin_attempt (const struct engine *engine,
                          const struct stage_state *stage,
                          const struct attempt *attempt,
                          struct observed_attempt *seen,
                          struct error *err)
{
    (void)engine;
    (void)err;
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

        o->token = s->token;
        if (s->phase != SUBMISSION_RELEASED)
            continue;
        o->n_elements = s->elements;
        o->elements = xcalloc ((size_t)s->elements + 1, sizeof (*o->elements));
        o->bundles = xcalloc ((size_t)s->elements + 1, sizeof (*o->bundles));
        deal_bundles (attempt, s, o->bundles);
    }
    return 0;
}

static int read_attempt_logs (const struct engine *engine,
                              const struct stage_state *stage,
                              const struct attempt *attempt,
                              struct observed_attempt *seen,
                              struct error *err)
{
    int number = (int)stage->n_attempts - 1;

    for (size_t i = 0; i < attempt->n_submissions; i++) {
        int chunk = attempt->submissions[i].chunk;
        struct chunk_logs logs = { .journaled = stage->logs, .attempt = seen };
        char *dir, *name;
        int rc;

        if (attempt->submissions[i].phase != SUBMISSION_RELEASED)
            continue;
        logs.dir = dir = chunk_path (engine, stage->name, number, chunk);
        logs.name = name = xasprintf ("%06d/%06d", number, chunk);
        logs.grown = seen->submissions[i].logs = json_object ();
        rc = read_logs (&logs, &engine->heartbeat, err);
        free (name);
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

static void look_around (struct engine *engine, struct observations *seen)
{
    *seen = (struct observations){ .now_s = engine_now_s (engine),
                                   .up = engine_uptime (engine),
                                   .config_sha256 = engine->config_sha256,
                                   .driving_job = engine->driving_job,
                                   .patience_s = engine->patience_s,
                                   .n_dependency_jobs =
                                       engine->state.n_dependency_jobs };
    seen->dependency_jobs =
        xcalloc (seen->n_dependency_jobs + 1, sizeof (*seen->dependency_jobs));
}

/* The schedulers between the bundles, which say what is asked for, and the
 * logs, which are to be younger than any answer.
 */
static int observe_attempts (struct engine *engine,
                             bool ask_schedulers,
                             struct observations *seen,
                             struct error *err)
{
    bool begun = engine->state.n_iterations > 0;

    if (begun) {
        size_t n =
            engine->state.iterations[engine->state.n_iterations - 1].n_stages;

        seen->attempts = xcalloc (n + 1, sizeof (*seen->attempts));
    }
    if (begun && for_each_open (engine, seen, begin_attempt, err) < 0)
        return -1;
    if (ask_schedulers)
        poll_all (engine, seen);
    return begun ? for_each_open (engine, seen, read_attempt_logs, err) : 0;
}

struct reading {
    struct engine *engine;
    struct observations *seen;
};

static int read_results (const struct stage_place *place,
                         void *arg,
                         struct error *err)
{
    struct reading *reading = arg;
    const struct json *outputs;

    if (observations_outputs (reading->seen, place->stage, place->iteration))
        return 0;
    if (!(outputs = outputs_store_get (reading->engine->outputs, place, err)))
        return -1;
    observations_add_outputs (reading->seen, place->stage, place->iteration,
                              outputs);
    return 0;
}

int observe (struct engine *engine,
             struct observations *observations,
             struct error *err)
{
    struct observations seen;
    struct reading reading = { engine, &seen };
    int rc = 1;

    look_around (engine, &seen);
    if (conditions_needs (engine->plan, &engine->state, read_results, &reading,
                          err)
            < 0
        || (rc = observe_attempts (engine, true, &seen, err)) < 0)
        observations_release (&seen);
    else
        *observations = seen;
    return rc;
}

int observe_logs (struct engine *engine,
                  struct observations *observations,
                  struct error *err)
{
    struct observations seen;

    look_around (engine, &seen);
    if (observe_attempts (engine, false, &seen, err) < 0) {
        observations_release (&seen);
        return -1;
    }
    *observations = seen;
    return 0;
}
