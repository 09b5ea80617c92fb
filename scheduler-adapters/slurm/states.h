/* SPDX-License-Identifier: BSD-3-Clause */
/* states.h - Slurm's words for the state of a job */
#ifndef SLURM_STATES_H
#define SLURM_STATES_H

#include "adapter.h"

/* What 'word' means, as squeue or sacct print it: "RUNNING", "CANCELLED by
 * 1000", "OUT_OF_ME+" (cut off by a narrow column).  'reason' (may be NULL)
 * is squeue's: it tells a held job from a queued one.  A word that is not
 * known, or cut off so that it may be two, is ELEMENT_UNCLEAR: never guessed.
 */
struct element_status slurm_state (const char *word, const char *reason);

/* Will a job that is queued for this reason never start by itself?  Then what
 * a person can do about it; else NULL.
 */
const char *slurm_stuck (const char *reason);

#endif /* !SLURM_STATES_H */
