/* SPDX-License-Identifier: BSD-3-Clause */
/* point.h - named points at which a test may stop a process
 *
 * Here they do nothing.  tests/hooks/point.c is linked in the place of point.c
 * into the programs of tests that need it, tests/hooks/fanfold among them:
 * there, with FANFOLD_STOP_AT=NAME in the environment, the process sends itself
 * SIGSTOP the first time it reaches point NAME, and goes on after SIGCONT: so
 * tests force the schedules that matter instead of hoping for them.  With
 * NAME,NEXT it then stops at point NEXT, and so on.
 *
 *   lease.taken      a driver has the lock and has done nothing yet
 *   lease.releasing  a driver has looked for the last time and is about to let
 *                    go of the lock
 *   lease.released   a driver has released the lock and is about to look
 *                    whether anybody asked meanwhile
 *   submit.intended  the intent is journaled, the job not yet submitted
 *   submit.accepted  the job is submitted, its id not yet journaled
 *   notice.begun     it is journaled that `notify:` tells an event
 *   notice.ended     that has ended, which is not yet journaled
 *   then.begun       it is journaled that `then:` of a call begins
 *   then.ended       it has ended, which is not yet journaled
 *
 * At the others a driver has just made sure that it still holds the lock, and
 * is about to
 *   round.checked       take the wake messages, look around and decide
 *   lease.checked       write the journal
 *   release.checked     write submission.json and let the job go
 *   step.checked        run prepare or collect in a directory of its own
 *   close.checked       write that the attempt is closed
 *   supersede.checked   move a generation to those that are superseded
 *   appear.checked      let a generation appear in its place
 *   take.checked        move the results of a superseded generation to its own
 *   collect.checked     put what collect made in its place
 *   publish.checked     put data in its place below dataset/
 *   outputs.checked     write outputs.json
 *   checkpoint.checked  write state.json
 */
#ifndef BASE_POINT_H
#define BASE_POINT_H

void point_reached (const char *name);

/* The time called 'name', 's' seconds; tests set "lease" with FANFOLD_LEASE_S,
 * "grace", what an element that is to end has to do so, with FANFOLD_GRACE_S,
 * and "quiet", how long nothing has to move to be told, with FANFOLD_QUIET_S.
 */
double point_seconds (const char *name, double s);

#endif /* !BASE_POINT_H */
