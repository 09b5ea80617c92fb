/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign.h - the campaign a command is about: compiled, and opened */
#ifndef COMMANDS_CAMPAIGN_H
#define COMMANDS_CAMPAIGN_H

#include "commands/command.h"
#include "commands/edited_files.h"
#include "engine/history/engine.h"
#include "space/layout.h"

struct lease_holder;
struct plan;
struct problems;
struct heartbeat;
struct step;

struct campaign {
    const struct plan *plan; /* the engine's, when it was opened */
    struct engine engine;
    struct edited_files files;
};

/* Compile campaign.yaml and site.yaml; with 'site_alone' the profiles only,
 * whether there is a campaign or not; in their place 'recorded', a config.json
 * (NULL: none); 'heartbeat' is told while frames are read.  NULL with
 * 'problems' filled, and in order.
 */
struct plan *campaign_plan (const struct invocation *invocation,
                            bool site_alone, struct json *recorded,
                            const struct heartbeat *heartbeat,
                            struct problems *problems);

void campaign_print_problems (const struct problems *problems);

/* campaign_plan of the files; what is wrong is printed on stderr. */
struct plan *campaign_plan_or_complain (const struct invocation *invocation,
                                        bool site_alone);

/* Compile and fold the journal; where the files have problems, what the
 * campaign went by last holds, after a complaint (but for a command that
 * needs_valid_files).  Not STATUS_DONE: it has complained, and there
 * is nothing to close, which is legal.
 */
enum exit_status campaign_open (const struct invocation *invocation,
                                struct campaign *campaign);
void campaign_close (struct campaign *campaign);

/* What a person must know of what a driver does, on stderr: an engine's
 * on_event, which a command has that sets no other.
 */
void campaign_warn_of_event (const struct json *event, void *unused);

/* Complain about what ended the driving; first of what holds the campaign up,
 * if anything does, which may well be the cause.
 */
enum exit_status campaign_gave_up (const struct campaign *campaign,
                                   const struct error *err);

/* What made a step STATUS_UNREACHABLE; and complain about it. */
void campaign_unreachable_text (const struct campaign *campaign,
                                const struct step *step, struct strbuf *out);
enum exit_status campaign_unreachable (const struct campaign *campaign,
                                       const struct step *step);

/* Read the logs of the open attempt of a stage in an iteration; '*logs': NULL
 * where there is none, else lent by 'observations', which is released in any
 * case.  Not STATUS_DONE: it has complained.
 */
struct attempt_logs;
struct observations;
enum exit_status campaign_stage_logs (struct campaign *campaign,
                                      const char *stage, int iteration,
                                      struct observations *observations,
                                      const struct attempt_logs **logs);

/* {"state", "why" (where there is one), "iteration" (-1: none has begun)} by
 * the journal, which this process has just driven.  Caller unrefs.
 */
struct json *campaign_standing (const struct campaign *campaign);

/* Who drives it: lease_peek, but no one where the lock was copied here. */
int campaign_peek (const struct campaign *campaign, struct lease_holder *holder,
                   struct error *err);

/* Become the driver.  STATUS_BUSY when another is, with a complaint
 * unless 'quiet'; STATUS_UNREACHABLE where a profile's scheduler is of no use
 * here.
 */
enum exit_status campaign_drive (struct campaign *campaign, bool quiet);

#endif /* !COMMANDS_CAMPAIGN_H */
