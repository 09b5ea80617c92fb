/* SPDX-License-Identifier: BSD-3-Clause */
/* constant.c - what a campaign says about itself, by names that `from:` knows
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/constant.h"
#include "campaign/plan.h"
#include "signature/value.h"

/* NULL for an empty list: whoever asks for it needs it. */
static struct json *string_list (const char *const *strings)
{
    struct json *v;

    if (!strings || !strings[0])
        return NULL;
    v = json_array ();
    for (size_t i = 0; strings[i]; i++)
        json_push (v, json_string (strings[i]));
    return v;
}

static const struct constant constants[] = {
    { "models", LIST_OF (INT), "add models: 4" },
    { "elements", LIST_OF (STRING), "add elements: [Si]" },
    { "data.initial", LIST_OF (FRAMES), "add data: {initial: [FILE]}" },
    { "data.held_out", LIST_OF (FRAMES), "add data: {held_out: [FILE]}" },
    { "seed", ONE (INT), "add seed: 1" },
    { "iteration", ONE (INT), "" },
};

struct json *constant_value (const struct plan *plan, const char *name)
{
    if (strcmp (name, "models") == 0)
        return value_numbers (plan->models, NULL);
    if (strcmp (name, "elements") == 0)
        return string_list (plan->elements);
    if (strcmp (name, "data.initial") == 0)
        return string_list (plan->initial);
    if (strcmp (name, "data.held_out") == 0)
        return string_list (plan->held_out);
    return json_int (plan->seed);
}

const struct constant *constant_find (const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE (constants); i++) {
        if (strcmp (constants[i].name, name) == 0)
            return &constants[i];
    }
    return NULL;
}

void constant_names (struct strvec *names)
{
    for (size_t i = 0; i < ARRAY_SIZE (constants); i++)
        strvec_push (names, constants[i].name);
}

bool constant_is_missing (const struct plan *plan, const char *name)
{
    const struct constant *constant = constant_find (name);
    _cleanup_json_ struct json *v =
        constant ? constant_value (plan, name) : NULL;

    return constant && !v;
}
