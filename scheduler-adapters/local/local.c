/* SPDX-License-Identifier: BSD-3-Clause */
/* local.c - the local adapter: jobs on this machine, without a scheduler
 *
 * Submitting only writes to the spool; releasing starts a supervisor.  Whoever
 * polls finds out when a supervisor has died, ends what it left as if a node
 * had failed, and starts another one for what was still queued.
 */
#include "base/base.h"

#include <signal.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/file_system.h"
#include "base/findings.h"
#include "base/process.h"
#include "base/units.h"
#include "local/local.h"
#include "spool.h"

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
                                 struct strbuf *script, struct error *err)
{
    (void)scheduler;
    if (job->nodes > 1) {
        error_set (err,
                   "nodes: an element of %d nodes cannot run on this machine; "
                   "use a profile with another scheduler",
                   job->nodes);
        return ANSWER_REFUSED;
    }
    job_script_shell (job, script);
    job_script_body (job, "${FANFOLD_ARRAY_INDEX}", "${FANFOLD_JOB_ID}",
                     script);
    return ANSWER_OK;
}

/* Find job 'id', which is its token.  REFUSED: there is none. */
static enum answer find_job (const struct scheduler *scheduler, const char *id,
                             struct spool_job *job, struct error *err)
{
    _cleanup_free_ char *dir = spool_job_dir (scheduler->spool, id, err);
    int rc;

    if (!dir)
        return ANSWER_REFUSED;
    rc = spool_read (dir, job, err);
    if (rc == 0)
        return ANSWER_OK;
    if (rc > 0)
        error_set (err, "there is no local job '%s'", id);
    return rc > 0 ? ANSWER_REFUSED : ANSWER_TRY_LATER;
}

/* The same, of that name. */
static enum answer find_named (const struct scheduler *scheduler,
                               const struct job_key *key, struct spool_job *job,
                               struct error *err)
{
    if (strcmp (key->id, key->token) == 0)
        return find_job (scheduler, key->id, job, err);
    error_set (err, "there is no local job '%s' called '%s'", key->id,
               key->token);
    return ANSWER_REFUSED;
}

static enum answer local_release (const struct scheduler *scheduler,
                                  const struct job_key *key, struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    enum answer answer = find_named (scheduler, key, &job, err);

    if (answer != ANSWER_OK)
        return answer;
    if (spool_mark (job.dir, "released", err) < 0)
        return ANSWER_TRY_LATER;
    return supervisor_restart (&job, err);
}

/* Remove what is to be forgotten where the supervisor died before it could do
 * that, and what another began to remove.
 */
static void remove_forgotten (const struct scheduler *scheduler)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (scheduler->spool, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *dir = path_join (scheduler->spool, names.v[i]);
        _cleanup_free_ char *mark = path_join (dir, SPOOL_FORGET);
        _cleanup_ (spool_job_release) struct spool_job job = { 0 };

        if (strncmp (names.v[i], SPOOL_GONE, strlen (SPOOL_GONE)) == 0)
            file_remove_tree (dir, NULL, NULL);
        else if (file_exists (mark)
                 && find_job (scheduler, names.v[i], &job, NULL) == ANSWER_OK)
            supervisor_remove_job (scheduler->spool, &job, true, NULL);
    }
}

static enum answer local_submit (const struct scheduler *scheduler,
                                 const struct array_job *job,
                                 const char *script_path, struct strbuf *id,
                                 struct error *err)
{
    enum answer answer = spool_ready (scheduler->spool, err);
    _cleanup_ (spool_job_release) struct spool_job made = { 0 };

    if (answer != ANSWER_OK)
        return answer;
    remove_forgotten (scheduler);
    if (spool_create (scheduler->spool, job, script_path, err) < 0)
        return ANSWER_TRY_LATER;
    if (job->unheld)
        answer = find_job (scheduler, job->token, &made, err);
    if (job->unheld && answer == ANSWER_OK)
        answer = supervisor_restart (&made, err);
    if (answer == ANSWER_OK)
        strbuf_add_str (id, job->token);
    return answer == ANSWER_REFUSED ? ANSWER_TRY_LATER : answer;
}

static enum answer local_find (const struct scheduler *scheduler,
                               const char *token, struct strvec *ids,
                               struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    enum answer answer = find_job (scheduler, token, &job, err);

    if (answer == ANSWER_REFUSED)
        return spool_remove (scheduler->spool, token, err) < 0
                   ? ANSWER_TRY_LATER
                   : ANSWER_OK;
    /* Whoever submitted it may have died before it had a supervisor. */
    if (answer == ANSWER_OK && job.unheld && !spool_job_over (&job))
        answer = supervisor_restart (&job, err);
    if (answer == ANSWER_OK)
        strvec_push (ids, token);
    return answer;
}

static void set_unknown (struct job_status *status)
{
    status->note[0] = '\0';
    memset (status->elements, 0,
            (size_t)status->n_elements * sizeof (*status->elements));
}

static enum answer poll_job (const struct scheduler *scheduler,
                             struct job_status *status, struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
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
    return answer;
}

static enum answer local_poll (const struct scheduler *scheduler,
                               struct job_status *jobs, size_t n,
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
    _cleanup_free_ char *path = path_join (job->dir, "supervisor");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    unsigned long long ticks;
    int pid;

    if (file_read (path, 4096, &text, NULL) == 0
        && sscanf (text.buf, "%d %llu", &pid, &ticks) == 2
        && process_start_ticks (pid) == ticks)
        kill (pid, SIGUSR1);
}

static enum answer local_cancel (const struct scheduler *scheduler,
                                 const struct job_key *key, int64_t element,
                                 struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    enum answer answer = find_named (scheduler, key, &job, err);
    _cleanup_free_ char *mark = NULL;

    if (answer != ANSWER_OK)
        return answer == ANSWER_REFUSED ? ANSWER_OK : answer;
    mark = element < 0 ? xstrdup ("cancel")
                       : xasprintf ("cancel-%" PRId64, element);
    if (spool_mark (job.dir, mark, err) < 0)
        return ANSWER_TRY_LATER;
    nudge (&job);
    return supervisor_restart (&job, err);
}

/* Remove the job if it is over and no supervisor has it any more. */
static enum answer forget_once (const struct scheduler *scheduler,
                                const char *id, struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job job = { 0 };
    enum answer answer = find_job (scheduler, id, &job, err);

    if (answer == ANSWER_REFUSED)
        return spool_remove (scheduler->spool, id, err) < 0 ? ANSWER_TRY_LATER
                                                            : ANSWER_OK;
    if (answer == ANSWER_OK
        && supervisor_remove_job (scheduler->spool, &job, false, err) < 0)
        return ANSWER_TRY_LATER;
    return answer;
}

/* A job whose tasks all have an outcome is about to end: give it a moment.
 * After that its supervisor is asked to forget it, and in case it has just
 * ended there is another look.
 */
static enum answer local_forget (const struct scheduler *scheduler,
                                 const char *id, struct error *err)
{
    const char *self = getenv ("FANFOLD_JOB_ID");
    bool within = self && strcmp (self, id) == 0; /* that ends after us */
    double until_s = clock_mono_s () + (within ? 0 : FORGET_PATIENCE_S);
    enum answer answer;
    _cleanup_free_ char *dir = NULL;

    while ((answer = forget_once (scheduler, id, err)) == ANSWER_TRY_LATER
           && clock_mono_s () < until_s)
        clock_sleep (0.002, NULL);
    if (answer != ANSWER_TRY_LATER)
        return answer;
    dir = path_join (scheduler->spool, id);
    /* It will not be asked for again. */
    if (spool_mark (dir, SPOOL_FORGET, NULL) < 0)
        spool_mark (dir, SPOOL_FORGET, NULL);
    return forget_once (scheduler, id, err);
}

/* --- is this machine fit to run jobs? --- */

/* Jobs keep scripts and short logs there. */
static const uint64_t enough_bytes = (uint64_t)16 << 20;

void local_judge_spool (const char *spool, const struct file_system *fs,
                        struct findings *findings)
{
    _cleanup_ (strbuf_release) struct strbuf space = STRBUF_INIT;

    format_bytes ((int64_t)fs->free_bytes, &space);
    if (fs->reach == REACH_SHARED)
        findings_add (findings, GRADE_BAD, "spool",
                      "name a directory on a local disk with `spool:` of the "
                      "profile",
                      "'%s' is on a file system of many hosts (%s): a job of "
                      "another host would be taken for a dead one of this",
                      spool, fs->type);
    else if (fs->free_bytes < enough_bytes)
        findings_add (findings, GRADE_BAD, "spool",
                      "free some there, or name another directory with "
                      "`spool:` of the profile",
                      "'%s' (%s) has %s left", spool, fs->type, space.buf);
    else
        findings_add (findings, GRADE_GOOD, "spool", NULL, "'%s' (%s), %s free",
                      spool, fs->type, space.buf);
}

static enum answer local_examine (const struct scheduler *scheduler,
                                  const struct profile_use *uses, size_t n,
                                  struct findings *findings, struct error *err)
{
    struct error why = ERROR_INIT;
    struct file_system fs;

    (void)uses;
    (void)n;
    (void)err;
    findings_about (findings, "local scheduler: ");
    if (spool_open (scheduler->spool, &why) < 0
        || file_system_look (scheduler->spool, &fs, &why) < 0)
        findings_add (findings, GRADE_BAD, "spool",
                      "name a directory of your own on a local disk with "
                      "`spool:` of the profile",
                      "%s", why.text);
    else
        local_judge_spool (scheduler->spool, &fs, findings);
    return ANSWER_OK;
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
    .starts = "local-supervisor",
    .supervise = local_supervisor_run,
};

const struct scheduler_adapter *const local_adapters[] = { &local_adapter,
                                                           NULL };
