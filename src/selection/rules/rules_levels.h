/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_levels.h - the rules that say what a frame is judged by: levels */
#ifndef SELECTION_RULES_LEVELS_H
#define SELECTION_RULES_LEVELS_H

struct rules;

/* The key of each quantity's levels. */
extern const char *const rules_quantity_names[];

/* [low, high] as {low, high}.  Caller unrefs; NULL with 'err'. */
struct json *rules_levels_of_pair (const struct json *pair, struct error *err);

/* Read {low, high} or [low, high] of quantity q into the criteria of each
 * system, for which there must be room.  With adaptive levels low may be
 * absent, which is 0.
 */
int rules_read_quantity (const struct json *v, int q,
                         const struct strvec *systems, struct rules *rules,
                         struct error *err);

/* Read the word of "semantics" in 'v'. */
int rules_read_semantics (const struct json *v, int *semantics,
                          struct error *err);

/* Read of the section "levels" what does not depend on systems; the semantics
 * must be known.
 */
int rules_read_levels (const struct json *levels, struct rules *rules,
                       struct error *err);

/* Read the levels of all quantities, behind the others. */
int rules_read_criteria (const struct json *levels,
                         const struct strvec *systems, struct rules *rules,
                         struct error *err);

#endif /* !SELECTION_RULES_LEVELS_H */
