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

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/task_record.h"
#include "space/layout.h"

struct output {
    char *path;         /* NULL: it printed nothing that was kept */
    uint64_t at, bytes; /* UINT64_MAX: up to the end of the file */
};

/* Where the log that has the task's start says it is. */
static void find_output (const struct task_record *record, int task,
                         struct output *output)
{
    char *work;

    *output = (struct output){ NULL, 0, UINT64_MAX };
    if (!record->start)
        return;
    if (record->printed) {
        *output =
            (struct output){ xasprintf ("%s/" LAYOUT_OUTPUT, record->chunk,
                                        record->element, record->n),
                             record->at, record->bytes };
        return;
    }
    work = xasprintf ("%s/" LAYOUT_WORK, record->chunk, record->element,
                      record->n);
    output->path = xasprintf ("%s/%06d.log", work, task);
    if (!file_exists (output->path) && !record->ended) {
        free (output->path);
        output->path = xasprintf ("%s/" LAYOUT_SLOT_LOG, work,
                                  (int)json_get_int (record->start, "slot"));
    }
    free (work);
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
    struct task_record record = TASK_RECORD_INIT;
    struct output output = { NULL, 0, 0 };
    struct error err = ERROR_INIT;
    struct stage_place place;
    const struct stage *stage;
    int rc, task = 0;
    enum exit_status status =
        campaign_find_stage (invocation, campaign, &stage, &place, &task);

    if (status != STATUS_DONE)
        return status;
    rc = task_record_find (campaign->engine.dir, &place, task, &record, &err);
    if (rc == 0)
        find_output (&record, task, &output);
    if (rc < 0)
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
    task_record_release (&record);
    free (output.path);
    return status;
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
    { "path", NULL, "print the path of the file it is in instead" },
    { 0 },
};

const struct command log_command = {
    .name = "log",
    .arguments = "STAGE [TASK]",
    .summary = "print a task's output (of its newest try)",
    .min_args = 1,
    .max_args = 2,
    .options = options,
    .run_in = show_log,
};
