/* SPDX-License-Identifier: BSD-3-Clause */
/* assignment.c - what an agent was told to do, as read from the run files */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "agent/agent.h"
#include "agent/assignment.h"
#include "arrays/packing.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/python_path.h"
#include "handover/slice_file.h"
#include "placement/slots.h"

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
    free (assignment->python_path);
    free (assignment->run_dir);
    free (assignment->stage_dir);
    file_close (assignment->stage_fd);
    free (assignment->campaign_dir);
    *assignment = (struct assignment)ASSIGNMENT_INIT;
}

int assignment_moved (const struct assignment *assignment, struct error *err)
{
    struct stat ours, there;

    if (fstat (assignment->stage_fd, &ours) < 0)
        return error_errno (err, "cannot look at '%s'", assignment->stage_dir);
    if (stat (assignment->stage_dir, &there) < 0)
        return errno == ENOENT ? 1
                               : error_errno (err, "cannot look at '%s'",
                                              assignment->stage_dir);
    return ours.st_dev != there.st_dev || ours.st_ino != there.st_ino;
}

int assignment_closed (const struct assignment *assignment, struct error *err)
{
    int closed = file_look (assignment->closed_path, err);

    return closed == 0 ? assignment_moved (assignment, err) : closed;
}

static int read_job (struct assignment *assignment, struct error *err)
{
    _cleanup_free_ char *path =
        path_join (assignment->run_dir, LAYOUT_JOB_MANIFEST);
    _cleanup_json_ struct json *v = json_read_file (path, err);
    int rc = -1;

    if (v && job_manifest_from_json (v, &assignment->job, err) < 0)
        error_prefix (err, "%s", path);
    else if (v)
        rc = 0;
    return rc;
}

/* --- waiting for what another host wrote --- */

/* Between two looks: often at first, then as a shared file system likes it. */
static const double first_wait_s = 0.02;
static const double longest_wait_s = 1;

/* True when a signal of 'interrupts' came (it stays pending). */
static bool interrupted (const sigset_t *interrupts, double wait_s)
{
    const struct timespec wait = { (time_t)wait_s,
                                   (long)(fmod (wait_s, 1) * 1e9) };

    return sigtimedwait (interrupts, NULL, &wait) > 0;
}

/* --- what was written --- */

/* A name that was just made may show late on this host. */
static int open_stage_dir (struct assignment *assignment,
                           const sigset_t *interrupts, struct error *err)
{
    double end_s = clock_mono_s () + assignment->job.visibility_s;
    double wait_s = first_wait_s;

    assignment->stage_dir =
        path_join (assignment->campaign_dir, assignment->job.stage_dir);
    while ((assignment->stage_fd =
                file_open (assignment->stage_dir, O_RDONLY | O_DIRECTORY, 0))
           < 0) {
        if (errno != ENOENT || clock_mono_s () >= end_s
            || interrupted (interrupts, wait_s))
            return error_errno (err, "cannot open '%s'", assignment->stage_dir);
        wait_s = fmin (2 * wait_s, longest_wait_s);
    }
    return 0;
}

static int read_stage (struct assignment *assignment, struct error *err)
{
    _cleanup_free_ char *path =
        path_join (assignment->stage_dir, LAYOUT_STAGE_MANIFEST);
    _cleanup_json_ struct json *v = json_read_file (path, err);
    int rc = -1;

    if (v && stage_manifest_from_json (v, &assignment->stage, err) < 0)
        error_prefix (err, "%s", path);
    else if (v)
        rc = 0;
    return rc;
}

/* Is all that was read of the generation that this job was submitted for? */
static int check_generation (const struct assignment *assignment,
                             struct error *err)
{
    int moved = assignment->stage.place.generation == assignment->job.generation
                    ? assignment_moved (assignment, err)
                    : 1;

    if (moved > 0)
        error_set (err,
                   "'%s' is no longer generation %d, which this job was "
                   "submitted for: its stage was prepared again; nothing was "
                   "done",
                   assignment->stage_dir, assignment->job.generation);
    return moved == 0 ? 0 : -1;
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

    assignment->slices = xcalloc (task_range_count (&assignment->tasks) + 1,
                                  sizeof (*assignment->slices));
    return assignment->stage.sliced
               ? slice_file_read (assignment->stage_dir, &assignment->tasks,
                                  assignment->slices, err)
               : 0;
}

int assignment_read (struct assignment *assignment,
                     const struct agent_options *options,
                     const sigset_t *interrupts, struct error *err)
{
    char *closed;

    assignment->campaign_dir = path_absolute (options->campaign_dir);
    assignment->run_dir =
        path_join (assignment->campaign_dir, options->run_dir);
    closed = path_join (assignment->run_dir, "../" LAYOUT_CLOSED);
    assignment->closed_path = path_absolute (closed);
    free (closed);
    assignment->program = options->program;
    assignment->python_path = python_path (options->program);
    assignment->job_id = options->job_id;
    assignment->element = options->element;
    if (read_job (assignment, err) < 0
        || open_stage_dir (assignment, interrupts, err) < 0
        || read_stage (assignment, err) < 0 || find_bundle (assignment, err) < 0
        || read_slices (assignment, err) < 0)
        return -1;
    return check_generation (assignment, err);
}

/* --- the node --- */

int assignment_slots (const struct assignment *assignment, struct slots *slots,
                      struct error *err)
{
    const struct job_manifest *job = &assignment->job;
    const struct resources share = resources_of_node (&job->task);
    /* Nodes of one task number their devices each for itself. */
    const struct element_wish wish = {
        .tasks = { .tasks = job->slots,
                   .cores = share.cores,
                   .gpus = job->task.nodes > 1 ? GPUS_LEFT_ALONE : share.gpus,
                   .gpu_share = share.gpu_share,
                   .memory_bytes = share.memory_bytes },
        .rules = job->rules,
        .cores = job->cores,
        .gpus_wait_s = GPUS_WAIT_S,
    };

    return slots_cut (&wish, slots, err);
}

char *assignment_node_differs (const struct assignment *assignment)
{
    const struct job_manifest *job = &assignment->job;
    const bool devices = job->task.gpus > 0;
    struct strbuf text = STRBUF_INIT;
    struct node_shape shape;
    struct node_size here;

    if (job->node.cores == 0
        || node_shape_of_whole_node (devices, &shape, NULL) < 0)
        return NULL;
    here = node_size_of (&shape);
    if (!devices)
        here.gpus = -1;
    node_size_differences (&job->node, &here, &text);
    node_shape_release (&shape);
    if (text.len > 0)
        return strbuf_detach (&text);
    strbuf_release (&text);
    return NULL;
}

/* --- is this job the one its driver recorded? ---
 *
 * A submission whose reply was lost may exist twice.  The driver records one
 * of them; a job that is not it does nothing.
 */

/* 0: it is ours; 1: not there, or torn; -1: it is another one's. */
static int check_record (const struct assignment *assignment, const char *path,
                         struct error *err)
{
    _cleanup_json_ struct json *v = json_read_file (path, NULL);
    const char *token;
    const char *id;
    int rc = 1;

    if (v && json_want_string (v, "token", &token, NULL) == 0
        && json_want_string (v, "id", &id, NULL) == 0) {
        rc = 0;
        if (strcmp (token, assignment->job.token) != 0
            || strcmp (id, assignment->job_id) != 0)
            rc = error_set (err,
                            "this is job '%s', but job '%s' was recorded for "
                            "these tasks; nothing was done",
                            assignment->job_id, id);
    }
    return rc;
}

int in_job_check (const struct assignment *assignment,
                  const sigset_t *interrupts, struct error *err)
{
    _cleanup_free_ char *path =
        path_join (assignment->run_dir, LAYOUT_SUBMISSION);
    double end_s = clock_mono_s () + assignment->job.visibility_s;
    double wait_s = first_wait_s;
    int rc;

    while ((rc = check_record (assignment, path, err)) == 1) {
        if (clock_mono_s () >= end_s) {
            rc = error_set (err,
                            "not_recorded: '%s' did not appear within %g s; "
                            "nothing was done",
                            path, assignment->job.visibility_s);
            break;
        }
        if (interrupted (interrupts, wait_s)) {
            rc = error_set (
                err, "not_recorded: told to end before '%s' appeared", path);
            break;
        }
        wait_s = fmin (2 * wait_s, longest_wait_s);
    }
    return rc;
}
