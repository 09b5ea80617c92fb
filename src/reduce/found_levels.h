/* SPDX-License-Identifier: BSD-3-Clause */
/* found_levels.h - levels by error, found with the labels of a probe
 *
 * One for all systems, or one for each; a system whose own labels give none has
 * that of all.
 */
#ifndef REDUCE_FOUND_LEVELS_H
#define REDUCE_FOUND_LEVELS_H

#include "reduce/pass.h"
#include "base/binomial.h"
#include "selection/calibration/calibration.h"

struct probe;

/* What labels say of frames. */
struct found_level {
    double low;      /* accurate up to here; NAN: nothing is */
    double high;     /* failed from here on, an estimate; NAN: nothing did */
    uint64_t n;      /* labels, failed ones among them */
    uint64_t failed; /* labels */
    uint64_t wrong_below;           /* of labels up to 'low' */
    struct left_out right;          /* on labels without a part in the level */
    struct share_interval interval; /* of the share that is right, 90 % */
    uint64_t labels_needed;         /* 0: no number */
    double least_target;            /* NAN: none */
    bool own;                       /* of a system: its own labels gave it */
};

struct found_levels {
    bool any; /* levels were asked for by error */
    struct found_level all;
    struct found_level *systems; /* NULL: not asked for */
    size_t n_systems;
    struct scored_frame *labelled; /* all.n of them, by task and step */
    bool calibrated; /* there is a level, and nothing speaks against what was
                        wished */
};

#define FOUND_LEVELS_INIT                                                      \
    {                                                                          \
        0                                                                      \
    }

void found_levels_release (struct found_levels *found);

/* Collective: count the scores of all frames, find the levels and set them in
 * stats->criteria.
 */
int found_levels_find (const struct selection_input *input,
                       const struct layout *layout, struct probe *probe,
                       struct frame_stats *stats, struct found_levels *found,
                       struct error *err);

/* {"low": .., ..}; NULL when they were not asked for.  Caller unrefs. */
struct json *found_levels_json (const struct found_levels *found,
                                const struct selection_input *input);

#endif /* !REDUCE_FOUND_LEVELS_H */
