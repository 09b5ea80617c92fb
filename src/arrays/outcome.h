/* SPDX-License-Identifier: BSD-3-Clause */
/* outcome.h - how a task ended */
#ifndef ARRAYS_OUTCOME_H
#define ARRAYS_OUTCOME_H

enum outcome {
    OUTCOME_NONE = 0, /* not ended */
    OUTCOME_OK,
    OUTCOME_FAILED,     /* a command exited non-zero or by a signal */
    OUTCOME_BAD_INPUT,  /* inputs do not match the signature: no retry */
    OUTCOME_BAD_OUTPUT, /* outputs do not */
    OUTCOME_TIMEOUT,    /* its own walltime or the element's */
    OUTCOME_OUT_OF_MEMORY,
    OUTCOME_NODE_FAILURE,
    OUTCOME_PREEMPTED, /* the agent was told to end */
    OUTCOME_CANCELLED, /* from outside */
    OUTCOME_LOST,      /* the job is gone and no outcome was logged */
    OUTCOME_FATAL,     /* the operator says: do not retry */
    OUTCOME_COUNT,
};

/* "ok", "out_of_memory", ...; "pending" for OUTCOME_NONE. */
const char *outcome_name (enum outcome outcome);

/* The inverse; OUTCOME_COUNT for an unknown word. */
enum outcome outcome_from_name (const char *name);

/* Was the task ended from outside, and could have gone on?  Then what it left
 * may be gone on from: timeout, node_failure, preempted, cancelled, lost.
 */
bool outcome_is_cut_short (enum outcome outcome);

/* Failed by itself, or for want of memory?  What that try left may be gone on
 * from where its program was broken off, which its exit status tells.
 */
bool outcome_may_be_broken_off (enum outcome outcome);

#endif /* !ARRAYS_OUTCOME_H */
