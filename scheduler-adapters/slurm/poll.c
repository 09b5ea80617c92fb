/* SPDX-License-Identifier: BSD-3-Clause */
/* poll.c - ask how submissions stand */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "slurm/client.h"
#include "slurm/limits.h"
#include "slurm/memory.h"
#include "slurm/poll.h"
#include "slurm/rows.h"
#include "slurm/view.h"

/* "--jobs=12,13"; NULL when no job has a number. */
static char *list_jobs (const struct slurm_view *view)
{
    struct strbuf list = STRBUF_INIT;

    strbuf_add_str (&list, "--jobs=");
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].id > 0)
            strbuf_addf (&list, "%lld,", (long long)view->jobs[i].id);
    }
    if (list.buf[list.len - 1] == '=') {
        strbuf_release (&list);
        return NULL;
    }
    strbuf_truncate (&list, list.len - 1);
    return strbuf_detach (&list);
}

/* All states and all partitions, one line to an element.  The user's own jobs
 * are a much smaller question than everybody's.
 */
static enum answer ask_squeue (const struct client *client,
                               const char *jobs,
                               struct slurm_view *view,
                               struct error *err)
{
    char *user = xasprintf ("--user=%ld", (long)getuid ());
    const char *argv[] = {
        "squeue",  "--noheader",   "--all",
        "--local", "--states=all", "--array",
        user,      jobs,           "--format=" SLURM_SQUEUE_FORMAT,
        NULL
    };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!slurm_run (client, argv, &result, &trouble, err)) {
        /* Of one unknown job squeue says so; of several, nothing. */
        if (trouble != TROUBLE_UNKNOWN_JOB)
            answer =
                trouble == TROUBLE_BROKEN ? ANSWER_BROKEN : ANSWER_TRY_LATER;
    } else if (slurm_view_squeue (view, result.out.buf, result.out.len, err)
               < 0) {
        answer = ANSWER_TRY_LATER;
    }
    process_result_release (&result);
    free (user);
    return answer;
}

/* Accounting that is down has no word: that is no error. */
static void ask_sacct (const struct client *client,
                       const char *jobs,
                       struct slurm_view *view)
{
    const char *const argv[] = {
        "sacct",       "--noheader", "--allocations",
        "--parsable2", jobs,         "--format=" SLURM_SACCT_FORMAT,
        NULL
    };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;

    if (slurm_run (client, argv, &result, &trouble, NULL))
        slurm_view_sacct (view, result.out.buf, result.out.len, NULL);
    process_result_release (&result);
}

/* --- what is remembered between two polls --- */

static const char memory_file[] = "slurm-elements.json";

/* {ID: {...}}; NULL: nothing.  Caller unrefs. */
static struct json *read_memories (const struct scheduler *scheduler)
{
    const char *dir = scheduler->cache_dir;
    char *path = path_join (dir ? dir : "", memory_file);
    struct json *file =
        dir && file_exists (path) ? json_read_file (path, NULL) : NULL;
    struct json *memories = NULL;

    if (json_as_int (json_get (file, "format")) == 1)
        memories = json_ref (json_get (file, "jobs"));
    json_unref (file);
    free (path);
    return memories;
}

/* It only makes answers better: failing is no matter. */
static void write_memories (const struct scheduler *scheduler,
                            struct json *memories)
{
    char *path = path_join (scheduler->cache_dir, memory_file);
    struct json *file = json_object ();

    json_set (file, "format", json_int (1));
    json_set (file, "jobs", json_ref (memories));
    if (file_make_dirs (scheduler->cache_dir, NULL) == 0)
        json_write_file (path, file, NULL);
    json_unref (file);
    free (path);
}

static void recall (const struct json *memories,
                    struct slurm_view *view,
                    double min_job_age_s)
{
    for (size_t i = 0; i < view->n; i++) {
        struct slurm_memory memory = SLURM_MEMORY_INIT;
        char id[24];

        snprintf (id, sizeof (id), "%" PRId64, view->jobs[i].id);
        if (slurm_memory_from_json (json_get (memories, id), &memory))
            slurm_memory_recall (&memory, &view->jobs[i], clock_wall_s (),
                                 min_job_age_s);
        slurm_memory_release (&memory);
    }
}

static void remember (const struct scheduler *scheduler,
                      const struct json *before,
                      const struct slurm_view *view)
{
    struct json *memories = slurm_memories_keep (before, clock_wall_s ());

    for (size_t i = 0; i < view->n; i++) {
        struct slurm_memory memory = SLURM_MEMORY_INIT;
        char id[24];

        snprintf (id, sizeof (id), "%" PRId64, view->jobs[i].id);
        if (slurm_memory_note (&memory, &view->jobs[i], clock_wall_s ()))
            json_set (memories, id, slurm_memory_to_json (&memory));
        else
            json_delete (memories, id);
        slurm_memory_release (&memory);
    }
    if (!json_equal (memories, before))
        write_memories (scheduler, memories);
    json_unref (memories);
}

/* --- the whole --- */

/* What squeue has no word on. */
static void ask_further (const struct client *client,
                         const char *jobs,
                         const struct json *memories,
                         struct slurm_view *view)
{
    struct slurm_site site;

    if (slurm_site (client, &site, NULL) != ANSWER_OK)
        return;
    slurm_view_infer (view, clock_wall_s (), site.min_job_age_s);
    recall (memories, view, site.min_job_age_s);
    if (site.accounting && slurm_view_lacks (view))
        ask_sacct (client, jobs, view);
}

enum answer slurm_poll (const struct scheduler *scheduler,
                        struct job_status *jobs,
                        size_t n,
                        struct error *err)
{
    struct client client = slurm_client (scheduler);
    struct json *memories = read_memories (scheduler);
    struct slurm_view view;
    enum answer answer = ANSWER_OK;
    char *list;

    slurm_view_init (&view, jobs, n);
    list = list_jobs (&view);
    if (list)
        answer = ask_squeue (&client, list, &view, err);
    if (answer == ANSWER_OK && slurm_view_lacks (&view))
        ask_further (&client, list, memories, &view);
    if (answer == ANSWER_OK && scheduler->cache_dir)
        remember (scheduler, memories, &view);
    if (answer == ANSWER_OK)
        slurm_view_result (&view, jobs);
    free (list);
    slurm_view_release (&view);
    json_unref (memories);
    return answer;
}
