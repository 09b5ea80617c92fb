/* SPDX-License-Identifier: BSD-3-Clause */
/* site_file.c - site.yaml: where and how work runs */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strvec.h"
#include "campaign/document.h"
#include "campaign/field_reader.h"
#include "campaign/launcher.h"
#include "campaign/plan.h"
#include "campaign/site_file.h"

/* The agent keeps at least so much of a log (agent/log_limit.h). */
enum { LOG_LEAST_BYTES = 1 << 16 };

/* --- where the file is --- */

/* The file 'below' a directory when it is there, or NULL. */
static char *in_directory (const char *dir, const char *below)
{
    char *path = xasprintf ("%s/%s", dir, below);

    if (file_look (path, NULL) != 0) /* reading it tells what is wrong */
        return path;
    free (path);
    return NULL;
}

char *site_file_find (const char *campaign_dir)
{
    const char *config = getenv ("XDG_CONFIG_HOME"), *home = getenv ("HOME");
    const char *site = getenv ("FANFOLD_SITE");
    char *path = path_join (campaign_dir, "site.yaml");

    if (file_look (path, NULL) != 0) /* reading it tells what is wrong */
        return path;
    free (path);
    path = NULL;
    if (config && config[0])
        path = in_directory (config, "fanfold/site.yaml");
    else if (home && home[0])
        path = in_directory (home, ".config/fanfold/site.yaml");
    if (!path && site && site[0])
        path = xstrdup (site);
    return path;
}

/* --- one profile --- */

bool profile_runs_here (const struct profile *profile)
{
    const struct scheduler_adapter *adapter =
        profile->scheduler ? scheduler_adapter_find (profile->scheduler) : NULL;

    return adapter && adapter->runs_here;
}

/* What holds when the file does not say; the scheduler is known by now. */
static void set_defaults (struct profile *profile)
{
    bool local = profile_runs_here (profile);

    profile->poll_s = local ? 1 : 30;
    profile->settle_s = local ? 2 : 60;
    profile->visibility_s = local ? 10 : 60;
    profile->limits.running = local ? 1 : 0;
    profile->log_bytes = (int64_t)64 << 20;
    profile->wake.walltime_s = 3600;
    profile->wake.memory_bytes = (int64_t)1 << 30;
    profile->launcher = local ? launcher_default () : NULL;
    profile->environment = launcher_environment_default ();
}

static void read_scheduler (const struct field_reader *reader,
                            const struct yaml_node *node,
                            const char *const *schedulers,
                            struct profile *profile)
{
    struct strvec known = STRVEC_INIT;
    const char *word;

    for (size_t i = 0; schedulers[i]; i++)
        strvec_push (&known, schedulers[i]);
    if (field_text (reader, node, "scheduler", &word) == 0) {
        profile->scheduler = word;
        if (!strvec_contains (&known, word))
            field_unknown (reader, node->mark, word, &known,
                           "unknown scheduler '%s'", word);
    }
    strvec_release (&known);
}

static void read_node (const struct field_reader *reader,
                       const struct yaml_node *node,
                       struct node_capacity *room)
{
    static const char *const keys[] = { "cores", "memory", "gpus", NULL };
    const struct yaml_node *field;

    if (field_mapping (reader, node, "node", keys) < 0)
        return;
    if ((field = field_find (node, "cores")))
        field_count (reader, field, "cores", 1, INT_MAX, &room->cores);
    else
        problems_add (reader->problems, node->mark,
                      "node: no cores; say how many a node has");
    if ((field = field_find (node, "gpus")))
        field_count (reader, field, "gpus", 0, INT_MAX, &room->gpus);
    if ((field = field_find (node, "memory")))
        field_bytes (reader, field, "memory", &room->memory_bytes);
}

static void read_log_limit (const struct field_reader *reader,
                            const struct yaml_node *node,
                            int64_t *log_bytes)
{
    int64_t bytes;

    if (field_bytes (reader, node, "log", &bytes) < 0)
        return;
    if (bytes < LOG_LEAST_BYTES)
        problems_add (reader->problems, node->mark,
                      "log: a log of less than 64KiB holds nothing; say more");
    else
        *log_bytes = bytes;
}

static void read_limits (const struct field_reader *reader,
                         const struct yaml_node *node,
                         struct profile *profile)
{
    static const char *const keys[] = { "elements",   "running", "submit",
                                        "walltime",   "poll",    "settle",
                                        "visibility", "log",     NULL };
    struct array_limits *limits = &profile->limits;
    const struct yaml_node *field;

    if (field_mapping (reader, node, "limits", keys) < 0)
        return;
    if ((field = field_find (node, "elements")))
        field_int64 (reader, field, "elements", 1, &limits->elements);
    if ((field = field_find (node, "running")))
        field_int64 (reader, field, "running", 1, &limits->running);
    if ((field = field_find (node, "submit")))
        field_int64 (reader, field, "submit", 1, &limits->submit);
    if ((field = field_find (node, "walltime")))
        field_duration (reader, field, "walltime", &limits->walltime_s);
    if ((field = field_find (node, "poll")))
        field_duration (reader, field, "poll", &profile->poll_s);
    if ((field = field_find (node, "settle")))
        field_duration (reader, field, "settle", &profile->settle_s);
    if ((field = field_find (node, "visibility")))
        field_duration (reader, field, "visibility", &profile->visibility_s);
    if ((field = field_find (node, "log")))
        read_log_limit (reader, field, &profile->log_bytes);
}

static void read_queue (const struct field_reader *reader,
                        const struct yaml_node *node,
                        const char **to)
{
    const struct yaml_node *partition = field_find (node, "partition");
    const struct yaml_node *queue = field_find (node, "queue");

    if (partition && queue)
        problems_add (reader->problems, queue->mark,
                      "partition and queue are two words for one thing; "
                      "remove one");
    if (partition)
        field_text (reader, partition, "partition", to);
    else if (queue)
        field_text (reader, queue, "queue", to);
}

/* On whose behalf: partition or queue, account, qos. */
static void read_payer (const struct field_reader *reader,
                        const struct yaml_node *node,
                        const char **queue,
                        const char **account,
                        const char **qos)
{
    const struct yaml_node *field;

    read_queue (reader, node, queue);
    if ((field = field_find (node, "account")))
        field_text (reader, field, "account", account);
    if ((field = field_find (node, "qos")))
        field_text (reader, field, "qos", qos);
}

static void read_wake (const struct field_reader *reader,
                       const struct yaml_node *node,
                       struct wake_settings *wake)
{
    static const char *const keys[] = { "partition",  "queue",  "account",
                                        "qos",        "memory", "walltime",
                                        "directives", NULL };
    const struct yaml_node *field;

    if (field_mapping (reader, node, "wake", keys) < 0)
        return;
    read_payer (reader, node, &wake->queue, &wake->account, &wake->qos);
    if ((field = field_find (node, "memory")))
        field_bytes (reader, field, "memory", &wake->memory_bytes);
    if ((field = field_find (node, "walltime")))
        field_duration (reader, field, "walltime", &wake->walltime_s);
    if ((field = field_find (node, "directives")))
        field_strings (reader, field, "directives", &wake->directives);
}

static void read_spool (const struct field_reader *reader,
                        const struct yaml_node *node,
                        struct profile *profile)
{
    if (field_text (reader, node, "spool", &profile->spool) < 0)
        return;
    if (profile->scheduler && !profile_runs_here (profile))
        problems_add (reader->problems, node->mark,
                      "spool: jobs of '%s' have none; remove it",
                      profile->scheduler);
    else if (profile->spool[0] != '/')
        problems_add (reader->problems, node->mark,
                      "spool: '%s' is not an absolute path; write a directory "
                      "on a local disk, such as /var/tmp/fanfold",
                      profile->spool);
}

static void read_profile (const struct field_reader *reader,
                          const struct yaml_node *key,
                          const struct yaml_node *node,
                          const char *const *schedulers,
                          struct profile *profile)
{
    static const char *const keys[] = { "scheduler", "node",     "limits",
                                        "partition", "queue",    "account",
                                        "qos",       "gres",     "setup",
                                        "spool",     "launcher", "directives",
                                        "wake",      NULL };
    const char *name =
        arena_printf (reader->arena, "profile '%s'", profile->name);
    const struct yaml_node *field;

    if (field_mapping (reader, node, name, keys) < 0)
        return;
    if ((field = field_find (node, "scheduler")))
        read_scheduler (reader, field, schedulers, profile);
    else
        problems_add (reader->problems, key->mark,
                      "%s names no scheduler; add scheduler: local, or the "
                      "one of this cluster",
                      name);
    set_defaults (profile);
    if ((field = field_find (node, "node")))
        read_node (reader, field, &profile->node);
    if ((field = field_find (node, "limits")))
        read_limits (reader, field, profile);
    read_payer (reader, node, &profile->queue, &profile->account,
                &profile->qos);
    if ((field = field_find (node, "gres")))
        field_text (reader, field, "gres", &profile->gres);
    if ((field = field_find (node, "spool")))
        read_spool (reader, field, profile);
    if ((field = field_find (node, "setup")))
        field_argvs (reader, field, "setup", &profile->setup);
    if ((field = field_find (node, "launcher")))
        launcher_read (reader, field, profile);
    if ((field = field_find (node, "directives")))
        field_strings (reader, field, "directives", &profile->directives);
    if ((field = field_find (node, "wake")))
        read_wake (reader, field, &profile->wake);
}

/* --- the file --- */

void site_builtin (const struct field_reader *reader, struct site *site)
{
    struct profile *profile = arena_alloc (reader->arena, sizeof (*profile));

    profile->name = "local";
    profile->scheduler = "local";
    set_defaults (profile);
    *site = (struct site){
        .profiles = profile,
        .nodes = arena_array (reader->arena, 1, sizeof (*site->nodes)),
        .n = 1,
    };
}

static void read_profiles (const struct field_reader *reader,
                           const struct yaml_node *node,
                           const char *const *schedulers,
                           struct site *site)
{
    if (field_any_mapping (reader, node, "profiles") < 0)
        return;
    site->profiles =
        arena_array (reader->arena, node->n, sizeof (*site->profiles));
    site->nodes = arena_array (reader->arena, node->n, sizeof (*site->nodes));
    site->n = node->n;
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *key = node->keys[i];
        struct profile *profile = &site->profiles[i];

        profile->name = arena_strdup (reader->arena, key->text);
        site->nodes[i] = node->items[i];
        if (!document_name_ok (profile->name))
            problems_add (reader->problems, key->mark,
                          "'%s' cannot be the name of a profile; use letters, "
                          "digits and . _ -, beginning with a letter or digit",
                          profile->name);
        read_profile (reader, key, node->items[i], schedulers, profile);
    }
}

static void read_default (const struct field_reader *reader,
                          const struct yaml_node *node,
                          struct site *site)
{
    struct strvec names = STRVEC_INIT;
    const char *name;

    if (field_text (reader, node, "default_profile", &name) < 0)
        return;
    site->default_profile = name;
    for (size_t i = 0; i < site->n; i++)
        strvec_push (&names, site->profiles[i].name);
    if (!strvec_contains (&names, name) && names.n > 0) {
        site->broken = true;
        field_unknown (reader, node->mark, name, &names,
                       "default_profile: unknown profile '%s'", name);
    }
    strvec_release (&names);
}

void site_file_read (const struct field_reader *reader,
                     const struct yaml_node *root,
                     const char *const *schedulers,
                     struct site *site)
{
    static const char *const keys[] = { "format", "default_profile", "profiles",
                                        NULL };
    const struct yaml_node *field;

    *site = (struct site){ .broken = true };
    if (document_open (reader, root, "site.yaml", keys) < 0)
        return;
    field = field_find (root, "profiles");
    if (field)
        read_profiles (reader, field, schedulers, site);
    else
        problems_add (reader->problems, root->mark,
                      "there are no profiles; add profiles: {local: "
                      "{scheduler: local}}");
    site->broken = site->n == 0;
    if ((field = field_find (root, "default_profile")))
        read_default (reader, field, site);
}

const struct profile *site_profile_find (const struct site *site,
                                         const char *name)
{
    for (size_t i = 0; i < site->n; i++) {
        if (strcmp (site->profiles[i].name, name) == 0)
            return &site->profiles[i];
    }
    return NULL;
}
