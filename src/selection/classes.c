/* SPDX-License-Identifier: BSD-3-Clause */
/* classes.c - is a frame known well, worth a label, or beyond use? */
#include "config.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "selection/classes.h"

int semantics_from_name (const char *name, enum semantics *semantics)
{
    static const char *const names[] = {
        [SEMANTICS_DPGEN] = "dpgen",
        [SEMANTICS_DPGEN2] = "dpgen2",
        [SEMANTICS_SIMPLIFY] = "simplify",
    };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (strcmp (name, names[i]) == 0) {
            *semantics = (enum semantics)i;
            return 0;
        }
    }
    return -1;
}

bool levels_valid (const struct levels *levels)
{
    return levels->low >= 0 && levels->low <= levels->high
           && isfinite (levels->high);
}

int levels_from_json (const struct json *v,
                      struct levels *levels,
                      struct error *err)
{
    struct levels read;

    if (json_kind (v) != JSON_KIND_OBJECT)
        return error_set (err, "expected an object, got %s",
                          json_kind_name (v));
    JSON_FOREACH (v, it) {
        if (strcmp (json_iter_key (it), "low") != 0
            && strcmp (json_iter_key (it), "high") != 0)
            return error_set (err, "unknown key '%s'; there is low, high",
                              json_iter_key (it));
    }
    if (json_want_double (v, "low", &read.low, err) < 0
        || json_want_double (v, "high", &read.high, err) < 0)
        return -1;
    if (!levels_valid (&read))
        return error_set (err, "low is %g and high %g; write 0 <= low <= high",
                          read.low, read.high);
    *levels = read;
    return 0;
}

static enum frame_class classify (const struct levels *levels, double value)
{
    if (!isfinite (value))
        return FRAME_INVALID;
    if (value < levels->low)
        return FRAME_ACCURATE;
    return value < levels->high ? FRAME_CANDIDATE : FRAME_FAILED;
}

/* The class that decides, when it is either of the two. */
static bool either (enum frame_class decides,
                    enum frame_class force,
                    enum frame_class virial)
{
    return force == decides || virial == decides;
}

enum frame_class classify_frame (const struct criteria *criteria,
                                 double force,
                                 double virial)
{
    enum frame_class f = classify (&criteria->force, force), v;

    if (!criteria->has_virial)
        return f;
    v = classify (&criteria->virial, virial);
    if (either (FRAME_INVALID, f, v))
        return FRAME_INVALID;
    if (criteria->semantics == SEMANTICS_DPGEN
        && either (FRAME_CANDIDATE, f, v))
        return FRAME_CANDIDATE;
    if (either (FRAME_FAILED, f, v))
        return FRAME_FAILED;
    return either (FRAME_CANDIDATE, f, v) ? FRAME_CANDIDATE : FRAME_ACCURATE;
}
