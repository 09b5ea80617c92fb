/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_file.c - what campaign.yaml says of the campaign as a whole */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/strvec.h"
#include "campaign/campaign_file.h"
#include "campaign/document.h"
#include "campaign/expression_field.h"
#include "campaign/literal.h"
#include "campaign/field_reader.h"
#include "campaign/plan.h"
#include "formats/frame.h"
#include "signature/value.h"

enum {
    MODELS_MAX = 1000,
    ITERATIONS_MAX = 999999, /* six digits on disk */
    MODELS_DEFAULT = 4,
    SEED_DEFAULT = 1,
};

/* --- the campaign as a whole --- */

static void read_name (const struct field_reader *reader,
                       const struct yaml_node *root,
                       struct plan *plan)
{
    const struct yaml_node *node = field_find (root, "campaign");

    if (!node) {
        problems_add (reader->problems, root->mark,
                      "the campaign has no name; add campaign: NAME");
        return;
    }
    if (field_text (reader, node, "campaign", &plan->name) == 0
        && !document_name_ok (plan->name))
        problems_add (reader->problems, node->mark,
                      "'%s' cannot be the name of a campaign; use at most 64 "
                      "letters, digits and . _ -, beginning with a letter or "
                      "digit",
                      plan->name);
}

static bool is_symbol (const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

    return text[0] >= 'A' && text[0] <= 'Z' && strlen (text) < SYMBOL_SIZE
           && text[strspn (text, letters)] == '\0';
}

/* More types of atoms than this are a slip. */
enum { ELEMENTS_MAX = 256 };

static void read_elements (const struct field_reader *reader,
                           const struct yaml_node *node,
                           struct plan *plan)
{
    struct strvec seen = STRVEC_INIT;

    if (field_strings (reader, node, "elements", &plan->elements) < 0)
        return;
    if (node->n > ELEMENTS_MAX) {
        problems_add (reader->problems, node->mark,
                      "there are %zu elements; write at most %d of them",
                      node->n, ELEMENTS_MAX);
        return;
    }
    for (size_t i = 0; i < node->n; i++) {
        const char *symbol = plan->elements[i];

        if (!is_symbol (symbol))
            problems_add (reader->problems, node->items[i]->mark,
                          "'%s' is no element; write a symbol such as Si",
                          symbol);
        else if (strvec_contains (&seen, symbol))
            problems_add (reader->problems, node->items[i]->mark,
                          "the element '%s' is listed twice; remove one",
                          symbol);
        strvec_push (&seen, symbol);
    }
    plan->n_elements = node->n;
    strvec_release (&seen);
}

/* A list of frames files, which must be there. */
static void read_files (const struct field_reader *reader,
                        const struct yaml_node *node,
                        const char *name,
                        const char *const **files)
{
    static const struct type type = { .kind = TYPE_FRAMES, .depth = 1 };
    struct json *v;

    if (field_strings (reader, node, name, files) < 0)
        return;
    v = literal_read (reader, node, &type, VALUE_ON_DISK, name);
    json_unref (v);
}

static void read_data (const struct field_reader *reader,
                       const struct yaml_node *node,
                       struct plan *plan)
{
    static const char *const keys[] = { "initial", "held_out", NULL };
    const struct yaml_node *field;

    if (field_mapping (reader, node, "data", keys) < 0)
        return;
    if ((field = field_find (node, "initial")))
        read_files (reader, field, "data.initial", &plan->initial);
    if ((field = field_find (node, "held_out")))
        read_files (reader, field, "data.held_out", &plan->held_out);
}

int campaign_file_read (const struct field_reader *reader,
                        const struct yaml_node *root,
                        struct plan *plan)
{
    static const char *const keys[] = { "format",    "campaign", "elements",
                                        "seed",      "models",   "data",
                                        "stages",    "stop",     "history",
                                        "operators", NULL };
    const char **none = arena_array (reader->arena, 1, sizeof (*none));
    const struct yaml_node *field;

    plan->elements = plan->initial = plan->held_out = none;
    plan->models = MODELS_DEFAULT;
    plan->seed = SEED_DEFAULT;
    if (document_open (reader, root, "campaign.yaml", keys) < 0)
        return -1;
    read_name (reader, root, plan);
    if ((field = field_find (root, "elements")))
        read_elements (reader, field, plan);
    if ((field = field_find (root, "seed")))
        field_int64 (reader, field, "seed", 0, &plan->seed);
    if ((field = field_find (root, "models")))
        field_count (reader, field, "models", 1, MODELS_MAX, &plan->models);
    if ((field = field_find (root, "data")))
        read_data (reader, field, plan);
    return 0;
}

/* --- when it ends, and what is kept of it --- */

static void read_stop (const struct field_reader *reader,
                       const struct yaml_node *node,
                       struct plan *plan)
{
    static const char *const keys[] = { "when", "consecutive", "iterations",
                                        NULL };
    const struct yaml_node *field;

    if (field_mapping (reader, node, "stop", keys) < 0)
        return;
    if ((field = field_find (node, "when")))
        plan->stop = expression_field_read (
            reader, plan, field, "'when' of stop", NULL, &plan->stop_text);
    if ((field = field_find (node, "consecutive")))
        field_count (reader, field, "consecutive", 1, ITERATIONS_MAX,
                     &plan->stop_consecutive);
    if ((field = field_find (node, "iterations")))
        field_count (reader, field, "iterations", 1, ITERATIONS_MAX,
                     &plan->max_iterations);
    else
        problems_add (reader->problems, node->mark,
                      "stop: no limit to the iterations; add iterations: 12");
}

static void read_history (const struct field_reader *reader,
                          const struct yaml_node *node,
                          struct plan *plan)
{
    if (field_any_mapping (reader, node, "history") < 0)
        return;
    plan->history =
        arena_array (reader->arena, node->n, sizeof (*plan->history));
    plan->n_history = node->n;
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *key = node->keys[i];
        struct named_expression *entry = &plan->history[i];

        entry->name = arena_strdup (reader->arena, key->text);
        if (!word_is_name (key->text) || strcmp (key->text, "iteration") == 0)
            problems_add (reader->problems, key->mark,
                          "'%s' cannot be a name in history; use a-z, 0-9 and "
                          "_, beginning with a letter, and not iteration",
                          key->text);
        entry->expression = expression_field_read (
            reader, plan, node->items[i],
            arena_printf (reader->arena, "history '%s'", key->text), NULL,
            &entry->text);
    }
}

void campaign_file_read_ends (const struct field_reader *reader,
                              const struct yaml_node *root,
                              struct plan *plan)
{
    const struct yaml_node *stop = field_find (root, "stop");
    const struct yaml_node *history = field_find (root, "history");

    plan->stop_consecutive = 1;
    if (stop)
        read_stop (reader, stop, plan);
    else
        problems_add (reader->problems, root->mark,
                      "the campaign does not say when it ends; add stop: "
                      "{iterations: 12}");
    if (history)
        read_history (reader, history, plan);
}
