/* SPDX-License-Identifier: BSD-3-Clause */
/* call_drive.h - bringing a call of a function to its end, and its result */
#ifndef COMMANDS_CALL_DRIVE_H
#define COMMANDS_CALL_DRIVE_H

#include "commands/command.h"

/* Which call, of the campaign in invocation->dir. */
struct call_place {
    const struct invocation *invocation;
    const char *function;
    int number;
};

/* How far to go. */
enum call_go {
    CALL_SUBMIT, /* take a step; that it is not done goes without saying */
    CALL_STEP,   /* take a step */
    CALL_END,    /* until it is done, failed or paused */
};

/* Drive it, or wait for who does; with CALL_END no longer than 'timeout_s'
 * (INFINITY: any time).  STATUS_DONE: it is done; STATUS_FAILED: it failed or
 * is paused, which was told with what to do; STATUS_UNREACHABLE: it has no
 * result yet.
 */
enum exit_status call_drive (const struct call_place *place, enum call_go go,
                             double timeout_s);

/* Print the declared outputs of a call that is done, or 'output' alone (NULL:
 * all), 'typed' as in result_print.h.
 */
enum exit_status call_print_result (const struct call_place *place,
                                    const char *output, bool typed);

#endif /* !COMMANDS_CALL_DRIVE_H */
