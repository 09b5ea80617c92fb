/* SPDX-License-Identifier: BSD-3-Clause */
/* classify.h - how the tasks of a submission ended (pure)
 *
 * An outcome in an agent's log is final, but for those of tasks that a person
 * ended from outside; and a later `ok` of the same attempt (the scheduler ran
 * the element again) replaces a failure.  Where none is logged, the
 * scheduler's state of the element decides, but only once nothing of the
 * submission is queued or running and the file system had time to show every
 * log.
 */
#ifndef ENGINE_CLASSIFY_H
#define ENGINE_CLASSIFY_H

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

/* How much of a submission is to be judged. */
struct judging {
    bool final;   /* tasks without a logged outcome too, by the end of their
                     element */
    bool forgive; /* cancelled tasks are to run again: we asked for it, and
                     have been told to go on since */
};

/* What is new: {"tried": RANGE, "outcomes": {NAME: RANGE}, "why": {...},
 * "logs": {LOG: {bytes, sha256}}, ...} as in the event `results`, or NULL when
 * there is nothing.  A task that never started and was not cancelled stays
 * without an outcome and runs again, and so does one whose cancelling is
 * forgiven.  Caller unrefs.
 */
struct json *classify_results (const struct stage_state *stage,
                               const struct observed_attempt *attempt,
                               const struct observed_submission *submission,
                               struct judging judging);

/* {OUTCOME: RANGE}: its tasks that never began, by how the scheduler says that
 * their element ended; but for cancelled ones.  Caller unrefs.
 */
struct json *classify_not_begun (const struct stage_state *stage,
                                 const struct observed_attempt *attempt,
                                 const struct observed_submission *submission);

#endif /* !ENGINE_CLASSIFY_H */
