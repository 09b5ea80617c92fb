/* SPDX-License-Identifier: BSD-3-Clause */
/* foreground.h - driving a campaign until it is done */
#ifndef COMMANDS_FOREGROUND_H
#define COMMANDS_FOREGROUND_H

#include "commands/command.h"

struct campaign;

/* Drive until it is done, failed or paused, or a signal ends us (the engine's
 * 'stop'), or it is time 'stop_at_s' (mono; 0: only the end of the job that
 * this is part of); with live progress on 'to' (NULL: none).  STATUS_BUSY when
 * another drives, with a complaint unless 'quiet'.
 */
enum exit_status foreground_drive (struct campaign *campaign, FILE *to, int fd,
                                   double stop_at_s, bool quiet);

#endif /* !COMMANDS_FOREGROUND_H */
