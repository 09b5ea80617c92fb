/* SPDX-License-Identifier: BSD-3-Clause */
/* code_run.h - run a simulation program inside a task
 *
 * What the program prints goes to a file, where the step looks for what went
 * wrong, and from there, while it runs, to our own output, which is the task's
 * log.
 */
#ifndef OPERATORS_CODE_RUN_H
#define OPERATORS_CODE_RUN_H

#include "operators/kit.h"
#include "operators/table.h"

struct step_task;

/* Run 'program' (argv words) with 'arguments' (NULL-terminated), under the
 * task's launcher when it has several ranks, printing to 'output_path'.
 * STEP_OK: it ended with exit status 0 and its last words; STEP_FATAL: it
 * cannot be run as it is asked for, or said what would be so again;
 * STEP_FAILED: anything else.  *ending is what was told of it.  Where Fanfold
 * knows nothing of what it said, its last 20 lines are quoted in the task's
 * log.
 */
enum step_status code_run (const struct code *code,
                           const struct step_task *task,
                           const struct strvec *program,
                           const char *const *arguments,
                           const char *output_path, enum ending *ending,
                           struct error *err);

/* What a run that left its output at 'output_path' complained of, although it
 * ended as it should; as code_judge.
 */
enum ending code_complaint (const struct code *code, const char *output_path,
                            struct strbuf *message);

#endif /* !OPERATORS_CODE_RUN_H */
