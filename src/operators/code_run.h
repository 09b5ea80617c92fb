/* SPDX-License-Identifier: BSD-3-Clause */
/* code_run.h - run a simulation program inside a task
 *
 * What the program prints goes to a file, where the step looks for what went
 * wrong, and from there to our own output, which is the task's log.
 */
#ifndef OPERATORS_CODE_RUN_H
#define OPERATORS_CODE_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/process.h"
#include "operators/table.h"

struct error;
struct step_task;
struct strvec;

struct code_run {
    struct process_result result;
    struct strbuf tail; /* the end of what it printed, 64 KiB at most */
    bool whole;         /* nothing was printed before the tail */
};

#define CODE_RUN_INIT                                                          \
    {                                                                          \
        .result = PROCESS_RESULT_INIT, .tail = STRBUF_INIT                     \
    }

void code_run_release (struct code_run *run);

/* Run 'program' (argv words) with 'arguments' (NULL-terminated), under the
 * task's launcher when it has several ranks, printing to 'output_path'.
 * STEP_OK: it was started and ended by itself, in whatever way 'run' says.
 */
enum step_status code_run (const struct step_task *task,
                           const struct strvec *program,
                           const char *const *arguments,
                           const char *output_path, struct code_run *run,
                           struct error *err);

/* --- how it ended --- */

enum code_ending {
    ENDING_SILENT,   /* died before its first line: starting it failed */
    ENDING_NO_ERROR, /* started, and no complaint is to be found */
    ENDING_DIVERGED, /* the atoms went where no simulation can follow; the
                        self-consistency loop gave up */
    ENDING_ERROR,    /* any other complaint */
};

/* Look at the end of what it printed; 'whole': nothing came before it.  Appends
 * what is wrong to 'message'.
 */
typedef enum code_ending code_ending_of (const char *printed, size_t len,
                                         bool whole, struct strbuf *message);

/* An explosion is told from a mistake by the text of the error (LAMMPS manual,
 * "Error messages"): both exit with status 1, and both happen under "ERROR:"
 * (all ranks) and "ERROR on proc N:" (one rank).  The message is the error line
 * and the command it stopped at.
 */
code_ending_of lammps_ending_of;

/* "JOB DONE." of pw.x says nothing: an unconverged run prints it too. */
code_ending_of pw_ending_of;

/* How did it end?  STEP_OK: with exit status 0; STEP_FATAL: it complained, and
 * would again (*diverged: of where its own motion went); STEP_FAILED: anything
 * else.  Not OK: 'err' begins with 'name', which is the code's.
 */
enum step_status code_run_judge (const struct code_run *run, const char *name,
                                 code_ending_of *ending_of, bool *diverged,
                                 struct error *err);

#endif /* !OPERATORS_CODE_RUN_H */
