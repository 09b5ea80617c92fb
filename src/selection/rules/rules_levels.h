/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_levels.h - the rules that say what a frame is judged by: levels */
#ifndef SELECTION_RULES_LEVELS_H
#define SELECTION_RULES_LEVELS_H

#include <stdbool.h>

struct error;
struct json;
struct rules;
struct strvec;

/* The key of each quantity's levels. */
extern const char *const rules_quantity_names[];

/* Read {low, high} of quantity q into the criteria of each system, for which
 * there must be room.  Without 'needs_low' low may be absent, which is 0.
 */
int rules_read_levels (const struct json *v, int q, bool needs_low,
                       const struct strvec *systems, struct rules *rules,
                       struct error *err);

/* Read the semantics and the levels of all quantities; what is adaptive must
 * be known.
 */
int rules_read_criteria (const struct json *v, const struct strvec *systems,
                         struct rules *rules, struct error *err);

/* Read which levels are adaptive, and how many are to be candidates. */
int rules_read_adaptive (const struct json *v, struct rules *rules,
                         struct error *err);

#endif /* !SELECTION_RULES_LEVELS_H */
