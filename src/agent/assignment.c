/* SPDX-License-Identifier: BSD-3-Clause */
/* assignment.c - what an agent was told to do, as read from the run files */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/assignment.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

void assignment_release (struct assignment *assignment)
{
    size_t n = task_range_count (&assignment->tasks);

    for (size_t i = 0; assignment->slices && i < n; i++)
        json_unref (assignment->slices[i]);
    free (assignment->slices);
    task_range_release (&assignment->tasks);
    stage_order_release (&assignment->stage);
    free (assignment->closed_path);
    free (assignment->run_dir);
    free (assignment->campaign_dir);
    *assignment = (struct assignment)ASSIGNMENT_INIT;
}

bool assignment_closed (const struct assignment *assignment)
{
    return file_exists (assignment->closed_path);
}

/* "DIR/../../NAME", without the dots. */
static char *above (const char *dir, const char *up, const char *name)
{
    char *dotted = xasprintf ("%s/%s/%s", dir, up, name);
    char *path = path_absolute (dotted);

    free (dotted);
    return path;
}

static int read_job (struct assignment *assignment, struct error *err)
{
    char *path = path_join (assignment->run_dir, LAYOUT_JOB_ORDER);
    struct json *v = json_read_file (path, err);
    int rc = -1;

    if (v && job_order_from_json (v, &assignment->job, err) < 0)
        error_prefix (err, "%s", path);
    else if (v)
        rc = 0;
    json_unref (v);
    free (path);
    return rc;
}

static int read_stage (struct assignment *assignment, struct error *err)
{
    char *path = above (assignment->run_dir, "../..", LAYOUT_STAGE_ORDER);
    struct json *v = json_read_file (path, err);
    int rc = -1;

    if (v && stage_order_from_json (v, &assignment->stage, err) < 0)
        error_prefix (err, "%s", path);
    else if (v)
        rc = 0;
    json_unref (v);
    free (path);
    return rc;
}

/* The next line without its end; NULL at the end of the file. */
static const char *next_line (FILE *file, char **line, size_t *size)
{
    ssize_t n = getline (line, size, file);

    if (n < 0)
        return NULL;
    if (n > 0 && (*line)[n - 1] == '\n')
        (*line)[n - 1] = '\0';
    return *line;
}

static int read_bundle (struct assignment *assignment, struct error *err)
{
    char *path = path_join (assignment->run_dir, LAYOUT_BUNDLES);
    FILE *file = fopen (path, "re");
    const char *bundle = NULL;
    char *line = NULL;
    size_t size = 0;
    int rc = -1;

    if (!file) {
        error_errno (err, "cannot open '%s'", path);
        goto done;
    }
    for (int64_t i = 0; i <= assignment->element; i++) {
        if (!(bundle = next_line (file, &line, &size)))
            break;
    }
    if (!bundle)
        error_set (err, "%s: no line for element %" PRId64, path,
                   assignment->element);
    else if (task_range_parse (bundle, &assignment->tasks, err) < 0)
        error_prefix (err, "%s:%" PRId64, path, assignment->element + 1);
    else
        rc = 0;
done:
    free (line);
    if (file)
        fclose (file);
    free (path);
    return rc;
}

/* Keep the lines of our tasks, which ascend as the lines do. */
static int pick_slices (struct assignment *assignment,
                        FILE *file,
                        const char *path,
                        struct error *err)
{
    int32_t task = task_range_next (&assignment->tasks, -1);
    const char *text;
    char *line = NULL;
    size_t size = 0;
    size_t n = 0;

    for (int32_t i = 0; task >= 0; i++) {
        if (!(text = next_line (file, &line, &size))) {
            error_set (err, "%s: no line for task %06d", path, (int)task);
            break;
        }
        if (i < task)
            continue;
        assignment->slices[n] = json_parse (text, strlen (text), path, err);
        if (!assignment->slices[n++]) {
            error_prefix (err, "task %06d", (int)task);
            break;
        }
        task = task_range_next (&assignment->tasks, task);
    }
    free (line);
    return task < 0 ? 0 : -1;
}

static int read_slices (struct assignment *assignment, struct error *err)
{
    char *path = above (assignment->run_dir, "../..", LAYOUT_SLICES);
    FILE *file;
    int rc = -1;

    assignment->slices = xcalloc (task_range_count (&assignment->tasks) + 1,
                                  sizeof (*assignment->slices));
    if (!assignment->stage.sliced) {
        rc = 0;
    } else if ((file = fopen (path, "re"))) {
        rc = pick_slices (assignment, file, path, err);
        fclose (file);
    } else {
        error_errno (err, "cannot open '%s'", path);
    }
    free (path);
    return rc;
}

int assignment_read (struct assignment *assignment,
                     const struct agent_options *options,
                     struct error *err)
{
    assignment->campaign_dir = path_absolute (options->campaign_dir);
    assignment->run_dir =
        path_join (assignment->campaign_dir, options->run_dir);
    assignment->closed_path = above (assignment->run_dir, "..", LAYOUT_CLOSED);
    assignment->program = options->program;
    assignment->job_id = options->job_id;
    assignment->element = options->element;
    if (read_job (assignment, err) < 0 || read_stage (assignment, err) < 0
        || read_bundle (assignment, err) < 0
        || read_slices (assignment, err) < 0)
        return -1;
    return 0;
}
