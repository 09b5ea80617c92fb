/* SPDX-License-Identifier: BSD-3-Clause */
/* local.c - the local adapter: jobs on this machine, without a scheduler
 *
 * Submitting only writes to the spool; releasing starts a supervisor.  Whoever
 * polls finds out when a supervisor has died, ends what it left as if a node
 * had failed, and starts another one for what was still queued.
 */
#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "local/examine.h"
#include "local/local.h"
#include "local/restart.h"
#include "local/spool.h"
#include "local/supervisor.h"

#define FORGET_PATIENCE_S 0.5

static enum answer local_limits (const struct scheduler *scheduler,
                                 struct scheduler_limits *limits,
                                 struct error *err)
{
    (void)scheduler;
    (void)err;
    memset (limits, 0, sizeof (*limits));
    return ANSWER_OK;
}

static enum answer local_render (const struct scheduler *scheduler,
                                 const struct array_job *job,
                                 struct strbuf *script,
                                 struct error *err)
{
    (void)scheduler;
    if (job->nodes > 1) {
        error_set (err,
                   "nodes: an element of %d nodes cannot run on this machine; "
                   "use a profile with another scheduler",
                   job->nodes);
        return ANSWER_REFUSED;
    }
    strbuf_add_str (script, "#!/bin/sh\n");
    job_script_body (job, "${FANFOLD_ARRAY_INDEX}", "${FANFOLD_JOB_ID}",
                     script);
    return ANSWER_OK;
}

/* Remove the job if it is to be forgotten and its supervisor died before it
 * could do that, or if somebody began to.
 */
static void remove_if_forgotten (const char *spool, const char *name)
{
    char *dir = path_join (spool, name);
    char *mark = path_join (dir, SPOOL_FORGET);
    struct spool_job job;
    int lock = file_exists (mark) ? spool_lock (dir) : -1;

    if (lock >= 0 && spool_read (dir, &job, NULL) == 0) {
        if (supervisor_end_orphans (&job, NULL) == 0)
            spool_remove (spool, job.token, NULL);
        spool_job_release (&job);
    }
    if (lock >= 0)
        close (lock);
    if (strncmp (name, SPOOL_GONE, strlen (SPOOL_GONE)) == 0)
        file_remove_tree (dir, NULL, NULL);
    free (mark);
    free (dir);
}

static void remove_forgotten (const char *spool)
{
    struct strvec names = STRVEC_INIT;

    file_list_dir (spool, &names, NULL);
    for (size_t i = 0; i < names.n; i++)
        remove_if_forgotten (spool, names.v[i]);
    strvec_release (&names);
}

/* Find job 'id', which is its token.  REFUSED: there is none. */
static enum answer find_job (const struct scheduler *scheduler,
                             const char *id,
                             struct spool_job *job,
                             struct error *err)
{
    char *dir = spool_job_dir (scheduler->spool, id, err);
    int rc;

    if (!dir)
        return ANSWER_REFUSED;
    rc = spool_read (dir, job, err);
    free (dir);
    if (rc == 0)
        return ANSWER_OK;
    if (rc > 0)
        error_set (err, "there is no local job '%s'", id);
    return rc > 0 ? ANSWER_REFUSED : ANSWER_TRY_LATER;
}

/* The same, of that name. */
static enum answer find_named (const struct scheduler *scheduler,
                               const struct job_key *key,
                               struct spool_job *job,
                               struct error *err)
{
    if (strcmp (key->id, key->token) == 0)
        return find_job (scheduler, key->id, job, err);
    error_set (err, "there is no local job '%s' called '%s'", key->id,
               key->token);
    return ANSWER_REFUSED;
}

static enum answer local_release (const struct scheduler *scheduler,
                                  const struct job_key *key,
                                  struct error *err)
{
    struct spool_job job;
    enum answer answer = find_named (scheduler, key, &job, err);

    if (answer != ANSWER_OK)
        return answer;
    if (spool_mark (job.dir, "released", err) < 0)
        answer = ANSWER_TRY_LATER;
    else
        answer = supervisor_restart (&job, err);
    spool_job_release (&job);
    return answer;
}

/* Start the supervisor of one that needs no release. */
static enum answer start_job (const struct scheduler *scheduler,
                              const char *id,
                              struct error *err)
{
    struct spool_job job;
    enum answer answer = find_job (scheduler, id, &job, err);

    if (answer == ANSWER_OK) {
        answer = supervisor_restart (&job, err);
        spool_job_release (&job);
    }
    return answer;
}

static enum answer local_submit (const struct scheduler *scheduler,
                                 const struct array_job *job,
                                 const char *script_path,
                                 struct strbuf *id,
                                 struct error *err)
{
    enum answer answer;

    if (spool_open (scheduler->spool, err) < 0)
        return ANSWER_BROKEN;
    remove_forgotten (scheduler->spool);
    if (spool_create (scheduler->spool, job, script_path, err) < 0)
        return ANSWER_TRY_LATER;
    if (job->unheld
        && (answer = start_job (scheduler, job->token, err)) != ANSWER_OK)
        return answer == ANSWER_REFUSED ? ANSWER_TRY_LATER : answer;
    strbuf_add_str (id, job->token);
    return ANSWER_OK;
}

static enum answer local_find (const struct scheduler *scheduler,
                               const char *token,
                               struct strvec *ids,
                               struct error *err)
{
    struct spool_job job;
    enum answer answer = find_job (scheduler, token, &job, err);

    if (answer == ANSWER_REFUSED)
        return spool_remove (scheduler->spool, token, err) < 0
                   ? ANSWER_TRY_LATER
                   : ANSWER_OK;
    if (answer == ANSWER_OK) {
        /* Whoever submitted it may have died before it had a supervisor. */
        if (job.unheld && !spool_job_over (&job))
            answer = supervisor_restart (&job, err);
        if (answer == ANSWER_OK)
            strvec_push (ids, token);
        spool_job_release (&job);
    }
    return answer;
}

static void set_unknown (struct job_status *status)
{
    status->note[0] = '\0';
    memset (status->elements, 0,
            (size_t)status->n_elements * sizeof (*status->elements));
}

static enum answer poll_job (const struct scheduler *scheduler,
                             struct job_status *status,
                             struct error *err)
{
    struct spool_job job;
    enum answer answer = find_named (scheduler, &status->key, &job, err);

    if (answer == ANSWER_REFUSED) {
        set_unknown (status);
        return ANSWER_OK;
    }
    if (answer != ANSWER_OK)
        return answer;
    if (!spool_job_over (&job))
        answer = supervisor_restart (&job, err);
    set_unknown (status);
    for (int64_t e = 0; e < job.elements && e < status->n_elements; e++)
        status->elements[e] = job.status[e];
    spool_job_release (&job);
    return answer;
}

static enum answer local_poll (const struct scheduler *scheduler,
                               struct job_status *jobs,
                               size_t n,
                               struct error *err)
{
    for (size_t i = 0; i < n; i++) {
        enum answer answer = poll_job (scheduler, &jobs[i], err);

        if (answer != ANSWER_OK)
            return answer;
    }
    return ANSWER_OK;
}

/* Tell a living supervisor to look at the marks; a reused pid is not it. */
static void nudge (const struct spool_job *job)
{
    char *path = path_join (job->dir, "supervisor");
    struct strbuf text = STRBUF_INIT;
    unsigned long long ticks;
    int pid;

    if (file_read (path, 4096, &text, NULL) == 0
        && sscanf (text.buf, "%d %llu", &pid, &ticks) == 2
        && process_start_ticks (pid) == ticks)
        kill (pid, SIGUSR1);
    strbuf_release (&text);
    free (path);
}

static enum answer local_cancel (const struct scheduler *scheduler,
                                 const struct job_key *key,
                                 int64_t element,
                                 struct error *err)
{
    struct spool_job job;
    enum answer answer = find_named (scheduler, key, &job, err);
    char *mark;

    if (answer != ANSWER_OK)
        return answer == ANSWER_REFUSED ? ANSWER_OK : answer;
    mark = element < 0 ? xstrdup ("cancel")
                       : xasprintf ("cancel-%" PRId64, element);
    if (spool_mark (job.dir, mark, err) < 0) {
        answer = ANSWER_TRY_LATER;
    } else {
        nudge (&job);
        answer = supervisor_restart (&job, err);
    }
    free (mark);
    spool_job_release (&job);
    return answer;
}

static enum answer remove_job (const char *spool,
                               const struct spool_job *job,
                               struct error *err)
{
    spool_keep_output (job);
    return spool_remove (spool, job->token, err) < 0 ? ANSWER_TRY_LATER
                                                     : ANSWER_OK;
}

/* Remove the job if it is over and nobody supervises it any more. */
static enum answer forget_once (const struct scheduler *scheduler,
                                const char *id,
                                struct error *err)
{
    struct spool_job job;
    enum answer answer = find_job (scheduler, id, &job, err);
    int lock;

    if (answer == ANSWER_REFUSED)
        return spool_remove (scheduler->spool, id, err) < 0 ? ANSWER_TRY_LATER
                                                            : ANSWER_OK;
    if (answer != ANSWER_OK)
        return answer;
    answer = ANSWER_TRY_LATER;
    if ((lock = spool_lock (job.dir)) < 0) {
        error_set (err, "%s: is still running", job.dir);
    } else {
        if (supervisor_end_orphans (&job, err) < 0)
            error_prefix (err, "%s", job.dir);
        else if (!spool_job_over (&job))
            error_set (err, "%s: has not ended", job.dir);
        else
            answer = remove_job (scheduler->spool, &job, err);
        close (lock);
    }
    spool_job_release (&job);
    return answer;
}

/* A job whose tasks all have an outcome is about to end: give it a moment.
 * After that its supervisor is asked to forget it, and in case it has just
 * ended there is another look.
 */
static enum answer local_forget (const struct scheduler *scheduler,
                                 const char *id,
                                 struct error *err)
{
    const char *self = getenv ("FANFOLD_JOB_ID");
    bool within = self && strcmp (self, id) == 0; /* that ends after us */
    double until_s = clock_mono_s () + (within ? 0 : FORGET_PATIENCE_S);
    enum answer answer;
    char *dir;

    while ((answer = forget_once (scheduler, id, err)) == ANSWER_TRY_LATER
           && clock_mono_s () < until_s)
        clock_sleep (0.002, NULL);
    if (answer != ANSWER_TRY_LATER)
        return answer;
    dir = path_join (scheduler->spool, id);
    /* Nobody will ask again. */
    if (spool_mark (dir, SPOOL_FORGET, NULL) < 0)
        spool_mark (dir, SPOOL_FORGET, NULL);
    free (dir);
    return forget_once (scheduler, id, err);
}

const struct scheduler_adapter local_adapter = {
    .name = "local",
    .runs_here = true,
    .can_hold = true,
    .can_wait = true,
    .limits = local_limits,
    .render = local_render,
    .submit = local_submit,
    .release = local_release,
    .find = local_find,
    .poll = local_poll,
    .cancel = local_cancel,
    .forget = local_forget,
    .examine = local_examine,
    .supervise = local_supervisor_run,
};

const struct scheduler_adapter *const local_adapters[] = { &local_adapter,
                                                           NULL };
