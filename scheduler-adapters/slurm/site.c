/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - what `scontrol show`, sinfo and sacctmgr tell of a site
 *
 * Sources: slurm.conf(5), and what 22.05 was seen to do.
 */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/arena.h"
#include "base/units.h"
#include "reply_text.h"
#include "site_description.h"
#include "slurm/slurm.h"

/* --- times --- */

double slurm_read_minutes (const char *text)
{
    char *end;
    double s;

    if (strcmp (text, "UNLIMITED") == 0 || strcmp (text, "INFINITE") == 0
        || strcmp (text, "NONE") == 0)
        return 0;
    s = (double)strtol (text, &end, 10) * 60;
    if (end > text && *end == '\0')
        return s > 0 ? s : -1;
    return parse_duration (text, &s) == 0 ? s : -1;
}

int slurm_read_time_left (const char *text, size_t len, void *left_s,
                          struct error *err)
{
    char word[32] = "";
    double s;

    (void)len;
    if (sscanf (text, "%31s", word) == 1
        && (strcmp (word, "UNLIMITED") == 0 || strcmp (word, "NOT_SET") == 0))
        s = INFINITY;
    else if (strcmp (word, "INVALID") == 0) /* the limit is over */
        s = 0;
    else if (parse_duration (word, &s) < 0)
        return error_set (
            err, "squeue does not tell the time left but '%.100s'", text);
    *(double *)left_s = s;
    return 0;
}

/* --- config --- */

static const char suspended[] = "preempted jobs are suspended";
static const char not_preempted[] =
    "use a partition or a `qos` that is not preempted, or state generous "
    "walltimes: time goes on for a suspended task";

static const struct site_verdict verdicts[] = {
    { "requeue", "JobRequeue", "", GRADE_GOOD, NULL,
      "does not matter: jobs ask for --no-requeue, and what a node took with "
      "it is submitted again" },
    { "preemption", "PreemptMode", "SUSPEND", GRADE_WARNING, not_preempted,
      suspended },
    { "preemption", "PreemptMode", "GANG", GRADE_WARNING, not_preempted,
      suspended },
    { "preemption", "PreemptType", "none", GRADE_GOOD, NULL, NULL },
    { "preemption", "PreemptMode", "", GRADE_GOOD, NULL,
      "preempted elements are tried again" },
    { "processes", "ProctrackType", "cgroup", GRADE_GOOD, NULL,
      "what a job started ends with it" },
    { "processes", "ProctrackType", "", GRADE_WARNING,
      "nothing, unless agents are killed often: they find and end what their "
      "tasks leave behind",
      "what leaves a job's process group outlives it" },
    { "srun", "KillOnBadExit", "0", GRADE_GOOD,
      "where `launcher` is srun and ranks wait for each other for ever, add "
      "--kill-on-bad-exit=1 to it",
      "a rank that fails does not end its srun" },
    { "nodes", "SelectType", "linear", GRADE_GOOD,
      "let `node:` of the profile be the whole node",
      "every job gets whole nodes, so do elements that ask for a part" },
    { NULL, NULL, NULL, GRADE_GOOD, NULL, NULL },
};

static bool has_word (const char *list, const char *word)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    bool found;

    strvec_split (&words, list, ", \t");
    found = strvec_contains (&words, word);
    return found;
}

static bool setting_has (const char *settings, const char *key,
                         const char *word)
{
    const char *value = reply_value (settings, key);

    return value && strstr (value, word);
}

static void judge_memory (struct site_description *site, const char *settings)
{
    if (setting_has (settings, "TaskPlugin", "cgroup")
        && reply_says (settings, "ConstrainRAMSpace", "yes"))
        findings_add (&site->remarks, GRADE_GOOD, "memory", NULL,
                      "kept by cgroups (ConstrainRAMSpace)");
    else if (setting_has (settings, "JobAcctGatherParams", "OverMemoryKill"))
        findings_add (&site->remarks, GRADE_GOOD, "memory", NULL,
                      "looked at now and then (OverMemoryKill): a task that "
                      "grows quickly is late to be killed");
    else
        findings_add (&site->remarks, GRADE_WARNING, "memory",
                      "let elements fill nodes (`node:` of the profile), so "
                      "that no task harms one of another job",
                      "nothing keeps jobs to the memory they ask for");
}

/* max_array_tasks=N among SchedulerParameters. */
static int64_t max_tasks (const char *settings)
{
    static const char key[] = "max_array_tasks=";
    const char *value = reply_value (settings, "SchedulerParameters");
    const char *found = value ? strstr (value, key) : NULL;

    return found ? reply_count (found + strlen (key)) : 0;
}

static void take_config (struct site_description *site, const char *settings)
{
    const char *version = reply_value (settings, "SLURM_VERSION");
    const char *enforce = reply_value (settings, "AccountingStorageEnforce");
    int64_t most = reply_count (reply_value (settings, "MaxArraySize"));
    int64_t tasks = max_tasks (settings);

    if (version)
        site->version = arena_strdup (site->arena, version);
    /* MaxArraySize bounds the index, and ours begin at 0. */
    site->no_arrays = most == 0;
    site->elements = tighter_limit (most, tasks);
    site->elements_setting =
        tasks > 0 ? "MaxArraySize, max_array_tasks" : "MaxArraySize";
    site->jobs = reply_count (reply_value (settings, "MaxJobCount"));
    site->jobs_setting = "MaxJobCount";
    site->shown_s = (double)reply_count (reply_value (settings, "MinJobAge"));
    site->shown_setting = "MinJobAge";
    site->accounting =
        setting_has (settings, "AccountingStorageType", "slurmdbd");
    site->wants_account =
        site->accounting && enforce
        && (has_word (enforce, "limits") || has_word (enforce, "safe")
            || has_word (enforce, "qos") || has_word (enforce, "all"));
    if (!site->accounting)
        findings_add (&site->remarks, GRADE_GOOD, "accounting",
                      "nothing: what agents log is what counts",
                      "there is none (AccountingStorageType): of an element "
                      "that Slurm has forgotten only its own log tells");
    judge_memory (site, settings);
    site_judge_settings (site, settings, verdicts);
}

/* "KEY      = value" of a line; others are headings. */
static void add_setting (const char *line, struct strbuf *settings)
{
    const char *equals = strstr (line, " =");

    if (!equals)
        return;
    equals += 2;
    strbuf_addf (settings, "%.*s = %s", (int)strcspn (line, " "), line,
                 equals + strspn (equals, " "));
    strbuf_add_char (settings, '\0');
}

int slurm_read_config (const char *text, size_t len, void *site,
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf settings = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    int rc = 0;

    (void)len;
    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n; i++)
        add_setting (lines.v[i], &settings);
    strbuf_add_char (&settings, '\0');
    if (reply_value (settings.buf, "MaxArraySize"))
        take_config (site, settings.buf);
    else
        rc = error_set (err, "scontrol show config tells no MaxArraySize");
    return rc;
}

/* --- partitions --- */

/* NULL where all are. */
static const char *allowed (const char *settings, const char *key,
                            struct arena *arena)
{
    const char *value = reply_value (settings, key);

    return value && strcmp (value, "ALL") != 0 ? arena_strdup (arena, value)
                                               : NULL;
}

static double read_time (const char *settings, const char *key)
{
    const char *value = reply_value (settings, key);

    return value ? fmax (slurm_read_minutes (value), 0) : 0;
}

static void take_partition (struct site_description *site, const char *name,
                            const char *settings)
{
    struct site_queue *queue = site_add_queue (site, name);
    const char *state = reply_value (settings, "State");
    const char *qos = reply_value (settings, "QoS");

    queue->is_default = reply_says (settings, "Default", "YES");
    if (state && strcmp (state, "UP") != 0) {
        queue->state =
            strcmp (state, "DOWN") == 0 ? QUEUE_WAITS : QUEUE_REFUSES;
        queue->state_words = arena_strdup (site->arena, state);
    }
    queue->accounts = allowed (settings, "AllowAccounts", site->arena);
    queue->qos = allowed (settings, "AllowQos", site->arena);
    if (qos && strcmp (qos, "N/A") != 0)
        queue->own_qos = arena_strdup (site->arena, qos);
    queue->walltime_s = read_time (settings, "MaxTime");
    queue->default_walltime_s = read_time (settings, "DefaultTime");
}

/* "KEY=value KEY=value" */
static void read_partition (const char *line, struct site_description *site)
{
    _cleanup_ (strbuf_release) struct strbuf settings = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    const char *name;

    strvec_split (&words, line, " ");
    for (size_t i = 0; i < words.n; i++) {
        int n = (int)strcspn (words.v[i], "=");

        strbuf_addf (&settings, "%.*s = %s", n, words.v[i],
                     words.v[i][n] ? words.v[i] + n + 1 : "");
        strbuf_add_char (&settings, '\0');
    }
    strbuf_add_char (&settings, '\0');
    name = reply_value (settings.buf, "PartitionName");
    if (name)
        take_partition (site, name, settings.buf);
}

int slurm_read_partitions (const char *text, size_t len, void *site,
                           struct error *err)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

    (void)len;
    (void)err;
    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n; i++)
        read_partition (lines.v[i], site);
    return 0;
}

/* --- nodes --- */

/* A state may carry a sign: "idle*" does not respond, "idle$" is reserved for
 * maintenance, "idle~" is powered off until it is needed.
 */
static bool is_usable (const char *state)
{
    static const char *const words[] = { "idle",       "mixed",    "allocated",
                                         "completing", "reserved", "planned" };
    size_t len = strcspn (state, "*~#!%$@^-+");

    if (strchr (state, '*') || strchr (state, '$'))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (strlen (words[i]) == len && strncmp (state, words[i], len) == 0)
            return true;
    }
    return false;
}

/* "gpu:a100:4(S:0-1),fs:1" without what is in brackets; "(null)": nothing. */
static char *list_things (const char *gres, struct arena *arena)
{
    _cleanup_ (strbuf_release) struct strbuf things = STRBUF_INIT;
    int depth = 0;
    char *list;

    for (; *gres; gres++) {
        depth += *gres == '(';
        if (depth == 0)
            strbuf_add_char (&things, *gres);
        depth -= *gres == ')' && depth > 0;
    }
    list = arena_strdup (arena, things.buf);
    return list;
}

/* Lines that have not all columns are passed over; a count "4+" of nodes that
 * are not alike after all is at least 4.
 */
int slurm_read_nodes (const char *text, size_t len, void *arg,
                      struct error *err)
{
    enum { PARTITION, NODES, CPUS, MEMORY_MIB, STATE, GRES, COLUMNS };
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    struct site_description *site = arg;
    char *column[COLUMNS];

    (void)len;
    (void)err;
    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        struct site_nodes *nodes;

        if (reply_cut (lines.v[i], column, COLUMNS) < 0)
            continue;
        nodes = site_add_nodes (site, reply_count (column[NODES]));
        nodes->queue = arena_strdup (site->arena, column[PARTITION]);
        nodes->cores = reply_count (column[CPUS]);
        nodes->memory_bytes = reply_count (column[MEMORY_MIB]);
        nodes->memory_bytes = nodes->memory_bytes > INT64_MAX >> 20
                                  ? 0
                                  : nodes->memory_bytes << 20;
        nodes->usable = is_usable (column[STATE]);
        nodes->things = list_things (column[GRES], site->arena);
    }
    return 0;
}

/* --- asking --- */

/* Where accounting is, does it answer? */
static bool try_accounting (struct client *client,
                            struct site_description *site)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error why = ERROR_INIT;
    bool answers = client_ask (client,
                               LIST ("sacct", "--noheader", "--allocations",
                                     "--starttime=now"),
                               0, client_keep, &text, &why)
                   == ANSWER_OK;

    if (answers)
        findings_add (&site->remarks, GRADE_GOOD, "accounting", NULL,
                      "sacct answers");
    else
        findings_add (&site->remarks, GRADE_WARNING, "accounting",
                      "nothing, if it comes back: what agents log is what "
                      "counts",
                      "it does not answer now: %s", why.text);
    return answers;
}

/* Where the data base is down, sbatch will tell of a limit that is reached. */
static void ask_accounts (struct client *client, struct site_description *site)
{
    const struct scheduler *scheduler = client->scheduler;
    const struct site_queue *queue = site_find_queue (site, scheduler->queue);
    _cleanup_ (strbuf_release) struct strbuf associations = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf qos = STRBUF_INIT;
    _cleanup_free_ char *who = xasprintf ("user=%s", site->user);

    if (*site->user)
        client_ask (client,
                    LIST ("sacctmgr", "--noheader", "--parsable2", "--readonly",
                          "show", "associations", SLURM_ASSOCIATION_FORMAT,
                          "where", who),
                    0, client_keep, &associations, NULL);
    client_ask (client,
                LIST ("sacctmgr", "--noheader", "--parsable2", "--readonly",
                      "show", "qos", SLURM_QOS_FORMAT),
                0, client_keep, &qos, NULL);
    slurm_add_accounts (associations.buf, site);
    site->submit = slurm_submit_limit (associations.buf, qos.buf, scheduler,
                                       queue ? queue->own_qos : NULL);
}

/* A wrong partition is for sbatch to refuse, in the site's own words. */
enum answer slurm_query_site (struct client *client, bool detailed,
                              struct site_description *site, struct error *err)
{
    enum answer answer =
        client_ask (client, LIST ("scontrol", "show", "config"), 0,
                    slurm_read_config, site, err);

    if (answer == ANSWER_OK)
        answer = client_ask (
            client, LIST ("scontrol", "--oneliner", "show", "partition"), 0,
            slurm_read_partitions, site, err);
    if (answer == ANSWER_OK)
        answer = client_ask (client,
                             LIST ("sinfo", "--noheader", "--all", "--exact",
                                   "--format=" SLURM_SINFO_FORMAT),
                             0, slurm_read_nodes, site, err);
    if (answer == ANSWER_OK && detailed && site->accounting)
        site->wants_account =
            try_accounting (client, site) && site->wants_account;
    if (answer == ANSWER_OK && site->wants_account)
        ask_accounts (client, site);
    return answer;
}
