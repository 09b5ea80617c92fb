/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - what qstat -B -f, qstat -Q -f and pbsnodes -a tell of a site */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/arena.h"
#include "pbs/pbs.h"
#include "reply_text.h"
#include "site_description.h"

enum {
    /* An index near 2^31 sends OpenPBS's server into an endless loop. */
    ELEMENTS_MOST = 1000000,
    HISTORY_DEFAULT_S = 14 * 24 * 3600,
};

/* --- server and queues --- */

int64_t pbs_read_limit (const char *text, const char *user)
{
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    int64_t all = 0, generic = 0, own = 0;

    strvec_split (&parts, text ? text : "", "[], ");
    for (size_t i = 0; i < parts.n; i++) {
        char kind, name[64];
        int64_t n;

        if (sscanf (parts.v[i], "%c:%63[^=]=%" SCNd64, &kind, name, &n) < 3
            || n < 1)
            continue;
        if (kind == 'o' && strcmp (name, "PBS_ALL") == 0)
            all = tighter_limit (all, n);
        else if (kind == 'u' && strcmp (name, "PBS_GENERIC") == 0)
            generic = tighter_limit (generic, n);
        else if (kind == 'u' && strcmp (name, user) == 0)
            own = tighter_limit (own, n);
    }
    return tighter_limit (all, own > 0 ? own : generic);
}

/* TORQUE says max_job_array_size. */
static int64_t element_limit (const char *settings)
{
    return tighter_limit (
        reply_count (reply_value (settings, "max_array_size")),
        reply_count (reply_value (settings, "max_job_array_size")));
}

static void take_server (struct site_description *site, const char *id,
                         const char *settings)
{
    const char *version = reply_value (settings, "pbs_version");
    const char *queue = reply_value (settings, "default_queue");
    double kept_s = reply_duration (settings, "job_history_duration");

    site->version =
        arena_printf (site->arena, "%s (%s)", version ? version : "?", id);
    if (queue)
        site_add_queue (site, queue)->is_default = true;
    site->elements = tighter_limit (element_limit (settings), ELEMENTS_MOST);
    site->elements_setting = "max_array_size";
    site->submit =
        pbs_read_limit (reply_value (settings, "max_queued"), site->user);
    site->walltime_s = reply_duration (settings, "resources_max.walltime");
    if (reply_says (settings, "job_history_enable", "True"))
        site->shown_s = kept_s > 0 ? kept_s : HISTORY_DEFAULT_S;
    site->shown_setting = "job_history_duration";
    if (reply_says (settings, "scheduling", "False"))
        findings_add (
            &site->remarks, GRADE_WARNING, "scheduler",
            "wait, or ask the administrators",
            "it is switched off (scheduling = False): nothing starts");
}

int pbs_read_server (const char *text, size_t len, void *arg, struct error *err)
{
    struct pbs_records records = pbs_records ("Server: ", text, len);
    struct site_description *site = arg;
    const char *settings;

    while ((settings = pbs_next_record (&records, err)))
        take_server (site, records.id.buf, settings);
    if (records.lines.rc == 0 && !site->version)
        records.lines.rc = error_set (err, "qstat -Bf told of no server");
    return pbs_records_end (&records);
}

static void take_queue (struct site_description *site, const char *id,
                        const char *settings)
{
    struct site_queue *queue = site_add_queue (site, id);

    queue->elements = element_limit (settings);
    queue->submit =
        pbs_read_limit (reply_value (settings, "max_queued"), site->user);
    queue->walltime_s = reply_duration (settings, "resources_max.walltime");
    queue->default_walltime_s =
        reply_duration (settings, "resources_default.walltime");
    if (reply_says (settings, "enabled", "False")) {
        queue->state = QUEUE_REFUSES;
        queue->state_words = "not enabled";
    } else if (reply_says (settings, "started", "False")) {
        queue->state = QUEUE_WAITS;
        queue->state_words = "not started";
    }
    if (reply_says (settings, "acl_user_enable", "True")
        || reply_says (settings, "acl_group_enable", "True"))
        queue->restriction = "acl_users, acl_groups";
}

int pbs_read_queues (const char *text, size_t len, void *site,
                     struct error *err)
{
    struct pbs_records records = pbs_records ("Queue: ", text, len);
    const char *settings;

    while ((settings = pbs_next_record (&records, err)))
        take_queue (site, records.id.buf, settings);
    return pbs_records_end (&records);
}

/* --- nodes --- */

/* Whatever a node has a number of. */
static char *list_things (const char *settings, struct arena *arena)
{
    _cleanup_ (strbuf_release) struct strbuf things = STRBUF_INIT;
    char *list;

    for (const char *s = settings; *s; s += strlen (s) + 1) {
        char name[64], more;
        int64_t n;

        if (sscanf (s, "resources_available.%63[^ ] = %" SCNd64 "%c", name, &n,
                    &more)
                == 2
            && n > 0)
            strbuf_addf (&things, "%s:%" PRId64 ",", name, n);
    }
    list = arena_strdup (arena, things.buf);
    return list;
}

static void take_node (struct site_description *site, const char *settings)
{
    const char *state = reply_value (settings, "state");
    int64_t cores = reply_number (settings, "resources_available.ncpus", 0);
    struct site_nodes *nodes;

    if (cores < 1)
        return;
    nodes = site_add_nodes (site, 1);
    nodes->cores = cores;
    nodes->memory_bytes = reply_bytes (settings, "resources_available.mem");
    nodes->things = list_things (settings, site->arena);
    nodes->usable =
        !state || (!strstr (state, "down") && !strstr (state, "offline"));
}

int pbs_read_nodes (const char *text, size_t len, void *site, struct error *err)
{
    struct pbs_records records = pbs_records ("", text, len);
    const char *settings;

    while ((settings = pbs_next_record (&records, err)))
        take_node (site, settings);
    return pbs_records_end (&records);
}

/* --- asking --- */

/* A site need not show its nodes. */
enum answer pbs_query_site (struct client *client, bool detailed,
                            struct site_description *site, struct error *err)
{
    enum answer answer = client_ask (client, LIST ("qstat", "-B", "-f"), 0,
                                     pbs_read_server, site, err);

    (void)detailed;
    if (answer == ANSWER_OK)
        answer = client_ask (client, LIST ("qstat", "-Q", "-f"), 0,
                             pbs_read_queues, site, err);
    if (answer == ANSWER_OK
        && client_ask (client, LIST ("pbsnodes", "-a"), 0, pbs_read_nodes, site,
                       NULL)
               != ANSWER_OK)
        site->n_nodes = 0;
    return answer;
}
