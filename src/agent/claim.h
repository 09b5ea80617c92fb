/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.h - an agent's claim on its element, and the log that comes with it
 *
 * The claim is the file results-<element>.<claim>, created O_EXCL.  Another
 * claim on the same element may exist: a copy of this job, or an earlier run
 * of it.  That is legal, since tasks take effect by one rename.
 */
#ifndef AGENT_CLAIM_H
#define AGENT_CLAIM_H

#include <stdbool.h>

#include "arrays/outcome.h"

struct assignment;
struct error;
struct json;

enum { CLAIM_LENGTH = 8 };

struct claim {
    char name[CLAIM_LENGTH + 1];
    char *path;
    int fd;        /* -1: none */
    bool dirty;    /* appended since the last claim_sync */
    bool troubled; /* claim_log_trouble was called: start nothing more */
};

#define CLAIM_INIT                                                             \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Create the file with its first record and read that back. */
int claim_take (const struct assignment *assignment,
                struct claim *claim,
                struct error *err);
void claim_release (struct claim *claim);

/* How a task ended, as it is logged. */
struct task_end {
    enum outcome outcome;
    int exit_code; /* of the last command; -1: none */
    int signal;    /* 0: none */
    double wall_s;
    const char *message; /* ok: a remark, or "" */
    struct json *result; /* ok: lent */
};

/* Append a record (see arrays/result_log.h). */
int claim_log_start (struct claim *claim,
                     int task,
                     int slot,
                     const char *cores,
                     struct error *err);
int claim_log_end (struct claim *claim,
                   int task,
                   const struct task_end *end,
                   struct error *err);
int claim_log_found (struct claim *claim,
                     int task,
                     struct json *result,
                     struct error *err);
int claim_log_returned (struct claim *claim, int task, struct error *err);
/* The machine failed the task, or the agent on its way to it: handed back
 * without a try being charged.
 */
int claim_log_trouble (struct claim *claim,
                       int task,
                       const struct error *why,
                       struct error *err);
int claim_log_done (struct claim *claim, struct error *err);

/* Bring what was appended to the disk. */
int claim_sync (struct claim *claim, struct error *err);

#endif /* !AGENT_CLAIM_H */
