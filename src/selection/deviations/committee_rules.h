/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_rules.h - how a committee's files are made deviations of
 *
 *   {"levels": {"relative":
 *       {"force": 0.5,               eV/A; deviations are relative to the mean
 *        "virial": 0.1}},            eV/atom; plus that: deviation.h
 *    "columns": {"trajectory": "id type x y z",     of binary dumps that do not
 *                "forces": "id type fx fy fz"}}     name theirs
 *
 * All keys may be absent, or null.
 */
#ifndef SELECTION_COMMITTEE_RULES_H
#define SELECTION_COMMITTEE_RULES_H

#include "formats/deviations/deviation_file.h"

struct committee_rules {
    bool is_relative[DEVIATION_QUANTITIES];
    double level[DEVIATION_QUANTITIES]; /* where it is */
    const char *position_columns;       /* NULL: not said; lent by the JSON */
    const char *force_columns;
};

/* The words of identical_members: "error", "allow"; NULL-terminated. */
extern const char *const committee_identical[];

/* Read the keys of 'v' that are ours; 'rules' is untouched on failure. */
int committee_rules_from_json (const struct json *v,
                               struct committee_rules *rules,
                               struct error *err);

#endif /* !SELECTION_COMMITTEE_RULES_H */
