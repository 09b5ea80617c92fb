/* SPDX-License-Identifier: BSD-3-Clause */
/* placeholders.c - do the placeholders of an operator's programs exist? */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/strvec.h"
#include "campaign/field_reader.h"
#include "campaign/placeholders.h"
#include "signature/operator.h"
#include "signature/template.h"

/* What is known at a place. */
enum {
    OF_TASK = 1,      /* its number, resources and slices */
    OF_OUTPUTS = 2,   /* where artifacts are written */
    OF_PARAMS = 4,    /* where parameters are */
    OF_SLICES = 8,    /* where slices are */
    OF_NODES = 16,    /* workspace and hosts */
    OF_PROGRAM = 32,  /* how many instances it has */
    OF_INSTANCE = 64, /* which one it is */
};

static const unsigned known_at[] = {
    [AT_COMMAND] = OF_TASK | OF_OUTPUTS | OF_PARAMS,
    [AT_REPORT] = OF_TASK | OF_OUTPUTS,
    [AT_PREPARE] = OF_SLICES,
    [AT_COLLECT] = OF_OUTPUTS | OF_PARAMS,
    [AT_NODE] = OF_TASK | OF_OUTPUTS | OF_PARAMS | OF_NODES,
    [AT_NODE_REPORT] = OF_TASK | OF_OUTPUTS | OF_NODES,
    [AT_PROGRAM] = OF_TASK | OF_OUTPUTS | OF_PARAMS | OF_NODES | OF_PROGRAM,
    [AT_INSTANCE] =
        OF_TASK | OF_OUTPUTS | OF_PARAMS | OF_NODES | OF_PROGRAM | OF_INSTANCE,
    [AT_INSTANCE_REPORT] =
        OF_TASK | OF_OUTPUTS | OF_NODES | OF_PROGRAM | OF_INSTANCE,
};

struct checking {
    const struct operator_spec *op;
    enum program_place place;
    const struct port *outputs;       /* NULL: none */
    struct strvec names;              /* the placeholders this program has */
    const struct yaml_node *argument; /* the one being looked at */
};

/* --- the names --- */

static void add_inputs (struct strvec *names, const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (!ports->optional)
            strvec_push (names, ports->name);
    }
}

static void add_outputs (struct strvec *names, const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (type_is_artifact (&ports->type))
            strvec_pushf (names, "outputs.%s", ports->name);
    }
}

static void add_nodes (struct strvec *names, const char *const *nodes)
{
    strvec_push (names, "workspace");
    strvec_push (names, "hosts");
    for (; nodes && *nodes; nodes++)
        strvec_pushf (names, "hosts.%s", *nodes);
}

/* Prepare and collect run beside the driver: they have no resources, and no
 * task.
 */
static void add_names (struct checking *c, const char *const *nodes)
{
    unsigned known = known_at[c->place];

    add_inputs (&c->names, c->op->inputs);
    if (known & OF_TASK)
        add_inputs (&c->names, c->op->slices);
    if (known & OF_OUTPUTS)
        add_outputs (&c->names, c->outputs);
    if (known & OF_SLICES)
        strvec_push (&c->names, "outputs.slices");
    if (known & OF_PARAMS)
        strvec_push (&c->names, "outputs.params");
    strvec_push_all (&c->names,
                     (char *const *)(known & OF_TASK
                                         ? operator_placeholders
                                         : operator_front_placeholders));
    if (known & OF_NODES)
        add_nodes (&c->names, nodes);
    if (known & OF_PROGRAM)
        strvec_push (&c->names, "instances");
    if (known & OF_INSTANCE)
        strvec_push (&c->names, "instance");
}

/* --- what is none --- */

/* Of a name that only groups have. */
static const char *why_not_in_group (unsigned known, const char *name)
{
    bool instance = strcmp (name, "instance") == 0;
    bool program = instance || strcmp (name, "instances") == 0;

    if (!program && strcmp (name, "workspace") != 0
        && strncmp (name, "hosts", 5) != 0)
        return NULL;
    if (!(known & OF_NODES))
        return "is known where programs run together; write a group";
    if (instance && (known & OF_PROGRAM))
        return "is one of several, and this is run once for all of them; "
               "write it under per_instance";
    if (program && !(known & OF_PROGRAM))
        return "speaks of one program, and this is run for all of a node; "
               "write it under programs";
    return NULL;
}

static const char *why_no_output (const struct checking *c, const char *name)
{
    const char *port = strncmp (name, "outputs.", 8) == 0 ? name + 8 : NULL;

    if (!port)
        return port_find (c->outputs, name)
                   ? "is an output; its path is {outputs.NAME}"
                   : NULL;
    if (strcmp (port, "params") == 0 && (known_at[c->place] & OF_TASK))
        return "is what programs leave; print a JSON object as the report";
    return port_find (c->outputs, port)
               ? "is a parameter and no file; write it into the JSON object "
                 "{outputs.params}"
               : NULL;
}

/* Why a name that exists is no placeholder here, or NULL. */
static const char *why_not (const struct checking *c, const char *name)
{
    const struct port *input = port_find (c->op->inputs, name);
    const char *why;

    if (input && input->optional)
        return "is optional and may be absent; give it a default, or read it "
               "from task.json";
    if (words_contain (operator_placeholders, name))
        return "speaks of a task, and this program is run for all of them; "
               "remove it";
    why = why_no_output (c, name);
    return why ? why : why_not_in_group (known_at[c->place], name);
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
        field_problem (c->argument, "placeholder '{%s}' %s", name, why);
    else
        field_unknown (c->argument, name, &c->names,
                       "unknown placeholder '{%s}'", name);
    return 0;
}

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
            field_problem (item, "%s", err.text);
    }
}

void placeholders_check (const struct yaml_node *argv,
                         const struct operator_spec *op,
                         enum program_place place, const char *const *nodes)
{
    struct checking c = { .op = op,
                          .place = place,
                          .outputs =
                              place == AT_COLLECT ? op->collected : op->outputs,
                          .names = STRVEC_INIT };

    if (!argv)
        return;
    add_names (&c, nodes);
    check_arguments (&c, argv);
    strvec_release (&c.names);
}
