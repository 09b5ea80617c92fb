/* SPDX-License-Identifier: BSD-3-Clause */
/* command_check.c - do the placeholders of an operator's programs exist? */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/command_check.h"
#include "campaign/field_reader.h"
#include "signature/operator.h"
#include "signature/template.h"

enum program { PROGRAM_TASK, PROGRAM_PREPARE, PROGRAM_COLLECT };

struct checking {
    const struct field_reader *reader;
    const struct operator_spec *op;
    enum program program;
    struct strvec names;              /* the placeholders this program has */
    const struct yaml_node *argument; /* the one being looked at */
};

static void add_artifacts (struct strvec *names, const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (type_is_artifact (&ports->type))
            strvec_pushf (names, "outputs.%s", ports->name);
    }
}

static void add_inputs (struct strvec *names, const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (!ports->optional)
            strvec_push (names, ports->name);
    }
}

static void push_all (struct strvec *names, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        strvec_push (names, words[i]);
}

/* Prepare and collect run beside the driver: they have no resources, and no
 * task.
 */
static void add_names (struct checking *c)
{
    add_inputs (&c->names, c->op->inputs);
    if (c->program == PROGRAM_TASK) {
        add_inputs (&c->names, c->op->slices);
        add_artifacts (&c->names, c->op->outputs);
    }
    if (c->program == PROGRAM_COLLECT)
        add_artifacts (&c->names, c->op->collected);
    strvec_push (&c->names, c->program == PROGRAM_PREPARE ? "outputs.slices"
                                                          : "outputs.params");
    push_all (&c->names, c->program == PROGRAM_TASK
                             ? operator_placeholders ()
                             : operator_front_placeholders ());
}

static bool is_placeholder (const char *name)
{
    const char *const *words = operator_placeholders ();

    for (size_t i = 0; words[i]; i++) {
        if (strcmp (words[i], name) == 0)
            return true;
    }
    return false;
}

/* Why a name that exists is no placeholder here, or NULL. */
static const char *why_not (const struct checking *c, const char *name)
{
    const struct port *input = port_find (c->op->inputs, name);
    const struct port *outputs =
        c->program == PROGRAM_COLLECT ? c->op->collected : c->op->outputs;

    if (input && input->optional)
        return "is optional and may be absent; give it a default, or read it "
               "from task.json";
    if (is_placeholder (name))
        return "speaks of a task, and this program is run for all of them; "
               "remove it";
    if (c->program == PROGRAM_PREPARE)
        return NULL;
    if (strncmp (name, "outputs.", 8) == 0 && port_find (outputs, name + 8))
        return "is a parameter and no file; write it into the JSON object "
               "{outputs.params}";
    if (port_find (outputs, name))
        return "is an output; its path is {outputs.NAME}";
    return NULL;
}

static int check_placeholder (const char *name, void *arg, struct error *err)
{
    const struct checking *c = arg;
    const char *why;

    (void)err;
    if (strvec_contains (&c->names, name))
        return 0;
    why = why_not (c, name);
    if (why)
        problems_add (c->reader->problems, c->argument->mark,
                      "placeholder '{%s}' %s", name, why);
    else
        field_unknown (c->reader, c->argument->mark, name, &c->names,
                       "unknown placeholder '{%s}'", name);
    return 0;
}

/* 'node' is an argv, or a list of them. */
static void check_arguments (struct checking *c, const struct yaml_node *node)
{
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *item = node->items[i];
        struct error err = ERROR_INIT;

        if (item->kind == YAML_SEQUENCE) {
            check_arguments (c, item);
            continue;
        }
        c->argument = item;
        if (template_scan (item->text, check_placeholder, c, &err) < 0)
            problems_add (c->reader->problems, item->mark, "%s", err.text);
    }
}

static void check_program (const struct field_reader *reader,
                           const struct yaml_node *node,
                           const struct operator_spec *op,
                           enum program program)
{
    struct checking c = {
        .reader = reader, .op = op, .program = program, .names = STRVEC_INIT
    };

    if (!node)
        return;
    add_names (&c);
    check_arguments (&c, node);
    strvec_release (&c.names);
}

void command_check (const struct field_reader *reader,
                    const struct yaml_node *node,
                    const struct operator_spec *op)
{
    check_program (reader, field_find (node, "command"), op, PROGRAM_TASK);
    check_program (reader, field_find (field_find (node, "prepare"), "command"),
                   op, PROGRAM_PREPARE);
    check_program (reader, field_find (field_find (node, "collect"), "command"),
                   op, PROGRAM_COLLECT);
}
