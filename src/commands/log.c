/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - a task's output */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "space/layout.h"

/* The log written to last, of all attempts; NULL when there is none.  Caller
 * frees.
 */
static char *newest_log (const char *dir)
{
    struct strvec names = STRVEC_INIT;
    struct timespec newest = { 0 };
    char *found = NULL;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        char *path = path_join (dir, names.v[i]);
        struct stat st;

        if (stat (path, &st) == 0
            && (!found || st.st_mtim.tv_sec > newest.tv_sec
                || (st.st_mtim.tv_sec == newest.tv_sec
                    && st.st_mtim.tv_nsec > newest.tv_nsec))) {
            newest = st.st_mtim;
            free (found);
            found = path;
        } else {
            free (path);
        }
    }
    strvec_release (&names);
    return found;
}

static enum exit_status print_file (const char *path)
{
    char block[1 << 16];
    FILE *from = fopen (path, "r");
    size_t n;

    if (!from)
        return complain (STATUS_FAILED, "cannot read %s", path);
    while ((n = fread (block, 1, sizeof (block), from)) > 0)
        fwrite (block, 1, n, stdout);
    fclose (from);
    return STATUS_DONE;
}

static enum exit_status print_log (struct campaign *campaign,
                                   const struct stage *stage,
                                   int iteration,
                                   int task,
                                   bool only_path)
{
    struct stage_place place = { stage->name, stage->op->code, iteration };
    struct strbuf relative = STRBUF_INIT;
    enum exit_status status = STATUS_DONE;
    char *dir;
    char *path;

    layout_task_log_dir (&place, task, &relative);
    dir = engine_path (&campaign->engine, &relative);
    path = newest_log (dir);
    if (!path)
        status = complain (STATUS_FAILED,
                           "task %d of stage '%s' in iteration %d has no log "
                           "yet",
                           task, stage->name, iteration);
    else if (only_path)
        puts (path);
    else
        status = print_file (path);
    free (path);
    free (dir);
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
    { "path", NULL, "print the file's path instead" },
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
