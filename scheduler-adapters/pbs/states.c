/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - PBS's letters for the state of a job
 *
 * The letters are those of qstat(1B), the negative exit statuses those of
 * OpenPBS's and TORQUE's mom.
 */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "pbs/states.h"

enum {
    SUBSTATE_DELETED = 91,
    KILLED_BY_TERM = 256 + 15, /* what qdel leaves behind */
};

static const struct {
    char state; /* 'F': OpenPBS, 'C': TORQUE */
    int64_t status;
    enum outcome outcome;
} statuses[] = {
    { 'F', -1, OUTCOME_NODE_FAILURE },  /* could not be started there */
    { 'F', -2, OUTCOME_NODE_FAILURE },  /* ... */
    { 'F', -20, OUTCOME_NODE_FAILURE }, /* the node was lost */
    { 'F', -26, OUTCOME_OUT_OF_MEMORY },
    { 'F', -27, OUTCOME_OUT_OF_MEMORY },
    { 'F', -28, OUTCOME_TIMEOUT },
    { 'F', -29, OUTCOME_TIMEOUT },
    { 'C', -1, OUTCOME_NODE_FAILURE },
    { 'C', -2, OUTCOME_NODE_FAILURE },
    { 'C', -10, OUTCOME_OUT_OF_MEMORY },
    { 'C', -11, OUTCOME_TIMEOUT },
    { 'C', -12, OUTCOME_TIMEOUT },
    { 'C', KILLED_BY_TERM, OUTCOME_CANCELLED },
};

static enum outcome ending (const struct pbs_word *word)
{
    char dialect = word->state == 'C' ? 'C' : 'F';

    /* A shell that outlives its killed child exits 0. */
    if (word->substate == SUBSTATE_DELETED)
        return OUTCOME_CANCELLED;
    for (size_t i = 0; i < ARRAY_SIZE (statuses); i++) {
        if (statuses[i].state == dialect && statuses[i].status == word->status)
            return statuses[i].outcome;
    }
    return word->status == 0 ? OUTCOME_OK : OUTCOME_FAILED;
}

/* One that was deleted before it started has no record of its own, nor has
 * any that had ended when its whole array was deleted.
 */
static struct element_status ended (const struct pbs_word *word, bool history)
{
    if (!word->own && history)
        return (struct element_status){ ELEMENT_ENDED, OUTCOME_CANCELLED };
    if (!word->own || !word->exited)
        return (struct element_status){ ELEMENT_UNKNOWN, OUTCOME_NONE };
    return (struct element_status){ ELEMENT_ENDED, ending (word) };
}

/* The sub-jobs of a held array are shown as queued. */
static enum element_state queued (const struct pbs_word *array)
{
    return array->state == 'H' ? ELEMENT_HELD : ELEMENT_QUEUED;
}

struct element_status pbs_element (const struct pbs_word *array,
                                   const struct pbs_word *word,
                                   bool history)
{
    struct element_status status = { ELEMENT_UNCLEAR, OUTCOME_NONE };

    switch (word->state) {
    case '\0':
        status.state = array->state == 'H' || array->state == 'Q'
                           ? queued (array)
                           : ELEMENT_UNKNOWN;
        break;
    case 'Q': /* also when it comes again, with a status of its last run */
    case 'T': /* is being moved to another queue */
    case 'W': /* for its time */
        status.state = queued (array);
        break;
    case 'H':
        status.state = ELEMENT_HELD;
        break;
    case 'B':
    case 'E':
    case 'R':
    case 'S':
    case 'U':
        status.state = ELEMENT_RUNNING;
        break;
    case 'C':
    case 'F':
    case 'X':
        return ended (word, history);
    }
    return status;
}

const char *pbs_stuck (const char *comment)
{
    static const struct {
        const char *words;
        const char *advice;
    } stuck[] = {
        { "Can Never Run",
          "no node has what it asks for; compare `node`, `gres` and "
          "`directives` of the profile with `pbsnodes -av`; `fanfold cancel`, "
          "mend, `fanfold resume`" },
        { "Queue not started",
          "an administrator starts the queue, or name another `queue`" },
        { "Number of concurrent running subjobs limit reached",
          "`limits: running:` of the profile counts its elements" },
        { "too many failed attempts",
          "PBS holds what could not be started many times; see the "
          "administrator, then `qrls`" },
    };

    for (size_t i = 0; i < ARRAY_SIZE (stuck); i++) {
        if (strstr (comment, stuck[i].words))
            return stuck[i].advice;
    }
    return NULL;
}
