/* SPDX-License-Identifier: BSD-3-Clause */
/* attempt_logs.h - what was read of the agents' logs of one open attempt
 *
 * A driver goes on reading where it stopped, and so does the next one: the
 * checkpoint holds how far that was.  What the journal has recorded of a task
 * need not be known again.  Dropping all of it costs time only.
 */
#ifndef ENGINE_ATTEMPT_LOGS_H
#define ENGINE_ATTEMPT_LOGS_H

#include "arrays/outcome.h"
#include "arrays/task_range.h"
#include "base/digest.h"

struct attempt;
struct stage_state;
struct state;

/* What the logs say of one task in this attempt. */
struct logged_task {
    bool started;
    bool killed;      /* failed by a signal that the scheduler may have sent */
    uint8_t outcome;  /* enum outcome; NONE: none is logged */
    uint8_t status;   /* the exit status of its command, 128 + N of signal N */
    uint32_t node;    /* where it was started last: 1 + index in the attempt's
                         nodes; 0: not told */
    double ended_s;   /* when it did; 0: not told */
    float wall_s;     /* of its end; 0: not told */
    float peak_bytes; /* of memory; the same */
};

/* One log of an element. */
struct read_log {
    int64_t n;                    /* of the claim */
    uint64_t bytes;               /* how long it was */
    int64_t mtime_us;             /* when the last of the element's logs was
                                     changed */
    uint64_t durable_bytes;       /* so much counts and cannot be lost: from
                                     there it is read on */
    uint64_t journaled_bytes;     /* no more than the journal says */
    struct digest_state digest;   /* of the whole blocks of the durable bytes */
    char sha256[DIGEST_HEX_SIZE]; /* of the durable bytes */
};

struct read_element {
    struct read_log *logs; /* by n, ascending; the last one may grow */
    size_t n_logs;
    bool settled;         /* of the older ones all is there that counts */
    bool finished;        /* all its tasks are recorded as ok */
    bool pause;           /* the machine error is one a person has to look at */
    uint32_t node;        /* of the agent that writes the last log */
    double claimed_s;     /* when that began; 0: not told */
    char *machine_error;  /* how the machine failed a task; NULL: it did not */
    struct json *retired; /* {SENTENCE: {[node], host, device}}; NULL: none */
};

struct attempt_logs {
    char *stage;
    int iteration, attempt;
    struct logged_task *tasks; /* by number */
    int32_t n_tasks;
    struct strvec nodes;        /* as the scheduler calls them */
    struct json *why;           /* {TASK: sentence} of failures, or a remark */
    struct task_range *bundles; /* by element, those of chunk 0 first */
    struct read_element *elements;
    int64_t n_elements;
};

void attempt_logs_destroy (struct attempt_logs *logs);

/* The number in the attempt of a chunk's first element. */
int64_t attempt_first_element (const struct attempt *attempt, int chunk);

/* Nothing was read of an element. */
void attempt_logs_forget (struct attempt_logs *logs, int64_t element);

/* Those of all open attempts. */
struct logs_read {
    struct attempt_logs **v;
    size_t n, alloc;
    bool changed; /* since they were read from a checkpoint */
};

#define LOGS_READ_INIT                                                         \
    {                                                                          \
        0                                                                      \
    }

void logs_read_release (struct logs_read *read);

/* Those of a stage's open attempt, made when there are none. */
struct attempt_logs *logs_read_of (struct logs_read *read,
                                   const struct stage_state *stage,
                                   int iteration);

/* Drop those of attempts that are no longer open. */
void logs_read_tidy (struct logs_read *read, const struct state *state);

/* As in the checkpoint of 'state'.  Elements of which something is known that
 * is not recorded, other than that tasks have started, are left out: they will
 * be read anew.
 */
struct json *logs_read_to_json (const struct logs_read *read,
                                const struct state *state);

/* Back again; what does not fit 'state' is not taken. */
void logs_read_from_json (const struct json *v, const struct state *state,
                          struct logs_read *read);

#endif /* !ENGINE_ATTEMPT_LOGS_H */
