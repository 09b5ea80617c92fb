/* SPDX-License-Identifier: BSD-3-Clause */
/* retry_rules.c - what to do when a task ends in some way */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/strvec.h"
#include "campaign/field_reader.h"
#include "campaign/plan.h"
#include "campaign/retry_rules.h"

enum { TRIES_MAX = 1000 };

/* A factor is applied at every retry: more is a slip. */
static const double factor_max = 100;

static const struct retry_rule defaults[OUTCOME_COUNT] = {
    [OUTCOME_NONE] = { 1, 1, 1, false },
    [OUTCOME_OK] = { 1, 1, 1, false },
    [OUTCOME_FAILED] = { 2, 1, 1, false },
    [OUTCOME_BAD_INPUT] = { 1, 1, 1, false },
    [OUTCOME_BAD_OUTPUT] = { 2, 1, 1, false },
    [OUTCOME_TIMEOUT] = { 3, 2, 1, false },
    [OUTCOME_OUT_OF_MEMORY] = { 3, 1, 1.5, false },
    [OUTCOME_NODE_FAILURE] = { 5, 1, 1, true },
    [OUTCOME_PREEMPTED] = { 10, 1, 1, false },
    [OUTCOME_CANCELLED] = { 1, 1, 1, false },
    [OUTCOME_LOST] = { 5, 1, 1, false },
    [OUTCOME_FATAL] = { 1, 1, 1, false },
};

void retry_rules_default (struct retry_rule rules[OUTCOME_COUNT])
{
    for (int i = 0; i < OUTCOME_COUNT; i++)
        rules[i] = defaults[i];
}

/* "x1.5" */
static void read_factor (const struct field_reader *reader,
                         const struct yaml_node *node,
                         const char *key,
                         double *factor)
{
    char *end = NULL;
    double v = 0;

    if (!node)
        return;
    if (node->kind == YAML_SCALAR && node->text[0] == 'x'
        && node->text[1 + strspn (node->text + 1, "0123456789.")] == '\0')
        v = strtod (node->text + 1, &end);
    if (end && *end == '\0' && v >= 1 && v <= factor_max)
        *factor = v;
    else
        problems_add (reader->problems, node->mark,
                      "%s: no factor from x1 to x100; write x2 to double it at "
                      "every retry",
                      key);
}

static void read_rule (const struct field_reader *reader,
                       const struct yaml_node *node,
                       const char *name,
                       struct retry_rule *rule)
{
    static const char *const keys[] = { "tries", "walltime", "memory",
                                        "exclude_node", NULL };
    const struct yaml_node *tries = node, *exclude;

    if (node->kind == YAML_MAPPING) {
        field_mapping (reader, node, name, keys);
        tries = field_find (node, "tries");
    }
    if (tries)
        field_count (reader, tries, tries == node ? name : "tries", 1,
                     TRIES_MAX, &rule->tries);
    read_factor (reader, field_find (node, "walltime"), "walltime",
                 &rule->walltime_factor);
    read_factor (reader, field_find (node, "memory"), "memory",
                 &rule->memory_factor);
    exclude = field_find (node, "exclude_node");
    if (exclude)
        field_bool (reader, exclude, "exclude_node", &rule->exclude_node);
}

void retry_rules_read (const struct field_reader *reader,
                       const struct yaml_node *node,
                       const char *name,
                       struct retry_rule rules[OUTCOME_COUNT])
{
    struct strvec outcomes = STRVEC_INIT;

    if (field_any_mapping (reader, node, name) < 0)
        return;
    for (int i = OUTCOME_FAILED; i < OUTCOME_COUNT; i++)
        strvec_push (&outcomes, outcome_name ((enum outcome)i));
    for (size_t i = 0; i < node->n; i++) {
        const char *word = node->keys[i]->text;

        if (strvec_contains (&outcomes, word))
            read_rule (reader, node->items[i], word,
                       &rules[outcome_from_name (word)]);
        else
            field_unknown (reader, node->keys[i]->mark, word, &outcomes,
                           "unknown outcome '%s' in %s", word, name);
    }
    strvec_release (&outcomes);
}
