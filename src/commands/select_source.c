/* SPDX-License-Identifier: BSD-3-Clause */
/* select_source.c - what `fanfold select` selects from */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/invocation.h"
#include "commands/select_source.h"
#include "space/layout.h"

void select_source_release (struct select_source *source)
{
    strvec_release (&source->files);
    strvec_release (&source->systems);
    free (source->system);
    source->system = NULL;
    json_unref (source->inputs);
    source->inputs = NULL;
}

static size_t system_number (struct select_source *source, const char *name)
{
    size_t i = 0;

    while (i < source->systems.n && strcmp (source->systems.v[i], name) != 0)
        i++;
    if (i == source->systems.n)
        strvec_push (&source->systems, name);
    return i;
}

/* --- below paths --- */

static bool is_deviation_name (const char *name)
{
    size_t len = strlen (name);

    return strncmp (name, "model_devi", 10) == 0 && len >= 14
           && strcmp (name + len - 4, ".out") == 0;
}

/* Append the files below a directory, or the file itself. */
static int find_files (const char *path,
                       bool named,
                       struct strvec *files,
                       struct error *err)
{
    struct strvec names = STRVEC_INIT;
    struct stat st;
    int rc = 0;

    if (lstat (path, &st) < 0 || (named && stat (path, &st) < 0))
        return error_errno (err, "cannot find '%s'", path);
    if (!S_ISDIR (st.st_mode)) {
        if (named || is_deviation_name (path_base (path)))
            strvec_push (files, path);
        return 0;
    }
    rc = file_list_dir (path, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *inside = path_join (path, names.v[i]);

        rc = find_files (inside, false, files, err);
        free (inside);
    }
    strvec_release (&names);
    return rc;
}

/* DP-GEN's task.SSS.TTTTTT is of system SSS; other paths tell of none. */
static size_t system_of (struct select_source *source, const char *path)
{
    const char *task = strstr (path, "task.");
    size_t len = task ? strspn (task + 5, "0123456789") : 0, number;
    char *name = len > 0 && task[5 + len] == '.' ? xstrndup (task + 5, len)
                                                 : xstrdup ("all");

    number = system_number (source, name);
    free (name);
    return number;
}

static enum exit_status find_below (const struct invocation *invocation,
                                    struct select_source *source)
{
    const char *iteration = invocation_option (invocation, "iteration");
    struct error err = ERROR_INIT;

    if (iteration
        && (source->iteration = parse_number ("--iteration", iteration)) < 0)
        return STATUS_USAGE;
    for (int i = 0; i < invocation->n_args; i++) {
        if (find_files (invocation->args[i], true, &source->files, &err) < 0)
            return complain (STATUS_FAILED, "%s", err.text);
    }
    if (source->files.n == 0)
        return complain (STATUS_FAILED,
                         "there is no model_devi*.out below '%s'",
                         invocation->args[0]);
    source->system = xcalloc (source->files.n, sizeof (*source->system));
    for (size_t i = 0; i < source->files.n; i++)
        source->system[i] = system_of (source, source->files.v[i]);
    return STATUS_DONE;
}

/* --- of a stage --- */

/* What the stage's task was told; NULL: there is none in that iteration. */
static struct json *read_task (const struct campaign *campaign,
                               const struct stage *stage,
                               int64_t iteration,
                               struct error *err)
{
    struct stage_place place = { stage->name, stage->op->code, (int)iteration };
    struct strbuf in = STRBUF_INIT;
    struct json *task = NULL;
    char *dir, *path;

    layout_task_in (&place, 0, &in);
    dir = path_join (campaign->plan->dir, in.buf);
    path = path_join (dir, "task.json");
    if (file_exists (path))
        task = json_read_file (path, err);
    free (path);
    free (dir);
    strbuf_release (&in);
    return task;
}

static enum exit_status take_task (const struct json *task,
                                   const char *stage,
                                   struct select_source *source)
{
    struct json *inputs = json_get (task, "inputs");
    const struct json *files = json_get (inputs, "deviations");
    const struct json *systems = json_get (inputs, "system");
    size_t n;

    source->by_forces = json_count (files) == 0;
    if (source->by_forces)
        files = json_get (inputs, "trajectories");
    n = json_count (files);
    if (n == 0)
        return complain (STATUS_FAILED, "stage '%s' had nothing to select from",
                         stage);
    source->inputs = json_ref (inputs);
    source->seed = json_as_int (json_get (task, "seed"));
    source->system = xcalloc (n, sizeof (*source->system));
    for (size_t i = 0; i < n; i++) {
        const char *file = json_as_string (json_at (files, i));

        strvec_push (&source->files, file);
        if (file[0] != '\0')
            source->system[i] =
                system_number (source, json_as_string (json_at (systems, i)));
    }
    return STATUS_DONE;
}

/* Of the iteration that is asked for, or the newest that has selected. */
static enum exit_status find_stage (const struct invocation *invocation,
                                    const struct campaign *campaign,
                                    const char *name,
                                    struct select_source *source)
{
    int index = campaign_stage (campaign->plan, name), iteration;
    bool asked = invocation_option (invocation, "iteration");
    struct error err = ERROR_INIT;
    struct json *task = NULL;
    enum exit_status status;

    if (index < 0)
        return STATUS_USAGE;
    status = campaign_iteration (campaign, invocation, &iteration);
    if (status != STATUS_DONE)
        return status;
    for (; iteration >= 0 && !task; iteration--) {
        task = read_task (campaign, &campaign->plan->stages[index], iteration,
                          &err);
        source->iteration = iteration;
        if (asked || err.text[0])
            break;
    }
    if (!task)
        return complain (STATUS_FAILED, "%s",
                         err.text[0] ? err.text
                                     : "the stage has selected nothing yet");
    status = take_task (task, name, source);
    json_unref (task);
    return status;
}

enum exit_status select_source_find (const struct invocation *invocation,
                                     struct select_source *source)
{
    const char *stage = invocation_option (invocation, "stage");
    struct campaign campaign;
    enum exit_status status;

    if (!stage && invocation->n_args == 0)
        return complain (STATUS_USAGE, "name files, directories or a --stage");
    if (stage && invocation->n_args > 0)
        return complain (STATUS_USAGE, "files or a --stage, but not both");
    if (!stage)
        return find_below (invocation, source);
    status = campaign_open (invocation, &campaign);
    if (status != STATUS_DONE)
        return status;
    status = find_stage (invocation, &campaign, stage, source);
    campaign_close (&campaign);
    return status;
}

const char **select_source_forces (const struct json *inputs,
                                   size_t task,
                                   size_t *n)
{
    const struct json *all = json_at (json_get (inputs, "forces"), task);
    const char **paths;

    *n = json_count (all);
    paths = xcalloc (*n, sizeof (*paths));
    for (size_t i = 0; i < *n; i++)
        paths[i] = json_as_string (json_at (all, i));
    return paths;
}

char *select_source_trajectory (const struct select_source *source, size_t file)
{
    const char *path = source->files.v[file];
    const struct json *all = json_get (source->inputs, "trajectories");
    int dir_len = (int)(path_base (path) - path);
    char *merged;

    if (source->inputs)
        return xstrdup (json_as_string (json_at (all, file)));
    merged = xasprintf ("%.*sall.lammpstrj", dir_len, path);
    if (file_exists (merged))
        return merged;
    free (merged);
    return xasprintf ("%.*straj/*.lammpstrj", dir_len, path);
}

/* Are there files in the directory of 'pattern'? */
static bool has_any (const char *pattern)
{
    char *dir = xstrndup (pattern, (size_t)(path_base (pattern) - pattern));
    struct strvec names = STRVEC_INIT;
    bool any = file_list_dir (dir, &names, NULL) == 0 && names.n > 0;

    strvec_release (&names);
    free (dir);
    return any;
}

bool select_source_has_trajectories (const struct select_source *source)
{
    bool any = source->inputs;

    for (size_t i = 0; !any && i < source->files.n; i++) {
        char *path = select_source_trajectory (source, i);

        any = strchr (path, '*') ? has_any (path) : true;
        free (path);
    }
    return any;
}
