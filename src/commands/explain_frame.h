/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_frame.h - why a frame was selected, or was not */
#ifndef COMMANDS_EXPLAIN_FRAME_H
#define COMMANDS_EXPLAIN_FRAME_H

#include "commands/command.h"

struct campaign;
struct stage;

/* Print what became of the frame "TASK:STEP", or atom "TASK:STEP:ATOM", of the
 * exploration that 'stage' selected from in that iteration; or what would with
 * the inputs that --set gives.  Not STATUS_DONE: it has complained.
 */
enum exit_status explain_frame (const struct invocation *invocation,
                                const struct campaign *campaign,
                                const struct stage *stage,
                                int iteration,
                                const char *frame);

#endif /* !COMMANDS_EXPLAIN_FRAME_H */
