/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_profile.c - one stage of a machine file as a profile of site.yaml */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/draft.h"
#include "import/machine_keys.h"
#include "import/machine_profile.h"
#include "import/program_words.h"

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

static bool same_word (const char *a, const char *b)
{
    return strcasecmp (a, b) == 0;
}

/* *none_such: what it is called there, if Fanfold has none such. */
static const char *scheduler_of (const struct profile *p,
                                 const char **none_such)
{
    static const char names[] = "batch_type machine_type batch";
    const char *batch = profile_text (&p->machine, names);
    char *path;

    if (!batch)
        batch = profile_text (&p->resources, names);
    if (!batch)
        return "local";
    for (size_t i = 0; i < ARRAY_SIZE (schedulers); i++) {
        if (same_word (batch, schedulers[i].batch) && schedulers[i].scheduler)
            return schedulers[i].scheduler;
    }
    path = section_path (&p->machine, names);
    key_report_say (&p->draft->report, path, KEY_UNSUPPORTED,
                    "Fanfold has no scheduler '%s'; the profile runs jobs on "
                    "this host (local): name yours in site.yaml",
                    batch);
    free (path);
    *none_such = batch;
    return "local";
}

/* Where DP-GEN logs in, another user runs Fanfold. */
static void remark_host (struct draft *draft,
                         const struct machine_source *source)
{
    const struct section remote = {
        .v = json_get (source->machine, "remote_profile"), .prefix = ""
    };
    const struct section machine = { .v = source->machine, .prefix = "" };
    const char *context = json_get_string (source->machine, "context_type");
    const char *host = profile_text (&machine, "hostname");

    if (!host)
        host = profile_text (&remote, "hostname");
    if (host && strncasecmp (context, "lazy", 4) != 0
        && strncasecmp (context, "local", 5) != 0
        && strcmp (host, "localhost") != 0 && strcmp (host, "127.0.0.1") != 0)
        draft_remark (draft,
                      "DP-GEN logs in to %s; Fanfold does not: put the "
                      "campaign on that host's file system and run fanfold "
                      "there",
                      host);
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
    int64_t nodes = profile_count (p, "number_node numb_node", 1);
    int64_t sharing = profile_count (p, "para_deg", 1);
    int64_t tasks = profile_count (p, "cpu_per_node task_per_node", 1);
    int64_t cores = tasks * profile_count (p, "cpus_per_task", 1);
    int64_t ranks =
        ranks_of (words, nodes, tasks > sharing ? tasks / sharing : 1);
    int64_t gpus = profile_count (p, "gpu_per_node numb_gpu", 0);
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
    int64_t cores = json_get_int (task, "cores") / (nodes > 1 ? nodes : 1);
    int64_t all = profile_count (p, "cpu_per_node task_per_node", 1);

    if (strcmp (p->scheduler, "local") != 0)
        return;
    node = json_object ();
    json_set (node, "cores", json_int (all > cores ? all : cores));
    if (gpus > 0)
        json_set (node, "gpus",
                  json_int (profile_count (p, "gpu_per_node numb_gpu", 1)));
    json_set (p->keys, "node", node);
}

/* --- one profile --- */

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
        _cleanup_free_ char *path = profile_key (p, keys[i]);

        if (*json_get_string (p->source->resources, keys[i]))
            key_report_say (&p->draft->report, path, KEY_NOT_NEEDED,
                            "left out: the profile has no scheduler");
    }
}

static bool is_batch (const struct profile *p)
{
    return strcmp (p->scheduler, "local") != 0;
}

static void write_keys (struct profile *p, const struct program_words *words,
                        const struct json *task)
{
    bool slurm = strcmp (p->scheduler, "slurm") == 0;
    bool batch = is_batch (p);
    const char *queue = profile_text (&p->resources, "queue_name partition");
    const char *account = profile_text (&p->resources, "account");
    const char *qos = profile_text (&p->resources, "qos");
    struct json *limits = json_object ();

    json_set (p->keys, "scheduler", json_string (p->scheduler));
    if (batch) {
        set_text (p->keys, slurm ? "partition" : "queue",
                  queue ? queue : p->flags.queue);
        set_text (p->keys, "account", account ? account : p->flags.account);
        if (slurm)
            set_text (p->keys, "qos", qos ? qos : p->flags.qos);
        else if (qos)
            profile_say_of_slurm (p, "qos");
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
    /* where DPDispatcher has one: `module` may be defined nowhere else */
    if (json_count (p->setup) > 0 && !is_batch (p))
        json_set (p->keys, "login_shell", json_bool (true));
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
    _cleanup_free_ char *path = NULL;

    JSON_FOREACH (profiles, it) {
        if (json_equal (json_iter_value (it), keys))
            return xstrdup (json_iter_key (it));
    }
    path = xasprintf ("profiles.%s", name);
    outline_set (&draft->site, path, json_ref (keys), NULL);
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
    profile_add_envs (p, words->env, p->source->command_key);
}

/* with_mpi: what DP-GEN's own dispatcher put before the command; dpdispatcher
 * reads it no more.
 */
static void add_launcher (struct profile *p, struct program_words *words)
{
    bool with_mpi = false;
    _cleanup_free_ char *path = profile_key (p, "with_mpi");

    key_bool (&p->resources, "with_mpi", &with_mpi, NULL);
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
}

static void remark_words (struct profile *p, const struct program_words *words)
{
    const char *key = p->source->command_key;

    for (size_t i = 0; i < json_count (words->setup); i++) {
        const struct json *argv = json_at (words->setup, i);

        for (size_t k = 0; k < json_count (argv); k++)
            profile_remark_word (p, json_as_string (json_at (argv, k)),
                                 "setup of the profile", key);
    }
    for (size_t i = 0; i < words->launcher.n; i++)
        profile_remark_word (p, words->launcher.v[i], "launcher of the profile",
                             key);
    for (size_t i = 0; i < words->program.n; i++)
        profile_remark_word (p, words->program.v[i], "the stage's program",
                             key);
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

/* DP-GEN's job has the cores it asks for, an element has a node. */
static void remark_nodes (struct profile *p, const struct stage_machine *stage)
{
    int64_t cores = profile_count (p, "cpu_per_node task_per_node", 0);

    if (cores < 1 || strcmp (p->scheduler, "local") == 0
        || strcmp (stage->profile, p->source->profile) != 0
        || json_get_int (stage->task, "nodes") > 1)
        return;
    draft_remark (p->draft,
                  "site.yaml: jobs of the profile '%s' have whole nodes, where "
                  "DP-GEN's ask for %lld core%s; where nodes are shared write "
                  "`node: {cores: %lld}` into it",
                  stage->profile, (long long)cores, cores == 1 ? "" : "s",
                  (long long)cores);
}

void machine_add_profile (struct draft *draft,
                          const struct machine_source *source,
                          struct stage_machine *out)
{
    char *machine = xasprintf ("%smachine.", source->prefix);
    char *resources = xasprintf ("%sresources.", source->prefix);
    struct profile p = { .draft = draft,
                         .source = source,
                         .machine = { .v = source->machine,
                                      .prefix = machine,
                                      .table = machine_machine_keys,
                                      .report = &draft->report },
                         .resources = { .v = source->resources,
                                        .prefix = resources,
                                        .table = machine_resources_keys,
                                        .report = &draft->report },
                         .keys = json_object (),
                         .setup = json_array (),
                         .env = json_object () };
    struct program_words words;
    const char *none_such = NULL;

    batch_flags_init (&p.flags);
    p.scheduler = scheduler_of (&p, &none_such);
    remark_host (draft, source);
    profile_read_resources (&p);
    read_command (&p, &words);
    add_launcher (&p, &words);
    remark_words (&p, &words);
    out->task = task_of (&p, &words);
    say_ranks (&p, &words, out->task);
    write_keys (&p, &words, out->task);
    out->program = argv_of (&words);
    out->profile = keep_profile (draft, source->profile, p.keys);
    if (none_such && strcmp (out->profile, source->profile) == 0)
        draft_remark (draft,
                      "site.yaml: the scheduler '%s' is not one of Fanfold's "
                      "(slurm, pbs, torque, local, allocation); the profile "
                      "'%s' is local until you change it",
                      none_such, out->profile);
    remark_nodes (&p, out);
    settings_tell (&p.machine);
    settings_tell (&p.resources);
    free (machine);
    free (resources);
    program_words_release (&words);
    batch_flags_release (&p.flags);
    json_unref (p.keys);
    json_unref (p.setup);
    json_unref (p.env);
}
