/* SPDX-License-Identifier: BSD-3-Clause */
/* log_follow.h - what a task prints, while it does */
#ifndef COMMANDS_LOG_FOLLOW_H
#define COMMANDS_LOG_FOLLOW_H

#include "commands/command.h"

struct stage;

/* Print what a task of 'stage' prints, from its newest try on, until it has
 * ended and will not be tried again; what became of it is said on stderr.
 * STATUS_DONE where it is ok, STATUS_FAILED where it is not or nothing will
 * become of it, STATUS_INTERRUPTED.
 *
 * Files are looked at again and again: jobs write on other nodes, of which the
 * kernel here tells no events.
 */
enum exit_status log_follow (struct campaign *campaign,
                             const struct stage *stage, int iteration,
                             int task);

#endif /* !COMMANDS_LOG_FOLLOW_H */
