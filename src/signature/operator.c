/* SPDX-License-Identifier: BSD-3-Clause */
/* operator.c - a typed kind of work */
#include "base/base.h"

#include "base/json.h"
#include "signature/operator.h"

#define FRONT "seed", "iteration", "campaign", "fanfold"
#define SHAPE                                                                  \
    "ranks", "cores", "cores_per_rank", "nodes", "ranks_per_node", "gpus",     \
        "memory_bytes"

const char *const operator_placeholders[] = { FRONT,      SHAPE,     "task",
                                              "launcher", "restart", NULL };
const char *const operator_worker_placeholders[] = { "iteration", "campaign",
                                                     "fanfold",   SHAPE,
                                                     "launcher",  NULL };
const char *const operator_group_placeholders[] = {
    "workspace", "hosts", "address", "port", "instances", "instance", NULL
};
const char *const operator_front_placeholders[] = { FRONT, NULL };
const char *const operator_launcher_placeholders[] = { SHAPE, "on_nodes",
                                                       NULL };
const char *const operator_agents_placeholders[] = { "nodes", "on_nodes",
                                                     NULL };

void keep_text (int keep, struct strbuf *text)
{
    if (keep == KEEP_ALWAYS)
        strbuf_add_str (text, "always");
    else if (keep == KEEP_UNTIL_USED)
        strbuf_add_str (text, "until_used");
    else
        strbuf_addf (text, "%d", keep);
}

size_t port_count (const struct port *ports)
{
    size_t n = 0;

    while (ports && ports[n].name)
        n++;
    return n;
}

const struct port *port_find (const struct port *ports, const char *name)
{
    for (const struct port *port = ports; port && port->name; port++) {
        if (strcmp (port->name, name) == 0)
            return port;
    }
    return NULL;
}

bool port_counts (const struct port *port, const char *const *fan_out)
{
    return port->type.kind == TYPE_INT && port->type.depth == 0
           && words_contain (fan_out, port->name);
}

bool operator_fans_out (const struct operator_spec *op)
{
    return (op->fan_out && op->fan_out[0])
           || (op->slices && op->slices[0].name);
}

bool operator_output_type (const struct operator_spec *op, const char *name,
                           struct type *type)
{
    const struct port *port = port_find (op->collected, name);
    bool stacked = !port && operator_fans_out (op);
    bool count = strcmp (name, "count") == 0;

    if (count || strcmp (name, "proceed") == 0) {
        *type = (struct type){ .kind = count ? TYPE_INT : TYPE_BOOL };
        return true;
    }
    if (!port && !(port = port_find (op->outputs, name)))
        return false;
    *type = port->type;
    type->depth += stacked;
    return true;
}

static void push_ports (struct strvec *names, const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (!strvec_contains (names, ports->name))
            strvec_push (names, ports->name);
    }
}

void operator_output_names (const struct operator_spec *op,
                            struct strvec *names)
{
    push_ports (names, op->collected);
    push_ports (names, op->outputs);
    strvec_push (names, "count");
    if (!strvec_contains (names, "proceed"))
        strvec_push (names, "proceed");
}

static struct known_input input_of (const struct port *port,
                                    const struct known_input *known)
{
    struct known_input input = *known;

    input.name = port->name;
    input.value = json_get_path (known->others, port->name);
    return input;
}

int port_check (const struct port *port, const struct known_input *known,
                struct error *err)
{
    const struct known_input input = input_of (port, known);

    if (!port->check || json_is_null (input.value))
        return 0;
    return port->check (&input, err);
}

static bool is_line (const char *text)
{
    for (; *text; text++) {
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f)
            return false;
    }
    return true;
}

static bool are_lines (const struct json *value)
{
    if (json_kind (value) == JSON_KIND_STRING)
        return is_line (json_as_string (value));
    for (size_t i = 0;
         json_kind (value) == JSON_KIND_ARRAY && i < json_count (value); i++) {
        if (!are_lines (json_at (value, i)))
            return false;
    }
    if (json_kind (value) != JSON_KIND_OBJECT)
        return true;
    JSON_FOREACH (value, it) {
        if (!is_line (json_iter_key (it)) || !are_lines (json_iter_value (it)))
            return false;
    }
    return true;
}

int operator_check_text (const struct operator_spec *op, const char *name,
                         const struct json *value, struct error *err)
{
    const struct port *port = op->inputs;

    while (port && port->name && strcmp (port->name, name) != 0)
        port++;
    if (!op->writes_text || (port && port->name && port->program)
        || are_lines (value))
        return 0;
    return error_set (err,
                      "%s: has a line break or a control character, and stands "
                      "in files of %s; write one line",
                      name, op->code);
}

/* Ranks that a program is given beside those of the task. */
static void doubt_launcher (const struct known_input *input,
                            struct strbuf *says)
{
    const char *word = json_as_string (json_at (input->value, 0));

    if (!program_is_launcher (word))
        return;
    if (input->ranks > 1)
        strbuf_addf (says,
                     "%s: %s starts ranks, and so does the profile's launcher, "
                     "%d times; write the program alone",
                     input->name, word, input->ranks);
    else
        strbuf_addf (says,
                     "%s: a task has the cores of its ranks, and nothing is "
                     "known of those that %s starts; write the program alone, "
                     "and task: {ranks: N}",
                     input->name, word);
}

bool operator_takes_version (const char *const *versions, const char *line)
{
    bool takes = versions == NULL;

    for (; !takes && line && *versions; versions++)
        takes = strstr (line, *versions) != NULL;
    return takes;
}

bool program_is_launcher (const char *word)
{
    static const char *const launchers[] = {
        "mpirun", "mpiexec", "mpiexec.hydra", "srun",  "aprun",
        "jsrun",  "orterun", "prun",          "ibrun", NULL,
    };
    const char *name = strrchr (word, '/') ? strrchr (word, '/') + 1 : word;

    return words_contain (launchers, name);
}

void port_doubt (const struct port *port, const struct known_input *known,
                 struct strbuf *says)
{
    const struct known_input input = input_of (port, known);

    if (port->program)
        doubt_launcher (&input, says);
    if (port->doubt && !json_is_null (input.value))
        port->doubt (&input, says);
}

const struct operator_spec *operator_variant_for (
    const struct operator_spec *op, const char *value)
{
    const struct operator_variant *variant = op->variants;

    while (value && variant && variant->value
           && strcmp (variant->value, value) != 0)
        variant++;
    return value && variant && variant->value ? variant->op : op;
}
