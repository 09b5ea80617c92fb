/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.c - the Slurm adapter: sbatch, squeue, scontrol, scancel
 *
 * Each submission is one array job named by its token.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "slurm/client.h"
#include "slurm/examine.h"
#include "slurm/limits.h"
#include "slurm/poll.h"
#include "slurm/rows.h"
#include "slurm/script.h"
#include "slurm/site.h"
#include "slurm/slurm.h"

/* sbatch takes a job that excludes every node that could run it, which then
 * waits for ever: ask first.
 */
static enum answer try_exclude (const struct client *client,
                                const char *script_path,
                                struct error *err)
{
    const char *const argv[] = { "sbatch", "--test-only", "--chdir=/",
                                 script_path, NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run_sbatch (client, argv, &result, &trouble, err))
        answer = trouble_answer (trouble);
    process_result_release (&result);
    return answer;
}

static enum answer slurm_submit (const struct scheduler *scheduler,
                                 const struct array_job *job,
                                 const char *script_path,
                                 struct strbuf *id,
                                 struct error *err)
{
    struct client client = slurm_client (scheduler);
    struct process_result result = PROCESS_RESULT_INIT;
    struct strbuf output = STRBUF_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;
    int64_t number;

    if (job->exclude.n > 0
        && (answer = try_exclude (&client, script_path, err)) != ANSWER_OK)
        return answer;
    strbuf_add_str (&output, "--output=");
    slurm_output (job, &output);
    /* The working directory must be there on the node: any will do. */
    const char *const argv[] = { "sbatch",    "--parsable", "--export=ALL",
                                 "--chdir=/", output.buf,
                                 job->unheld ? script_path : "--hold",
                                 job->unheld ? NULL : script_path, NULL };

    if (!slurm_run_sbatch (&client, argv, &result, &trouble, err))
        answer = trouble_answer (trouble);
    else if ((number = slurm_read_id (result.out.buf, result.out.len)) > 0)
        strbuf_addf (id, "%" PRId64, number);
    else {
        error_set (err, "sbatch printed no job id but '%.200s'",
                   result.out.buf);
        answer = ANSWER_TRY_LATER;
    }
    strbuf_release (&output);
    process_result_release (&result);
    return answer;
}

/* No number is no job of Slurm's. */
static enum answer check_id (const char *id, struct error *err)
{
    if (slurm_id_number (id) > 0)
        return ANSWER_OK;
    error_set (err, "there is no Slurm job '%s'", id);
    return ANSWER_REFUSED;
}

static enum answer slurm_release (const struct scheduler *scheduler,
                                  const char *id,
                                  struct error *err)
{
    struct client client = slurm_client (scheduler);
    const char *const argv[] = { "scontrol", "release", id, NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = check_id (id, err);

    if (answer == ANSWER_OK
        && !slurm_run (&client, argv, &result, &trouble, err)
        && trouble != TROUBLE_OVER)
        answer = trouble_answer (trouble);
    process_result_release (&result);
    return answer;
}

static int add_id (const struct slurm_row *row, void *arg, struct error *err)
{
    struct strvec *ids = arg;
    char *id = xasprintf ("%" PRId64, row->id);

    (void)err;
    if (!strvec_contains (ids, id))
        strvec_push (ids, id);
    free (id);
    return 0;
}

static enum answer slurm_find (const struct scheduler *scheduler,
                               const char *token,
                               struct strvec *ids,
                               struct error *err)
{
    struct client client = slurm_client (scheduler);
    char *user = xasprintf ("--user=%ld", (long)getuid ());
    char *name = xasprintf ("--name=%s", token);
    const char *const argv[] = { "squeue",
                                 "--noheader",
                                 "--all",
                                 "--local",
                                 "--states=all",
                                 user,
                                 name,
                                 "--format=" SLURM_SQUEUE_FORMAT,
                                 NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    struct strvec found = STRVEC_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run (&client, argv, &result, &trouble, err))
        answer = trouble == TROUBLE_BROKEN ? ANSWER_BROKEN : ANSWER_TRY_LATER;
    else if (slurm_read_squeue (result.out.buf, result.out.len, add_id, &found,
                                err)
             < 0)
        answer = ANSWER_TRY_LATER;
    else
        strvec_push_all (ids, found.v);
    strvec_release (&found);
    process_result_release (&result);
    free (name);
    free (user);
    return answer;
}

static enum answer slurm_cancel (const struct scheduler *scheduler,
                                 const char *id,
                                 int64_t element,
                                 struct error *err)
{
    struct client client = slurm_client (scheduler);
    char *what =
        element < 0 ? xstrdup (id) : xasprintf ("%s_%" PRId64, id, element);
    const char *const argv[] = { "scancel", what, NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (slurm_id_number (id) > 0
        && !slurm_run (&client, argv, &result, &trouble, err)
        && trouble != TROUBLE_OVER && trouble != TROUBLE_UNKNOWN_JOB)
        answer = trouble_answer (trouble);
    process_result_release (&result);
    free (what);
    return answer;
}

static enum answer slurm_time_left (const struct scheduler *scheduler,
                                    double *left_s,
                                    struct error *err)
{
    const char *id = getenv ("SLURM_JOB_ID");
    struct client client = slurm_client (scheduler);
    char *jobs = xasprintf ("--jobs=%s", id ? id : "");
    const char *const argv[] = { "squeue", "--noheader", "--local",
                                 "--format=%L", jobs, NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;
    double s;

    if (!id || slurm_id_number (id) <= 0) {
        error_set (err, "this is no job of Slurm's");
        answer = ANSWER_REFUSED;
    } else if (!slurm_run (&client, argv, &result, &trouble, err)) {
        answer = trouble_answer (trouble);
    } else if ((s = slurm_read_time_left (result.out.buf)) < 0) {
        error_set (err, "squeue does not tell the time left but '%.100s'",
                   result.out.buf);
        answer = ANSWER_TRY_LATER;
    } else {
        *left_s = s;
    }
    process_result_release (&result);
    free (jobs);
    return answer;
}

const struct scheduler_adapter slurm_adapter = {
    .name = "slurm",
    .can_hold = true,
    .can_wait = true,
    .limits = slurm_limits,
    .render = slurm_render,
    .submit = slurm_submit,
    .release = slurm_release,
    .find = slurm_find,
    .poll = slurm_poll,
    .cancel = slurm_cancel,
    .time_left = slurm_time_left,
    .examine = slurm_examine,
};
