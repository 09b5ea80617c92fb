/* SPDX-License-Identifier: BSD-3-Clause */
/* placeholders.c - the programs of a declared operator, and their placeholders
 */
#include "base/base.h"

#include "campaign/field_reader.h"
#include "campaign/placeholders.h"
#include "signature/group.h"
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
    OF_WORKER = 128,  /* what is the same for all tasks */
};

static const unsigned known_at[] = {
    [AT_COMMAND] = OF_TASK | OF_OUTPUTS | OF_PARAMS,
    [AT_WORKER] = OF_WORKER,
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

/* But 'without'; NULL: all. */
static void add_inputs (struct strvec *names, const struct port *ports,
                        const char *const *without)
{
    for (; ports && ports->name; ports++) {
        if (!ports->optional
            && !(without && words_contain (without, ports->name)))
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
    strvec_push (names, "address");
    strvec_push (names, "port");
    for (; nodes && *nodes; nodes++)
        strvec_pushf (names, "hosts.%s", *nodes);
}

static const char *const *placeholders_of (unsigned known)
{
    if (known & OF_WORKER)
        return operator_worker_placeholders;
    return known & OF_TASK ? operator_placeholders
                           : operator_front_placeholders;
}

/* Prepare and collect run beside the driver: they have no resources, and no
 * task.
 */
static void add_names (struct checking *c, const char *const *nodes)
{
    unsigned known = known_at[c->place];

    add_inputs (&c->names, c->op->inputs,
                known & OF_WORKER ? c->op->fan_out : NULL);
    if (known & OF_TASK)
        add_inputs (&c->names, c->op->slices, NULL);
    if (known & OF_OUTPUTS)
        add_outputs (&c->names, c->outputs);
    if (known & OF_SLICES)
        strvec_push (&c->names, "outputs.slices");
    if (known & OF_PARAMS)
        strvec_push (&c->names, "outputs.params");
    strvec_push_all (&c->names, (char *const *)placeholders_of (known));
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
        && strcmp (name, "address") != 0 && strcmp (name, "port") != 0
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

/* A worker's command is the same for all tasks. */
static const char *why_not_of_worker (const struct checking *c,
                                      const char *name)
{
    const char *port = strncmp (name, "outputs.", 8) == 0 ? name + 8 : name;

    if (strcmp (name, "seed") == 0 || strcmp (name, "task") == 0)
        return "differs from task to task, and a worker is started once for "
               "many; write reads: [seed] or [task] and find it in task.json";
    if (port_find (c->op->inputs, name) || port_find (c->op->slices, name)
        || port_find (c->op->outputs, port)
        || words_contain (operator_placeholders, name)
        || strcmp (port, "params") == 0)
        return "differs from task to task, and a worker is started once for "
               "many; find it in task.json";
    return NULL;
}

/* Why a name that exists is no placeholder here, or NULL. */
static const char *why_not (const struct checking *c, const char *name)
{
    const struct port *input = port_find (c->op->inputs, name);
    const char *why;

    if (input && input->optional)
        return "is optional and may be absent; give it a default, or read it "
               "from task.json";
    if ((known_at[c->place] & OF_WORKER) && (why = why_not_of_worker (c, name)))
        return why;
    if (words_contain (operator_placeholders, name))
        return "speaks of a task, and this program is run for all of them; "
               "remove it";
    why = why_no_output (c, name);
    return why ? why : why_not_in_group (known_at[c->place], name);
}

/* Does the argument have ${name}? */
static bool of_shell (const char *argument, const char *name)
{
    size_t len = strlen (name);

    while ((argument = strstr (argument, "${"))) {
        argument += 2;
        if (strncmp (argument, name, len) == 0 && argument[len] == '}')
            return true;
    }
    return false;
}

/* {@NAME}: a list as a file. */
static void check_list (const struct checking *c, const char *name)
{
    const struct port *port = port_find (c->op->inputs, name);
    _cleanup_ (strvec_release) struct strvec lists = STRVEC_INIT;

    if (!port && (known_at[c->place] & OF_TASK))
        port = port_find (c->op->slices, name);
    if (c->place == AT_WORKER) {
        field_problem (c->argument,
                       "placeholder '{@%s}' is a file of one task, and a "
                       "worker is started once for many; find the list in "
                       "task.json",
                       name);
        return;
    }
    if (port && !port->optional && type_is_list (&port->type))
        return;
    for (size_t i = 0; i < c->names.n; i++) {
        const struct port *other = port_find (c->op->inputs, c->names.v[i]);

        if (other && type_is_list (&other->type))
            strvec_pushf (&lists, "@%s", c->names.v[i]);
    }
    if (port && port->optional)
        field_problem (c->argument, "placeholder '{@%s}' %s", name,
                       why_not (c, name));
    else if (port || strvec_contains (&c->names, name))
        field_problem (c->argument,
                       "placeholder '{@%s}' is the file of a list, and '%s' is "
                       "none; write {%s}",
                       name, name, name);
    else if (lists.n > 0)
        field_unknown (c->argument, name, &lists, "unknown placeholder '{@%s}'",
                       name);
    else
        field_problem (c->argument,
                       "placeholder '{@%s}' is the file of a list, and the "
                       "operator has no input that is one; remove it",
                       name);
}

static int check_placeholder (const char *name, void *arg, struct error *err)
{
    const struct checking *c = arg;
    const char *why;

    (void)err;
    if (name[0] == '@') {
        check_list (c, name + 1);
        return 0;
    }
    if (strvec_contains (&c->names, name)) {
        if (of_shell (c->argument->text, name))
            field_warning (c->argument,
                           "'${%s}' is a $ and the value of the placeholder; "
                           "write {%s}, or ${{%s}} for the variable of a shell",
                           name, name, name);
        return 0;
    }
    why = why_not (c, name);
    if (of_shell (c->argument->text, name))
        field_problem (c->argument,
                       "unknown placeholder '{%s}'; for the variable of a "
                       "shell write $%s or ${{%s}}",
                       name, name, name);
    else if (why)
        field_problem (c->argument, "placeholder '{%s}' %s", name, why);
    else
        field_unknown (c->argument, name, &c->names,
                       "unknown placeholder '{%s}'", name);
    return 0;
}

/* Braces that are text, though they were hardly meant so: "{ name }", and
 * "{{name}}" as a whole.
 */
static void warn_of_text (const struct checking *c)
{
    const char *text = c->argument->text;

    for (size_t i = 0; i < c->names.n; i++) {
        _cleanup_free_ char *spaced = xasprintf ("{ %s }", c->names.v[i]);
        _cleanup_free_ char *doubled = xasprintf ("{{%s}}", c->names.v[i]);

        if (strstr (text, spaced) || strcmp (text, doubled) == 0)
            field_warning (c->argument,
                           "'%s' is text as it stands; write {%s} for the "
                           "placeholder",
                           text, c->names.v[i]);
    }
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
        warn_of_text (c);
        if (template_scan (item->text, check_placeholder, c, &err) < 0)
            field_problem (item, "%s", err.text);
    }
}

/* 'names' are the caller's to release. */
static struct checking begin (const struct operator_spec *op,
                              enum program_place place)
{
    struct checking c = { .op = op,
                          .place = place,
                          .outputs =
                              place == AT_COLLECT ? op->collected : op->outputs,
                          .names = STRVEC_INIT };

    add_names (&c, op->group ? op->group->nodes : NULL);
    return c;
}

void placeholders_at (const struct operator_spec *op, enum program_place place,
                      struct strvec *names)
{
    struct checking c = begin (op, place);

    strvec_push_all (names, c.names.v);
    strvec_release (&c.names);
}

static void check_argv (const struct yaml_node *argv, enum program_place place,
                        void *arg)
{
    struct checking c = begin (arg, place);

    check_arguments (&c, argv);
    strvec_release (&c.names);
}

void placeholders_check (const struct yaml_node *node,
                         const struct operator_spec *op)
{
    operator_argvs (node, check_argv, (void *)op);
}

/* --- where programs stand --- */

/* A path of keys, from the operator, or from a program of its group. */
struct place {
    const char *keys[3];
    enum program_place place;
};

static const struct place places[] = {
    { { "command" }, AT_COMMAND },
    { { "worker" }, AT_WORKER },
    { { "report", "command" }, AT_REPORT },
    { { "prepare", "command" }, AT_PREPARE },
    { { "collect", "command" }, AT_COLLECT },
    { { "group", "setup" }, AT_NODE },
    { { "group", "exit" }, AT_NODE },
    { { "group", "report", "command" }, AT_NODE_REPORT },
};

static const struct place program_places[] = {
    { { "setup" }, AT_PROGRAM },
    { { "exit" }, AT_PROGRAM },
    { { "per_instance", "setup" }, AT_INSTANCE },
    { { "per_instance", "exit" }, AT_INSTANCE },
    { { "per_instance", "report", "command" }, AT_INSTANCE_REPORT },
    { { "command" }, AT_INSTANCE },
};

static void each_place (const struct yaml_node *node,
                        const struct place *places_of, size_t n,
                        void (*each) (const struct yaml_node *argv,
                                      enum program_place place, void *arg),
                        void *arg)
{
    for (size_t i = 0; i < n; i++) {
        const struct yaml_node *argv = node;

        for (size_t k = 0; k < 3 && places_of[i].keys[k]; k++)
            argv = field_find (argv, places_of[i].keys[k]);
        if (argv)
            each (argv, places_of[i].place, arg);
    }
}

void operator_argvs (const struct yaml_node *node,
                     void (*each) (const struct yaml_node *argv,
                                   enum program_place place, void *arg),
                     void *arg)
{
    const struct yaml_node *programs =
        field_find (field_find (node, "group"), "programs");

    each_place (node, places, ARRAY_SIZE (places), each, arg);
    for (size_t i = 0; programs && i < programs->n; i++)
        each_place (programs->items[i], program_places,
                    ARRAY_SIZE (program_places), each, arg);
}
