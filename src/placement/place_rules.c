/* SPDX-License-Identifier: BSD-3-Clause */
/* place_rules.c - how tasks are to be placed on nodes of a profile */
#include "base/base.h"

#include "base/json.h"
#include "base/json_record.h"
#include "placement/place_rules.h"

/* No node has more; a number that large is a mistake. */
enum { RESERVED_MOST = 9999 };

static int set_bind (const char *value, struct place_rules *rules)
{
    static const char *const names[] = {
        [BIND_CLOSE] = "close", [BIND_SPREAD] = "spread", [BIND_NONE] = "none"
    };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (strcmp (value, names[i]) == 0) {
            rules->bind = (enum bind_rule)i;
            return 0;
        }
    }
    return -1;
}

static int set_smt (const char *value, struct place_rules *rules)
{
    if (strcmp (value, "true") != 0 && strcmp (value, "false") != 0)
        return -1;
    rules->one_thread = value[0] == 'f';
    return 0;
}

static int set_reserved (const char *value, struct place_rules *rules)
{
    char *end;
    long n = strtol (value, &end, 10);
    bool one_per_l3 = strcmp (value, "one_per_l3") == 0;

    if (!one_per_l3
        && (end == value || *end != '\0' || n < 0 || n > RESERVED_MOST))
        return -1;
    rules->reserve_one_per_l3 = one_per_l3;
    rules->reserved_cores = one_per_l3 ? 0 : (int)n;
    return 0;
}

static int set_memory (const char *value, struct place_rules *rules)
{
    if (strcmp (value, "preferred") != 0 && strcmp (value, "strict") != 0)
        return -1;
    rules->strict_memory = value[0] == 's';
    return 0;
}

static const struct {
    int (*set) (const char *value, struct place_rules *rules);
    const char *choices;
} setters[] = {
    { set_bind, "close, spread or none" },
    { set_smt, "true or false" },
    { set_reserved, "a number of cores or one_per_l3" },
    { set_memory, "preferred or strict" },
};

const char *const place_rule_keys[] = { "bind", "smt", "reserved_cores",
                                        "memory_binding", NULL };

int place_rules_set (const char *key, const char *value,
                     struct place_rules *rules, struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE (setters); i++) {
        if (strcmp (key, place_rule_keys[i]) != 0)
            continue;
        if (setters[i].set (value, rules) == 0)
            return 0;
        return error_set (err, "%s: '%s'; write %s", key, value,
                          setters[i].choices);
    }
    return error_set (err, "there is no rule '%s'", key);
}

/* --- as JSON --- */

static const struct json_field fields[] = {
    JSON_FIELD (struct place_rules, bind, COUNT, .most = BIND_NONE,
                .optional = true),
    JSON_FIELD (struct place_rules, one_thread, BOOL, .optional = true),
    JSON_FIELD (struct place_rules, strict_memory, BOOL, .optional = true),
    JSON_FIELD (struct place_rules, reserve_one_per_l3, BOOL, .optional = true),
    JSON_FIELD (struct place_rules, reserved_cores, COUNT,
                .most = RESERVED_MOST, .optional = true),
    JSON_FIELDS_END,
};

struct json *place_rules_to_json (const struct place_rules *rules)
{
    struct json *v = json_object ();

    json_record_write (rules, fields, v);
    return v;
}

int place_rules_from_json (const struct json *v, struct place_rules *rules,
                           struct error *err)
{
    struct place_rules read = { 0 };

    if (json_record_read (v, fields, &read, err) < 0)
        return -1;
    *rules = read;
    return 0;
}
