/* SPDX-License-Identifier: BSD-3-Clause */
/* place_rules.h - how tasks are to be placed on nodes of a profile */
#ifndef PLACEMENT_PLACE_RULES_H
#define PLACEMENT_PLACE_RULES_H

enum bind_rule { BIND_CLOSE, BIND_SPREAD, BIND_NONE };

struct place_rules {
    enum bind_rule bind; /* spread: slots go to the emptiest NUMA node */
    bool one_thread;     /* of each core: the first that was granted */
    bool strict_memory;
    bool reserve_one_per_l3; /* cores left to the system: the first of each */
    int reserved_cores;      /* or so many, from the first on */
};

/* The keys of a profile, "bind" and so on; NULL-terminated. */
extern const char *const place_rule_keys[];

/* Set what 'key', one of these, says: "spread", "false", "one_per_l3".  -1 with
 * 'err' when it says something else; 'rules' is then untouched.
 */
int place_rules_set (const char *key, const char *value,
                     struct place_rules *rules, struct error *err);

/* The caller unrefs; what a manifest does not say is as in {0}. */
struct json *place_rules_to_json (const struct place_rules *rules);
int place_rules_from_json (const struct json *v, struct place_rules *rules,
                           struct error *err);

#endif /* !PLACEMENT_PLACE_RULES_H */
