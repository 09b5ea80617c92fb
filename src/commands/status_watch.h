/* SPDX-License-Identifier: BSD-3-Clause */
/* status_watch.h - a campaign as it changes, looked at and not touched */
#ifndef COMMANDS_STATUS_WATCH_H
#define COMMANDS_STATUS_WATCH_H

#include "commands/command.h"

struct campaign;

/* On a terminal the live screen, until `q`; else a line for each event, until
 * the campaign is done, failed or paused.  Takes no lease and writes nothing.
 */
enum exit_status status_watch (struct campaign *campaign);

#endif /* !COMMANDS_STATUS_WATCH_H */
