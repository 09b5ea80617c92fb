/* SPDX-License-Identifier: BSD-3-Clause */
/* stepping.h - one step of a campaign: what `advance` and `submit` share */
#ifndef COMMANDS_STEPPING_H
#define COMMANDS_STEPPING_H

#include <stdbool.h>

#include "commands/command.h"

struct campaign;
struct step;

/* As the driver: a step, and another one as long as somebody asked meanwhile,
 * for whoever found us driving went away.  'chain': NULL, or whether jobs are
 * to drive from now on.  Not STATUS_DONE: it has complained.
 */
enum exit_status step_campaign (struct campaign *campaign,
                                const bool *chain,
                                struct step *step);

/* A line on stdout: where the campaign stands, and who goes on, or when to call
 * `fanfold advance`.
 */
void step_print (const struct campaign *campaign, const struct step *step);

/* What a command that made the step exits with; complains of a scheduler that
 * did not answer.
 */
enum exit_status step_status (const struct campaign *campaign,
                              const struct step *step);

#endif /* !COMMANDS_STEPPING_H */
