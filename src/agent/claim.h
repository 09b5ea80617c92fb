/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.h - an agent's claim on its element, and the log that comes with it
 *
 * The claim is the file results-<element>.<n>, created O_EXCL with the next
 * free n, so all claims of an element are in an order.  Its first record tells
 * what counts of the element's older logs; what older agents, which may still
 * be running, append from then on does not exist.
 */
#ifndef AGENT_CLAIM_H
#define AGENT_CLAIM_H

#include "agent/output_file.h"
#include "arrays/outcome.h"
#include "arrays/task_range.h"
#include "placement/memory_policy.h"

struct assignment;

enum { CLAIM_TAG_SIZE = 48 };

struct claim {
    char *node_differs;       /* in what its node is not as recorded, set before
                                 it is taken; NULL: it is, or was not */
    int64_t n;                /* its number among the claims of the element */
    char tag[CLAIM_TAG_SIZE]; /* n-NONCE: this agent's processes, no others' */
    char *path;
    int fd;              /* -1: none */
    uint64_t bytes;      /* of the log */
    bool dirty;          /* appended since the last claim_sync */
    bool machine_failed; /* claim_log_machine_error was called: start nothing
                            more */
    struct task_range ended_ok; /* as the older logs tell */
    struct output_file output;
};

#define CLAIM_INIT                                                             \
    {                                                                          \
        .fd = -1, .ended_ok = TASK_RANGE_INIT, .output = OUTPUT_FILE_INIT      \
    }

/* Read the older logs, create the file with its first record and read that
 * back.
 */
int claim_take (const struct assignment *assignment, struct claim *claim,
                struct error *err);
void claim_release (struct claim *claim);

/* How a task ended, as it is logged. */
struct task_end {
    enum outcome outcome;
    int exit_code; /* of the last command; -1: none */
    int signal;    /* 0: none */
    double wall_s;
    double ended_s;            /* by the clock on the wall; 0: not known */
    double energy_j;           /* of its node; 0: not known */
    double cpu_s;              /* of its commands and what they waited for */
    int64_t peak_bytes;        /* the most memory it used; 0: not known */
    const char *message;       /* ok: a remark, or "" */
    const char *lost_node;     /* another node of the task, which failed it, as
                                  the scheduler calls it; NULL: none, or not
                                  told */
    const char *version_line;  /* of its code; NULL, "": not known */
    const struct json *params; /* ok: lent; NULL: they are in result.json */
    const char *result;        /* ok: SHA-256 of that; NULL: there is none */
    const struct json *report; /* of a group: {name: the last}; lent, or NULL */
    bool printed;              /* ok: what it printed was kept, there: */
    uint64_t printed_at, printed_bytes;
};

/* Keep what a task that is ok printed, all that is in the file 'fd', and note
 * in 'end' where.
 */
void claim_keep_printed (struct claim *claim, int fd, struct task_end *end);

/* Where a task starts, as it is logged: what it has, and what it was to have
 * where that is not the same (NULL: it is).
 */
struct task_start {
    int slot;
    const char *cores, *cores_wanted;           /* CPUs, "0-1" */
    struct memory_policy memory, memory_wanted; /* MEMORY_UNKNOWN: the same */
    const char *gpus;                           /* "": none, or not told */
};

/* Set the keys of 'v' that tell of it, as in the log. */
void task_start_describe (const struct task_start *start, struct json *v);

/* Append a record (see handover/result_log.h). */
int claim_log_start (struct claim *claim, int task,
                     const struct task_start *start, struct error *err);
int claim_log_end (struct claim *claim, int task, const struct task_end *end,
                   struct error *err);
int claim_log_found (struct claim *claim, int task, struct error *err);
int claim_log_returned (struct claim *claim, int task, struct error *err);
/* The machine failed the task, or the agent on its way to it: handed back
 * without a try being charged.
 */
int claim_log_machine_error (struct claim *claim, int task,
                             const struct error *why, struct error *err);
/* The same, and nothing of the campaign is to run before a person looked. */
int claim_log_pause (struct claim *claim, int task, const struct error *why,
                     struct error *err);
/* A device failed the task: handed back without a try being charged, after its
 * end was logged; other tasks may be started.
 */
int claim_log_handed_back (struct claim *claim, int task,
                           const struct error *why, struct error *err);
/* A device gets no more tasks here after so many failures in a row. */
int claim_log_retired (struct claim *claim, const char *device, int failures,
                       struct error *err);
int claim_log_done (struct claim *claim, struct error *err);

/* Bring what was appended to the disk, and then tell so in the log. */
int claim_sync (struct claim *claim, struct error *err);

#endif /* !AGENT_CLAIM_H */
