/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - the events of the journal: how each is written
 *
 * Every function returns a new JSON object for journal_append; state_apply
 * (state_fold.c) reads them.  "now_s" is the wall clock, for people.
 *
 *   campaign   id name                the campaign begins
 *   config     iteration sha256       its effective configuration was written
 *   iteration  iteration              an iteration begins
 *   skip       iteration stage why
 *   prepared   iteration stage tasks
 *   unfit      iteration stage why    bad_input: the stage fails, no retry
 *   attempt    iteration stage attempt tasks chunks per_chunk
 *              site_submit
 *   chain      on                     whether jobs are to wake the campaign
 *   waking     token stage elements [after | at_s]
 *                                     the intent of a job that wakes it when
 *                                     the submission 'after' has ended, or at
 *                                     that time; recorded, empty, absent,
 *                                     refused and ended are its too
 *   intent     iteration stage attempt chunk token elements
 *   recorded   token id [found]
 *   noted      token why              what a person should know; "": no more
 *   released   token
 *   empty      token                  find() answered: no such job
 *   absent     token                  concluded that it does not exist
 *   refused    token why              the scheduler will not have it
 *   swept      token                  no other job has its token
 *   over       token                  nothing of it queued or running any more
 *   back       token                  ... but it is there again
 *   results    iteration stage tried outcomes{NAME: RANGE} why{TASK: TEXT}
 *              remarks{TASK: TEXT}    on those that are ok
 *              nodes{NODE: RANGE}     where those ran that are not
 *              avoid[NODE]            of these, by the rules of the stage
 *   cancelling token                  the scheduler was told to cancel it
 *   ended      token
 *   closed     iteration stage attempt fruitless [said]
 *   stage      iteration stage phase(done|failed) count proceed why
 *   closing    iteration history stop
 *   request    id kind [stage]        a person's wish was obeyed: pause,
 *                                     resume, cancel, retry, skip
 *   paused     why                    the program pauses the campaign itself
 *   finished   phase(done|failed) converged why
 */
#ifndef ENGINE_EVENTS_H
#define ENGINE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct json;

/* {"ev": kind, "now_s": now} */
struct json *event_new (const char *kind, double now_s);

/* The same with "iteration" and "stage". */
struct json *event_of_stage (const char *kind,
                             double now_s,
                             int iteration,
                             const char *stage);

/* The same with "token". */
struct json *event_of_token (const char *kind, double now_s, const char *token);

#endif /* !ENGINE_EVENTS_H */
