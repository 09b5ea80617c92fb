/* SPDX-License-Identifier: BSD-3-Clause */
/* pbs.c - the PBS adapters: qsub, qstat, qselect, qrls, qdel
 *
 * Each submission is one array job named by its token.
 */
#include "config.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "pbs/client.h"
#include "pbs/ids.h"
#include "pbs/limits.h"
#include "pbs/pbs.h"
#include "pbs/poll.h"
#include "pbs/script.h"

/* --- submit --- */

/* A job's files would be the user's alone, unlike those that he makes himself.
 */
static char *umask_option (void)
{
    mode_t mask = umask (077);

    umask (mask);
    return xasprintf ("umask=%03o", (unsigned)mask);
}

static enum answer submit_with (const struct scheduler *scheduler,
                                const char *const *argv,
                                const char *script_path,
                                struct strbuf *id,
                                struct error *err)
{
    struct client client = pbs_client (scheduler);
    struct process_result result = PROCESS_RESULT_INIT;
    enum answer answer = ANSWER_OK;
    enum trouble trouble;
    char *printed = NULL;

    if (!pbs_run_qsub (&client, argv, script_path, &result, &trouble, err)) {
        answer = trouble_answer (trouble);
    } else if ((printed = pbs_printed_id (result.out.buf))) {
        strbuf_add_str (id, printed);
    } else {
        error_set (err, "qsub printed no job id but '%.200s'", result.out.buf);
        answer = ANSWER_TRY_LATER;
    }
    free (printed);
    process_result_release (&result);
    return answer;
}

/* -f: without the helper process that qsub leaves behind otherwise. */
static enum answer pbs_submit (const struct scheduler *scheduler,
                               const struct array_job *job,
                               const char *script_path,
                               struct strbuf *id,
                               struct error *err)
{
    char *mask = umask_option ();
    const char *const argv[] = {
        "qsub", "-f", "-W", mask, job->unheld ? NULL : "-h", NULL
    };
    enum answer answer = submit_with (scheduler, argv, script_path, id, err);

    free (mask);
    return answer;
}

/* There -f means something else. */
static enum answer torque_submit (const struct scheduler *scheduler,
                                  const struct array_job *job,
                                  const char *script_path,
                                  struct strbuf *id,
                                  struct error *err)
{
    char *mask = umask_option ();
    const char *const argv[] = { "qsub", "-W", mask, job->unheld ? NULL : "-h",
                                 NULL };
    enum answer answer = submit_with (scheduler, argv, script_path, id, err);

    free (mask);
    return answer;
}

/* --- release, find, cancel --- */

static enum answer pbs_release (const struct scheduler *scheduler,
                                const char *id,
                                struct error *err)
{
    struct client client = pbs_client (scheduler);
    const char *const argv[] = { "qrls", id, NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum answer answer = ANSWER_OK;
    enum trouble trouble;
    struct pbs_id read;

    if (!pbs_read_id (id, &read)) {
        error_set (err, "there is no PBS job '%s'", id);
        answer = ANSWER_REFUSED;
    } else if (!pbs_run (&client, argv, &result, &trouble, err)
               && trouble != TROUBLE_OVER) {
        answer = trouble_answer (trouble);
    }
    process_result_release (&result);
    return answer;
}

/* Only our own: anybody may call a job what he likes. */
static enum answer pbs_find (const struct scheduler *scheduler,
                             const char *token,
                             struct strvec *ids,
                             struct error *err)
{
    struct client client = pbs_client (scheduler);
    const struct passwd *user = getpwuid (getuid ());
    const char *const argv[] = {
        "qselect", "-N", token, user ? "-u" : NULL, user ? user->pw_name : NULL,
        NULL
    };
    struct process_result result = PROCESS_RESULT_INIT;
    enum answer answer = ANSWER_OK;
    enum trouble trouble;

    if (!pbs_run (&client, argv, &result, &trouble, err)) {
        answer = trouble == TROUBLE_BROKEN ? ANSWER_BROKEN : ANSWER_TRY_LATER;
    } else if (pbs_read_ids (result.out.buf, ids) < 0) {
        error_set (err, "qselect printed what is no job id: '%.200s'",
                   result.out.buf);
        answer = ANSWER_TRY_LATER;
    }
    process_result_release (&result);
    return answer;
}

/* One job to a qdel: with several it crashes when one of them is unknown. */
static enum answer qdel (const struct scheduler *scheduler,
                         const char *const *argv,
                         const char *id,
                         struct error *err)
{
    struct client client = pbs_client (scheduler);
    struct process_result result = PROCESS_RESULT_INIT;
    enum answer answer = ANSWER_OK;
    enum trouble trouble;
    struct pbs_id read;

    if (pbs_read_id (id, &read)
        && !pbs_run (&client, argv, &result, &trouble, err)
        && trouble != TROUBLE_OVER && trouble != TROUBLE_UNKNOWN_JOB)
        answer = trouble_answer (trouble);
    process_result_release (&result);
    return answer;
}

static enum answer pbs_cancel (const struct scheduler *scheduler,
                               const char *id,
                               int64_t element,
                               struct error *err)
{
    struct pbs_id read;
    bool part = element >= 0 && pbs_read_id (id, &read) && read.array;
    char *what = part ? pbs_subjob_id (id, element) : xstrdup (id);
    const char *const argv[] = { "qdel", what, NULL };
    enum answer answer = qdel (scheduler, argv, id, err);

    free (what);
    return answer;
}

static enum answer torque_cancel (const struct scheduler *scheduler,
                                  const char *id,
                                  int64_t element,
                                  struct error *err)
{
    char *index = xasprintf ("%" PRId64, element);
    const char *const whole[] = { "qdel", id, NULL };
    const char *const part[] = { "qdel", "-t", index, id, NULL };
    enum answer answer = qdel (scheduler, element < 0 ? whole : part, id, err);

    free (index);
    return answer;
}

const struct scheduler_adapter pbs_adapter = {
    .name = "pbs",
    .can_hold = true,
    .limits = pbs_limits,
    .render = pbs_render,
    .submit = pbs_submit,
    .release = pbs_release,
    .find = pbs_find,
    .poll = pbs_poll,
    .cancel = pbs_cancel,
};

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
};
