/* SPDX-License-Identifier: BSD-3-Clause */
/* convergence.h - is there little left to learn from exploring?
 *
 *   {"accurate": 0.9,     at least that fraction of the frames is accurate
 *    "drift": 0.05,       of the last "steps" selections, this one included,
 *    "steps": 2}          no low level differs by as much from the one before
 *
 * What is not written is not tested, and everything that is tested must hold.
 * These are DPGEN2's tests: conv_accuracy of its fixed levels, conv_tolerance
 * and n_checked_steps of the adaptive ones (dpgen2/exploration/report).
 */
#ifndef SELECTION_CONVERGENCE_H
#define SELECTION_CONVERGENCE_H

struct convergence {
    double accurate; /* 0: not tested */
    double drift;    /* 0: not tested */
    size_t steps;
};

/* Read the object above; "earlier" in it is not ours.  'convergence' is
 * untouched on failure. */
int convergence_from_json (const struct json *v,
                           struct convergence *convergence, struct error *err);

/* Does everything hold?  'accurate' is the fraction; 'levels' are those of this
 * selection, {SYSTEM: {QUANTITY: [low, high]}}, and 'earlier' (NULL: none) a
 * list of those before, the oldest first.  What was found is appended to 'why';
 * nothing tested is not converged.
 */
bool convergence_reached (const struct convergence *convergence,
                          double accurate, const struct json *levels,
                          const struct json *earlier, struct strbuf *why);

#endif /* !SELECTION_CONVERGENCE_H */
