/* SPDX-License-Identifier: BSD-3-Clause */
/* convergence.c - is there little left to learn from exploring? */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/rule_fields.h"
#include "selection/statistics/convergence.h"

enum { STEPS = 2, STEPS_MAX = 1000 };

static const struct rule_field fields[] = {
    RULE_FIELD (struct convergence, accurate, "accurate", REAL, .above = true),
    RULE_FIELD (struct convergence, drift, "drift", REAL, .above = true),
    RULE_FIELD (struct convergence, steps, "steps", COUNT, .least = 2,
                .most = STEPS_MAX),
    RULE_FIELD_OTHER ("earlier"),
    RULE_FIELDS_END,
};

int convergence_from_json (const struct json *v,
                           struct convergence *convergence, struct error *err)
{
    struct convergence read = { .steps = STEPS };

    if (rules_read_only (v, fields, &read, err) < 0)
        return -1;
    if (read.accurate > 1)
        return error_set (err, "accurate: %g is above 1", read.accurate);
    if (read.accurate == 0 && read.drift == 0)
        return error_set (err, "nothing is tested; write accurate or drift");
    *convergence = read;
    return 0;
}

/* --- the levels of selections that follow each other --- */

struct drift {
    const char *system; /* of the largest, and what it is in */
    const char *quantity;
    double largest; /* INFINITY: there is nothing to compare with */
};

static void compare_low (const char *system, const char *quantity,
                         const struct json *before, const struct json *now,
                         struct drift *drift)
{
    double moved = INFINITY;

    if (json_count (before) == 2)
        moved = fabs (json_as_double (json_at (now, 0))
                      - json_as_double (json_at (before, 0)));
    if (drift->system[0] && moved <= drift->largest)
        return;
    *drift = (struct drift){ system, quantity, moved };
}

static void compare_levels (const struct json *before, const struct json *now,
                            struct drift *drift)
{
    JSON_FOREACH (now, system) {
        const char *name = json_iter_key (system);

        JSON_FOREACH (json_iter_value (system), quantity) {
            const char *q = json_iter_key (quantity);

            compare_low (name, q, json_get (json_get (before, name), q),
                         json_iter_value (quantity), drift);
        }
    }
}

static bool levels_stand (const struct convergence *convergence,
                          const struct json *levels, const struct json *earlier,
                          struct strbuf *why)
{
    struct drift drift = { "", "", 0 };
    size_t n = json_count (earlier), moves = convergence->steps - 1;

    if (n < moves || json_count (levels) == 0) {
        strbuf_addf (why, "levels of %zu selections, %zu are compared", n + 1,
                     convergence->steps);
        return false;
    }
    for (size_t i = n - moves; i < n; i++)
        compare_levels (json_at (earlier, i),
                        i + 1 < n ? json_at (earlier, i + 1) : levels, &drift);
    if (isinf (drift.largest)) {
        strbuf_addf (why, "system '%s' had no low level for the %s before",
                     drift.system, drift.quantity);
        return false;
    }
    strbuf_addf (why, "the low %s level of '%s' moved by %.4g, %s %.4g",
                 drift.quantity, drift.system, drift.largest,
                 drift.largest < convergence->drift ? "less than"
                                                    : "not less than",
                 convergence->drift);
    return drift.largest < convergence->drift;
}

bool convergence_reached (const struct convergence *convergence,
                          double accurate, const struct json *levels,
                          const struct json *earlier, struct strbuf *why)
{
    bool reached = true;

    if (convergence->accurate > 0) {
        reached = accurate >= convergence->accurate;
        strbuf_addf (why, "accurate %.4g, %s %.4g", accurate,
                     reached ? "at least" : "less than", convergence->accurate);
    }
    if (convergence->accurate > 0 && convergence->drift > 0)
        strbuf_addf (why, "; ");
    if (convergence->drift > 0
        && !levels_stand (convergence, levels, earlier, why))
        reached = false;
    if (convergence->accurate == 0 && convergence->drift == 0)
        strbuf_addf (why, "not tested");
    return reached && (convergence->accurate > 0 || convergence->drift > 0);
}
