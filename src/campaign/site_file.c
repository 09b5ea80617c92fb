/* SPDX-License-Identifier: BSD-3-Clause */
/* site_file.c - site.yaml: where and how work runs */
#include "base/base.h"

#include "adapter.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/units.h"
#include "campaign/container_file.h"
#include "campaign/env_file.h"
#include "campaign/field_reader.h"
#include "campaign/launcher.h"
#include "campaign/node_file.h"
#include "campaign/plan.h"
#include "campaign/programs_check.h"
#include "campaign/site_file.h"
#include "signature/container.h"

/* The agent keeps at least so much of a log (agent/log_limit.h). */
enum { LOG_LEAST_BYTES = 1 << 16 };

/* --- where the file is --- */

/* The file 'below' a directory when it is there, or NULL. */
static char *in_directory (const char *dir, const char *below)
{
    char *path = path_join (dir, below);

    if (file_look (path, NULL) != 0) /* reading it tells what is wrong */
        return path;
    free (path);
    return NULL;
}

char *site_file_find (const char *campaign_dir)
{
    const char *config = getenv ("XDG_CONFIG_HOME"), *home = getenv ("HOME");
    const char *site = getenv ("FANFOLD_SITE");
    char *path = in_directory (campaign_dir, "site.yaml");
    char *target = path ? file_read_link (path, NULL) : NULL;
    char *real = target ? realpath (path, NULL) : NULL;

    free (target);
    if (real) { /* paths in it are relative to where it really is */
        free (path);
        return real;
    }
    if (path)
        return path;
    if (config && config[0])
        path = in_directory (config, "fanfold/site.yaml");
    else if (home && home[0])
        path = in_directory (home, ".config/fanfold/site.yaml");
    if (!path && site && site[0])
        path = xstrdup (site);
    return path;
}

/* --- one profile --- */

static const struct scheduler_adapter *adapter_of (
    const struct profile *profile)
{
    return profile->scheduler ? scheduler_adapter_find (profile->scheduler)
                              : NULL;
}

bool profile_runs_here (const struct profile *profile)
{
    const struct scheduler_adapter *adapter = adapter_of (profile);

    return adapter && adapter->runs_here;
}

int profile_nodes (const struct profile *profile)
{
    const struct scheduler_adapter *adapter = adapter_of (profile);

    return adapter && adapter->nodes ? adapter->nodes () : 0;
}

/* Do its jobs run on the nodes of another job? */
static bool is_within_job (const struct profile *profile)
{
    const struct scheduler_adapter *adapter = adapter_of (profile);

    return adapter && adapter->shared_spool;
}

/* What holds when the file does not say; the scheduler is known by now. */
static void set_defaults (struct profile *profile)
{
    bool local = profile_runs_here (profile);

    profile->poll_s = local ? 1 : is_within_job (profile) ? 2 : 30;
    profile->settle_s = local ? 2 : 60;
    profile->visibility_s = local ? 10 : 60;
    profile->call_s = 60;
    profile->limits.running = local ? 1 : 0;
    profile->log_bytes = (int64_t)64 << 20;
    profile->wake.walltime_s = 3600;
    profile->wake.memory_bytes = (int64_t)1 << 30;
    launcher_default (profile);
    profile->container = container_default;
    if (!local)
        profile->launcher = NULL;
}

static void read_scheduler (const struct yaml_node *node,
                            const char *const *schedulers,
                            struct profile *profile)
{
    size_t n = 0;

    while (schedulers[n])
        n++;
    if (field_text (node, &profile->scheduler) == 0)
        field_choose (node, profile->scheduler, schedulers, n,
                      sizeof (*schedulers), "unknown scheduler '%s'",
                      profile->scheduler);
}

static void read_limits (const struct yaml_node *node, void *record)
{
    static const struct field fields[] = {
        FIELD_AS (struct profile, limits.elements, "elements", COUNT,
                  .least = 1),
        FIELD_AS (struct profile, limits.running, "running", COUNT, .least = 1),
        FIELD_AS (struct profile, limits.submit, "submit", COUNT, .least = 1),
        FIELD_AS (struct profile, limits.walltime_s, "walltime", DURATION),
        FIELD_AS (struct profile, poll_s, "poll", DURATION),
        FIELD_AS (struct profile, settle_s, "settle", DURATION),
        FIELD_AS (struct profile, visibility_s, "visibility", DURATION),
        FIELD_AS (struct profile, call_s, "call", DURATION),
        FIELD_AS (struct profile, log_bytes, "log", BYTES,
                  .least = LOG_LEAST_BYTES),
        FIELDS_END,
    };

    field_record (node, yaml_name (node), fields, record);
}

static void read_gpu_sharing (const struct yaml_node *node, void *record)
{
    struct profile *profile = record;
    const char *word;

    if (field_text (node, &word) < 0)
        return;
    if (strcmp (word, "mps") == 0)
        profile->mps = true;
    else
        field_problem (node,
                       "gpu_sharing: got '%s'; write mps, or remove it: tasks "
                       "then share a GPU as they are",
                       word);
}

static void check_queue (const struct yaml_node *node)
{
    const struct yaml_node *queue = field_find (node, "queue");

    if (queue && field_find (node, "partition"))
        field_problem (queue,
                       "partition and queue are two words for one thing; "
                       "remove one");
}

static void read_wake (const struct yaml_node *node, void *member)
{
    static const struct field fields[] = {
        FIELD_AS (struct wake_settings, queue, "partition", TEXT),
        FIELD (struct wake_settings, queue, TEXT),
        FIELD (struct wake_settings, account, TEXT),
        FIELD (struct wake_settings, qos, TEXT),
        FIELD_AS (struct wake_settings, memory_bytes, "memory", BYTES),
        FIELD_AS (struct wake_settings, walltime_s, "walltime", DURATION),
        FIELD (struct wake_settings, directives, STRINGS),
        FIELDS_END,
    };

    if (field_record (node, yaml_name (node), fields, member) == 0)
        check_queue (node);
}

static void read_spool (const struct yaml_node *node, void *record)
{
    struct profile *profile = record;

    if (field_text (node, &profile->spool) < 0)
        return;
    if (profile->scheduler && !profile_runs_here (profile))
        field_problem (node, "spool: jobs of '%s' have none; remove it",
                       profile->scheduler);
    else if (profile->spool[0] != '/')
        field_problem (node,
                       "spool: '%s' is not an absolute path; write a directory "
                       "on a local disk, such as /var/tmp/fanfold",
                       profile->spool);
}

static void complain_one_word (const struct yaml_node *node, const char *text)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf argv = STRBUF_INIT;

    strvec_split (&words, text, " \t");
    strvec_list (&words, &argv);
    field_problem (node,
                   "setup: '%s' is one word, and no shell splits it; write "
                   "[%s]",
                   text, argv.buf);
}

/* Words are quoted in the job script: "PATH=/opt/bin:$PATH", "~/env.sh". */
static void check_quoted (const struct yaml_node *argv)
{
    for (size_t i = 0; i < argv->n; i++) {
        const struct yaml_node *item = argv->items[i];
        const char *text = item->kind == YAML_SCALAR ? item->text : "";
        const char *dollar = strchr (text, '$'), *tilde = strstr (text, "~/");

        if (dollar && (isalpha ((unsigned char)dollar[1]) || dollar[1] == '{'))
            field_warning (item,
                           "setup: '%s' stays as it is, since words are "
                           "quoted; write the value, or [source, FILE] with a "
                           "file that has the line",
                           dollar);
        else if (tilde && (tilde == text || strchr ("=:", tilde[-1])))
            field_warning (item,
                           "setup: '~' of '%s' stays as it is, since words are "
                           "quoted; write the whole path",
                           text);
    }
}

/* [export, CUDA_VISIBLE_DEVICES=0]: each task sets it, so nothing comes of it.
 */
static void check_exported (const struct yaml_node *argv)
{
    if (strcmp (argv->items[0]->text, "export") != 0)
        return;
    for (size_t i = 1; i < argv->n; i++) {
        const char *text = argv->items[i]->text;
        int len = (int)strcspn (text, "=");
        const char *remedy = env_own_remedy (text, (size_t)len);

        if (remedy)
            field_warning (argv->items[i], "setup: %.*s: %s", len, text,
                           remedy);
    }
}

static bool is_module (const struct yaml_node *argv, const char *word)
{
    return argv->kind == YAML_SEQUENCE && argv->n > 1
           && (strcmp (argv->items[0]->text, "module") == 0
               || strcmp (argv->items[0]->text, "ml") == 0)
           && strcmp (argv->items[1]->text, word) == 0;
}

static void check_purged (const struct yaml_node *node)
{
    bool loaded = false;

    for (size_t i = 0; i < node->n; i++) {
        loaded = loaded || is_module (node->items[i], "load");
        if (loaded && is_module (node->items[i], "purge"))
            field_warning (node->items[i],
                           "setup: this takes away what was loaded before it; "
                           "write it first");
    }
}

/* A shell would split "module load lammps"; nothing else does. */
static void read_setup (const struct yaml_node *node, void *member)
{
    static const struct field argvs = FIELD (struct profile, setup, ARGVS);
    struct profile *profile = member;

    if (field_value (node, &argvs, &profile->setup) < 0)
        return;
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *argv =
            node->items[i]->kind == YAML_SEQUENCE ? node->items[i] : node;
        const char *word = argv->items[0]->text;

        if (argv->n == 1 && strpbrk (word, " \t") && word[0] != '/')
            complain_one_word (argv->items[0], word);
        argv_check_shell (argv);
        check_quoted (argv);
        check_exported (argv);
        if (argv == node)
            return;
    }
    check_purged (node);
}

static void check_login_shell (const struct yaml_node *node,
                               const struct profile *profile)
{
    if (node && !profile_runs_here (profile) && !is_within_job (profile))
        field_problem (node,
                       "login_shell: jobs of this scheduler begin with one "
                       "anyway; remove it");
}

static void check_directives (const struct yaml_node *node,
                              const struct profile *profile)
{
    const struct scheduler_adapter *adapter =
        profile->scheduler ? scheduler_adapter_find (profile->scheduler) : NULL;
    struct error why;

    if (!adapter || !adapter->check_directive || !node
        || node->kind != YAML_SEQUENCE)
        return;
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *item = node->items[i];

        if (item->kind == YAML_SCALAR
            && adapter->check_directive (adapter, item->text, &why) < 0)
            field_problem (item, "%s", why.text);
        else if (item->kind == YAML_SCALAR && adapter->sizes_job
                 && adapter->sizes_job (adapter, item->text))
            field_warning (item,
                           "directives: '%s' says otherwise than the tasks, "
                           "by which Fanfold asks for cores, memory, GPUs and "
                           "time; remove it, and write task: of the stage",
                           item->text);
    }
}

static void read_profile (const struct yaml_node *key,
                          const struct yaml_node *node,
                          const char *const *schedulers,
                          struct profile *profile)
{
    static const struct field fields[] = {
        FIELD_KEY ("scheduler"),
        FIELD_BY_RECORD ("bind", node_file_rule),
        FIELD_BY_RECORD ("smt", node_file_rule),
        FIELD_BY_RECORD ("reserved_cores", node_file_rule),
        FIELD_BY_RECORD ("memory_binding", node_file_rule),
        FIELD_BY_RECORD ("node", node_file_read),
        FIELD_BY_RECORD ("gpu_sharing", read_gpu_sharing),
        FIELD_BY_RECORD ("limits", read_limits),
        FIELD_AS (struct profile, queue, "partition", TEXT),
        FIELD (struct profile, queue, TEXT),
        FIELD (struct profile, account, TEXT),
        FIELD (struct profile, qos, TEXT),
        FIELD (struct profile, gres, TEXT),
        FIELD_BY_RECORD ("env", env_read),
        FIELD_BY_RECORD ("setup", read_setup),
        FIELD (struct profile, login_shell, BOOL),
        FIELD_BY_RECORD ("spool", read_spool),
        FIELD_BY_RECORD ("launcher", launcher_read),
        FIELD_BY_RECORD ("agents", agents_read),
        FIELD_BY_RECORD ("container", container_read),
        FIELD (struct profile, directives, STRINGS),
        FIELD_BY (struct profile, wake, read_wake),
        FIELDS_END,
    };
    const char *name =
        arena_printf (field_arena (node), "profile '%s'", profile->name);
    const struct yaml_node *field;

    if (field_mapping (node, name, fields) < 0)
        return;
    if ((field = field_find (node, "scheduler")))
        read_scheduler (field, schedulers, profile);
    else
        field_problem (key,
                       "%s names no scheduler; add scheduler: local, or the "
                       "one of this cluster",
                       name);
    set_defaults (profile);
    field_members (node, fields, profile);
    env_over_launcher (field_arena (node), profile);
    check_login_shell (field_find (node, "login_shell"), profile);
    check_directives (field_find (node, "directives"), profile);
    if ((field = field_find (node, "wake")))
        check_directives (field_find (field, "directives"), profile);
    node_file_check_rules (node, profile);
    check_queue (node);
}

/* --- the file --- */

static const char no_profiles[] = "there are no profiles; add profiles: "
                                  "{local: {scheduler: local}}";

static void read_profiles (const struct yaml_node *node,
                           const char *const *schedulers, struct site *site)
{
    if (field_any_mapping (node) < 0)
        return;
    if (node->n == 0)
        field_problem (node, "%s", no_profiles);
    site->profiles =
        arena_array (field_arena (node), node->n, sizeof (*site->profiles));
    site->nodes =
        arena_array (field_arena (node), node->n, sizeof (*site->nodes));
    site->n = node->n;
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *key = node->keys[i];
        struct profile *profile = &site->profiles[i];

        profile->name = arena_strdup (field_arena (key), key->text);
        site->nodes[i] = node->items[i];
        if (!word_is_title (profile->name))
            field_problem (key,
                           "'%s' cannot be the name of a profile; use letters, "
                           "digits and . _ -, beginning with a letter or digit",
                           profile->name);
        read_profile (key, node->items[i], schedulers, profile);
    }
}

static void read_default (const struct yaml_node *node, struct site *site)
{
    if (field_text (node, &site->default_profile) == 0 && site->n > 0
        && field_choose (node, site->default_profile, site->profiles, site->n,
                         sizeof (*site->profiles),
                         "default_profile: unknown profile '%s'",
                         site->default_profile)
               < 0)
        site->broken = true;
}

void site_file_read (const struct yaml_node *root, const char *path,
                     const char *const *schedulers, struct site *site)
{
    static const struct field fields[] = { FIELD_KEY ("format"),
                                           FIELD_KEY ("default_profile"),
                                           FIELD_KEY ("profiles"),
                                           FIELD_KEY ("store"),
                                           FIELD_KEY ("reuse_from"),
                                           FIELD_KEY ("notify"),
                                           FIELDS_END };
    const struct yaml_node *field;
    _cleanup_free_ char *dir = NULL;

    *site = (struct site){ .broken = true };
    if (field_mapping (root, "site.yaml", fields) < 0)
        return;
    field = field_find (root, "profiles");
    if (field)
        read_profiles (field, schedulers, site);
    else
        field_problem (root, "%s", no_profiles);
    site->broken = site->n == 0;
    if ((field = field_find (root, "default_profile")))
        read_default (field, site);
    dir = path ? xstrndup (path, (size_t)(path_base (path) - path))
               : xstrdup ("");
    if ((field = field_find (root, "store")))
        site->store = field_path (field, "store", dir);
    if ((field = field_find (root, "reuse_from")))
        reuse_from_read (field, dir, &site->reuse_from);
    if ((field = field_find (root, "notify")))
        notify_read (field, &site->notify);
}
