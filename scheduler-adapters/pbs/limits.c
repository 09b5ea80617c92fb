/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.c - what a site allows: asked once, then remembered */
#include "config.h"

#include <pwd.h>
#include <unistd.h>

#include "base/json.h"
#include "pbs/limits.h"
#include "site_cache.h"

/* An index near 2^31 sends OpenPBS's server into an endless loop. */
enum { ELEMENTS_MOST = 1000000 };

bool pbs_site_remembered (const struct scheduler *scheduler,
                          struct pbs_site *site)
{
    struct json *v = site_cache_get (scheduler, "pbs", pbs_cluster ());
    bool found = v && pbs_site_from_json (v, site);

    json_unref (v);
    return found;
}

static enum answer ask (const struct client *client,
                        const char *const *argv,
                        int (*read) (const char *text,
                                     size_t len,
                                     const char *user,
                                     struct pbs_site *site,
                                     struct error *err),
                        struct pbs_site *site,
                        struct error *err)
{
    const struct passwd *user = getpwuid (getuid ());
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!pbs_run (client, argv, &result, &trouble, err))
        answer = trouble_answer (trouble);
    else if (read (result.out.buf, result.out.len, user ? user->pw_name : "",
                   site, err)
             < 0)
        answer = ANSWER_TRY_LATER;
    process_result_release (&result);
    return answer;
}

/* A wrong queue is for qsub to refuse, in the site's own words. */
static enum answer ask_site (const struct client *client,
                             struct pbs_site *site,
                             struct error *err)
{
    static const char *const server[] = { "qstat", "-B", "-f", NULL };
    const char *queue[] = { "qstat", "-Q", "-f", NULL, NULL };
    enum answer answer = ask (client, server, pbs_read_server, site, err);

    if (answer != ANSWER_OK)
        return answer == ANSWER_REFUSED ? ANSWER_TRY_LATER : answer;
    queue[3] =
        client->scheduler->queue ? client->scheduler->queue : site->queue;
    if (queue[3][0])
        answer = ask (client, queue, pbs_read_queue, site, err);
    return answer == ANSWER_REFUSED ? ANSWER_OK : answer;
}

enum answer pbs_limits (const struct scheduler *scheduler,
                        struct scheduler_limits *limits,
                        struct error *err)
{
    struct client client = pbs_client (scheduler);
    struct pbs_site site = { 0 };
    enum answer answer = ANSWER_OK;

    if (!pbs_site_remembered (scheduler, &site)) {
        answer = ask_site (&client, &site, err);
        if (answer == ANSWER_OK)
            site_cache_put (scheduler, "pbs", pbs_cluster (),
                            pbs_site_to_json (&site));
    }
    if (answer != ANSWER_OK)
        return answer;
    if (site.max_array == 0 || site.max_array > ELEMENTS_MOST)
        site.max_array = ELEMENTS_MOST;
    *limits = (struct scheduler_limits){ .elements = site.max_array,
                                         .submit = site.submit,
                                         .walltime_s = site.walltime_s };
    return ANSWER_OK;
}
