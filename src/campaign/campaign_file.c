/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_file.c - what campaign.yaml says of the campaign as a whole */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "campaign/compilation.h"
#include "campaign/binding.h"
#include "formats/element.h"
#include "signature/value.h"

enum {
    MODELS_MAX = 1000,
    ITERATIONS_MAX = 999999, /* six digits on disk */
    MODELS_DEFAULT = 4,
    SEED_DEFAULT = 1,
};

/* --- the campaign as a whole --- */

static void read_name (const struct yaml_node *node, void *member)
{
    const char **name = member;

    if (field_text (node, name) == 0 && !word_is_title (*name))
        field_problem (node,
                       "'%s' cannot be the name of a campaign; use at most 64 "
                       "letters, digits and . _ -, beginning with a letter or "
                       "digit",
                       *name);
}

/* A symbol is said in its usual case: "SI", "si" are a slip. */
static void check_symbol (const struct yaml_node *node, const char *text)
{
    char *usual = arena_strdup (field_arena (node), text);

    if (element_mass (text) > 0)
        return;
    for (char *c = usual; *c; c++)
        *c = (char)(c == usual ? toupper ((unsigned char)*c)
                               : tolower ((unsigned char)*c));
    if (element_mass (usual) > 0)
        field_problem (node, "'%s' is no chemical symbol; did you mean '%s'?",
                       text, usual);
    else
        field_problem (node, "'%s' is no chemical symbol; write one such as Si",
                       text);
}

/* More types of atoms than this are a slip. */
enum { ELEMENTS_MAX = 256 };

static void read_elements (const struct yaml_node *node, void *record)
{
    struct plan *plan = record;
    _cleanup_ (strvec_release) struct strvec seen = STRVEC_INIT;

    if (field_strings (node, &plan->elements) < 0)
        return;
    if (node->n > ELEMENTS_MAX) {
        field_problem (node, "there are %zu elements; write at most %d of them",
                       node->n, ELEMENTS_MAX);
        return;
    }
    for (size_t i = 0; i < node->n; i++) {
        const char *symbol = plan->elements[i];

        check_symbol (node->items[i], symbol);
        if (strvec_contains (&seen, symbol))
            field_problem (node->items[i],
                           "the element '%s' is listed twice; remove one",
                           symbol);
        strvec_push (&seen, symbol);
    }
    plan->n_elements = node->n;
}

static void read_verify (const struct yaml_node *node, void *always)
{
    static const char *const words[] = { "changed", "always" };
    const char *word;

    if (field_text (node, &word) == 0)
        *(bool *)always =
            field_choose (node, word, words, ARRAY_SIZE (words),
                          sizeof (*words), "verify: there is no '%s'", word)
            == 1;
}

static void read_reuse_from (const struct yaml_node *node, void *record)
{
    struct plan *plan = record;

    reuse_from_read (node, plan->dir, &plan->reuse_from);
}

int campaign_file_read (const struct yaml_node *root, struct plan *plan)
{
    static const struct field fields[] = {
        FIELD_KEY ("format"),
        FIELD_AS (struct plan, name, "campaign", TEXT, .read = read_name),
        FIELD_BY_RECORD ("elements", read_elements),
        FIELD (struct plan, seed, COUNT),
        FIELD (struct plan, models, COUNT, .least = 1, .most = MODELS_MAX),
        FIELD_AS (struct plan, verify_always, "verify", KEY_ONLY,
                  .read = read_verify),
        FIELD_BY_RECORD ("data", data_files_read),
        FIELD_KEY ("defaults"),
        FIELD_KEY ("stages"),
        FIELD_KEY ("functions"),
        FIELD_BY_RECORD ("call", call_read),
        FIELD_KEY ("phases"),
        FIELD_KEY ("stop"),
        FIELD_KEY ("history"),
        FIELD_KEY ("operators"),
        FIELD_BY_RECORD ("reuse_from", read_reuse_from),
        FIELD_BY (struct plan, notify, notify_read),
        FIELDS_END,
    };
    const char **none = arena_array (plan->arena, 1, sizeof (*none));

    plan->elements = plan->initial = plan->held_out = none;
    plan->models = MODELS_DEFAULT;
    plan->seed = SEED_DEFAULT;
    if (field_record (root, "campaign.yaml", fields, plan) < 0)
        return -1;
    data_files_add_kept (root, plan);
    if (!field_find (root, "campaign"))
        field_problem (root, "the campaign has no name; add campaign: NAME");
    return 0;
}

/* --- when it ends, and what is kept of it --- */

static void read_stop_when (const struct yaml_node *node, void *record)
{
    struct plan *plan = record;

    plan->stop = expression_field_read (plan, node, "'when' of stop", true,
                                        NULL, &plan->stop_text);
}

static void read_stop (const struct yaml_node *node, struct plan *plan)
{
    static const struct field fields[] = {
        FIELD_BY_RECORD ("when", read_stop_when),
        FIELD_AS (struct plan, stop_consecutive, "consecutive", COUNT,
                  .least = 1, .most = ITERATIONS_MAX),
        FIELD_AS (struct plan, max_iterations, "iterations", COUNT, .least = 1,
                  .most = ITERATIONS_MAX),
        FIELDS_END,
    };
    const struct yaml_node *consecutive;

    if (field_record (node, "stop", fields, plan) < 0)
        return;
    if (!field_find (node, "iterations") && plan->n_phases == 0)
        field_problem (node,
                       "stop: no limit to the iterations; add iterations: 12");
    consecutive = field_find (node, "consecutive");
    if (consecutive && plan->stop_consecutive > plan->max_iterations)
        field_warning (consecutive,
                       "stop: `when` never holds in %d iterations in a row, "
                       "since there are %d; write consecutive: %d or less",
                       (int)plan->stop_consecutive, (int)plan->max_iterations,
                       (int)plan->max_iterations);
}

static void read_history (const struct yaml_node *node, struct plan *plan)
{
    static const char *const taken[] = { "iteration", "phase", NULL };

    if (field_any_mapping (node) < 0)
        return;
    plan->history =
        arena_array (field_arena (node), node->n, sizeof (*plan->history));
    plan->n_history = node->n;
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *key = node->keys[i];
        struct named_expression *entry = &plan->history[i];

        entry->name = arena_strdup (field_arena (node), key->text);
        if (!word_is_name (key->text) || words_contain (taken, key->text))
            field_problem (key,
                           "'%s' cannot be a name in history; use a-z, 0-9 and "
                           "_, beginning with a letter, and not iteration or "
                           "phase",
                           key->text);
        entry->expression = expression_field_read (
            plan, node->items[i],
            arena_printf (field_arena (node), "history '%s'", key->text), false,
            NULL, &entry->text);
    }
}

void campaign_file_read_ends (const struct yaml_node *root, struct plan *plan)
{
    const struct yaml_node *stop = field_find (root, "stop");
    const struct yaml_node *history = field_find (root, "history");

    plan->stop_consecutive = 1;
    plan->max_iterations = ITERATIONS_MAX; /* phases end by themselves */
    if (stop)
        read_stop (stop, plan);
    else if (!field_find (root, "phases")
             && (field_find (root, "stages")
                 || !field_find (root, "functions")))
        field_problem (root,
                       "the campaign does not say when it ends; add stop: "
                       "{iterations: 12}");
    if (history)
        read_history (history, plan);
}
