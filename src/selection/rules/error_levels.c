/* SPDX-License-Identifier: BSD-3-Clause */
/* error_levels.c - levels that follow from the error one can live with */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/error_levels.h"
#include "selection/rules/rule_fields.h"

static const char *const kinds[] = {
    [ERROR_MAX] = "max",
    [ERROR_RMS] = "rms",
    NULL,
};

static const char *const per[] = { "all", "system", NULL };

static const char *const modes[] = { [CALIBRATION_PROBE] = "probe", NULL };

#define LEVEL(member, key, what, ...)                                          \
    RULE_FIELD (struct error_levels, member, key, what, __VA_ARGS__)

static const struct rule_field level_fields[] = {
    LEVEL (target, "force", REAL, .above = true, .needed = true),
    LEVEL (promise.coverage, "coverage", REAL, .least = 0.5, .most = 1,
           .above = true, .needed = true),
    LEVEL (promise.confidence, "confidence", REAL, .least = 0.5, .most = 1,
           .above = true),
    LEVEL (failed, "failed", REAL, .above = true),
    LEVEL (of, "of", CHOICE, .names = kinds),
    LEVEL (per_system, "per", CHOICE, .names = per),
    RULE_FIELDS_END,
};

static const struct rule_field calibration_fields[] = {
    LEVEL (mode, "mode", CHOICE, .names = modes),
    RULE_FIELD_OTHER ("probe"),
    RULE_FIELD_OTHER ("labels"),
    RULE_FIELDS_END,
};

/* A share of 1 needs every frame to have a label. */
static int check_share (const char *key, double share, struct error *err)
{
    if (share < 1)
        return 0;
    return error_set (err,
                      "error: %s: 1 cannot be promised by labels of "
                      "some; write 0.9",
                      key);
}

static int check_numbers (const struct error_levels *levels, struct error *err)
{
    if (check_share ("coverage", levels->promise.coverage, err) < 0
        || check_share ("confidence", levels->promise.confidence, err) < 0)
        return -1;
    if (levels->failed > 0 && levels->failed <= levels->target)
        return error_set (err,
                          "error: failed is %g and force %g; write an error "
                          "above force, from which on a label is of no use",
                          levels->failed, levels->target);
    return 0;
}

/* What says otherwise which frames are accurate. */
static int check_others (const struct json *v, struct error *err)
{
    static const char *const others[] = {
        "levels.force",    "levels.virial",   "levels.energy",
        "levels.adaptive", "levels.distance", "levels.avg_relative",
        "clusters.cutoff",
    };

    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        if (rules_given (v, others[i]))
            return error_set (err,
                              "levels.error and %s: levels follow from errors "
                              "or are written; remove one of both",
                              others[i]);
    }
    return 0;
}

int error_levels_from_json (const struct json *v, struct error_levels *levels,
                            struct error *err)
{
    const struct json *error = json_get_path (v, "levels.error");
    struct error_levels made = { .any = !json_is_null (error) };

    if (made.any) {
        if (rules_read_only (error, level_fields, &made, err) < 0)
            return error_prefix (err, "levels: error");
        if (check_numbers (&made, err) < 0)
            return error_prefix (err, "levels");
        if (check_others (v, err) < 0)
            return -1;
    }
    if (!json_is_null (json_get (v, "calibration"))
        && rules_read_only (json_get (v, "calibration"), calibration_fields,
                            &made, err)
               < 0)
        return error_prefix (err, "calibration");
    *levels = made;
    return 0;
}
