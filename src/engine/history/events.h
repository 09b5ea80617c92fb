/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - the events of the journal: how each is written
 *
 * Every function returns a new JSON object for journal_append; state_apply
 * (state_fold.c, fold_*.c) reads them.  "now_s" is the wall clock, for people.
 *
 *   campaign   id name path inode [generation]
 *                                     the campaign begins, in this directory;
 *                                     generation: the highest number of what
 *                                     is there already
 *   adopted    path inode copy        it is in another one now; 'copy': what
 *                                     was submitted is the original's
 *   config     iteration number sha256 [changes from renamed{OLD: NEW}]
 *                                     its effective configuration was written:
 *                                     the first, or the number-th after edits;
 *                                     what differs from the one before
 *                                     (config_changes), and the first stage
 *                                     that goes by it; stages that have other
 *                                     names from then on; of a campaign that is
 *                                     done: its last iteration is open again
 *   iteration  iteration              an iteration begins
 *   skip       iteration stage why; of a request also steps: [STAGE], where
 *              the stage has steps: those that are skipped
 *   preparing  iteration stage code first_name generation
 *              [found[{generation}]]  its files will be those of a new
 *                                     generation, the next number; found: what
 *                                     lies in its place although nothing is in
 *                                     force there, which is superseded
 *   prepared   iteration stage code first_name generation tasks
 *              [ok logs{LOG:{bytes sha256}}]
 *              [reused]               the generation is in its place; ok: RANGE
 *                                     of tasks whose results were taken; logs:
 *                                     what those without artifacts are in;
 *                                     reused: [{campaign stage iteration
 *                                     tasks}], which of 'ok' other campaigns
 *                                     made
 *   reuse_from dirs[PATTERN]          other campaigns whose results are taken,
 *                                     too, besides those of the definition
 *   unfit      iteration stage why    bad_input: the stage fails, no retry
 *   attempt    iteration stage attempt tasks packing{...} task{...}
 *              site_submit            packing_to_json, resources_to_json
 *              node_share             the part of a node that a task has
 *   chain      on                     whether jobs are to wake the campaign
 *   dependency_job                    the intent of a job that wakes it when
 *                                     the submission 'after' has ended, or at
 *              token stage elements   that time; recorded, empty, absent,
 *              [after | at_s]         refused and ended are its too
 *   intent     iteration stage attempt chunk token elements uid
 *              [path path_before]     uid: of the user who submits
 *                                     path: PATH of the driver, where the jobs
 *                                     see it and it is another than at the
 *                                     submission before
 *   recorded   token id [found boot up_s]
 *   noted      token why              what a person should know; "": no more
 *   outage     profile scheduler since_s why full
 *                                     its scheduler does not answer, or
 *                                     ('full') takes no jobs for now; in its
 *                                     words
 *   answers    profile lasted_s full  that is over
 *   released   token
 *   empty      token boot up_s        find() answered: no such job
 *   absent     token                  concluded that it does not exist
 *   refused    token why              the scheduler will not have it
 *   swept      token boot up_s        no other job has its token
 *   over       token                  nothing of it queued or running any more
 *   back       token                  ... but it is there again
 *   results    iteration stage tried outcomes{NAME: RANGE} why{TASK: TEXT}
 *              remarks{TASK: TEXT}    on those that are ok
 *              nodes{NODE: RANGE}     where those ran that are not
 *              avoid[NODE]            of these, by the rules of the stage
 *              retired{SENTENCE: {[node] host device}}  of devices that failed
 *                                     tasks; their nodes are avoided, too
 *              timed_tasks timed_s    how many that are ok told how long they
 *                                     took, and the sum
 *              lost_s                 ... and of tries that ended otherwise
 *              ran[FROM TO ...]       time_spans_to_json: when any of them ran
 *              logs{LOG: {bytes sha256}}  what this stands on: so much of the
 *                                     logs that grew counts for ever; LOG is
 *                                     ATTEMPT/CHUNK/results-ELEMENT.N
 *              checkpoints{TASK: {name files bytes sha256 wall_s}}
 *                                     what tries that were cut short left; a
 *                                     newer one than known: not charged
 *              sizes{memory{} walltime{}}
 *                                     size_counts.h: what tasks that are ok
 *                                     needed
 *   cancelling token                  the scheduler was told to cancel it
 *   ended      token [not_begun{NAME: RANGE}]
 *                                     not_begun: tasks that never began, by how
 *                                     their element ended, but for cancelled
 *   closed     iteration stage attempt without_result [said]
 *   stage      iteration stage phase(done|failed) count proceed why
 *              [outputs SHA256] [unsteady TEXT] [dataset{FORM: SHA256}]
 *                                     phase: its status; outputs: digest of
 *                                     its outputs.json; unsteady: what of its
 *                                     work changed while it ran; dataset: what
 *                                     the iteration's training data are since
 *   closing    iteration history stop
 *   request    id kind [stage] [to stages fresh number supersedes moves]
 *                                     a person's request was done: pause,
 *                                     resume, cancel, retry, skip, redo, ...;
 *                                     what it replaces: drive/replacement.h
 *                                     (retry) [enough]: stages that failed of
 *                                     which enough tasks are ok by `success:`
 *                                     as it is now
 *   recovered  why [state] [generation]
 *                                     the journal was damaged, or its end lost
 *                                     (recovery.h); state: what lost events
 *                                     came to, as state.json told it;
 *                                     generation: the highest number there is
 *   replaced   number [datasets{ITERATION: {FORM: SHA256}}]
 *                                     all of that has been moved, and these
 *                                     training data were written again
 *   removing   iteration stage outputs{OUTPUT: KEEP}
 *                                     these outputs, which nothing that may
 *                                     still run needs, are being removed, by
 *                                     what `keep:` says of them
 *   removed    iteration stage outputs{OUTPUT: BYTES}
 *                                     they are gone, and how large they were
 *   paused     why                    the program pauses the campaign itself
 *   finished   phase(done|failed) converged why
 *   notify     events[EVENT]          those that `notify:` of the files has
 *                                     programs for, from now on
 *   notice     event of phase(begun|told|failed) [why]
 *                                     the program that tells it is run; of: the
 *                                     number of the event that is told, of
 *                                     'stuck' of the last one by which the
 *                                     campaign moved on
 *   then       event phase(begun|done|failed) [why]
 *                                     `then:` of a call that is done, for the
 *                                     result that the event's id names
 */
#ifndef ENGINE_EVENTS_H
#define ENGINE_EVENTS_H

/* A time that cannot be set: only times of one boot can be compared. */
struct uptime {
    const char *boot; /* id of the host's boot; NULL: unknown */
    double s;
};

/* {"ev": kind, "now_s": now} */
struct json *event_new (const char *kind, double now_s);

/* The same with "iteration" and "stage". */
struct json *event_of_stage (const char *kind, double now_s, int iteration,
                             const char *stage);

/* The same with "token". */
struct json *event_of_token (const char *kind, double now_s, const char *token);

/* The same of an answer of the scheduler, with "boot" and "up_s". */
struct json *event_of_answer (const char *kind, double now_s,
                              const struct uptime *up, const char *token);

#endif /* !ENGINE_EVENTS_H */
