/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.c - what a site allows: asked once, then remembered */
#include "config.h"

#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#include "base/json.h"
#include "pbs/client.h"
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

const char *pbs_user (void)
{
    const struct passwd *user = getpwuid (getuid ());

    return user ? user->pw_name : "";
}

/* A wrong queue is for qsub to refuse, in the site's own words, and a site that
 * does not show its nodes has none to tell of.
 */
static enum answer ask_site (const struct scheduler *scheduler,
                             struct pbs_site *site,
                             struct error *err)
{
    static const char *const server[] = { "qstat", "-B", "-f", NULL };
    const char *const queue[] = { "qstat", "-Q", "-f", site->queue, NULL };
    static const char *const nodes[] = { "pbsnodes", "-a", NULL };
    const struct client_command commands[] = { pbs_command (server),
                                               pbs_command (queue),
                                               pbs_command (nodes) };
    struct client client = pbs_client (scheduler);
    enum answer answer;

    snprintf (site->user, sizeof (site->user), "%s", pbs_user ());
    snprintf (site->queue, sizeof (site->queue), "%s",
              scheduler->queue ? scheduler->queue : "");
    answer = client_ask (&client, &commands[0], 0, pbs_read_server, site, err);
    if (answer == ANSWER_OK && site->queue[0])
        answer = client_ask (&client, &commands[1], 1u << TROUBLE_REFUSED,
                             pbs_read_queue, site, err);
    if (answer == ANSWER_OK)
        client_ask (&client, &commands[2], 0, pbs_read_nodes, site, NULL);
    return answer;
}

enum answer pbs_limits (const struct scheduler *scheduler,
                        struct scheduler_limits *limits,
                        struct error *err)
{
    struct pbs_site site = { .history = false };
    enum answer answer = ANSWER_OK;

    if (!pbs_site_remembered (scheduler, &site)
        && (answer = ask_site (scheduler, &site, err)) == ANSWER_OK)
        site_cache_put (scheduler, "pbs", pbs_cluster (),
                        pbs_site_to_json (&site));
    if (answer != ANSWER_OK)
        return answer;
    if (site.max_array == 0 || site.max_array > ELEMENTS_MOST)
        site.max_array = ELEMENTS_MOST;
    *limits = (struct scheduler_limits){
        .elements = site.max_array,
        .submit = site.submit,
        .walltime_s = site.walltime_s,
        .node_cores = site.node_cores,
        .node_gpus = site.node_gpus,
        .node_memory_bytes = site.node_memory_bytes,
    };
    return ANSWER_OK;
}
