/* SPDX-License-Identifier: BSD-3-Clause */
/* task_files.h - a task's directory: what goes in, what comes out
 *
 *   work/<element>.<n>/<task>/task.json   everything the task must know
 *                             in/         frames cut out of their files, if any
 *                             out/        output artifacts, if any are declared
 *                             params.json output parameters
 *
 * When the task is done and its stage has output artifacts, result.json is
 * written into `out`, which is renamed to job/<task>/out: that makes the task
 * ok.  Of other stages nothing stays but the parameters in the element's log.
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
    COMMIT_OK,         /* *params: see below */
    COMMIT_FOUND,      /* another claim's, which was first, is there */
    COMMIT_BAD_OUTPUT, /* 'err': which output, and why */
    COMMIT_FAILED,     /* it cannot be written */
};

/* Check the outputs and remove the directory.  Output artifacts are brought to
 * the disk first, with result.json (which tells 'run', taken over), and put in
 * their place; without any, *params becomes the parameters, to be logged.
 * Caller unrefs *params.
 */
enum committed task_files_commit (struct task *task,
                                  struct json *run,
                                  struct json **params,
                                  struct error *err);

#endif /* !AGENT_TASK_FILES_H */
