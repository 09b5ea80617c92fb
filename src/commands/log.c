/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - a task's output */
#include "config.h"

#include <stdio.h>

#include "base/error.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/printed.h"
#include "space/layout.h"

static enum exit_status print_part (const struct printed *printed)
{
    char block[1 << 16];
    uint64_t left = printed->bytes;
    FILE *from = fopen (printed->path, "r");
    size_t n = 1;

    if (!from || fseeko (from, (off_t)printed->at, SEEK_SET) < 0) {
        if (from)
            fclose (from);
        return complain (STATUS_FAILED, "cannot read %s", printed->path);
    }
    while (left > 0 && n > 0) {
        n = fread (block, 1, left < sizeof (block) ? left : sizeof (block),
                   from);
        fwrite (block, 1, n, stdout);
        left -= n;
    }
    fclose (from);
    if (left > 0 && printed->bytes < UINT64_MAX)
        return complain (STATUS_FAILED, "%s: its end was lost", printed->path);
    return STATUS_DONE;
}

static enum exit_status print_log (struct campaign *campaign,
                                   const struct stage *stage,
                                   int iteration,
                                   int task,
                                   bool only_path)
{
    struct stage_place place = { stage->name, stage->op->code, iteration };
    struct printed printed;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;

    if (printed_find (campaign->plan->dir, &place, task, &printed, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else if (!printed.path)
        status = complain (STATUS_FAILED,
                           "task %d of stage '%s' in iteration %d has no log "
                           "yet",
                           task, stage->name, iteration);
    else if (only_path)
        puts (printed.path);
    else
        status = print_part (&printed);
    printed_release (&printed);
    return status;
}

static enum exit_status show_log (const struct invocation *invocation)
{
    struct campaign campaign;
    enum exit_status status = campaign_open (invocation, &campaign);
    int stage;
    int iteration = 0;
    int task = 0;

    if (status != STATUS_DONE)
        return status;
    stage = campaign_stage (campaign.plan, invocation->args[0]);
    if (invocation->n_args > 1)
        task = parse_number ("TASK", invocation->args[1]);
    if (stage < 0 || task < 0)
        status = STATUS_USAGE;
    else
        status = campaign_iteration (&campaign, invocation, &iteration);
    if (status == STATUS_DONE)
        status =
            print_log (&campaign, &campaign.plan->stages[stage], iteration,
                       task, invocation_option (invocation, "path") != NULL);
    campaign_close (&campaign);
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
    .run = show_log,
};
