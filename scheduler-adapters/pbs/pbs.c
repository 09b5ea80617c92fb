/* SPDX-License-Identifier: BSD-3-Clause */
/* pbs.c - the PBS adapters: qsub, qstat, qselect, qrls, qdel
 *
 * Each submission is one array job named by its token.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "pbs/client.h"
#include "pbs/examine.h"
#include "pbs/limits.h"
#include "pbs/pbs.h"
#include "pbs/records.h"
#include "pbs/script.h"
#include "pbs/trouble.h"
#include "pbs/view.h"

enum {
    OVER = 1u << TROUBLE_OVER,
    UNKNOWN = 1u << TROUBLE_UNKNOWN_JOB,
};

static enum answer no_job (const char *id, struct error *err)
{
    error_set (err, "there is no PBS job '%s'", id);
    return ANSWER_REFUSED;
}

/* --- submit --- */

/* Is it queued or running? */
static enum answer is_there (const struct client *client,
                             const char *id,
                             bool *there,
                             struct error *err)
{
    const char *const argv[] = { "qstat", id, NULL };
    const struct client_command command = pbs_command (argv);
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble = TROUBLE_OVER;
    bool ok = client_run (client, &command, &result, &trouble, err);

    process_result_release (&result);
    if (!ok && trouble != TROUBLE_OVER && trouble != TROUBLE_UNKNOWN_JOB)
        return trouble_answer (trouble);
    *there = ok;
    return ANSWER_OK;
}

/* In whole seconds from now on, as a time of Greenwich. */
static void add_delay (double delay_s, struct strvec *argv)
{
    time_t then = (time_t)ceil (clock_wall_s () + delay_s);
    char text[32] = "";
    struct tm tm;

    if (gmtime_r (&then, &tm))
        strftime (text, sizeof (text), "%Y%m%d%H%M.%S", &tm);
    strvec_push (argv, "-a");
    strvec_push (argv, text);
}

/* A job's files would be the user's alone, unlike those that he makes himself.
 */
static void add_umask (struct strvec *argv)
{
    mode_t mask = umask (077);

    umask (mask);
    strvec_push (argv, "-W");
    strvec_pushf (argv, "umask=%03o", (unsigned)mask);
}

/* 'option' (or NULL) is one more for qsub. */
static void list_options (const struct array_job *job,
                          const char *option,
                          const char *after,
                          struct strvec *argv)
{
    strvec_push (argv, "qsub");
    if (option)
        strvec_push (argv, option);
    if (!job->unheld)
        strvec_push (argv, "-h");
    add_umask (argv);
    if (job->delay_s > 0)
        add_delay (job->delay_s, argv);
    if (after) {
        strvec_push (argv, "-W");
        strvec_pushf (argv, "depend=afterany:%s", after);
    }
}

static enum answer run_qsub (const struct client *client,
                             const struct strvec *argv,
                             const char *script_path,
                             struct strbuf *id,
                             struct error *err)
{
    const struct client_command command =
        pbs_qsub ((const char *const *)argv->v, script_path);
    struct process_result result = PROCESS_RESULT_INIT;
    enum answer answer = ANSWER_OK;
    enum trouble trouble;
    char *printed = NULL;

    if (!client_run (client, &command, &result, &trouble, err)) {
        answer = trouble_answer (trouble);
    } else if ((printed = pbs_printed_id (result.out.buf))) {
        strbuf_reset (id);
        strbuf_add_str (id, printed);
    } else {
        error_set (err, "qsub printed no job id but '%.200s'", result.out.buf);
        answer = ANSWER_TRY_LATER;
    }
    free (printed);
    process_result_release (&result);
    return answer;
}

/* PBS drops a job without a word that is to wait for one it does not know any
 * more: it is asked before, and whether it dropped this one, afterwards.
 */
static enum answer submit (const struct scheduler *scheduler,
                           const struct array_job *job,
                           const char *option,
                           const char *script_path,
                           struct strbuf *id,
                           struct error *err)
{
    struct client client = pbs_client (scheduler);
    struct strbuf made = STRBUF_INIT;
    enum answer answer = ANSWER_OK;
    bool waits = false, there = false;

    if (job->after)
        answer = is_there (&client, job->after, &waits, err);
    while (answer == ANSWER_OK && !there) {
        struct strvec argv = STRVEC_INIT;

        list_options (job, option, waits ? job->after : NULL, &argv);
        answer = run_qsub (&client, &argv, script_path, &made, err);
        there = !waits;
        if (answer == ANSWER_OK && waits)
            answer = is_there (&client, made.buf, &there, err);
        waits = false;
        strvec_release (&argv);
    }
    if (answer == ANSWER_OK)
        strbuf_add (id, made.buf, made.len);
    strbuf_release (&made);
    return answer;
}

/* -f: without the helper process that qsub leaves behind otherwise. */
static enum answer pbs_submit (const struct scheduler *scheduler,
                               const struct array_job *job,
                               const char *script_path,
                               struct strbuf *id,
                               struct error *err)
{
    return submit (scheduler, job, "-f", script_path, id, err);
}

/* --- release, find, cancel --- */

static enum answer pbs_release (const struct scheduler *scheduler,
                                const char *id,
                                struct error *err)
{
    struct client client = pbs_client (scheduler);
    const char *const argv[] = { "qrls", id, NULL };
    const struct client_command command = pbs_command (argv);
    struct pbs_id read;

    if (!pbs_read_id (id, &read))
        return no_job (id, err);
    return client_do (&client, &command, OVER, err);
}

/* Only our own: anybody may call a job what he likes. */
static enum answer pbs_find (const struct scheduler *scheduler,
                             const char *token,
                             struct strvec *ids,
                             struct error *err)
{
    struct client client = pbs_client (scheduler);
    const char *const argv[] = {
        "qselect", "-u", pbs_user (), "-N", token, NULL
    };
    const struct client_command command = pbs_command (argv);

    return client_ask (&client, &command, 0, pbs_read_ids, ids, err);
}

/* One job to a qdel: with several it crashes when one of them is unknown. */
static enum answer qdel (const struct scheduler *scheduler,
                         const char *const *argv,
                         struct error *err)
{
    struct client client = pbs_client (scheduler);
    const struct client_command command = pbs_command (argv);

    return client_do (&client, &command, OVER | UNKNOWN, err);
}

static enum answer pbs_cancel (const struct scheduler *scheduler,
                               const char *id,
                               int64_t element,
                               struct error *err)
{
    int number = (int)strcspn (id, "[");
    const char *argv[] = { "qdel", id, NULL };
    char *part = NULL;
    enum answer answer;
    struct pbs_id read;

    if (!pbs_read_id (id, &read))
        return ANSWER_OK;
    if (element >= 0 && read.array)
        argv[1] = part = xasprintf ("%.*s[%" PRId64 "]%s", number, id, element,
                                    id + number + strlen ("[]"));
    answer = qdel (scheduler, argv, err);
    free (part);
    return answer;
}

/* --- poll --- */

/* qstat -f -t [-x] ID ...; false when no id is one of PBS's. */
static bool list_words (const struct job_status *jobs,
                        size_t n,
                        bool history,
                        struct strvec *argv)
{
    struct pbs_id id;
    size_t ids = 0;

    strvec_push (argv, "qstat");
    strvec_push (argv, "-f");
    strvec_push (argv, "-t");
    if (history)
        strvec_push (argv, "-x");
    for (size_t i = 0; i < n; i++) {
        if (!pbs_read_id (jobs[i].id, &id))
            continue;
        strvec_push (argv, jobs[i].id);
        ids++;
    }
    return ids > 0;
}

/* Jobs that have ended are shown with -x, and only where the server keeps a
 * history; where it does not, -x shows no job at all.  Either way tells when
 * it was the wrong one.
 */
static bool wrong_way (const struct process_result *result, bool history)
{
    return strstr (result->err.buf,
                   history ? "not configured to maintain job history"
                           : "use -x or -H")
           != NULL;
}

/* *again: the answer is to ask the other way, and *history that way. */
static enum answer ask_qstat (const struct client *client,
                              const struct strvec *argv,
                              struct pbs_view *view,
                              bool *history,
                              bool *again,
                              struct error *err)
{
    const struct client_command command =
        pbs_command ((const char *const *)argv->v);
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    bool ok = client_run (client, &command, &result, &trouble, err);
    enum answer answer = ANSWER_OK;

    *again = *again && wrong_way (&result, *history);
    *history = *history != *again;
    if (*again)
        ;
    else if (!ok && !pbs_only_unknown (result.err.buf))
        answer = trouble == TROUBLE_BROKEN ? ANSWER_BROKEN : ANSWER_TRY_LATER;
    else if (pbs_view_qstat (view, result.out.buf, result.out.len, err) < 0)
        answer = ANSWER_TRY_LATER;
    process_result_release (&result);
    return answer;
}

static enum answer ask_history (const struct client *client,
                                double *kept_s,
                                struct error *err)
{
    static const char *const argv[] = { "qstat", "-B", "-f", NULL };
    const struct client_command command = pbs_command (argv);
    struct pbs_site site = { .history = false };
    enum answer answer =
        client_ask (client, &command, 0, pbs_read_server, &site, err);

    if (answer == ANSWER_OK)
        *kept_s = site.history_s;
    return answer;
}

/* 'history': begin with -x; 'again': and try the other way. */
static enum answer poll_jobs (const struct scheduler *scheduler,
                              struct job_status *jobs,
                              size_t n,
                              bool history,
                              bool again,
                              struct error *err)
{
    struct client client = pbs_client (scheduler);
    enum answer answer = ANSWER_OK;
    struct pbs_view view;
    double kept_s = 1; /* only whether, when no record is lost */
    bool more = true;

    pbs_view_init (&view, jobs, n);
    while (more && answer == ANSWER_OK) {
        struct strvec argv = STRVEC_INIT;

        more = list_words (jobs, n, history, &argv);
        if (more)
            answer = ask_qstat (&client, &argv, &view, &history, &again, err);
        more = more && again;
        strvec_release (&argv);
    }
    if (answer == ANSWER_OK && history && pbs_view_has_lost_records (&view))
        answer = ask_history (&client, &kept_s, err);
    if (answer == ANSWER_OK)
        pbs_view_result (&view, history ? kept_s : 0, clock_wall_s (), jobs);
    pbs_view_release (&view);
    return answer;
}

static enum answer pbs_poll (const struct scheduler *scheduler,
                             struct job_status *jobs,
                             size_t n,
                             struct error *err)
{
    struct pbs_site site = { .history = true };

    pbs_site_remembered (scheduler, &site);
    return poll_jobs (scheduler, jobs, n, site.history, true, err);
}

/* --- time left --- */

static int read_time_left (const struct pbs_record *record,
                           void *left_s,
                           struct error *err)
{
    const char *walltime = pbs_value (record, "Resource_List.walltime");
    double began_s = pbs_time (record, "stime");
    double s;

    if (began_s <= 0)
        return error_set (err, "qstat does not tell when job %s started",
                          record->id);
    if (!walltime)
        s = INFINITY;
    else if (parse_duration (walltime, &s) == 0)
        s = fmax (0, began_s + s - clock_wall_s ());
    else
        return error_set (err, "qstat tells of a walltime of '%.60s'",
                          walltime);
    *(double *)left_s = s;
    return 0;
}

static int read_job (const char *text, size_t len, void *arg, struct error *err)
{
    double left_s = -1;

    if (pbs_read_records ("Job Id: ", text, len, read_time_left, &left_s, err)
        < 0)
        return -1;
    if (left_s < 0)
        return error_set (err, "qstat told of no job");
    *(double *)arg = left_s;
    return 0;
}

static enum answer pbs_time_left (const struct scheduler *scheduler,
                                  double *left_s,
                                  struct error *err)
{
    struct client client = pbs_client (scheduler);
    const char *id = getenv ("PBS_JOBID");
    const char *const argv[] = { "qstat", "-f", id, NULL };
    const struct client_command command = pbs_command (argv);
    struct pbs_id read;

    if (!id || !pbs_read_id (id, &read))
        return no_job (id ? id : "", err);
    return client_ask (&client, &command, 0, read_job, left_s, err);
}

const struct scheduler_adapter pbs_adapter = {
    .name = "pbs",
    .can_hold = true,
    .can_wait = true,
    .limits = pbs_limits,
    .render = pbs_render,
    .submit = pbs_submit,
    .release = pbs_release,
    .find = pbs_find,
    .poll = pbs_poll,
    .cancel = pbs_cancel,
    .time_left = pbs_time_left,
    .examine = pbs_examine,
};

/* --- TORQUE: from its manual, never tried --- */

/* There -f means something else. */
static enum answer torque_submit (const struct scheduler *scheduler,
                                  const struct array_job *job,
                                  const char *script_path,
                                  struct strbuf *id,
                                  struct error *err)
{
    return submit (scheduler, job, NULL, script_path, id, err);
}

/* There -x means XML. */
static enum answer torque_poll (const struct scheduler *scheduler,
                                struct job_status *jobs,
                                size_t n,
                                struct error *err)
{
    return poll_jobs (scheduler, jobs, n, false, false, err);
}

static enum answer torque_cancel (const struct scheduler *scheduler,
                                  const char *id,
                                  int64_t element,
                                  struct error *err)
{
    char *index = xasprintf ("%" PRId64, element);
    const char *const whole[] = { "qdel", id, NULL };
    const char *const part[] = { "qdel", "-t", index, id, NULL };
    struct pbs_id read;
    enum answer answer = ANSWER_OK;

    if (pbs_read_id (id, &read))
        answer = qdel (scheduler, element < 0 ? whole : part, err);
    free (index);
    return answer;
}

const struct scheduler_adapter torque_adapter = {
    .name = "torque",
    .can_hold = true,
    .limits = pbs_limits,
    .render = torque_render,
    .submit = torque_submit,
    .release = pbs_release,
    .find = pbs_find,
    .poll = torque_poll,
    .cancel = torque_cancel,
    .examine = torque_examine,
};
