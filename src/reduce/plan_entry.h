/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_entry.h - the trajectories of a plan, of which there may be 10^5
 *
 * As we write them, most have nothing but whole numbers and plain texts.  These
 * are read where they stand, without making JSON values of them first, which
 * takes longer than all the rest of a plan.
 */
#ifndef REDUCE_PLAN_ENTRY_H
#define REDUCE_PLAN_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct trajectory;

/* Read the entry at *at, which is then behind it.  False, and nothing else has
 * changed, when it is no JSON object, has forces, or anything else out of the
 * ordinary, or is wrong: whoever makes JSON values of it can tell.  Texts are
 * in 'texts'; 'before' is the entry before, or NULL.
 */
bool plan_entry_read (const char **at,
                      const char *end,
                      struct arena *texts,
                      const struct trajectory *before,
                      struct trajectory *trajectory);

/* Is this the name of a system?  It names the file of selected frames, so it
 * must not lead elsewhere.
 */
bool plan_entry_names_system (const char *name);

#endif /* !REDUCE_PLAN_ENTRY_H */
