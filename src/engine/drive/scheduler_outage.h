/* SPDX-License-Identifier: BSD-3-Clause */
/* scheduler_outage.h - which schedulers cannot be used for now: journaled when
 * it begins, when jobs are not taken for another reason, and when it is over
 */
#ifndef ENGINE_SCHEDULER_OUTAGE_H
#define ENGINE_SCHEDULER_OUTAGE_H

struct action;
struct engine;

/* What the polls of the last round came to.  0 or -1. */
int outages_of_polls (struct engine *engine, struct error *err);

/* An action was to wait: the scheduler gave no answer, or took no job ('full');
 * 'since_s' (engine_now_s) is when it was asked, 'words' what it said.
 */
int outage_of_action (struct engine *engine, const struct action *action,
                      bool full, double since_s, const char *words,
                      struct error *err);

/* An action was done: what that shows is over. */
int outage_over (struct engine *engine, const struct action *action,
                 struct error *err);

/* Do both say the same, but for numbers (pure)? */
bool outage_same_words (const char *a, const char *b);

#endif /* !ENGINE_SCHEDULER_OUTAGE_H */
