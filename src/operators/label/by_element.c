/* SPDX-License-Identifier: BSD-3-Clause */
/* by_element.c - keys of a template with a value for each element */
#include "base/base.h"

#include <strings.h>

#include "base/json.h"
#include "formats/element.h"
#include "operators/kit.h"
#include "operators/label/by_element.h"

static const struct type number = ONE (FLOAT);
const struct type by_element_numbers = MAP_OF (number);

static bool is_by_element (const struct template_key *keys, const char *name)
{
    for (; keys->key; keys++) {
        if (strcasecmp (keys->key, name) == 0)
            return keys->instead && strcmp (keys->instead, BY_ELEMENT) == 0;
    }
    return false;
}

static int check_values (const char *name, const struct json *values,
                         struct error *err)
{
    JSON_FOREACH (values, it) {
        const char *symbol = json_iter_key (it);

        if (!(element_mass (symbol) > 0))
            return error_set (err,
                              "by_element: %s: '%s' is no element; write "
                              "{%s: {Fe: 5}}",
                              name, symbol, name);
    }
    return 0;
}

int by_element_check (const struct template_key *keys,
                      const struct known_input *input, struct error *err)
{
    JSON_FOREACH (input->value, it) {
        const char *name = json_iter_key (it);

        if (!is_by_element (keys, name))
            return error_set (err,
                              "by_element: '%s' has no value for each element; "
                              "write it in input",
                              name);
        if (check_values (name, json_iter_value (it), err) < 0)
            return -1;
    }
    return 0;
}
