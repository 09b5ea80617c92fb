/* SPDX-License-Identifier: BSD-3-Clause */
/* classify.h - how the tasks of a submission ended (pure)
 *
 * A word in an agent's log is the truth.  Where there is none, the
 * scheduler's word on the element decides, but only once nothing of the
 * submission is queued or running and the file system had time to show every
 * log.
 */
#ifndef ENGINE_CLASSIFY_H
#define ENGINE_CLASSIFY_H

#include <stdbool.h>

struct json;
struct observed_attempt;
struct observed_submission;
struct stage_state;

/* Is anything of it held, queued or running? */
bool submission_is_live (const struct observed_submission *submission);

/* Did the scheduler know every element? */
bool submission_is_known (const struct observed_submission *submission);

/* Does every task of it have its outcome in the logs (or in the state)? */
bool submission_is_complete (const struct stage_state *stage,
                             const struct observed_attempt *attempt,
                             const struct observed_submission *submission);

/* What is new: {"tried": RANGE, "outcomes": {NAME: RANGE}, "why": {...}}, or
 * NULL when there is nothing.  With 'final', tasks without a word are judged
 * by the scheduler's word on their element; one that never started and was
 * not cancelled stays without an outcome and runs again.  Caller unrefs.
 */
struct json *classify_results (const struct stage_state *stage,
                               const struct observed_attempt *attempt,
                               const struct observed_submission *submission,
                               bool final);

#endif /* !ENGINE_CLASSIFY_H */
