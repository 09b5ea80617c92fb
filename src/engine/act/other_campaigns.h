/* SPDX-License-Identifier: BSD-3-Clause */
/* other_campaigns.h - generations of campaigns that a person named
 * (`reuse_from`, --reuse-from), from which results may be taken
 */
#ifndef ENGINE_OTHER_CAMPAIGNS_H
#define ENGINE_OTHER_CAMPAIGNS_H

struct engine;
struct stage;

/* May the stage (task -1), or this task of it, take results of another
 * campaign?  Not what was to be made anew: by --no-reuse, a redo, a reset.
 */
bool others_are_wanted (const struct engine *engine, const struct stage *stage,
                        int iteration, int32_t task);

struct other_generation {
    char *campaign; /* directory, absolute */
    char *dir;      /* its own, absolute */
    double made_s;
};

struct other_generations {
    struct other_generation *v; /* the newest first */
    size_t n, alloc;
};

/* Those that are finished, of stages with code 'code'.  What cannot be read is
 * passed over.
 */
void other_generations_find (const struct engine *engine, const char *code,
                             struct other_generations *found);
void other_generations_release (struct other_generations *found);

#endif /* !ENGINE_OTHER_CAMPAIGNS_H */
