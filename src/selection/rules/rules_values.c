/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_values.c - values of rules that may be absent */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "selection/rules/rules_values.h"

int rules_only_keys (const struct json *v,
                     const char *const *keys,
                     struct error *err)
{
    if (json_kind (v) != JSON_KIND_OBJECT)
        return error_set (err, "expected an object, got %s",
                          json_kind_name (v));
    JSON_FOREACH (v, it) {
        const char *const *key = keys;

        while (*key && strcmp (*key, json_iter_key (it)) != 0)
            key++;
        if (!*key)
            return error_set (err, "unknown key '%s'", json_iter_key (it));
    }
    return 0;
}

bool rules_given (const struct json *v, const char *key)
{
    return !json_is_null (json_get (v, key));
}

int rules_count (const struct json *v,
                 const char *key,
                 uint64_t *count,
                 struct error *err)
{
    const struct json *value = json_get (v, key);

    if (!rules_given (v, key))
        return 0;
    if (json_kind (value) != JSON_KIND_INT)
        return error_set (err, "%s: expected an integer, got %s", key,
                          json_kind_name (value));
    if (json_as_int (value) < 0)
        return error_set (err, "%s: %lld is less than 0", key,
                          (long long)json_as_int (value));
    *count = (uint64_t)json_as_int (value);
    return 0;
}

bool rules_is_number (const struct json *v)
{
    return json_kind (v) == JSON_KIND_REAL || json_kind (v) == JSON_KIND_INT;
}

int rules_fraction (const struct json *v,
                    const char *key,
                    double *fraction,
                    struct error *err)
{
    const struct json *value = json_get (v, key);

    if (!rules_given (v, key))
        return 0;
    if (!rules_is_number (value) || !(json_as_double (value) >= 0)
        || !(json_as_double (value) <= 1))
        return error_set (err, "%s: expected a fraction, 0 to 1", key);
    *fraction = json_as_double (value);
    return 0;
}

/* One of 'names' (NULL-terminated). */
int rules_choose (const struct json *v,
                  const char *key,
                  const char *const *names,
                  int *choice,
                  struct error *err)
{
    const char *name = json_as_string (json_get (v, key));
    struct strbuf known = STRBUF_INIT;

    if (!rules_given (v, key))
        return 0;
    for (int i = 0; names[i]; i++) {
        if (strcmp (name, names[i]) == 0) {
            strbuf_release (&known);
            *choice = i;
            return 0;
        }
        strbuf_addf (&known, "%s%s",
                     i == 0         ? ""
                     : names[i + 1] ? ", "
                                    : " or ",
                     names[i]);
    }
    error_set (err, "%s: '%s' is not known; use %s", key, name, known.buf);
    strbuf_release (&known);
    return -1;
}
