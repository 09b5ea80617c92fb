/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - what a task printed
 *
 * Of a task that ended well: a part of output-<element>.<n>, as the result log
 * tells.  Of another one: a file of its own in work/<element>.<n>, which one
 * that runs shares with its slot.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/packing.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "handover/job_manifest.h"
#include "handover/result_log.h"
#include "space/layout.h"

struct output {
    char *path;         /* NULL: it printed nothing that was kept */
    uint64_t at, bytes; /* UINT64_MAX: up to the end of the file */
};

/* --- the result log of one claim --- */

/* What it says of the task. */
struct task_record {
    int task;
    int slot; /* -1: it was not started */
    bool ended;
    bool printed;
    uint64_t at, bytes; /* of what it printed */
};

static int take_event (const struct result_event *event, void *arg,
                       struct error *err)
{
    struct task_record *record = arg;

    (void)err;
    if (event->task != record->task)
        return 0;
    if (event->kind == RESULT_START)
        record->slot = event->slot;
    if (event->kind == RESULT_END || event->kind == RESULT_MACHINE_ERROR)
        record->ended = true;
    if (event->kind == RESULT_END && event->printed) {
        record->printed = true;
        record->at = event->printed_at;
        record->bytes = event->printed_bytes;
    }
    return 0;
}

/* Where the log of claim 'n' says it is; 1: found. */
static int find_in_log (const char *chunk, int64_t element, int64_t n, int task,
                        struct output *output, struct error *err)
{
    struct task_record record = { .task = task, .slot = -1 };
    char *path = xasprintf ("%s/" LAYOUT_RESULTS, chunk, element, n);
    char *work = xasprintf ("%s/" LAYOUT_WORK, chunk, element, n);
    struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    int rc = file_read (path, 1 << 30, &text, err);

    if (rc == 0)
        rc = result_log_scan (text.buf, text.len, path, take_event, &record,
                              &accepted, err);
    if (rc < 0 || record.slot < 0)
        goto done;
    rc = 1;
    *output = (struct output){ NULL, 0, UINT64_MAX };
    if (record.printed) {
        *output =
            (struct output){ xasprintf ("%s/" LAYOUT_OUTPUT, chunk, element, n),
                             record.at, record.bytes };
        goto done;
    }
    output->path = xasprintf ("%s/%06d.log", work, task);
    if (!file_exists (output->path) && !record.ended) {
        free (output->path);
        output->path = xasprintf ("%s/" LAYOUT_SLOT_LOG, work, record.slot);
    }
done:
    strbuf_release (&text);
    free (work);
    free (path);
    return rc;
}

/* --- elements, chunks and attempts, the newest first --- */

static int64_t newest_claim (const char *chunk, int64_t element)
{
    struct strvec names = STRVEC_INIT;
    int64_t newest = -1;

    file_list_dir (chunk, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        int64_t n;

        if (result_log_element (names.v[i], &n) == element && n > newest)
            newest = n;
    }
    strvec_release (&names);
    return newest;
}

static int find_in_chunk (const char *dir, int task, struct output *output,
                          struct error *err)
{
    char *path = path_join (dir, LAYOUT_JOB_MANIFEST);
    struct json *v = json_read_file (path, err);
    struct job_manifest job = { .elements = 0 };
    int64_t element = -1;
    int rc = v ? 0 : -1;

    if (v && (rc = job_manifest_from_json (v, &job, err)) < 0)
        error_prefix (err, "%s", path);
    if (rc == 0)
        element = packing_element_of (&job.tasks, job.elements, task);
    for (int64_t n = element < 0 ? -1 : newest_claim (dir, element);
         rc == 0 && n >= 0; n--)
        rc = find_in_log (dir, element, n, task, output, err);
    job_manifest_release (&job);
    json_unref (v);
    free (path);
    return rc;
}

/* Append the directories below 'dir' with numbers for names. */
static void list_numbered (const char *dir, struct strvec *paths)
{
    struct strvec names = STRVEC_INIT;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        if (names.v[i][strspn (names.v[i], "0123456789")] == '\0')
            strvec_pushf (paths, "%s/%s", dir, names.v[i]);
    }
    strvec_release (&names);
}

/* What the task printed in its newest try; the caller frees the path. */
static int find_output (const char *campaign_dir,
                        const struct stage_place *place, int task,
                        struct output *output, struct error *err)
{
    struct strvec attempts = STRVEC_INIT, chunks = STRVEC_INIT;
    struct strbuf run = STRBUF_INIT;
    char *dir;
    int rc = 0;

    layout_run_stage (place->stage, place->iteration, &run);
    dir = path_join (campaign_dir, run.buf);
    list_numbered (dir, &attempts);
    for (size_t i = 0; i < attempts.n; i++)
        list_numbered (attempts.v[i], &chunks);
    for (size_t i = chunks.n; rc == 0 && i-- > 0;)
        rc = find_in_chunk (chunks.v[i], task, output, err);
    strvec_release (&chunks);
    strvec_release (&attempts);
    strbuf_release (&run);
    free (dir);
    return rc < 0 ? -1 : 0;
}

/* --- the command --- */

static enum exit_status print_output (const struct output *output)
{
    char block[1 << 16];
    uint64_t left = output->bytes;
    FILE *from = fopen (output->path, "r");
    size_t n = 1;

    if (!from || fseeko (from, (off_t)output->at, SEEK_SET) < 0) {
        if (from)
            fclose (from);
        return complain (STATUS_FAILED, "cannot read %s", output->path);
    }
    while (left > 0 && n > 0) {
        n = fread (block, 1, left < sizeof (block) ? left : sizeof (block),
                   from);
        fwrite (block, 1, n, stdout);
        left -= n;
    }
    fclose (from);
    if (left > 0 && output->bytes < UINT64_MAX)
        return complain (STATUS_FAILED, "%s: its end was lost", output->path);
    return STATUS_DONE;
}

static enum exit_status show_log (const struct invocation *invocation,
                                  struct campaign *campaign)
{
    struct output output = { NULL, 0, 0 };
    struct error err = ERROR_INIT;
    struct stage_place place;
    const struct stage *stage;
    int task = 0;
    enum exit_status status =
        campaign_find_stage (invocation, campaign, &stage, &place, &task);

    if (status != STATUS_DONE)
        return status;
    if (find_output (campaign->engine.dir, &place, task, &output, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else if (!output.path)
        status = complain (STATUS_FAILED,
                           "task %d of stage '%s' in iteration %d has no log "
                           "yet",
                           task, place.stage, place.iteration);
    else if (invocation_option (invocation, "path"))
        puts (output.path);
    else
        status = print_output (&output);
    free (output.path);
    return status;
}

static const struct command_option options[] = {
    { "iteration", "N", "of this iteration (default: the current one)" },
    { "path", NULL, "print the path of the file it is in instead" },
    { 0 },
};

const struct command log_command = {
    .name = "log",
    .arguments = "STAGE [TASK]",
    .summary = "a task's output (of its newest try)",
    .min_args = 1,
    .max_args = 2,
    .options = options,
    .run_in = show_log,
};
