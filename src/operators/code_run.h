/* SPDX-License-Identifier: BSD-3-Clause */
/* code_run.h - run a simulation program inside a task
 *
 * What the program prints goes to a file, where the step looks for what went
 * wrong, and from there to our own output, which is the task's log.
 */
#ifndef OPERATORS_CODE_RUN_H
#define OPERATORS_CODE_RUN_H

#include <stdbool.h>

#include "operators/table.h"

struct error;
struct step_task;
struct strbuf;
struct strvec;

enum code_ending {
    ENDING_SILENT,   /* died before its first line: starting it failed */
    ENDING_NO_ERROR, /* started, and no complaint is to be found */
    ENDING_DIVERGED, /* the atoms went where no simulation can follow; the
                        self-consistency loop gave up */
    ENDING_ERROR,    /* any other complaint */
};

struct code {
    const char *name; /* messages begin with it */

    /* Look at the end of what it printed; 'whole': nothing came before it.
     * 'message', which is empty, becomes what is wrong.
     */
    enum code_ending (*ending) (const char *printed, bool whole,
                                struct strbuf *message);
};

/* An explosion is told from a mistake by the text of the error (LAMMPS manual,
 * "Error messages"): both exit with status 1, and both happen under "ERROR:"
 * (all ranks) and "ERROR on proc N:" (one rank).  The message is the error line
 * and the command it stopped at.
 */
extern const struct code lammps_code;

/* "JOB DONE." of pw.x says nothing: an unconverged run prints it too. */
extern const struct code pw_code;

/* Run 'program' (argv words) with 'arguments' (NULL-terminated), under the
 * task's launcher when it has several ranks, printing to 'output_path'.
 * STEP_OK: it ended with exit status 0; STEP_FATAL: it cannot be run as it is
 * asked for, or complained, and would again (*diverged: of where its own motion
 * went); STEP_FAILED: anything else.
 */
enum step_status code_run (const struct code *code,
                           const struct step_task *task,
                           const struct strvec *program,
                           const char *const *arguments,
                           const char *output_path, bool *diverged,
                           struct error *err);

#endif /* !OPERATORS_CODE_RUN_H */
