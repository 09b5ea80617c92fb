/* SPDX-License-Identifier: BSD-3-Clause */
/* deciding.h - the parts of decide, between themselves (pure) */
#ifndef ENGINE_DECIDING_H
#define ENGINE_DECIDING_H

#include "arrays/packing.h"
#include "engine/decide/decide.h"

struct attempt;

/* So many submissions in a row that ended before any task began mean that
 * something is wrong that trying again does not fix.
 */
enum { WITHOUT_RESULT_MAX = 3 };

/* What one stage's decision needs. */
struct deciding {
    const struct plan *plan;
    const struct state *state;
    const struct observations *observations;
    struct actions *actions;
    int iteration;
};

/* Pause the campaign; takes over 'why', a string. */
void decide_pause (const struct deciding *d, struct json *why);

/* May a further chunk of the stage's open attempt be submitted now, with what
 * is queued and running, and what this round submits already?  Counts arrays
 * against what shares `limits: running:`, and elements against `limits:
 * submit:` of the profile and the scheduler's own limit; when nothing of ours
 * is there, always.
 */
bool decide_limits (const struct deciding *d, int stage);

/* How the arrays of the open attempt share `limits: running:`. */
struct throttle decide_throttle (const struct deciding *d, int stage);

/* A job that may exist: find it.  Two empty answers to one host, settle_s
 * apart, and it does not.  What another host was told does not shorten the
 * wait.
 */
void decide_intended (const struct deciding *d, int stage,
                      const struct submission *s);

/* Submissions of the open attempt: submit, find, release, record results,
 * end, close.
 */
void decide_attempt (const struct deciding *d, int stage);

/* Are jobs to wake the campaign, as it stands? */
bool chain_is_wanted (const struct deciding *d);

/* What is there to see the end of a submission: the best of its dependency
 * jobs. */
enum watch {
    WATCH_NONE,
    WATCH_INTENDED, /* a job that may exist */
    WATCH_STARTED,  /* one that runs already, and so will tell of nothing */
    WATCH_WAITING,
};

enum watch watch_of (const struct deciding *d, const struct submission *s);

/* The dependency jobs of a chained campaign: a job for each submission that is
 * not over, one for what else has to be waited for, and none that is not
 * needed. Comes last: it looks at what the others want.
 */
void decide_chain (const struct deciding *d);

/* Outputs that `keep:` does not keep any longer, and those that a driver has
 * begun to remove.  After all else that was decided.
 */
void decide_retention (const struct deciding *d);

/* A stage without an open attempt: skip, prepare, open an attempt, judge. */
void decide_stage (const struct deciding *d, int stage);

#endif /* !ENGINE_DECIDING_H */
