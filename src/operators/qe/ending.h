/* SPDX-License-Identifier: BSD-3-Clause */
/* ending.h - how did a pw.x run end, going by what it printed? */
#ifndef OPERATORS_QE_ENDING_H
#define OPERATORS_QE_ENDING_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

enum pw_ending {
    PW_SILENT,      /* died before its first line: starting it failed */
    PW_NO_ERROR,    /* started, and no complaint is to be found */
    PW_UNCONVERGED, /* the self-consistency loop gave up */
    PW_ERROR,       /* "Error in routine ..." */
};

/* Look at the end of what pw.x printed; 'whole': nothing came before it.
 * Appends what is wrong to 'message'.  ("JOB DONE." says nothing: an
 * unconverged run prints it too.)
 */
enum pw_ending pw_ending_of (const char *printed,
                             size_t len,
                             bool whole,
                             struct strbuf *message);

#endif /* !OPERATORS_QE_ENDING_H */
