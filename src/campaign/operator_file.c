/* SPDX-License-Identifier: BSD-3-Clause */
/* operator_file.c - `operators:` of campaign.yaml -> struct operator_spec */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/strvec.h"
#include "campaign/command_check.h"
#include "campaign/field_reader.h"
#include "campaign/operator_file.h"
#include "campaign/port_file.h"
#include "campaign/task_needs.h"
#include "signature/operator.h"

/* What is being read of one operator. */
struct declaration {
    const struct field_reader *reader;
    const struct yaml_node *key;
    const struct yaml_node *node;
    const char *name; /* "operator 'linear.train'" */
    struct operator_spec *op;
};

/* --- names --- */

/* "qe.label": two or more words. */
static bool operator_name_ok (const char *name)
{
    struct strvec words = STRVEC_INIT;
    size_t len = strlen (name), sum = 0;
    bool ok;

    strvec_split (&words, name, ".");
    ok = words.n >= 2;
    for (size_t i = 0; i < words.n; i++) {
        ok = ok && word_is_name (words.v[i]);
        sum += strlen (words.v[i]) + (i > 0 ? 1 : 0);
    }
    ok = ok && sum == len; /* no empty word was dropped */
    strvec_release (&words);
    return ok;
}

static void check_name (const struct declaration *d,
                        const struct operator_spec *const *builtin)
{
    const char *name = d->op->name;

    if (!operator_name_ok (name))
        problems_add (d->reader->problems, d->key->mark,
                      "'%s' cannot be the name of an operator; write two or "
                      "more words of a-z, 0-9, _ joined by dots: linear.train",
                      name);
    for (size_t i = 0; builtin[i]; i++) {
        if (strcmp (builtin[i]->name, name) == 0)
            problems_add (d->reader->problems, d->key->mark,
                          "the operator '%s' is built in; choose another name",
                          name);
    }
}

static void read_code (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "code");

    d->op->code = arena_strndup (d->reader->arena, d->op->name,
                                 strcspn (d->op->name, "."));
    if (!node || field_text (d->reader, node, "code", &d->op->code) < 0)
        return;
    if (!word_is_name (d->op->code) || strlen (d->op->code) > 32)
        problems_add (d->reader->problems, node->mark,
                      "code: '%s' cannot be the name of a directory here; use "
                      "a-z, 0-9 and _, beginning with a letter",
                      d->op->code);
}

/* --- ports --- */

static void check_fan_out (const struct declaration *d,
                           const struct yaml_node *node,
                           const struct yaml_node *inputs)
{
    struct strvec names = STRVEC_INIT;

    for (size_t i = 0; inputs && i < inputs->n && inputs->keys; i++)
        strvec_push (&names, inputs->keys[i]->text);
    for (size_t i = 0; i < node->n; i++) {
        const char *word = node->items[i]->text;

        if (!strvec_contains (&names, word))
            field_unknown (d->reader, node->items[i]->mark, word, &names,
                           "fan_out: '%s' is no input of the operator", word);
        for (size_t k = 0; k < i; k++) {
            if (strcmp (node->items[k]->text, word) == 0)
                problems_add (d->reader->problems, node->items[i]->mark,
                              "fan_out: '%s' is listed twice; remove one",
                              word);
        }
    }
    strvec_release (&names);
}

static void read_inputs (const struct declaration *d)
{
    const struct yaml_node *inputs = field_find (d->node, "inputs");
    const struct yaml_node *fan_out = field_find (d->node, "fan_out");

    if (fan_out
        && field_strings (d->reader, fan_out, "fan_out", &d->op->fan_out) == 0)
        check_fan_out (d, fan_out, inputs);
    if (inputs)
        d->op->inputs = port_file_read (d->reader, inputs, PORT_INPUT,
                                        d->op->fan_out, "inputs");
}

static void read_outputs (const struct declaration *d)
{
    const struct yaml_node *outputs = field_find (d->node, "outputs");

    if (outputs)
        d->op->outputs =
            port_file_read (d->reader, outputs, PORT_OUTPUT, NULL, "outputs");
}

/* --- programs --- */

static void read_commands (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "command");

    if (node)
        field_argvs (d->reader, node, "command", &d->op->commands);
    else
        problems_add (d->reader->problems, d->key->mark,
                      "%s has no command; add command: [program, argument, "
                      "...]",
                      d->name);
}

/* `prepare:` or `collect:`: its ports, under 'ports_key', and its program. */
static void read_step (const struct declaration *d,
                       const char *step,
                       const char *ports_key,
                       enum port_role role,
                       const struct port **ports,
                       const char *const **argv)
{
    const char *const keys[] = { ports_key, "command", NULL };
    const struct yaml_node *node = field_find (d->node, step), *field;

    if (!node || field_mapping (d->reader, node, step, keys) < 0)
        return;
    if ((field = field_find (node, ports_key)))
        *ports = port_file_read (d->reader, field, role, NULL, ports_key);
    else
        problems_add (d->reader->problems, node->mark,
                      "%s declares no %s; add %s: {NAME: {type: ...}}", step,
                      ports_key, ports_key);
    if ((field = field_find (node, "command")))
        field_argv (d->reader, field, "command", argv);
    else
        problems_add (d->reader->problems, node->mark,
                      "%s has no command; add command: [program, argument, "
                      "...]",
                      step);
}

static void check_slices (const struct declaration *d)
{
    const struct yaml_node *inputs = field_find (d->node, "inputs");
    const struct yaml_node *slices =
        field_find (field_find (d->node, "prepare"), "slices");

    for (size_t i = 0; slices && slices->keys && i < slices->n; i++) {
        if (yaml_get (inputs, slices->keys[i]->text))
            problems_add (d->reader->problems, slices->keys[i]->mark,
                          "slices: '%s' is an input already; choose another "
                          "name",
                          slices->keys[i]->text);
    }
}

static void read_fatal_exits (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "fatal_exits");
    int *exits;

    if (!node || field_list (d->reader, node, "fatal_exits") < 0)
        return;
    exits = arena_array (d->reader->arena, node->n + 1, sizeof (*exits));
    for (size_t i = 0; i < node->n; i++)
        field_count (d->reader, node->items[i], "fatal_exits", 1, 255,
                     &exits[i]);
    d->op->fatal_exits = exits;
}

/* --- one operator --- */

static void read_fields (const struct declaration *d)
{
    static const char *const keys[] = { "doc",     "code",        "inputs",
                                        "outputs", "fan_out",     "command",
                                        "task",    "fatal_exits", "prepare",
                                        "collect", NULL };
    const struct yaml_node *field;

    if (field_mapping (d->reader, d->node, d->name, keys) < 0)
        return;
    if ((field = field_find (d->node, "doc")))
        field_text (d->reader, field, "doc", &d->op->doc);
    if ((field = field_find (d->node, "task")))
        task_needs_read (d->reader, field, "task", &d->op->needs);
    read_code (d);
    read_inputs (d);
    read_outputs (d);
    read_commands (d);
    read_step (d, "prepare", "slices", PORT_SLICE, &d->op->slices,
               &d->op->prepare);
    read_step (d, "collect", "outputs", PORT_COLLECTED, &d->op->collected,
               &d->op->collect);
    check_slices (d);
    read_fatal_exits (d);
}

/* NULL when it has any problem. */
static const struct operator_spec *read_operator (
    const struct field_reader *reader,
    const struct yaml_node *key,
    const struct yaml_node *node,
    const struct operator_spec *const *builtin)
{
    size_t before = reader->problems->n;
    struct declaration d = {
        .reader = reader,
        .key = key,
        .node = node,
        .name = arena_printf (reader->arena, "operator '%s'", key->text),
        .op = arena_alloc (reader->arena, sizeof (*d.op)),
    };

    d.op->name = arena_strdup (reader->arena, key->text);
    check_name (&d, builtin);
    read_fields (&d);
    /* Placeholders are looked up in ports: only those of good ones say
     * anything.
     */
    if (reader->problems->n == before)
        command_check (reader, node, d.op);
    return reader->problems->n == before ? d.op : NULL;
}

/* --- all of them --- */

void operator_file_read (const struct field_reader *reader,
                         const struct yaml_node *node,
                         const struct operator_spec *const *builtin,
                         struct operator_set *set)
{
    *set = (struct operator_set){ .builtin = builtin };
    if (!node || field_any_mapping (reader, node, "operators") < 0)
        return;
    set->node = node;
    set->own = arena_array (reader->arena, node->n, sizeof (*set->own));
    for (size_t i = 0; i < node->n; i++)
        set->own[i] =
            read_operator (reader, node->keys[i], node->items[i], builtin);
}

const struct operator_spec *operator_set_find (const struct operator_set *set,
                                               const char *name,
                                               bool *broken)
{
    *broken = false;
    for (size_t i = 0; set->builtin[i]; i++) {
        if (strcmp (set->builtin[i]->name, name) == 0)
            return set->builtin[i];
    }
    for (size_t i = 0; set->node && i < set->node->n; i++) {
        if (strcmp (set->node->keys[i]->text, name) == 0) {
            *broken = !set->own[i];
            return set->own[i];
        }
    }
    return NULL;
}

void operator_set_names (const struct operator_set *set, struct strvec *names)
{
    for (size_t i = 0; set->node && i < set->node->n; i++)
        strvec_push (names, set->node->keys[i]->text);
    for (size_t i = 0; set->builtin[i]; i++)
        strvec_push (names, set->builtin[i]->name);
}

const struct yaml_node *operator_set_from (const struct operator_set *set,
                                           const char *name,
                                           const char *port)
{
    const struct yaml_node *op = field_find (set->node, name);

    return field_find (field_find (field_find (op, "inputs"), port), "from");
}
