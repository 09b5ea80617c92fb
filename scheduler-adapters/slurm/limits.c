/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.c - what a site allows: asked once, then remembered */
#include "config.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "arrays/packing.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "site_cache.h"
#include "slurm/limits.h"
#include "slurm/nodes.h"
#include "slurm/submit_limits.h"

static bool read_cache (const struct scheduler *scheduler,
                        struct slurm_site *site)
{
    struct json *v = site_cache_get (scheduler, "slurm", getenv ("SLURM_CONF"));
    bool found = v && slurm_site_from_json (v, site);

    json_unref (v);
    return found;
}

/* --- asking --- */

static enum answer ask_config (const struct client *client,
                               struct slurm_site *site,
                               struct error *err)
{
    static const char *const argv[] = { "scontrol", "show", "config", NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run (client, argv, &result, &trouble, err)) {
        answer = trouble_answer (trouble);
    } else if (!slurm_read_config (result.out.buf, site)) {
        error_set (err, "scontrol show config tells no MaxArraySize");
        answer = ANSWER_TRY_LATER;
    }
    process_result_release (&result);
    return answer;
}

/* What its nodes have, for profiles that do not say. */
static enum answer ask_nodes (const struct client *client,
                              const char *partition,
                              struct slurm_site *site,
                              struct error *err)
{
    static const char *const argv[] = { "sinfo",
                                        "--noheader",
                                        "--all",
                                        "--exact",
                                        "--format=" SLURM_SINFO_FORMAT,
                                        NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    struct slurm_node node = { 0 };
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run (client, argv, &result, &trouble, err))
        answer = trouble_answer (trouble);
    else if (slurm_common_node (result.out.buf, partition, &node)) {
        site->node_cpus = node.cpus;
        site->node_memory_mib = node.memory_mib;
        site->node_gpus = node.gpus;
    }
    process_result_release (&result);
    return answer;
}

/* A wrong name is for sbatch to refuse, in the site's own words. */
static enum answer ask_partition (const struct client *client,
                                  struct slurm_site *site,
                                  struct error *err)
{
    static const char *const argv[] = { "scontrol", "--oneliner", "show",
                                        "partition", NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;
    char *line = NULL;
    char *name = NULL;

    if (!slurm_run (client, argv, &result, &trouble, err)) {
        answer = trouble_answer (trouble);
        goto done;
    }
    slurm_read_partition (result.out.buf, client->scheduler->queue, site);
    line = slurm_find_partition (result.out.buf, client->scheduler->queue);
    name = line ? slurm_record_value (line, "PartitionName") : NULL;
    if (name)
        answer = ask_nodes (client, name, site, err);
done:
    free (name);
    free (line);
    process_result_release (&result);
    return answer;
}

/* A table of sacctmgr's; "" where the data base does not answer. */
static void ask_table (const struct client *client,
                       const char *what,
                       const char *where,
                       const char *format,
                       struct strbuf *table)
{
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    const char *argv[] = { "sacctmgr",   "--noheader", "--parsable2",
                           "--readonly", "show",       what,
                           format,       NULL,         NULL,
                           NULL };

    if (where) {
        argv[7] = "where";
        argv[8] = where;
    }
    if (slurm_run (client, argv, &result, &trouble, NULL))
        strbuf_add_str (table, result.out.buf);
    process_result_release (&result);
}

void slurm_ask_associations (const struct client *client, struct strbuf *table)
{
    const struct passwd *user = getpwuid (getuid ());
    char *where = xasprintf ("user=%s", user ? user->pw_name : "");

    if (user)
        ask_table (client, "associations", where, SLURM_ASSOCIATION_FORMAT,
                   table);
    free (where);
}

/* Where the data base is down, sbatch will tell of a limit that is reached. */
static void ask_submit_limits (const struct client *client,
                               struct slurm_site *site)
{
    const struct scheduler *scheduler = client->scheduler;
    struct strbuf associations = STRBUF_INIT;
    struct strbuf qos = STRBUF_INIT;

    slurm_ask_associations (client, &associations);
    ask_table (client, "qos", NULL, SLURM_QOS_FORMAT, &qos);
    site->submit = slurm_submit_limit (
        associations.buf, qos.buf,
        &(struct slurm_claim){
            scheduler->account, scheduler->queue, scheduler->qos,
            *site->partition_qos ? site->partition_qos : NULL });
    strbuf_release (&qos);
    strbuf_release (&associations);
}

enum answer slurm_site (const struct client *client,
                        struct slurm_site *site,
                        struct error *err)
{
    struct slurm_site asked = { 0 };
    enum answer answer;

    if (read_cache (client->scheduler, site))
        return ANSWER_OK;
    if ((answer = ask_config (client, &asked, err)) != ANSWER_OK
        || (answer = ask_partition (client, &asked, err)) != ANSWER_OK)
        return answer;
    if (asked.accounting && asked.enforces_limits)
        ask_submit_limits (client, &asked);
    site_cache_put (client->scheduler, "slurm", getenv ("SLURM_CONF"),
                    slurm_site_to_json (&asked));
    *site = asked;
    return ANSWER_OK;
}

enum answer slurm_limits (const struct scheduler *scheduler,
                          struct scheduler_limits *limits,
                          struct error *err)
{
    struct client client = slurm_client (scheduler);
    struct slurm_site site;
    enum answer answer = slurm_site (&client, &site, err);

    if (answer != ANSWER_OK)
        return answer;
    /* MaxArraySize bounds the index, and ours begin at 0. */
    *limits = (struct scheduler_limits){
        .elements = tighter_limit (site.max_array, site.max_tasks),
        .submit = tighter_limit (site.submit, site.max_jobs),
        .walltime_s = site.walltime_s,
        .node_cores = (int)site.node_cpus,
        .node_gpus = (int)site.node_gpus,
        .node_memory_bytes = site.node_memory_mib << 20,
    };
    return ANSWER_OK;
}
