/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - a machine file of DP-GEN as profiles of site.yaml */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "import/batch_flags.h"
#include "import/document.h"
#include "import/draft.h"
#include "import/machine.h"
#include "import/machine_keys.h"
#include "import/program_words.h"

void stage_machine_release (struct stage_machine *stage)
{
    free (stage->profile);
    json_unref (stage->task);
    json_unref (stage->program);
    *stage = (struct stage_machine){ .profile = NULL };
}

/* --- the scheduler --- */

static const struct {
    const char *batch;
    const char *scheduler; /* of Fanfold; NULL: it has none such */
} schedulers[] = {
    { "slurm", "slurm" },   { "slurmjobarray", "slurm" },
    { "pbs", "pbs" },       { "openpbs", "pbs" },
    { "torque", "torque" }, { "shell", "local" },
    { "local", "local" },   { "distributedshell", "local" },
    { "lsf", NULL },        { "sge", NULL },
    { "fugaku", NULL },     { "bohrium", NULL },
    { "lebesgue", NULL },   { "dpcloudserver", NULL },
    { "openapi", NULL },    { "jh_unischeduler", NULL },
    { "cobalt", NULL },
};

static const char *first_text (const struct json *object,
                               const char *const *keys)
{
    for (; object && *keys; keys++) {
        const struct json *v = json_get (object, *keys);

        if (json_kind (v) == JSON_KIND_STRING && *json_as_string (v))
            return json_as_string (v);
    }
    return NULL;
}

static bool same_word (const char *a, const char *b)
{
    return strcasecmp (a, b) == 0;
}

static const char *scheduler_of (struct draft *draft,
                                 const struct machine_source *source)
{
    static const char *const keys[] = { "batch_type", "machine_type", "batch",
                                        NULL };
    const char *batch = first_text (source->machine, keys);
    char *path;

    if (!batch)
        batch = first_text (source->resources, keys);
    if (!batch)
        return "local";
    for (size_t i = 0; i < ARRAY_SIZE (schedulers); i++) {
        if (same_word (batch, schedulers[i].batch) && schedulers[i].scheduler)
            return schedulers[i].scheduler;
    }
    path = xasprintf ("%smachine.batch_type", source->prefix);
    key_report_say (&draft->report, path, KEY_UNSUPPORTED,
                    "Fanfold has no scheduler '%s'; the profile runs jobs on "
                    "this host (local): name yours in site.yaml",
                    batch);
    free (path);
    draft_remark (draft,
                  "site.yaml: the scheduler '%s' is not one of Fanfold's "
                  "(slurm, pbs, torque, local, allocation); the profile '%s' "
                  "is local until you change it",
                  batch, source->profile);
    return "local";
}

/* Where DP-GEN logs in, somebody else runs Fanfold. */
static void remark_host (struct draft *draft,
                         const struct machine_source *source)
{
    static const char *const names[] = { "hostname", NULL };
    const char *context = json_get_string (source->machine, "context_type");
    const char *host = first_text (source->machine, names);

    if (!host)
        host = first_text (json_get (source->machine, "remote_profile"), names);
    if (host && strncasecmp (context, "lazy", 4) != 0
        && strncasecmp (context, "local", 5) != 0
        && strcmp (host, "localhost") != 0 && strcmp (host, "127.0.0.1") != 0)
        draft_remark (draft,
                      "DP-GEN logs in to %s; Fanfold does not: put the "
                      "campaign on that host's file system and run fanfold "
                      "there",
                      host);
}

/* --- what one profile is made of --- */

struct profile {
    struct draft *draft;
    const struct machine_source *source;
    const char *scheduler;
    struct json *keys, *setup, *env;
    struct batch_flags flags;
};

static int64_t resource_count (const struct profile *p,
                               const char *const *names, int64_t otherwise)
{
    for (; *names; names++) {
        int64_t n;

        if (key_int (p->source->resources, "", *names, &n, NULL) == 0)
            return n > 0 && n < 1000000 ? n : otherwise;
    }
    return otherwise;
}

/* A shell replaces words with these; the words of a profile are taken as they
 * are.
 */
static bool needs_shell (const char *word)
{
    return word[0] == '~' || strchr (word, '$');
}

/* "setup", "launcher", "the program": where a word stands that stays as it is.
 */
static void remark_word (struct profile *p, const char *word, const char *where,
                         const char *key)
{
    if (!needs_shell (word))
        return;
    key_report_say (&p->draft->report, key, KEY_UNSUPPORTED,
                    "'%s' is taken as it is written: put what it stands for "
                    "into %s",
                    word, where);
    draft_remark (p->draft,
                  "%s: '%s' is not replaced by anything in %s; write what it "
                  "stands for",
                  key, word, where);
}

/* [word ..., each word of an item] for every item of a list, or a text. */
static void add_setup (struct profile *p, const char *key, const char *first,
                       const char *second)
{
    const struct json *list = json_get (p->source->resources, key);
    bool one = json_kind (list) == JSON_KIND_STRING;

    for (size_t i = 0; i < (one ? 1 : json_count (list)); i++) {
        const struct json *item = one ? list : json_at (list, i);
        struct strvec words = STRVEC_INIT;
        struct json *argv = json_array ();
        char *path = xasprintf ("%sresources.%s", p->source->prefix, key);

        strvec_split (&words, json_as_string (item), " \t");
        if (words.n > 0) {
            json_push (argv, json_string (first));
            if (second)
                json_push (argv, json_string (second));
            for (size_t k = 0; k < words.n; k++)
                json_push (argv, json_string (words.v[k]));
            json_push (p->setup, json_ref (argv));
        }
        for (size_t k = 0; k < words.n; k++)
            remark_word (p, words.v[k], "setup of the profile", path);
        free (path);
        json_unref (argv);
        strvec_release (&words);
    }
}

static char *resource_path (const struct profile *p, const char *key)
{
    return xasprintf ("%sresources.%s", p->source->prefix, key);
}

/* A variable whose value names others cannot be one of a profile. */
static void add_env (struct profile *p, const char *path, const char *name,
                     const struct json *value)
{
    struct strbuf text = STRBUF_INIT;

    if (json_kind (value) == JSON_KIND_ARRAY && json_count (value) > 0)
        value = json_at (value, json_count (value) - 1);
    if (json_kind (value) == JSON_KIND_STRING)
        strbuf_add_str (&text, json_as_string (value));
    else
        json_dump (value, JSON_COMPACT, &text);
    if (strchr (text.buf, '$'))
        key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                        "left out: nothing in env is replaced; write %s whole "
                        "into env of the profile",
                        name);
    else if (strcmp (name, "OMP_NUM_THREADS") == 0)
        key_report_say (&p->draft->report, path, KEY_NOT_NEEDED,
                        "every task has it: its cores by its ranks");
    else
        json_set (p->env, name, json_string (text.buf));
    strbuf_release (&text);
}

static void add_envs (struct profile *p, const struct json *envs,
                      const char *path)
{
    JSON_FOREACH (envs, it) {
        char *below = xasprintf ("%s.%s", path, json_iter_key (it));

        if (json_iter_key (it)[0] != '_')
            add_env (p, below, json_iter_key (it), json_iter_value (it));
        free (below);
    }
}

static void add_flag_list (struct profile *p, const char *key)
{
    const struct json *list = json_get (p->source->resources, key);

    for (size_t i = 0; i < json_count (list); i++) {
        char *name = xasprintf ("%s[%zu]", key, i);
        char *path = resource_path (p, name);

        batch_flags_add (&p->flags, p->scheduler,
                         json_as_string (json_at (list, i)), path,
                         &p->draft->report);
        free (path);
        free (name);
    }
}

/* DP-GEN and dpdispatcher, too, give this to Slurm only. */
static void say_of_slurm (struct profile *p, const char *key)
{
    char *path = resource_path (p, key);

    key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                    "left out: only Slurm has it");
    free (path);
}

/* Lists of nodes and features were options of their own. */
static void add_named_flags (struct profile *p, const char *key,
                             const char *option)
{
    const struct json *list = json_get (p->source->resources, key);
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < json_count (list); i++)
        strbuf_addf (&text, "%s%s", i > 0 ? "," : option,
                     json_as_string (json_at (list, i)));
    if (text.len > 0 && strcmp (p->scheduler, "slurm") == 0)
        json_push (p->flags.directives, json_string (text.buf));
    else if (text.len > 0)
        say_of_slurm (p, key);
    strbuf_release (&text);
}

/* One key of kwargs: text that says what a flag says.  dpdispatcher reads no
 * memory there, so that a number without a unit says nothing.
 */
static void add_kwarg (struct profile *p, const char *key,
                       const struct json *value, const char *path)
{
    bool is_memory = strcmp (key, "mem") == 0 || strcmp (key, "memory") == 0;
    const char *text = json_as_string (value);
    char *flag = NULL;

    if (is_memory && text[strspn (text, "0123456789.")])
        flag = xasprintf ("--mem=%s", text);
    else if (strstr (key, "gpu_line") && *text)
        flag = xstrdup (text);
    if (flag)
        batch_flags_add (&p->flags, p->scheduler, flag, path,
                         &p->draft->report);
    else
        key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                        is_memory
                            ? "left out: it has no unit; say task.memory of "
                              "the stage"
                            : "left out: say it in directives of the profile");
    free (flag);
}

static void add_kwargs (struct profile *p)
{
    const struct json *kwargs = json_get (p->source->resources, "kwargs");

    JSON_FOREACH (kwargs, it) {
        char *name = xasprintf ("kwargs.%s", json_iter_key (it));
        char *path = resource_path (p, name);

        if (json_iter_key (it)[0] != '_')
            add_kwarg (p, json_iter_key (it), json_iter_value (it), path);
        free (path);
        free (name);
    }
}

/* Keys of older files that say what flags say. */
static void add_plain_limits (struct profile *p)
{
    const struct json *resources = p->source->resources;
    const struct json *time = json_get (resources, "time_limit");
    int64_t gib;

    if (json_kind (time) == JSON_KIND_STRING
        && !batch_flags_time (&p->flags, json_as_string (time))) {
        char *path = resource_path (p, "time_limit");

        key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                        "left out: '%.40s' is no time that is understood; say "
                        "task.walltime of the stage",
                        json_as_string (time));
        free (path);
    }
    if (key_int (resources, "", "mem_limit", &gib, NULL) == 0 && gib > 0
        && gib < 100000)
        p->flags.memory_bytes = gib << 30;
}

/* --- the task of the stage --- */

/* para_deg tasks share the GPUs of a node. */
static struct json *gpus_of_task (int64_t gpus, int64_t sharing)
{
    int64_t of_one;

    if (gpus % sharing == 0 || gpus > sharing)
        return json_int (gpus / sharing);
    of_one = (sharing + gpus - 1) / gpus;
    return json_real ((double)(int64_t)(100.0 / (double)of_one) / 100.0);
}

static struct json *memory_text (int64_t bytes)
{
    bool whole = bytes % (INT64_C (1) << 30) == 0;

    return json_stringf ("%lld%s", (long long)(bytes >> (whole ? 30 : 20)),
                         whole ? "GiB" : "MiB");
}

/* As many as the command says; a launcher that is told no number takes all
 * tasks of the job, which Slurm and dpdispatcher count as cpu_per_node.
 */
static int64_t ranks_of (const struct program_words *words, int64_t nodes,
                         int64_t tasks_per_node)
{
    if (words->ranks > 0)
        return words->ranks;
    return nodes
           * (words->ranks_per_node > 0 ? words->ranks_per_node
                                        : tasks_per_node);
}

static struct json *task_of (struct profile *p,
                             const struct program_words *words)
{
    static const char *const nodes_names[] = { "number_node", "numb_node",
                                               NULL };
    static const char *const cores_names[] = { "cpu_per_node", "task_per_node",
                                               NULL };
    static const char *const threads_names[] = { "cpus_per_task", NULL };
    static const char *const gpus_names[] = { "gpu_per_node", "numb_gpu",
                                              NULL };
    static const char *const sharing_names[] = { "para_deg", NULL };
    int64_t nodes = resource_count (p, nodes_names, 1);
    int64_t sharing = resource_count (p, sharing_names, 1);
    int64_t tasks = resource_count (p, cores_names, 1);
    int64_t cores = tasks * resource_count (p, threads_names, 1);
    int64_t ranks =
        ranks_of (words, nodes, tasks > sharing ? tasks / sharing : 1);
    int64_t gpus = resource_count (p, gpus_names, 0);
    struct json *task = json_object ();

    if (p->flags.gpus > gpus)
        gpus = p->flags.gpus;
    cores = cores > sharing ? cores / sharing : 1;
    if (ranks > 1 && nodes > 1)
        ranks = (ranks + nodes - 1) / nodes * nodes;
    if (nodes > 1)
        json_set (task, "nodes", json_int (nodes));
    cores *= nodes;
    if (ranks > 1) {
        json_set (task, "ranks", json_int (ranks));
        cores = cores > ranks ? cores / ranks * ranks : ranks;
    } else if (nodes > 1) {
        cores = nodes * (cores / nodes);
    }
    json_set (task, "cores", json_int (cores));
    if (gpus > 0)
        json_set (task, "gpus", gpus_of_task (gpus * nodes, sharing));
    if (p->flags.memory_bytes > 0)
        json_set (task, "memory",
                  memory_text (p->flags.memory_bytes / sharing * nodes));
    if (p->flags.walltime)
        json_set (task, "walltime", json_string (p->flags.walltime));
    return task;
}

/* What this host lacks does not matter to a profile that says what its node
 * has.
 */
static void add_node (struct profile *p, const struct json *task)
{
    int64_t nodes = json_get_int (task, "nodes");
    double gpus = json_get_double (task, "gpus");
    struct json *node;
    static const char *const cores_names[] = { "cpu_per_node", "task_per_node",
                                               NULL };
    static const char *const gpus_names[] = { "gpu_per_node", "numb_gpu",
                                              NULL };
    int64_t cores = json_get_int (task, "cores") / (nodes > 1 ? nodes : 1);
    int64_t all = resource_count (p, cores_names, 1);

    if (strcmp (p->scheduler, "local") != 0)
        return;
    node = json_object ();
    json_set (node, "cores", json_int (all > cores ? all : cores));
    if (gpus > 0)
        json_set (node, "gpus", json_int (resource_count (p, gpus_names, 1)));
    json_set (p->keys, "node", node);
}

/* --- one profile --- */

static void read_resources (struct profile *p)
{
    bool purge;
    char *path = resource_path (p, "envs");

    if (key_bool (p->source->resources, "", "module_purge", &purge, NULL) == 0
        && purge) {
        struct json *argv = json_array ();

        json_push (argv, json_string ("module"));
        json_push (argv, json_string ("purge"));
        json_push (p->setup, argv);
    }
    add_setup (p, "module_unload_list", "module", "unload");
    add_setup (p, "module_list", "module", "load");
    add_setup (p, "source_list", "source", NULL);
    add_envs (p, json_get (p->source->resources, "envs"), path);
    add_flag_list (p, "custom_flags");
    add_named_flags (p, "exclude_list", "--exclude=");
    add_named_flags (p, "constraint_list", "--constraint=");
    add_kwargs (p);
    add_plain_limits (p);
    free (path);
}

static void set_text (struct json *keys, const char *key, const char *text)
{
    if (text && *text)
        json_set (keys, key, json_string (text));
}

static void say_no_scheduler (struct profile *p)
{
    static const char *const keys[] = { "queue_name", "partition", "account",
                                        "qos" };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        char *path = resource_path (p, keys[i]);

        if (*json_get_string (p->source->resources, keys[i]))
            key_report_say (&p->draft->report, path, KEY_NOT_NEEDED,
                            "left out: the profile has no scheduler");
        free (path);
    }
}

static void write_keys (struct profile *p, const struct program_words *words,
                        const struct json *task)
{
    static const char *const queue_names[] = { "queue_name", "partition",
                                               NULL };
    static const char *const account_names[] = { "account", NULL };
    static const char *const qos_names[] = { "qos", NULL };
    bool slurm = strcmp (p->scheduler, "slurm") == 0;
    bool batch = strcmp (p->scheduler, "local") != 0;
    const char *queue = first_text (p->source->resources, queue_names);
    const char *account = first_text (p->source->resources, account_names);
    const char *qos = first_text (p->source->resources, qos_names);
    struct json *limits = json_object ();

    json_set (p->keys, "scheduler", json_string (p->scheduler));
    if (batch) {
        set_text (p->keys, slurm ? "partition" : "queue",
                  queue ? queue : p->flags.queue);
        set_text (p->keys, "account", account ? account : p->flags.account);
        if (slurm)
            set_text (p->keys, "qos", qos ? qos : p->flags.qos);
        else if (qos)
            say_of_slurm (p, "qos");
        set_text (p->keys, "gres", p->flags.gres);
        if (p->flags.walltime) {
            json_set (limits, "walltime", json_string (p->flags.walltime));
            json_set (p->keys, "limits", json_ref (limits));
        }
        if (json_count (p->flags.directives) > 0)
            json_set (p->keys, "directives", json_ref (p->flags.directives));
    } else {
        say_no_scheduler (p);
    }
    json_unref (limits);
    add_node (p, task);
    if (json_count (p->env) > 0)
        json_set (p->keys, "env", json_ref (p->env));
    for (size_t i = 0; i < json_count (words->setup); i++)
        json_push (p->setup, json_ref (json_at (words->setup, i)));
    if (json_count (p->setup) > 0)
        json_set (p->keys, "setup", json_ref (p->setup));
    if (words->launcher.n > 0) {
        struct json *launcher = json_array ();

        for (size_t i = 0; i < words->launcher.n; i++)
            json_push (launcher, json_string (words->launcher.v[i]));
        json_push (launcher, json_string ("-n"));
        json_push (launcher, json_string ("{ranks}"));
        json_set (p->keys, "launcher", launcher);
    }
}

/* The profile that is there already and says the same, or this one. */
static char *keep_profile (struct draft *draft, const char *name,
                           struct json *keys)
{
    const struct json *profiles = json_get (draft->site.root, "profiles");
    char *path;

    JSON_FOREACH (profiles, it) {
        if (json_equal (json_iter_value (it), keys))
            return xstrdup (json_iter_key (it));
    }
    path = xasprintf ("profiles.%s", name);
    outline_set (&draft->site, path, json_ref (keys), NULL);
    free (path);
    return xstrdup (name);
}

/* A command that only a shell understands is left to the user. */
static void read_command (struct profile *p, struct program_words *words)
{
    const char *command = p->source->command ? p->source->command : "";
    struct error said = ERROR_INIT;
    int rc = program_words_parse (command, words, &said);

    if (rc < 0) {
        program_words_release (words);
        program_words_parse ("", words, NULL);
        key_report_say (&p->draft->report, p->source->command_key,
                        KEY_UNSUPPORTED,
                        "left out, since it has %s: write the program's words "
                        "into `with:` of the stage",
                        said.text);
    } else if (words->redirected || words->fallback) {
        key_report_say (
            &p->draft->report, p->source->command_key, KEY_TRANSLATED,
            "the program, setup and launcher; without its %s",
            words->fallback ? "|| ..., which hides failures" : "redirections");
    }
    add_envs (p, words->env, p->source->command_key);
}

/* with_mpi: what DP-GEN's own dispatcher put before the command; dpdispatcher
 * reads it no more.
 */
static void add_launcher (struct profile *p, struct program_words *words)
{
    bool with_mpi = false;
    char *path = resource_path (p, "with_mpi");

    key_bool (p->source->resources, "", "with_mpi", &with_mpi, NULL);
    if (with_mpi && words->launcher.n == 0 && words->program.n > 0) {
        strvec_push (&words->launcher,
                     strcmp (p->scheduler, "slurm") == 0 ? "srun" : "mpirun");
        words->ranks = 0;
    } else if (with_mpi) {
        key_report_say (&p->draft->report, path, KEY_NOT_NEEDED,
                        "the command has a launcher");
    } else {
        key_report_say (&p->draft->report, path, KEY_NOT_NEEDED,
                        "what the command begins with says it");
    }
    free (path);
}

static void remark_words (struct profile *p, const struct program_words *words)
{
    const char *key = p->source->command_key;

    for (size_t i = 0; i < json_count (words->setup); i++) {
        const struct json *argv = json_at (words->setup, i);

        for (size_t k = 0; k < json_count (argv); k++)
            remark_word (p, json_as_string (json_at (argv, k)),
                         "setup of the profile", key);
    }
    for (size_t i = 0; i < words->launcher.n; i++)
        remark_word (p, words->launcher.v[i], "launcher of the profile", key);
    for (size_t i = 0; i < words->program.n; i++)
        remark_word (p, words->program.v[i], "the stage's program", key);
}

/* Where no number was told, which one it is. */
static void say_ranks (struct profile *p, const struct program_words *words,
                       const struct json *task)
{
    int64_t ranks = json_get_int (task, "ranks");

    if (words->ranks == 0)
        draft_remark (p->draft,
                      "%s: '%s' is told no number of ranks; the stage has "
                      "%lld (task: ranks), as many as the job of DP-GEN has "
                      "cores",
                      p->source->command_key, words->launcher.v[0],
                      (long long)(ranks > 0 ? ranks : 1));
}

static struct json *argv_of (const struct program_words *words)
{
    struct json *argv = json_array ();

    for (size_t i = 0; i < words->program.n; i++)
        json_push (argv, json_string (words->program.v[i]));
    return argv;
}

static void say_keys (struct draft *draft, const struct machine_source *source)
{
    char *machine = xasprintf ("%smachine.", source->prefix);
    char *resources = xasprintf ("%sresources.", source->prefix);

    key_report_table (&draft->report, source->machine, machine,
                      machine_machine_keys, NULL);
    key_report_table (&draft->report, source->resources, resources,
                      machine_resources_keys, NULL);
    free (machine);
    free (resources);
}

void machine_add_profile (struct draft *draft,
                          const struct machine_source *source,
                          struct stage_machine *out)
{
    struct profile p = { .draft = draft,
                         .source = source,
                         .keys = json_object (),
                         .setup = json_array (),
                         .env = json_object () };
    struct program_words words;

    batch_flags_init (&p.flags);
    p.scheduler = scheduler_of (draft, source);
    remark_host (draft, source);
    read_resources (&p);
    read_command (&p, &words);
    add_launcher (&p, &words);
    remark_words (&p, &words);
    out->task = task_of (&p, &words);
    say_ranks (&p, &words, out->task);
    write_keys (&p, &words, out->task);
    out->program = argv_of (&words);
    out->profile = keep_profile (draft, source->profile, p.keys);
    say_keys (draft, source);
    program_words_release (&words);
    batch_flags_release (&p.flags);
    json_unref (p.keys);
    json_unref (p.setup);
    json_unref (p.env);
}

/* --- the whole file --- */

static const struct {
    const char *key; /* DP-GEN's */
    const char *profile;
} stages_of_dpgen[IMPORT_STAGES] = {
    [IMPORT_TRAIN] = { "train", "train" },
    [IMPORT_EXPLORE] = { "model_devi", "explore" },
    [IMPORT_LABEL] = { "fp", "label" },
};

/* The first of a list is the one DP-GEN takes. */
static const struct json *stage_mapping (const struct json *stage,
                                         const char *key, struct draft *draft)
{
    if (json_kind (stage) == JSON_KIND_ARRAY && json_count (stage) > 0) {
        if (json_count (stage) > 1)
            key_report_say (&draft->report, key, KEY_TRANSLATED,
                            "the first of the list, as in DP-GEN; the others "
                            "have no effect");
        stage = json_at (stage, 0);
    }
    return stage;
}

static int add_nested (struct draft *draft, const struct json *stage,
                       enum import_stage which, struct stage_machine *out,
                       struct error *err)
{
    const char *key = stages_of_dpgen[which].key;
    char *prefix = xasprintf ("%s.", key);
    char *command_key = xasprintf ("%s.command", key);
    struct machine_source source = {
        .profile = stages_of_dpgen[which].profile,
        .prefix = prefix,
        .command_key = command_key,
    };
    int rc = 0;

    stage = stage_mapping (stage, key, draft);
    if (json_kind (stage) != JSON_KIND_OBJECT) {
        rc = error_set (err,
                        "%s: expected a mapping of keys, or a list of one, "
                        "found %s",
                        key, json_kind_name (stage));
        goto done;
    }
    source.machine = json_get (stage, "machine");
    source.resources = json_get (stage, "resources");
    if (json_kind (json_get (stage, "command")) == JSON_KIND_STRING)
        source.command = json_get_string (stage, "command");
    machine_add_profile (draft, &source, out);
    key_report_table (&draft->report, stage, prefix, machine_stage_keys, NULL);
done:
    free (prefix);
    free (command_key);
    return rc;
}

/* train_machine, train_resources, train_command side by side. */
static void add_flat (struct draft *draft, const struct json *machine,
                      enum import_stage which, struct stage_machine *out)
{
    const char *key = stages_of_dpgen[which].key;
    char *machine_key = xasprintf ("%s_machine", key);
    char *resources_key = xasprintf ("%s_resources", key);
    char *command_key = xasprintf ("%s_command", key);
    char *prefix = xasprintf ("%s_", key);
    char *dp = NULL;
    const struct json *command = json_get (machine, command_key);
    const struct json *path = json_get (machine, "deepmd_path");
    struct machine_source source = {
        .profile = stages_of_dpgen[which].profile,
        .prefix = prefix,
        .machine = json_get (machine, machine_key),
        .resources = json_get (machine, resources_key),
        .command_key = command_key,
    };

    if (json_kind (command) == JSON_KIND_STRING)
        source.command = json_as_string (command);
    else if (which == IMPORT_TRAIN && json_kind (path) == JSON_KIND_STRING)
        source.command = dp = xasprintf ("%s/bin/dp", json_as_string (path));
    machine_add_profile (draft, &source, out);
    free (machine_key);
    free (resources_key);
    free (command_key);
    free (prefix);
    free (dp);
}

int machine_translate (const struct json *machine, struct draft *draft,
                       struct stage_machine stages[IMPORT_STAGES],
                       struct error *err)
{
    bool any = false;

    outline_set (&draft->site, "format", json_int (1), NULL);
    for (size_t i = 0; i < IMPORT_STAGES; i++) {
        const char *key = stages_of_dpgen[i].key;
        const struct json *nested = json_get (machine, key);
        char *flat = xasprintf ("%s_machine", key);

        any = any || nested || json_get (machine, flat);
        free (flat);
        if (!nested)
            add_flat (draft, machine, i, &stages[i]);
        else if (add_nested (draft, nested, i, &stages[i], err) < 0)
            return -1;
    }
    if (!any)
        return error_set (err,
                          "no machine file of DP-GEN: it has none of train, "
                          "model_devi, fp and train_machine, ...");
    key_report_table (&draft->report, machine, "", machine_file_keys,
                      machine_flat_keys);
    return 0;
}
