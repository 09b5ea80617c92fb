/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_batch.h - a batch of frames that differ: what a user may ask for
 *
 *   "pick": {"how": "fps",         farthest points: selection/batch/farthest.h,
 *                                  cover: selection/batch/cover.h, or
 *                                  doptimal: selection/batch/d_optimal.h
 *            "pool": 20,           times the quota, or "all" candidates
 *            "weight": "force",    of fps: the force of the frame, or its
 *                                  "score", the deviation; to
 *            "power": 1,           this
 *            "radius": 0.5}        of cover: up to there all is covered
 *   "features": {"frames": [..],   files, selection/features/feature_file.h; of
 *                "labelled": [..], those that have a label; without frames the
 *                                  fingerprint of the structure is taken
 *                "pool": "none",   of atoms: mean, max, sum
 *                "scale": "none"}  standard, whiten: features/scaling.h
 */
#ifndef SELECTION_RULES_BATCH_H
#define SELECTION_RULES_BATCH_H

enum { BATCH_POWER_MAX = 100 };

enum batch_weight { WEIGHT_NONE, WEIGHT_FORCE, WEIGHT_SCORE };

struct batch_rules {
    int weight; /* enum batch_weight */
    double power;
    double radius; /* 0: none */
    bool features; /* there are files of them */
    int pool;      /* enum feature_pool */
    int scale;     /* enum feature_scale */
};

struct json;
struct rules;

/* The words for it, NULL-terminated. */
extern const char *const rules_weights[];

/* What 'pick' says of a batch, whose numbers are there, but for the pool. */
int rules_read_batch (const struct json *pick, struct rules *rules,
                      struct error *err);
int rules_read_features (const struct json *features, struct rules *rules,
                         struct error *err);

/* Are frames picked that differ from each other by their features? */
bool rules_is_batch (const struct rules *rules);

/* How many candidates are looked at for 'quota' frames. */
size_t rules_pool_size (const struct rules *rules, size_t quota);

#endif /* !SELECTION_RULES_BATCH_H */
