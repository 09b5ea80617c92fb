/* SPDX-License-Identifier: BSD-3-Clause */
/* assignment.c - what an agent was told to do, as read from the run files */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "agent/agent.h"
#include "agent/assignment.h"
#include "arrays/packing.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/slice_file.h"

void assignment_release (struct assignment *assignment)
{
    size_t n = task_range_count (&assignment->tasks);

    for (size_t i = 0; assignment->slices && i < n; i++)
        json_unref (assignment->slices[i]);
    free (assignment->slices);
    task_range_release (&assignment->tasks);
    stage_manifest_release (&assignment->stage);
    job_manifest_release (&assignment->job);
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
    char *path = path_join (assignment->run_dir, LAYOUT_JOB_MANIFEST);
    struct json *v = json_read_file (path, err);
    int rc = -1;

    if (v && job_manifest_from_json (v, &assignment->job, err) < 0)
        error_prefix (err, "%s", path);
    else if (v)
        rc = 0;
    json_unref (v);
    free (path);
    return rc;
}

static int read_stage (struct assignment *assignment, struct error *err)
{
    char *path = above (assignment->run_dir, "../..", LAYOUT_STAGE_MANIFEST);
    struct json *v = json_read_file (path, err);
    int rc = -1;

    if (v && stage_manifest_from_json (v, &assignment->stage, err) < 0)
        error_prefix (err, "%s", path);
    else if (v)
        rc = 0;
    json_unref (v);
    free (path);
    return rc;
}

static int find_bundle (struct assignment *assignment, struct error *err)
{
    const struct job_manifest *job = &assignment->job;

    if (assignment->element < 0 || assignment->element >= job->elements)
        return error_set (err,
                          "there is no element %" PRId64 "; the job has "
                          "%" PRId64,
                          assignment->element, job->elements);
    packing_bundle (&job->tasks, job->elements, assignment->element,
                    &assignment->tasks);
    return 0;
}

static int read_slices (struct assignment *assignment, struct error *err)
{
    char *dir = above (assignment->run_dir, "..", "..");
    int rc = 0;

    assignment->slices = xcalloc (task_range_count (&assignment->tasks) + 1,
                                  sizeof (*assignment->slices));
    if (assignment->stage.sliced)
        rc = slice_file_read (dir, &assignment->tasks, assignment->slices, err);
    free (dir);
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
        || find_bundle (assignment, err) < 0
        || read_slices (assignment, err) < 0)
        return -1;
    return 0;
}
