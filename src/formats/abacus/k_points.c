/* SPDX-License-Identifier: BSD-3-Clause */
/* k_points.c - does an INPUT of ABACUS choose its k-points itself? */
#include "base/base.h"

#include <strings.h>

#include "formats/abacus/k_points.h"

/* "1", "true", ".true." */
static bool is_true (const char *value)
{
    const char *word = value + (*value == '.');

    return *word && strchr ("1tTyY", *word);
}

void abacus_k_points_note (const char *key, const char *value,
                           struct abacus_k_points *k_points)
{
    if (strcasecmp (key, "kspacing") == 0)
        k_points->spacing = strtod (value, NULL) > 0;
    if (strcasecmp (key, "gamma_only") == 0)
        k_points->gamma = is_true (value);
}
