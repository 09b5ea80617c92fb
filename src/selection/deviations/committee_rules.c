/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_rules.c - how a committee's files are made deviations of */
#include "base/base.h"

#include "base/json.h"
#include "selection/deviations/committee_rules.h"
#include "selection/rules/rule_fields.h"

const char *const committee_identical[] = { "error", "allow", NULL };

static const struct rule_field relative[] = {
    RULE_FIELD (struct committee_rules, level[DEVIATION_FORCE], "force", REAL),
    RULE_FIELD (struct committee_rules, level[DEVIATION_VIRIAL], "virial",
                REAL),
    RULE_FIELDS_END,
};

static const struct rule_field columns[] = {
    RULE_FIELD (struct committee_rules, position_columns, "trajectory", TEXT),
    RULE_FIELD (struct committee_rules, force_columns, "forces", TEXT),
    RULE_FIELDS_END,
};

int committee_rules_from_json (const struct json *v,
                               struct committee_rules *rules, struct error *err)
{
    const struct json *levels = json_get_path (v, "levels.relative");
    struct committee_rules made = { 0 };

    if (!json_is_null (levels)
        && rules_read_only (levels, relative, &made, err) < 0)
        return error_prefix (err, "levels: relative");
    made.is_relative[DEVIATION_FORCE] = rules_given (levels, "force");
    made.is_relative[DEVIATION_VIRIAL] = rules_given (levels, "virial");
    if (rules_any_given (v, "columns")
        && rules_read_only (json_get (v, "columns"), columns, &made, err) < 0)
        return error_prefix (err, "columns");
    *rules = made;
    return 0;
}
