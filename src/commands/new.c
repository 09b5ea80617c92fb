/* SPDX-License-Identifier: BSD-3-Clause */
/* new.c - write a commented campaign from a template
 *
 * The template runs as it is, with nothing but a shell: the reader changes a
 * working campaign instead of completing a broken one.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "commands/command.h"

/* clang-format off */
static const char new_campaign_head[] =
    "# A Fanfold campaign: science here, machines in site.yaml.\n"
    "# Every key is explained in fanfold-campaign(5); `fanfold check` tells what is\n"
    "# wrong, `fanfold plan` what would run, `fanfold run` runs it.\n"
    "format: 1\n"
    "campaign: ";

static const char new_campaign_body[] =
    "\n"
    "elements: [Si]       # the type map, in this order everywhere\n"
    "seed: 1              # every random choice follows from it\n"
    "models: 4            # size of the committee; `from: models` is [0, 1, 2, 3]\n"
    "\n"
    "# A loop of two stages that needs nothing but a shell.  Put real ones in their\n"
    "# place: qe.label, lammps.explore, model_devi.select (fanfold-operators(7)),\n"
    "# and your own operators below.\n"
    "stages:\n"
    "  train:\n"
    "    uses: toy.train          # one task per model\n"
    "    success: 0.75            # go on when 3 of 4 are ok\n"
    "    task: {cores: 1, walltime: 5m}\n"
    "  judge:\n"
    "    uses: toy.judge          # one task over the results of all\n"
    "    with: {errors: train.error}\n"
    "\n"
    "# Stop when this held in so many iterations in a row, or at the limit.\n"
    "stop: {when: judge.mean_error < 0.3, consecutive: 1, iterations: 5}\n"
    "\n"
    "# What `fanfold status` lists for each iteration.\n"
    "history: {mean_error: judge.mean_error}\n"
    "\n"
    "operators:\n"
    "  toy.train:\n"
    "    fan_out: [model]         # one task for each item of these inputs\n"
    "    inputs:\n"
    "      model: {type: int, from: models, doc: number of the committee member}\n"
    "      round: {type: int, from: iteration}\n"
    "    outputs:\n"
    "      error: {type: float}\n"
    "    # One argv, or an ordered list of them; a shell only where you ask for one.\n"
    "    # Output parameters are returned as JSON in {outputs.params}.\n"
    "    command:\n"
    "      - [sh, -c, 'echo \"model $1, round $2\"', sh, \"{model}\", \"{round}\"]\n"
    "      - [sh, -c, 'echo \"{\\\"error\\\": 0.$((9 - 2 * $1 - $2 % 2))}\" > \"$3\"', sh, \"{round}\", \"{model}\", \"{outputs.params}\"]\n"
    "\n"
    "  toy.judge:\n"
    "    inputs:\n"
    "      errors: {type: float, list: true, doc: one for each model that is ok}\n"
    "    outputs:\n"
    "      mean_error: {type: float}\n"
    "    command: [awk, 'BEGIN { for (i = 2; i < ARGC; i++) s += ARGV[i]; printf(\"{\\\"mean_error\\\": %g}\", s / (ARGC - 2)) > ARGV[1] }', \"{outputs.params}\", \"{errors}\"]\n";

static const char new_site[] =
    "# Where and how work runs: fanfold-site(5).\n"
    "format: 1\n"
    "profiles:\n"
    "  here:\n"
    "    scheduler: local         # this machine; jobs outlive the command\n"
    "    # node: {cores: 8, memory: 16GiB}      measured when left out\n"
    "    # launcher: [mpirun, -n, \"{ranks}\"]    for tasks with ranks > 1\n";
/* clang-format on */

/* A campaign's name is the directory's, where that is fit to be one.  Caller
 * frees.
 */
static char *campaign_name (const char *dir)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    char *full = path_absolute (dir);
    const char *base = path_base (full);
    bool fit =
        *base && !strchr (".-_", *base) && base[strspn (base, legal)] == '\0';
    char *name = xstrdup (fit ? base : "campaign");

    free (full);
    return name;
}

static int write_new (const char *dir, const char *file, const char *text,
                      struct error *err)
{
    char *path = path_join (dir, file);
    int rc = file_create (path, text, strlen (text), err);

    if (rc > 0)
        rc = error_set (err,
                        "%s is there already; choose another directory "
                        "with -C",
                        path);
    free (path);
    return rc;
}

/* To be pasted into a shell. */
static void print_next (const char *dir)
{
    struct strbuf word = STRBUF_INIT;

    shell_quote (dir, &word);
    printf ("wrote campaign.yaml and site.yaml in %s\n"
            "next: fanfold -C %s check; fanfold -C %s run\n",
            dir, word.buf, word.buf);
    strbuf_release (&word);
}

static enum exit_status create (const struct invocation *invocation)
{
    const char *dir =
        invocation->n_args > 0 ? invocation->args[0] : invocation->dir;
    char *name = campaign_name (dir);
    char *campaign =
        xasprintf ("%s%s%s", new_campaign_head, name, new_campaign_body);
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;

    if (file_make_dirs (dir, &err) < 0
        || write_new (dir, "campaign.yaml", campaign, &err) < 0
        || write_new (dir, "site.yaml", new_site, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else
        print_next (dir);
    free (campaign);
    free (name);
    return status;
}

const struct command new_command = {
    .name = "new",
    .arguments = "[DIR]",
    .summary = "write a commented campaign.yaml and site.yaml",
    .max_args = 1,
    .run = create,
};
