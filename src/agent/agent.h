/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.h - `fanfold agent`: runs one element's bundle of tasks on a node
 *
 * Reads what the engine wrote (job.json, stage.json, slices.jsonl),
 * claims the element, runs its tasks in slots and writes what happened to
 * results-<element>.<claim> (handover/result_log.h).
 *
 * SIGUSR1: start nothing more, let running tasks end, return the rest.
 * SIGTERM, SIGINT, SIGHUP: the same, and end running tasks (`preempted`).
 */
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

struct agent_options {
    const char *campaign_dir;
    const char *run_dir; /* the chunk's directory, relative to the campaign */
    int64_t element;
    const char *job_id;  /* as the scheduler tells it to this job */
    const char *program; /* path of fanfold, for {fanfold} */
};

/* Run the element to its end.  0: the agent ended in good order, however its
 * tasks did.  -1: nothing was started (this job is not the recorded one,
 * "not_recorded: ..." when none was recorded in time; the attempt is closed;
 * run files are missing), or the agent itself failed (the disk is full ...).
 * The process becomes a subreaper; its signal mask is as before afterwards.
 */
int agent_run (const struct agent_options *options, struct error *err);

#endif /* !AGENT_AGENT_H */
