/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.c - what a site allows: asked once, then remembered */
#include "config.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "slurm/limits.h"

/* How old what is remembered may be. */
#define FRESH_S 600.0

/* --- the cache --- */

static uint64_t hash_word (uint64_t hash, const char *word)
{
    return hash_string (hash, word ? word : "");
}

/* A file for each cluster, partition and account; NULL without a directory. */
static char *cache_path (const struct scheduler *scheduler)
{
    uint64_t hash = hash_word (0, getenv ("SLURM_CONF"));

    if (!scheduler->cache_dir)
        return NULL;
    hash = hash_word (hash_word (hash, scheduler->queue), scheduler->account);
    return xasprintf ("%s/slurm-%016" PRIx64 ".json", scheduler->cache_dir,
                      hash);
}

static bool read_cache (const struct scheduler *scheduler,
                        struct slurm_site *site)
{
    char *path = cache_path (scheduler);
    struct json *v = path ? json_read_file (path, NULL) : NULL;
    double age_s = clock_wall_s () - json_as_double (json_get (v, "read_s"));
    bool fresh = v && json_as_int (json_get (v, "format")) == 1 && age_s >= 0
                 && age_s < FRESH_S
                 && slurm_site_from_json (json_get (v, "site"), site);

    json_unref (v);
    free (path);
    return fresh;
}

/* It only saves time: failing is no matter. */
static void write_cache (const struct scheduler *scheduler,
                         const struct slurm_site *site)
{
    char *path = cache_path (scheduler);
    struct json *v;

    if (!path)
        return;
    v = json_object ();
    json_set (v, "format", json_int (1));
    json_set (v, "read_s", json_real (clock_wall_s ()));
    json_set (v, "site", slurm_site_to_json (site));
    if (file_make_dirs (scheduler->cache_dir, NULL) == 0)
        json_write_file (path, v, NULL);
    json_unref (v);
    free (path);
}

/* --- asking --- */

static enum answer ask_config (const struct slurm_client *client,
                               struct slurm_site *site,
                               struct error *err)
{
    static const char *const argv[] = { "scontrol", "show", "config", NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum slurm_trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run (client, argv, &result, &trouble, err)) {
        answer = slurm_answer (trouble);
    } else if (!slurm_read_config (result.out.buf, site)) {
        error_set (err, "scontrol show config tells no MaxArraySize");
        answer = ANSWER_TRY_LATER;
    }
    process_result_release (&result);
    return answer;
}

/* A wrong name is for sbatch to refuse, in the site's own words. */
static enum answer ask_partition (const struct slurm_client *client,
                                  struct slurm_site *site,
                                  struct error *err)
{
    static const char *const argv[] = { "scontrol", "--oneliner", "show",
                                        "partition", NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    enum slurm_trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run (client, argv, &result, &trouble, err))
        answer = slurm_answer (trouble);
    else
        slurm_read_partition (result.out.buf, client->scheduler->queue, site);
    process_result_release (&result);
    return answer;
}

/* Where the data base is down, sbatch will tell of a limit that is reached. */
static void ask_associations (const struct slurm_client *client,
                              struct slurm_site *site)
{
    const struct passwd *user = getpwuid (getuid ());
    struct process_result result = PROCESS_RESULT_INIT;
    enum slurm_trouble trouble;
    char *where;
    const char *argv[] = {
        "sacctmgr",   "--noheader", "--parsable2",
        "--readonly", "show",       "associations",
        "where",      NULL,         "format=Account,Partition,MaxSubmitJobs",
        NULL
    };

    if (!site->accounting || !site->enforces_limits || !user)
        return;
    where = xasprintf ("user=%s", user->pw_name);
    argv[7] = where;
    if (slurm_run (client, argv, &result, &trouble, NULL))
        slurm_read_associations (result.out.buf, client->scheduler->account,
                                 client->scheduler->queue, site);
    process_result_release (&result);
    free (where);
}

enum answer slurm_site (const struct slurm_client *client,
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
    ask_associations (client, &asked);
    write_cache (client->scheduler, &asked);
    *site = asked;
    return ANSWER_OK;
}

static int64_t tighter (int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

enum answer slurm_limits (const struct scheduler *scheduler,
                          struct scheduler_limits *limits,
                          struct error *err)
{
    struct slurm_client client = slurm_client (scheduler);
    struct slurm_site site;
    enum answer answer = slurm_site (&client, &site, err);

    if (answer != ANSWER_OK)
        return answer;
    /* MaxArraySize bounds the index, and ours begin at 0. */
    *limits = (struct scheduler_limits){
        .elements = tighter (site.max_array, site.max_tasks),
        .submit = tighter (site.submit, site.max_jobs),
        .walltime_s = site.walltime_s,
    };
    return ANSWER_OK;
}
