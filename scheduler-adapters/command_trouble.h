/* SPDX-License-Identifier: BSD-3-Clause */
/* command_trouble.h - what a failed command of a scheduler says (pure) */
#ifndef SCHEDULER_COMMAND_TROUBLE_H
#define SCHEDULER_COMMAND_TROUBLE_H

#include "adapter.h"

enum trouble {
    TROUBLE_UNCLEAR, /* anything may be: the scheduler did not answer, a
                        wrapper failed, words nobody has seen yet */
    TROUBLE_REFUSED, /* the scheduler looked at the request and said no */
    TROUBLE_FULL,    /* it said no, for now: a limit, a queue that is closed */
    TROUBLE_UNKNOWN_JOB,
    TROUBLE_OVER,   /* the job has ended already */
    TROUBLE_BROKEN, /* this host is not set up to reach a scheduler */
};

/* Words of a message, what they mean, and what of site.yaml to look at (NULL:
 * nothing).
 */
struct trouble_text {
    const char *words; /* NULL ends a list */
    enum trouble trouble;
    const char *advice;
};

/* The first of 'texts' whose words are in 'message', all that a failed command
 * wrote to stderr; NULL: none is, and the trouble is UNCLEAR.
 */
const struct trouble_text *trouble_find (const struct trouble_text *texts,
                                         const char *message);

/* Does every line of 'message', and there is one, tell of a trouble in 'fine',
 * bits 1 << TROUBLE_...?
 */
bool trouble_only (const struct trouble_text *texts,
                   const char *message,
                   unsigned fine);

/* The lines of 'message' on one line, without any of 'prefixes' (ends with
 * NULL) at their beginnings, into 'out' of 'size' bytes.
 */
void trouble_words (const char *message,
                    const char *const *prefixes,
                    char *out,
                    size_t size);

/* What to answer when a command failed and that has no meaning of its own. */
enum answer trouble_answer (enum trouble trouble);

#endif /* !SCHEDULER_COMMAND_TROUBLE_H */
