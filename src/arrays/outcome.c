/* SPDX-License-Identifier: BSD-3-Clause */
/* outcome.c - how a task ended */
#include "base/base.h"

#include "arrays/outcome.h"

static const char *const names[OUTCOME_COUNT] = {
    [OUTCOME_NONE] = "pending",
    [OUTCOME_OK] = "ok",
    [OUTCOME_FAILED] = "failed",
    [OUTCOME_BAD_INPUT] = "bad_input",
    [OUTCOME_BAD_OUTPUT] = "bad_output",
    [OUTCOME_TIMEOUT] = "timeout",
    [OUTCOME_OUT_OF_MEMORY] = "out_of_memory",
    [OUTCOME_NODE_FAILURE] = "node_failure",
    [OUTCOME_PREEMPTED] = "preempted",
    [OUTCOME_CANCELLED] = "cancelled",
    [OUTCOME_LOST] = "lost",
    [OUTCOME_FATAL] = "fatal",
};

const char *outcome_name (enum outcome outcome)
{
    if ((unsigned int)outcome >= OUTCOME_COUNT)
        return "unknown";
    return names[outcome];
}

enum outcome outcome_from_name (const char *name)
{
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        if (strcmp (names[i], name) == 0)
            return (enum outcome)i;
    }
    return OUTCOME_COUNT;
}

bool outcome_is_cut_short (enum outcome outcome)
{
    return outcome == OUTCOME_TIMEOUT || outcome == OUTCOME_NODE_FAILURE
           || outcome == OUTCOME_PREEMPTED || outcome == OUTCOME_CANCELLED
           || outcome == OUTCOME_LOST;
}

bool outcome_may_be_broken_off (enum outcome outcome)
{
    return outcome == OUTCOME_FAILED || outcome == OUTCOME_OUT_OF_MEMORY;
}
