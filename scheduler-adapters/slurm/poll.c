/* SPDX-License-Identifier: BSD-3-Clause */
/* poll.c - ask how submissions stand */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "slurm/client.h"
#include "slurm/limits.h"
#include "slurm/poll.h"
#include "slurm/rows.h"
#include "slurm/view.h"

/* "--jobs=12,13"; NULL when no job has a number. */
static char *list_jobs (const struct slurm_view *view)
{
    struct strbuf list = STRBUF_INIT;

    strbuf_add_str (&list, "--jobs=");
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].id > 0)
            strbuf_addf (&list, "%lld,", (long long)view->jobs[i].id);
    }
    if (list.buf[list.len - 1] == '=') {
        strbuf_release (&list);
        return NULL;
    }
    strbuf_truncate (&list, list.len - 1);
    return strbuf_detach (&list);
}

/* All states and all partitions, one line to an element.  The user's own jobs
 * are a much smaller question than everybody's.
 */
static enum answer ask_squeue (const struct client *client,
                               const char *jobs,
                               struct slurm_view *view,
                               struct error *err)
{
    char *user = xasprintf ("--user=%ld", (long)getuid ());
    const char *argv[] = {
        "squeue",  "--noheader",   "--all",
        "--local", "--states=all", "--array",
        user,      jobs,           "--format=" SLURM_SQUEUE_FORMAT,
        NULL
    };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run (client, argv, &result, &trouble, err)) {
        /* Of one unknown job squeue says so; of several, nothing. */
        if (trouble != TROUBLE_UNKNOWN_JOB)
            answer =
                trouble == TROUBLE_BROKEN ? ANSWER_BROKEN : ANSWER_TRY_LATER;
    } else if (slurm_view_squeue (view, result.out.buf, result.out.len, err)
               < 0) {
        answer = ANSWER_TRY_LATER;
    }
    process_result_release (&result);
    free (user);
    return answer;
}

/* Accounting that is down has no word: that is no error. */
static void ask_sacct (const struct client *client,
                       const char *jobs,
                       struct slurm_view *view)
{
    const char *const argv[] = {
        "sacct",       "--noheader", "--allocations",
        "--parsable2", jobs,         "--format=" SLURM_SACCT_FORMAT,
        NULL
    };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;

    if (slurm_run (client, argv, &result, &trouble, NULL))
        slurm_view_sacct (view, result.out.buf, result.out.len, NULL);
    process_result_release (&result);
}

/* What squeue has no word on. */
static void ask_further (const struct client *client,
                         const char *jobs,
                         struct slurm_view *view)
{
    struct slurm_site site;

    if (slurm_site (client, &site, NULL) != ANSWER_OK)
        return;
    slurm_view_infer (view, clock_wall_s (), site.min_job_age_s);
    if (site.accounting && slurm_view_lacks (view))
        ask_sacct (client, jobs, view);
}

enum answer slurm_poll (const struct scheduler *scheduler,
                        struct job_status *jobs,
                        size_t n,
                        struct error *err)
{
    struct client client = slurm_client (scheduler);
    struct slurm_view view;
    enum answer answer = ANSWER_OK;
    char *list;

    slurm_view_init (&view, jobs, n);
    list = list_jobs (&view);
    if (list)
        answer = ask_squeue (&client, list, &view, err);
    if (answer == ANSWER_OK && slurm_view_lacks (&view))
        ask_further (&client, list, &view);
    if (answer == ANSWER_OK)
        slurm_view_result (&view, jobs);
    free (list);
    slurm_view_release (&view);
    return answer;
}
