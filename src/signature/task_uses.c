/* SPDX-License-Identifier: BSD-3-Clause */
/* task_uses.c - what of its place in the campaign a task's work depends on */
#include "base/base.h"

#include "base/json.h"
#include "signature/operator.h"
#include "signature/operator_uses.h"
#include "signature/task_uses.h"
#include "signature/template.h"

static const struct {
    const char *name;
    unsigned use;
} words[] = {
    { "seed", USES_SEED },
    { "task", USES_TASK },
    { "iteration", USES_ITERATION },
};

static unsigned use_of (const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (strcmp (words[i].name, name) == 0)
            return words[i].use;
    }
    return 0;
}

unsigned operator_task_uses (const struct operator_spec *op)
{
    unsigned uses = 0;

    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (operator_uses (op, words[i].name))
            uses |= words[i].use;
    }
    return uses;
}

static int add_use (const char *name, void *arg, struct error *err)
{
    unsigned *uses = arg;

    (void)err;
    *uses |= use_of (name);
    return 0;
}

unsigned operator_step_uses (const struct operator_spec *op,
                             const char *const *command, const char *script)
{
    unsigned uses = 0;

    for (; command && *command; command++)
        template_scan (*command, add_use, &uses, NULL);
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (script_uses (script, words[i].name))
            uses |= words[i].use;
    }
    for (size_t i = 0; op->reads && op->reads[i]; i++)
        uses |= use_of (op->reads[i]);
    return uses;
}

struct json *task_uses_to_json (unsigned uses)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (uses & words[i].use)
            json_push (v, json_string (words[i].name));
    }
    return v;
}

int task_uses_from_json (const struct json *v, unsigned *uses,
                         struct error *err)
{
    unsigned all = v ? 0 : USES_ALL;

    for (size_t i = 0; i < json_count (v); i++) {
        const struct json *word = json_at (v, i);
        unsigned use = json_kind (word) == JSON_KIND_STRING
                           ? use_of (json_as_string (word))
                           : 0;

        if (!use)
            return error_set (err,
                              "key 'uses': [%zu]: expected \"seed\", "
                              "\"task\" or \"iteration\"",
                              i);
        all |= use;
    }
    *uses = all;
    return 0;
}
