/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_option.h - --reuse-from of the commands that drive */
#ifndef COMMANDS_REUSE_OPTION_H
#define COMMANDS_REUSE_OPTION_H

#include "commands/command.h"

struct engine;

#define REUSE_FROM_OPTION                                                      \
    {                                                                          \
        "reuse-from", "DIR",                                                   \
            "take results of equal tasks of this campaign, from now on; DIR "  \
            "may be a pattern, and the option repeated"                        \
    }

/* Journal what the option names and is not known yet, with the lease held; a
 * complaint where that is no campaign.
 */
enum exit_status reuse_option_take (const struct invocation *invocation,
                                    struct engine *engine);

#endif /* !COMMANDS_REUSE_OPTION_H */
