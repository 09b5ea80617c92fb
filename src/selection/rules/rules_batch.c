/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_batch.c - a batch of frames that differ: what a user may ask for */
#include "base/base.h"

#include "base/json.h"
#include "selection/batch/cover.h"
#include "selection/features/feature_file.h"
#include "selection/features/scaling.h"
#include "selection/rules/rule_fields.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_batch.h"

/* All; so that some times as much is a number, too. */
static const size_t pool_most = SIZE_MAX >> 16;

const char *const rules_weights[] = {
    [WEIGHT_NONE] = "none",
    [WEIGHT_FORCE] = "force",
    [WEIGHT_SCORE] = "score",
    NULL,
};

static const struct rule_field pool_fields[] = {
    RULE_FIELD (struct rules, pool, "pool", COUNT, .least = 1),
    RULE_FIELDS_END,
};

#define FEATURE(member, key, words)                                            \
    RULE_FIELD (struct rules, batch.member, key, CHOICE, .names = (words))

static const struct rule_field feature_fields[] = {
    RULE_FIELD_OTHER ("frames"),
    RULE_FIELD_OTHER ("labelled"),
    FEATURE (pool, "pool", feature_pools),
    FEATURE (scale, "scale", feature_scales),
    RULE_FIELDS_END,
};

bool rules_is_batch (const struct rules *rules)
{
    return rules->pick == PICK_FPS || rules->pick == PICK_COVER
           || rules->pick == PICK_DOPTIMAL;
}

size_t rules_pool_size (const struct rules *rules, size_t quota)
{
    if (!rules_is_batch (rules) && rules->pick != PICK_DIVERSE)
        return quota;
    if (quota == 0)
        return 0;
    return rules->pool == 0 || quota > pool_most / rules->pool
               ? pool_most
               : quota * rules->pool;
}

static int read_pool (const struct json *pick, struct rules *rules,
                      struct error *err)
{
    bool all = strcmp (json_get_string (pick, "pool"), "all") == 0;

    if (!all)
        return rules_read (pick, pool_fields, rules, err);
    if (!rules_is_batch (rules))
        return error_set (err, "pool: all is for how: fps, cover and "
                               "doptimal; write a number");
    rules->pool = 0;
    return 0;
}

/* All pairs of the pool are compared. */
static int check_cover (const struct rules *rules, struct error *err)
{
    size_t quota = rules->quota, most = COVER_CANDIDATES_MOST;

    if (rules->pool == 0 || quota == 0 || quota <= most / rules->pool)
        return 0;
    return error_set (err,
                      "pool: %zu times the quota of %zu; how: cover compares "
                      "all pairs, and takes %zu candidates at most: write less",
                      rules->pool, quota, most);
}

int rules_read_batch (const struct json *pick, struct rules *rules,
                      struct error *err)
{
    if (rules->batch.weight != WEIGHT_NONE && rules->pick != PICK_FPS)
        return error_set (err, "weight is for how: fps; remove it");
    if (rules_given (pick, "power") && rules->batch.weight == WEIGHT_NONE)
        return error_set (err, "power is of a weight; write weight: score or "
                               "force beside it");
    if (rules_given (pick, "radius") && rules->pick != PICK_COVER)
        return error_set (err, "radius is for how: cover; remove it");
    if (!rules_given (pick, "power"))
        rules->batch.power = 1;
    if (read_pool (pick, rules, err) < 0)
        return -1;
    return rules->pick == PICK_COVER ? check_cover (rules, err) : 0;
}

int rules_read_features (const struct json *features, struct rules *rules,
                         struct error *err)
{
    rules->batch.features = json_count (json_get (features, "frames")) > 0;
    if (rules->batch.features && !rules_is_batch (rules))
        return error_set (err,
                          "pick: how: %s does not look at them; write how: "
                          "fps, cover or doptimal, or remove them",
                          rules_picks[rules->pick]);
    return rules_read_only (features, feature_fields, rules, err);
}
