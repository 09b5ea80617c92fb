/* SPDX-License-Identifier: BSD-3-Clause */
/* assignment.c - what an agent was told to do, as read from the run files */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "agent/agent.h"
#include "agent/assignment.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "formats/lines.h"

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

int assignment_closed (const struct assignment *assignment, struct error *err)
{
    return file_look (assignment->closed_path, err);
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

/* Go to line 'number' (from 0) of a file of which less was read; what belongs
 * there is for messages.
 */
static int go_to_line (struct lines *lines,
                       int64_t number,
                       const char *what,
                       struct error *err)
{
    int rc = 1;

    while (rc > 0 && (int64_t)lines->number <= number)
        rc = lines_next (lines, err);
    if (rc == 0)
        return error_set (err, "%s: no line for %s %" PRId64,
                          lines_name (lines), what, number);
    return rc < 0 ? -1 : 0;
}

static int parse_bundle (struct assignment *assignment,
                         const struct lines *lines,
                         struct error *err)
{
    char *text = xstrndup (lines->at, (size_t)(lines->end - lines->at));
    int rc = task_range_parse (text, &assignment->tasks, err);

    if (rc < 0)
        lines_prefix (lines, err);
    free (text);
    return rc;
}

static int read_bundle (struct assignment *assignment, struct error *err)
{
    char *path = path_join (assignment->run_dir, LAYOUT_BUNDLES);
    struct lines lines = LINES_INIT;
    int rc = lines_open (&lines, path, 0, err);

    if (rc == 0)
        rc = go_to_line (&lines, assignment->element, "element", err);
    if (rc == 0)
        rc = parse_bundle (assignment, &lines, err);
    lines_close (&lines);
    free (path);
    return rc;
}

/* Keep the lines of our tasks, which ascend as the lines do. */
static int pick_slices (struct assignment *assignment,
                        struct lines *lines,
                        struct error *err)
{
    const struct task_range *tasks = &assignment->tasks;
    size_t n = 0;

    for (int32_t task = -1; (task = task_range_next (tasks, task)) >= 0;) {
        struct json *slice;

        if (go_to_line (lines, task, "task", err) < 0)
            return -1;
        slice = json_parse (lines->at, (size_t)(lines->end - lines->at),
                            lines_name (lines), err);
        if (!slice)
            return error_prefix (err, "task %06d", (int)task);
        assignment->slices[n++] = slice;
    }
    return 0;
}

static int read_slices (struct assignment *assignment, struct error *err)
{
    char *path = above (assignment->run_dir, "../..", LAYOUT_SLICES);
    struct lines lines = LINES_INIT;
    int rc = 0;

    assignment->slices = xcalloc (task_range_count (&assignment->tasks) + 1,
                                  sizeof (*assignment->slices));
    if (assignment->stage.sliced) {
        rc = lines_open (&lines, path, 0, err);
        if (rc == 0)
            rc = pick_slices (assignment, &lines, err);
    }
    lines_close (&lines);
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
