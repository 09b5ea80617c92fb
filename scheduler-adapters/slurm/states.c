/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - Slurm's words for the state of a job
 *
 * The words are those of squeue(1) and sacct(1), 20.02 to 25.05.  squeue shows
 * a flag such as COMPLETING instead of the state it comes with.
 */
#include "base/base.h"

#include "job_view.h"
#include "slurm/slurm.h"

#define ENDED(how) ELEMENT_ENDED, OUTCOME_##how

static const struct {
    const char *word;
    enum element_state state;
    enum outcome outcome;
} words[] = {
    { "PENDING", ELEMENT_QUEUED, OUTCOME_NONE },
    { "RUNNING", ELEMENT_RUNNING, OUTCOME_NONE },
    { "COMPLETED", ENDED (OK) },
    { "FAILED", ENDED (FAILED) },
    { "CANCELLED", ENDED (CANCELLED) },
    { "TIMEOUT", ENDED (TIMEOUT) },
    { "DEADLINE", ENDED (TIMEOUT) },
    { "OUT_OF_MEMORY", ENDED (OUT_OF_MEMORY) },
    { "NODE_FAIL", ENDED (NODE_FAILURE) },
    { "BOOT_FAIL", ENDED (NODE_FAILURE) },
    { "PREEMPTED", ENDED (PREEMPTED) },
    /* Nodes are being got ready, or cleared. */
    { "CONFIGURING", ELEMENT_RUNNING, OUTCOME_NONE },
    { "POWER_UP_NODE", ELEMENT_RUNNING, OUTCOME_NONE },
    { "COMPLETING", ELEMENT_RUNNING, OUTCOME_NONE },
    { "STAGE_OUT", ELEMENT_RUNNING, OUTCOME_NONE },
    { "RESIZING", ELEMENT_RUNNING, OUTCOME_NONE },
    { "SIGNALING", ELEMENT_RUNNING, OUTCOME_NONE },
    { "SUSPENDED", ELEMENT_RUNNING, OUTCOME_NONE },
    { "STOPPED", ELEMENT_RUNNING, OUTCOME_NONE },
    /* It comes again: by itself, or when it is released. */
    { "REQUEUED", ELEMENT_QUEUED, OUTCOME_NONE },
    { "REQUEUE_FED", ELEMENT_QUEUED, OUTCOME_NONE },
    { "LAUNCH_FAILED", ELEMENT_QUEUED, OUTCOME_NONE },
    { "RECONFIG_FAIL", ELEMENT_QUEUED, OUTCOME_NONE },
    { "EXPEDITING", ELEMENT_QUEUED, OUTCOME_NONE },
    { "REQUEUE_HOLD", ELEMENT_HELD, OUTCOME_NONE },
    { "RESV_DEL_HOLD", ELEMENT_HELD, OUTCOME_NONE },
    { "SPECIAL_EXIT", ELEMENT_HELD, OUTCOME_NONE },
    /* Another cluster of the federation has it; this one knows no more. */
    { "REVOKED", ELEMENT_UNKNOWN, OUTCOME_NONE },
};

/* How much of 'word' is the state: "CANCELLED by 1000". */
static size_t state_length (const char *word)
{
    const char *by = strstr (word, " by ");

    return by ? (size_t)(by - word) : strlen (word);
}

/* Index in 'words', or -1. */
static int find_word (const char *word)
{
    size_t len = state_length (word);
    bool cut = len > 0 && word[len - 1] == '+';
    int found = -1;

    len -= cut;
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (strncmp (words[i].word, word, len) != 0)
            continue;
        if (words[i].word[len] == '\0')
            return (int)i;
        if (cut && found >= 0)
            return -1;
        if (cut)
            found = (int)i;
    }
    return found;
}

static bool is_hold (const char *reason)
{
    return strncmp (reason, "JobHeld", 7) == 0
           || strstr (reason, "requeued held") != NULL;
}

struct element_status slurm_state (const char *word, const char *reason)
{
    struct element_status status = { ELEMENT_UNCLEAR, OUTCOME_NONE };
    int i = find_word (word);

    if (i < 0)
        return status;
    status = (struct element_status){ words[i].state, words[i].outcome };
    if (status.state == ELEMENT_QUEUED && reason && is_hold (reason))
        status.state = ELEMENT_HELD;
    return status;
}

static const struct stuck_reason reasons[] = {
    { "PartitionTimeLimit",
      "it asks for more time than its partition allows; lower the task's "
      "walltime or `limits: walltime:`, or name another `partition`" },
    { "PartitionNodeLimit",
      "it asks for more nodes than its partition allows; name another "
      "`partition`" },
    { "PartitionConfig",
      "its partition cannot give what it asks for; compare `node` and "
      "`partition` of the profile with `scontrol show partition`" },
    { "PartitionDown",
      "its partition starts no jobs now; wait, or name another `partition`" },
    { "PartitionInactive",
      "its partition is switched off; wait, or name another `partition`" },
    { "BadConstraints",
      "no node has what it asks for; compare `node`, `gres` and "
      "`directives` of the profile with `sinfo -N -o \"%N %c %m %G %f\"`; "
      "run `fanfold cancel`, change them, then run `fanfold resume`" },
    { "JobHeld", "it is held; `scontrol release` lets it run" },
    { "launch failed requeued held",
      "a node could not start it; see the administrator, then `scontrol "
      "release`" },
    { "DependencyNeverSatisfied",
      "it depends on a job that failed; cancel it with `scancel`" },
    { "InvalidAccount", "change `account` of the profile" },
    { "InvalidQOS", "change `qos` of the profile" },
    { "AccountNotAllowed",
      "the partition does not take its account; change `account` or "
      "`partition` of the profile" },
    { "QOSNotAllowed",
      "the partition does not take its QOS; change `qos` or `partition` of "
      "the profile" },
    { "AssocMaxWallDurationPerJobLimit",
      "its account allows less time; lower the task's walltime or "
      "`limits: walltime:`" },
    { "QOSMaxWallDurationPerJobLimit",
      "its QOS allows less time; lower the task's walltime or `limits: "
      "walltime:`" },
    { "AssocMaxCpuPerJobLimit",
      "its account allows fewer cores a job; lower `node: cores:`" },
    { "QOSMaxCpuPerJobLimit",
      "its QOS allows fewer cores a job; lower `node: cores:`" },
    { "AssocMaxGRESPerJob",
      "its account allows fewer GPUs a job; lower `node: gpus:`" },
    { "QOSMaxGRESPerJob",
      "its QOS allows fewer GPUs a job; lower `node: gpus:`" },
    { NULL, NULL },
};

const char *slurm_stuck (const char *reason)
{
    return stuck_advice (reasons, reason);
}
