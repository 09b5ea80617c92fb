/* SPDX-License-Identifier: BSD-3-Clause */
/* site_description.c - what a site is like, in no scheduler's words */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_record.h"
#include "command_scheduler.h"
#include "reply_text.h"
#include "site_description.h"

void site_init (struct site_description *site, const char *name,
                const struct command_scheduler *of)
{
    *site = (struct site_description){ .of = of,
                                       .user = client_user (),
                                       .arena = arena_create (),
                                       .remarks = FINDINGS_INIT };
    findings_about (&site->remarks, "%s: ", name);
}

void site_release (struct site_description *site)
{
    findings_release (&site->remarks);
    free (site->nodes);
    free (site->queues);
    free (site->accounts);
    arena_destroy (site->arena);
    *site = (struct site_description){ .remarks = FINDINGS_INIT };
}

struct site_queue *site_add_queue (struct site_description *site,
                                   const char *name)
{
    struct site_queue *queue;

    for (size_t i = 0; i < site->n_queues; i++) {
        if (strcmp (site->queues[i].name, name) == 0)
            return &site->queues[i];
    }
    site->queues = grow_array (site->queues, site->n_queues,
                               &site->queues_alloc, sizeof (*queue));
    queue = &site->queues[site->n_queues++];
    *queue = (struct site_queue){ .name = arena_strdup (site->arena, name) };
    return queue;
}

struct site_nodes *site_add_nodes (struct site_description *site, int64_t n)
{
    struct site_nodes *nodes;

    site->nodes = grow_array (site->nodes, site->n_nodes, &site->nodes_alloc,
                              sizeof (*nodes));
    nodes = &site->nodes[site->n_nodes++];
    *nodes = (struct site_nodes){ .n = n, .things = "" };
    return nodes;
}

struct site_account *site_add_account (struct site_description *site,
                                       const char *name)
{
    struct site_account *account;

    site->accounts = grow_array (site->accounts, site->n_accounts,
                                 &site->accounts_alloc, sizeof (*account));
    account = &site->accounts[site->n_accounts++];
    *account = (struct site_account){ arena_strdup (site->arena, name), NULL };
    return account;
}

const struct site_queue *site_find_queue (const struct site_description *site,
                                          const char *name)
{
    for (size_t i = 0; i < site->n_queues; i++) {
        const struct site_queue *queue = &site->queues[i];

        if (name ? strcmp (queue->name, name) == 0 : queue->is_default)
            return queue;
    }
    return NULL;
}

/* The count in "gpu:2", "gpu:a100:2", when it is 'name' or a kind of it. */
static int64_t one_count (const char *entry, const char *name)
{
    size_t len = strlen (name);

    if (strncmp (entry, name, len) != 0 || entry[len] != ':')
        return 0;
    return reply_count (strrchr (entry, ':') + 1);
}

int64_t site_things (const char *things, const char *name)
{
    _cleanup_ (strvec_release) struct strvec entries = STRVEC_INIT;
    int64_t n = 0;

    strvec_split (&entries, things, ",");
    for (size_t i = 0; i < entries.n; i++)
        n += one_count (entries.v[i], name);
    return n;
}

/* --- remarks --- */

void site_judge_settings (struct site_description *site, const char *settings,
                          const struct site_verdict *verdicts)
{
    const char *judged = "";

    for (const struct site_verdict *v = verdicts; v->subject; v++) {
        const char *value = reply_value (settings, v->setting);

        if (strcmp (v->subject, judged) == 0 || !value
            || !strstr (value, v->has))
            continue;
        judged = v->subject;
        if (v->text)
            findings_add (&site->remarks, v->grade, v->subject, v->advice,
                          "%s (%s = %s)", v->text, v->setting, value);
    }
}

/* --- facts --- */

static double shorter_time (double a, double b)
{
    return a <= 0 ? b : b <= 0 || a < b ? a : b;
}

/* Nodes of the same shape, counted. */
struct shape {
    int64_t cores, gpus, memory_bytes;
    int64_t n;
};

static bool is_plausible (const struct shape *shape)
{
    return shape->cores > 0 && shape->cores <= INT16_MAX
           && shape->gpus <= INT16_MAX;
}

/* What most of the nodes that jobs in 'queue' (NULL: none by name) may get
 * have; of equally many, those with fewer cores.
 */
static void common_node (const struct site_description *site, const char *queue,
                         struct scheduler_limits *limits)
{
    _cleanup_free_ struct shape *shapes = NULL;
    const struct shape *best = NULL;
    size_t n = 0, alloc = 0;

    for (size_t i = 0; i < site->n_nodes; i++) {
        const struct site_nodes *nodes = &site->nodes[i];
        struct shape shape = { nodes->cores,
                               site_things (nodes->things, site->of->gpu),
                               nodes->memory_bytes, 0 };
        size_t at = 0;

        if (!is_plausible (&shape)
            || (nodes->queue && (!queue || strcmp (nodes->queue, queue) != 0)))
            continue;
        while (at < n
               && (shapes[at].cores != shape.cores
                   || shapes[at].gpus != shape.gpus
                   || shapes[at].memory_bytes != shape.memory_bytes))
            at++;
        if (at == n) {
            shapes = grow_array (shapes, n, &alloc, sizeof (*shapes));
            shapes[n++] = shape;
        }
        shapes[at].n += nodes->n;
    }
    for (const struct shape *s = shapes; s < shapes + n; s++) {
        if (!best || s->n > best->n
            || (s->n == best->n && s->cores < best->cores))
            best = s;
    }
    if (best) {
        limits->node_cores = (int)best->cores;
        limits->node_gpus = (int)best->gpus;
        limits->node_memory_bytes = best->memory_bytes;
    }
}

void site_facts (const struct site_description *site, const char *queue,
                 struct site_facts *facts)
{
    static const struct site_queue no_queue = { .name = NULL };
    const struct site_queue *in = site_find_queue (site, queue);

    if (!in)
        in = &no_queue;
    *facts = (struct site_facts){
        .limits = { .elements = tighter_limit (site->elements, in->elements),
                    .submit = tighter_limit (
                        tighter_limit (site->submit, in->submit), site->jobs),
                    .walltime_s =
                        shorter_time (site->walltime_s, in->walltime_s) },
        .shown_s = site->shown_s,
        .accounting = site->accounting,
    };
    common_node (site, in->name, &facts->limits);
}

/* --- remembered for some minutes --- */

/* How old what is remembered may be. */
#define FRESH_S 600.0

enum { FORMAT = 2 };

static uint64_t hash_word (uint64_t hash, const char *word)
{
    return hash_string (hash, word ? word : "");
}

/* A file for each cluster, queue, account and QOS; NULL without a directory. */
static char *cache_path (const struct scheduler *scheduler, const char *cluster)
{
    uint64_t hash = hash_word (0, cluster);

    if (!scheduler->cache_dir)
        return NULL;
    hash = hash_word (hash_word (hash, scheduler->queue), scheduler->account);
    hash = hash_word (hash, scheduler->qos);
    return xasprintf ("%s/%s-%016" PRIx64 ".json", scheduler->cache_dir,
                      scheduler->adapter->name, hash);
}

#define LIMIT(member, what)                                                    \
    JSON_FIELD_AS (struct site_facts, limits.member, #member, what)

static const struct json_field facts_fields[] = {
    LIMIT (elements, COUNT),
    LIMIT (submit, COUNT),
    LIMIT (walltime_s, REAL),
    LIMIT (node_cores, COUNT),
    LIMIT (node_gpus, COUNT),
    LIMIT (node_memory_bytes, COUNT),
    JSON_FIELD (struct site_facts, shown_s, REAL),
    JSON_FIELD (struct site_facts, accounting, BOOL),
    JSON_FIELDS_END,
};

struct json *site_facts_to_json (const struct site_facts *facts)
{
    struct json *v = json_object ();

    json_record_write (facts, facts_fields, v);
    return v;
}

bool site_facts_from_json (const struct json *v, struct site_facts *facts)
{
    struct site_facts read = { .shown_s = 0 };

    if (json_record_read (v, facts_fields, &read, NULL) < 0)
        return false;
    *facts = read;
    return true;
}

bool site_cache_get (const struct scheduler *scheduler, const char *cluster,
                     struct site_facts *facts)
{
    _cleanup_free_ char *path = cache_path (scheduler, cluster);
    _cleanup_json_ struct json *v = path ? json_read_file (path, NULL) : NULL;
    double age_s = clock_wall_s () - json_as_double (json_get (v, "read_s"));

    return json_as_int (json_get (v, "format")) == FORMAT && age_s >= 0
           && age_s < FRESH_S
           && site_facts_from_json (json_get (v, "site"), facts);
}

void site_cache_put (const struct scheduler *scheduler, const char *cluster,
                     const struct site_facts *facts)
{
    _cleanup_free_ char *path = cache_path (scheduler, cluster);
    _cleanup_json_ struct json *v = json_object ();

    json_set (v, "format", json_int (FORMAT));
    json_set (v, "read_s", json_real (clock_wall_s ()));
    json_set (v, "site", site_facts_to_json (facts));
    if (path && file_make_dirs (scheduler->cache_dir, NULL) == 0)
        json_write_file (path, v, NULL);
}
