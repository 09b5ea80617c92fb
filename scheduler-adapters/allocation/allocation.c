/* SPDX-License-Identifier: BSD-3-Clause */
/* allocation.c - the adapter of the nodes of a job that we are part of
 *
 * The id of a job is its token.  Jobs belong to the campaign and not to the job
 * around it: what one of them did not get to runs in the next.
 */
#include "base/base.h"

#include "allocation/allocation.h"
#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "job_around.h"
#include "spool.h"

/* How long a call waits for the first runner to say what its node has. */
static const double shape_s = 15;

/* How long to wait for the end of a job that is to be forgotten. */
static const double forget_s = 0.5;

/* --- the job around us --- */

static enum answer allocation_usable (const struct scheduler *scheduler,
                                      struct error *err)
{
    struct job_around around;

    (void)scheduler;
    if (job_around_find (&around))
        return ANSWER_OK;
    error_set (err,
               "this is no job whose nodes could be used; run it inside sbatch "
               "or qsub");
    return ANSWER_BROKEN;
}

static const char *const *allocation_agents (void)
{
    struct job_around around;

    return job_around_find (&around) && around.adapter->agents
               ? around.adapter->agents ()
               : NULL;
}

static int allocation_nodes (void)
{
    struct job_around around;

    return job_around_find (&around) ? around.nodes : 0;
}

/* --- what nodes have --- */

static int64_t least_bytes (int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* What all nodes that live have. */
static void set_shape (const struct runners *runners,
                       struct scheduler_limits *limits)
{
    bool first = true;

    for (size_t i = 0; i < runners->n; i++) {
        const struct runner *r = &runners->v[i];

        if (!r->alive)
            continue;
        limits->node_cores = first || r->cores < limits->node_cores
                                 ? r->cores
                                 : limits->node_cores;
        limits->node_gpus =
            first || r->gpus < limits->node_gpus ? r->gpus : limits->node_gpus;
        limits->node_memory_bytes =
            first ? r->memory_bytes
                  : least_bytes (limits->node_memory_bytes, r->memory_bytes);
        first = false;
    }
}

static int no_runner (const struct scheduler *scheduler, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf words = STRBUF_INIT;

    runners_last_words (scheduler->spool, &words);
    error_set (err, "no process has started on the nodes of this job yet%s%s",
               words.len > 0 ? ": " : "", words.buf);
    return ANSWER_TRY_LATER;
}

/* A driver inside the next job can: nothing is wrong with the campaign. */
static enum answer need_job (const struct scheduler *scheduler,
                             struct error *err)
{
    return allocation_usable (scheduler, err) == ANSWER_OK ? ANSWER_OK
                                                           : ANSWER_TRY_LATER;
}

/* Look, and start runners where none is there. */
static enum answer have_runners (const struct scheduler *scheduler,
                                 struct runners *runners, struct error *err)
{
    enum answer answer = need_job (scheduler, err);

    if (answer == ANSWER_OK)
        answer = spool_ready (scheduler->spool, err);
    if (answer != ANSWER_OK)
        return answer;
    if (runners_look (scheduler->spool, runners, err) < 0)
        return ANSWER_TRY_LATER;
    answer = runners_start (scheduler, runners, err);
    if (answer != ANSWER_OK)
        runners_release (runners);
    return answer;
}

static enum answer allocation_limits (const struct scheduler *scheduler,
                                      struct scheduler_limits *limits,
                                      struct error *err)
{
    double wait_s =
        scheduler->deadline_s < shape_s ? scheduler->deadline_s : shape_s;
    double until_s = clock_mono_s () + wait_s;
    struct runners runners;
    enum answer answer = have_runners (scheduler, &runners, err);

    while (answer == ANSWER_OK && !runners_alive (&runners)) {
        runners_release (&runners);
        if (clock_mono_s () > until_s)
            return no_runner (scheduler, err);
        heartbeat_send (&scheduler->heartbeat);
        clock_sleep (0.05, NULL);
        answer = have_runners (scheduler, &runners, err);
    }
    if (answer != ANSWER_OK)
        return answer;
    memset (limits, 0, sizeof (*limits));
    set_shape (&runners, limits);
    runners_release (&runners);
    return ANSWER_OK;
}

/* --- a job --- */

static enum answer allocation_render (const struct scheduler *scheduler,
                                      const struct array_job *job,
                                      struct strbuf *script, struct error *err)
{
    (void)scheduler;
    (void)err;
    job_script_shell (job, script);
    job_script_log (job, "${FANFOLD_ARRAY_INDEX}", script);
    job_script_body (job, "${FANFOLD_ARRAY_INDEX}", "${FANFOLD_JOB_ID}",
                     script);
    return ANSWER_OK;
}

/* REFUSED: there is none of that id, or of that name. */
static enum answer find_job (const struct scheduler *scheduler, const char *id,
                             const char *token, struct spool_job *job,
                             struct error *err)
{
    _cleanup_free_ char *dir = strcmp (id, token) == 0
                                   ? spool_job_dir (scheduler->spool, id, NULL)
                                   : NULL;
    int rc = dir ? spool_read_job (dir, job, err) : 1;

    if (rc > 0)
        error_set (err, "there is no job '%s' called '%s'", id, token);
    return rc == 0 ? ANSWER_OK : rc > 0 ? ANSWER_REFUSED : ANSWER_TRY_LATER;
}

/* How its elements stand. */
static int read_status (struct spool_job *job, const struct runners *runners,
                        struct error *err)
{
    _cleanup_ (elements_release) struct elements elements = { 0 };

    return elements_read (job, &elements, err) < 0
               ? -1
               : elements_status (job, &elements, runners, err);
}

/* Remove those that are over and were to be forgotten, and what another began
 * to remove.
 */
static void remove_forgotten (const struct scheduler *scheduler)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (runners_release) struct runners runners = { 0 };

    if (runners_look (scheduler->spool, &runners, NULL) < 0)
        return;
    file_list_dir (scheduler->spool, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *dir = path_join (scheduler->spool, names.v[i]);
        _cleanup_free_ char *mark = path_join (dir, SPOOL_FORGET);
        _cleanup_ (spool_job_release) struct spool_job job = { 0 };

        if (strncmp (names.v[i], SPOOL_GONE, strlen (SPOOL_GONE)) == 0)
            file_remove_tree (dir, NULL, NULL);
        else if (file_exists (mark) && spool_read_job (dir, &job, NULL) == 0
                 && read_status (&job, &runners, NULL) == 0
                 && spool_job_over (&job))
            spool_remove (scheduler->spool, job.token, NULL);
    }
}

static enum answer allocation_submit (const struct scheduler *scheduler,
                                      const struct array_job *job,
                                      const char *script_path,
                                      struct strbuf *id, struct error *err)
{
    enum answer answer = need_job (scheduler, err);
    _cleanup_ (runners_release) struct runners runners = { 0 };

    if (answer != ANSWER_OK)
        return answer;
    if (job->nodes > allocation_nodes ()) {
        error_set (err, "an element needs %d nodes and this job has %d",
                   job->nodes, allocation_nodes ());
        return ANSWER_REFUSED;
    }
    if ((answer = spool_ready (scheduler->spool, err)) != ANSWER_OK)
        return answer;
    remove_forgotten (scheduler);
    if (spool_create (scheduler->spool, job, script_path, err) < 0)
        return ANSWER_TRY_LATER;
    if (job->unheld
        && (answer = have_runners (scheduler, &runners, err)) != ANSWER_OK)
        return answer;
    strbuf_add_str (id, job->token);
    return ANSWER_OK;
}

static enum answer allocation_release (const struct scheduler *scheduler,
                                       const struct job_key *key,
                                       struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    _cleanup_ (runners_release) struct runners runners = { 0 };
    enum answer answer = find_job (scheduler, key->id, key->token, &job, err);

    if (answer != ANSWER_OK)
        return answer;
    if (spool_mark (job.dir, "released", err) < 0)
        return ANSWER_TRY_LATER;
    return have_runners (scheduler, &runners, err);
}

static enum answer allocation_find (const struct scheduler *scheduler,
                                    const char *token, struct strvec *ids,
                                    struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    enum answer answer = find_job (scheduler, token, token, &job, err);

    if (answer == ANSWER_REFUSED)
        return spool_remove (scheduler->spool, token, err) < 0
                   ? ANSWER_TRY_LATER
                   : ANSWER_OK;
    if (answer == ANSWER_OK)
        strvec_push (ids, token);
    return answer;
}

/* --- how it stands --- */

static bool is_waiting (const struct spool_job *job)
{
    for (int64_t e = 0; e < job->elements; e++) {
        if (job->status[e].state == ELEMENT_QUEUED)
            return true;
    }
    return false;
}

/* Why nothing of it starts. */
static void note_waiting (const struct scheduler *scheduler,
                          const struct spool_job *job,
                          const struct runners *runners, char *note)
{
    int fit = runners_count_nodes (runners, job);
    _cleanup_ (strbuf_release) struct strbuf lost = STRBUF_INIT;
    struct error why = ERROR_INIT;

    note[0] = '\0';
    if (!is_waiting (job))
        return;
    if (!runners_alive (runners) && !runners->starting) {
        no_runner (scheduler, &why);
        snprintf (note, JOB_NOTE_SIZE, "%.*s", JOB_NOTE_SIZE - 1, why.text);
    } else if (runners_alive (runners) && fit == 0) {
        snprintf (note, JOB_NOTE_SIZE,
                  "no node of this job has %d cores and %d GPUs; look at "
                  "`node` of the profile",
                  job->cores, job->gpus);
    } else if (runners_alive (runners) && !runners->starting
               && fit < job->nodes) {
        snprintf (note, JOB_NOTE_SIZE,
                  "an element needs %d nodes and %d of this job can run it; "
                  "it waits for a job that has more",
                  job->nodes, fit);
    } else if (runners_lost_node (scheduler, runners, &lost)) {
        snprintf (note, JOB_NOTE_SIZE, "%s", lost.buf);
    }
}

static enum answer poll_job (const struct scheduler *scheduler,
                             const struct runners *runners,
                             struct job_status *status, bool *waits,
                             struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    enum answer answer =
        find_job (scheduler, status->key.id, status->key.token, &job, err);

    if (answer == ANSWER_TRY_LATER)
        return answer;
    if (answer == ANSWER_OK && read_status (&job, runners, err) < 0)
        return ANSWER_TRY_LATER;
    status->note[0] = '\0';
    memset (status->elements, 0,
            (size_t)status->n_elements * sizeof (*status->elements));
    if (answer != ANSWER_OK)
        return ANSWER_OK; /* it is not known */
    for (int64_t e = 0; e < job.elements && e < status->n_elements; e++)
        status->elements[e] = job.status[e];
    note_waiting (scheduler, &job, runners, status->note);
    *waits = *waits || is_waiting (&job);
    return ANSWER_OK;
}

static enum answer allocation_poll (const struct scheduler *scheduler,
                                    struct job_status *jobs, size_t n,
                                    struct error *err)
{
    _cleanup_ (runners_release) struct runners runners = { 0 };
    enum answer answer = ANSWER_OK;
    bool waits = false;

    if (n == 0)
        return ANSWER_OK;
    if (spool_open (scheduler->spool, err) < 0
        || runners_look (scheduler->spool, &runners, err) < 0)
        return ANSWER_TRY_LATER;
    for (size_t i = 0; answer == ANSWER_OK && i < n; i++)
        answer = poll_job (scheduler, &runners, &jobs[i], &waits, err);
    /* They may have gone to sleep, or ended with the job around them. */
    if (answer == ANSWER_OK && waits
        && allocation_usable (scheduler, NULL) == ANSWER_OK
        && runners_start (scheduler, &runners, err) != ANSWER_OK)
        answer = ANSWER_TRY_LATER;
    return answer;
}

static enum answer allocation_cancel (const struct scheduler *scheduler,
                                      const struct job_key *key,
                                      int64_t element, struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    enum answer answer = find_job (scheduler, key->id, key->token, &job, err);
    _cleanup_free_ char *mark = NULL;

    if (answer != ANSWER_OK)
        return answer == ANSWER_REFUSED ? ANSWER_OK : answer;
    mark = element < 0 ? xstrdup ("cancel")
                       : xasprintf ("cancel-%" PRId64, element);
    return spool_mark (job.dir, mark, err) < 0 ? ANSWER_TRY_LATER : ANSWER_OK;
}

/* --- forgetting --- */

/* Remove the job if it is over.  1: it is not. */
static int forget_once (const struct scheduler *scheduler, const char *id,
                        struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    _cleanup_ (runners_release) struct runners runners = { 0 };
    enum answer answer = find_job (scheduler, id, id, &job, err);

    if (answer == ANSWER_REFUSED)
        return spool_remove (scheduler->spool, id, err);
    if (answer != ANSWER_OK
        || runners_look (scheduler->spool, &runners, err) < 0
        || read_status (&job, &runners, err) < 0)
        return -1;
    return spool_job_over (&job) ? spool_remove (scheduler->spool, id, err) : 1;
}

static enum answer allocation_forget (const struct scheduler *scheduler,
                                      const char *id, struct error *err)
{
    double until_s = clock_mono_s () + forget_s;
    _cleanup_free_ char *dir = path_join (scheduler->spool, id);
    int rc = spool_open (scheduler->spool, err);

    while (rc == 0 && (rc = forget_once (scheduler, id, err)) > 0
           && clock_mono_s () < until_s) {
        clock_sleep (0.02, NULL);
        rc = 0;
    }
    if (rc > 0) /* whoever submits next does it */
        rc = spool_mark (dir, SPOOL_FORGET, err);
    return rc < 0 ? ANSWER_TRY_LATER : ANSWER_OK;
}

const struct scheduler_adapter allocation_adapter = {
    .name = "allocation",
    .shared_spool = true,
    .can_hold = true,
    .agents = allocation_agents,
    .nodes = allocation_nodes,
    .limits = allocation_limits,
    .render = allocation_render,
    .submit = allocation_submit,
    .release = allocation_release,
    .find = allocation_find,
    .poll = allocation_poll,
    .cancel = allocation_cancel,
    .forget = allocation_forget,
    .usable = allocation_usable,
    .starts = "allocation-runner",
    .supervise = allocation_runner_run,
};

const struct scheduler_adapter *const allocation_adapters[] = {
    &allocation_adapter, NULL
};
