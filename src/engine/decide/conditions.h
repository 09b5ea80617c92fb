/* SPDX-License-Identifier: BSD-3-Clause */
/* conditions.h - `when:`, `stop:` and `history:` (pure)
 *
 * They look at the results of stages.  A stage that left no such output, was
 * skipped or has not run has no value there: null.  Results that were not read
 * are another thing: nothing may follow from them.
 */
#ifndef ENGINE_CONDITIONS_H
#define ENGINE_CONDITIONS_H

struct expression;
struct observations;
struct plan;
struct state;

typedef int results_needed (const char *stage, int iteration, void *arg,
                            struct error *err);

/* Call 'need' for the results (outputs.json) of every stage that decide() will
 * look at, some of them more than once: what the conditions of stages that may
 * begin refer to and, when every stage of the iteration has ended, `stop:` and
 * `history:`.  Its -1 stops and is returned.
 */
int conditions_needs (const struct plan *plan, const struct state *state,
                      results_needed *need, void *arg, struct error *err);

enum condition_result {
    CONDITION_KNOWN,
    CONDITION_WRONG,   /* it cannot be evaluated: 'err' says why */
    CONDITION_UNKNOWN, /* it looks at results that were not observed */
};

/* Evaluate in the current iteration; for KNOWN *value is a new reference. */
enum condition_result condition_evaluate (
    const struct expression *expression, const struct plan *plan,
    const struct state *state, const struct observations *observations,
    struct json **value, struct error *err);

#endif /* !ENGINE_CONDITIONS_H */
