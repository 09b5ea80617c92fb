/* SPDX-License-Identifier: BSD-3-Clause */
/* ending.h - how did a LAMMPS run end, going by what it printed? */
#ifndef OPERATORS_LAMMPS_ENDING_H
#define OPERATORS_LAMMPS_ENDING_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

enum lammps_ending {
    LAMMPS_SILENT,    /* died before its first line: starting it failed */
    LAMMPS_NO_ERROR,  /* started, and no complaint is to be found */
    LAMMPS_BLOWN_UP,  /* the atoms went where no simulation can follow */
    LAMMPS_BAD_INPUT, /* any other complaint */
};

/* Look at the end of what LAMMPS printed; 'whole': nothing came before it.
 * Appends the error line and the command it stopped at to 'message'.
 *
 * An explosion is told from a mistake by the text of the error (LAMMPS
 * manual, "Error messages"): both exit with status 1, and both happen under
 * "ERROR:" (all ranks) and "ERROR on proc N:" (one rank).
 */
enum lammps_ending lammps_ending_of (const char *printed,
                                     size_t len,
                                     bool whole,
                                     struct strbuf *message);

#endif /* !OPERATORS_LAMMPS_ENDING_H */
