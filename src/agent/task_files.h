/* SPDX-License-Identifier: BSD-3-Clause */
/* task_files.h - a task's directory: what goes in, what comes out
 *
 *   work/<element>.<n>/<task>/task.json   everything the task must know
 *                             group.json  and the runner of a group
 *                             in/         frames cut out of their files, if any
 *                             out/        output artifacts, if any are declared
 *                             params.json output parameters
 *
 * When the task is done and its stage has output artifacts, result.json is
 * written into `out`, and that is moved to the task's new place, which is put
 * together beside its directory, <task>.place.  The rename of this to
 * job/<task> makes the task ok (commit.h).  Of other stages nothing stays but
 * the parameters in the element's log.
 */
#ifndef AGENT_TASK_FILES_H
#define AGENT_TASK_FILES_H

/* Where a task's output artifacts are, in its working directory. */
#define TASK_OUT "out"

struct task;

enum prepared {
    PREPARE_OK,
    PREPARE_BAD_INPUT, /* 'err': which input, and why */
    PREPARE_FAILED,    /* the directory cannot be made */
};

/* The new place of the task that works in 'dir'.  Caller frees. */
char *task_files_place (const char *dir);

/* Check the inputs, make the directory and set task->values. */
enum prepared task_files_prepare (struct task *task, struct error *err);

/* Write 'v' into the task's directory, where 'name' is not yet. */
int task_file_write (const struct task *task, const char *name,
                     const struct json *v, struct error *err);

enum checked {
    CHECK_OK,
    CHECK_BAD_OUTPUT, /* 'err': which output, and why */
    CHECK_FAILED,     /* that cannot be known, or written */
};

/* Check the outputs.  *result becomes what is to be kept of them: with output
 * artifacts result.json (it tells 'run', taken over), and the new place is
 * whole, of which nothing was synced; without any, the parameters, to be
 * logged, and the directory is removed.  Caller unrefs *result.
 */
enum checked task_files_check (struct task *task, struct json *run,
                               struct json **result, struct error *err);

/* Remove the working directory 'dir' of a task that ended ok. */
void task_files_remove (const char *dir);

#endif /* !AGENT_TASK_FILES_H */
