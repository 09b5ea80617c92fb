/* SPDX-License-Identifier: BSD-3-Clause */
/* task_files.h - a task's directory: what goes in, what comes out
 *
 *   work/<element>.<claim>/<task>/task.json   everything the task must know
 *                                 in/         frames cut out of their files
 *                                 out/        output artifacts go here
 *                                 params.json output parameters go here
 *
 * When the task is done, `in` and then `out` are renamed to job/<task>/; `out`
 * with result.json in it is what makes the task ok.
 */
#ifndef AGENT_TASK_FILES_H
#define AGENT_TASK_FILES_H

struct error;
struct json;
struct task;

enum prepared {
    PREPARE_OK,
    PREPARE_BAD_INPUT, /* 'err': which input, and why */
    PREPARE_FAILED,    /* the directory cannot be made */
};

/* Check the inputs, make the directory and set task->values. */
enum prepared task_files_prepare (struct task *task, struct error *err);

enum committed {
    COMMIT_OK,         /* *result: what was written */
    COMMIT_FOUND,      /* *result: another claim's, which was first */
    COMMIT_BAD_OUTPUT, /* 'err': which output, and why */
    COMMIT_FAILED,     /* it cannot be written */
};

/* Check the outputs, write result.json (with 'run', taken over), bring all to
 * the disk, rename, and remove the directory.  Caller unrefs *result.
 */
enum committed task_files_commit (struct task *task,
                                  struct json *run,
                                  struct json **result,
                                  struct error *err);

#endif /* !AGENT_TASK_FILES_H */
