/* SPDX-License-Identifier: BSD-3-Clause */
/* code_ending.h - how did a code's run end, going by what it printed? */
#ifndef OPERATORS_CODE_ENDING_H
#define OPERATORS_CODE_ENDING_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

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
typedef enum code_ending code_ending_of (const char *printed,
                                         size_t len,
                                         bool whole,
                                         struct strbuf *message);

/* An explosion is told from a mistake by the text of the error (LAMMPS manual,
 * "Error messages"): both exit with status 1, and both happen under "ERROR:"
 * (all ranks) and "ERROR on proc N:" (one rank).  The message is the error line
 * and the command it stopped at.
 */
code_ending_of lammps_ending_of;

/* "JOB DONE." of pw.x says nothing: an unconverged run prints it too. */
code_ending_of pw_ending_of;

#endif /* !OPERATORS_CODE_ENDING_H */
