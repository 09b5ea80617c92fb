/* SPDX-License-Identifier: BSD-3-Clause */
/* poll.c - ask how submissions stand
 *
 * Jobs that have ended are shown with -x, and only where the server keeps a
 * history; where it does not, -x shows no job at all.  Either way tells when
 * it was the wrong one.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/strvec.h"
#include "pbs/ids.h"
#include "pbs/limits.h"
#include "pbs/poll.h"
#include "pbs/trouble.h"
#include "pbs/view.h"

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

/* Does qstat say that -x was wrong, or that it was missing? */
static bool wrong_way (const struct process_result *result, bool history)
{
    return strstr (result->err.buf,
                   history ? "not configured to maintain job history"
                           : "use -x or -H")
           != NULL;
}

static enum answer ask (const struct client *client,
                        const char *const *argv,
                        bool *history,
                        struct pbs_view *view,
                        bool *again,
                        struct error *err)
{
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    bool ok = pbs_run (client, argv, &result, &trouble, err);
    enum answer answer = ANSWER_OK;

    if (*again && wrong_way (&result, *history))
        *history = !*history;
    else
        *again = false;
    if (*again)
        answer = ANSWER_OK;
    else if (!ok && !pbs_only_unknown (result.err.buf))
        answer = trouble == TROUBLE_BROKEN ? ANSWER_BROKEN : ANSWER_TRY_LATER;
    else if (pbs_view_qstat (view, result.out.buf, result.out.len, err) < 0)
        answer = ANSWER_TRY_LATER;
    process_result_release (&result);
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

    pbs_view_init (&view, jobs, n);
    for (bool more = true; more && answer == ANSWER_OK;) {
        struct strvec argv = STRVEC_INIT;

        more = list_words (jobs, n, history, &argv);
        if (more)
            answer = ask (&client, (const char *const *)argv.v, &history, &view,
                          &again, err);
        more = more && again;
        strvec_release (&argv);
    }
    if (answer == ANSWER_OK)
        pbs_view_result (&view, history, jobs);
    pbs_view_release (&view);
    return answer;
}

enum answer pbs_poll (const struct scheduler *scheduler,
                      struct job_status *jobs,
                      size_t n,
                      struct error *err)
{
    struct pbs_site site = { .history = true };

    pbs_site_remembered (scheduler, &site);
    return poll_jobs (scheduler, jobs, n, site.history, true, err);
}

/* Its -x means XML. */
enum answer torque_poll (const struct scheduler *scheduler,
                         struct job_status *jobs,
                         size_t n,
                         struct error *err)
{
    return poll_jobs (scheduler, jobs, n, false, false, err);
}
