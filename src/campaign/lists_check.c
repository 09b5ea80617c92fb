/* SPDX-License-Identifier: BSD-3-Clause */
/* lists_check.c - may a list grow longer than a command line? */
#include "base/base.h"

#include "base/json.h"
#include "campaign/compilation.h"
#include "signature/group.h"
#include "signature/operator.h"

/* Linux gives 2 MiB to arguments and environment by default; what is here is
 * estimated.  Of an artifact it is its path, below the campaign's directory.
 */
enum {
    MANY_BYTES = 1 << 20,
    POINTER_BYTES = 8,
    PARAMETER_BYTES = 20,
    PATH_BYTES = 64,
    ITERATIONS_UNSTATED = 999999, /* what a plan has then */
    DEPTH_MAX = 8, /* of stages that slice each other's outputs */
};

static int64_t count_binding (const struct compilation *c,
                              const struct binding *binding, int depth);

/* Items in a literal, as they would be spread; one where it is no list. */
static int64_t count_items (const struct json *v)
{
    int64_t n = 0;

    if (json_kind (v) != JSON_KIND_ARRAY)
        return 1;
    for (size_t i = 0; i < json_count (v); i++)
        n += count_items (json_at (v, i));
    return n;
}

/* Does a number of another stage say how many slices there are? */
static bool is_counted (const struct compilation *c, const struct stage *stage,
                        const struct binding *binding)
{
    struct type type;

    return port_counts (binding->port, stage->op->fan_out)
           && binding->stage >= 0 && binding->source != SOURCE_ALL
           && c->plan->stages[binding->stage].op
           && operator_output_type (c->plan->stages[binding->stage].op,
                                    binding->output, &type)
           && type.depth == 0;
}

/* How many tasks a stage has in an iteration; -1: that is known later. */
static int64_t count_tasks (const struct compilation *c,
                            const struct stage *stage, int depth)
{
    const char *sliced = stage->op->fan_out ? stage->op->fan_out[0] : NULL;
    int64_t n = stage_tasks_known (c, stage);

    if (n >= 0 || !operator_fans_out (stage->op))
        return n >= 0 ? n : 1;
    for (size_t k = 0; sliced && k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];

        if (strcmp (binding->port->name, sliced) == 0
            && binding->port->type.kind != TYPE_FRAMES)
            return is_counted (c, stage, binding)
                       ? -1
                       : count_binding (c, binding, depth);
    }
    return -1;
}

/* Items that an output has in one iteration. */
static int64_t count_output (const struct compilation *c,
                             const struct binding *binding, int depth)
{
    const struct stage *stage = &c->plan->stages[binding->stage];
    const struct port *port;

    if (!stage->op || depth >= DEPTH_MAX)
        return -1;
    if ((port = port_find (stage->op->collected, binding->output)))
        return port->type.depth > 0 ? -1 : 1;
    if (!(port = port_find (stage->op->outputs, binding->output)))
        return 1; /* count, proceed */
    return port->type.depth > 0 ? -1 : count_tasks (c, stage, depth + 1);
}

/* -1: that is not said, and by experience there are few. */
static int64_t count_iterations (const struct plan *plan)
{
    int64_t n = 0;

    for (size_t i = 0; i < plan->n_phases; i++)
        n += plan->phases[i].iterations;
    if (n == 0)
        n = plan->max_iterations;
    return n < ITERATIONS_UNSTATED ? n : -1;
}

static int64_t count_binding (const struct compilation *c,
                              const struct binding *binding, int depth)
{
    int64_t n = 0;

    if (binding->literal)
        return count_items (binding->literal);
    if (binding->fold != FOLD_LIST)
        return 1;
    for (size_t i = 0; i < binding->n_parts; i++) {
        int64_t of_part = count_binding (c, &binding->parts[i], depth + 1);

        n = of_part < 0 || n < 0 ? -1 : n + of_part;
    }
    if (binding->n_parts > 0)
        return n;
    if (binding->stage < 0)
        return 1;
    n = count_output (c, binding, depth);
    return n > 0 && binding->source == SOURCE_ALL
               ? n * count_iterations (c->plan)
               : n;
}

/* --- where lists become arguments --- */

static bool spreads (const char *const *argv, const char *name)
{
    size_t len = strlen (name);

    for (; argv && *argv; argv++) {
        if ((*argv)[0] == '{' && strncmp (*argv + 1, name, len) == 0
            && strcmp (*argv + 1 + len, "}") == 0)
            return true;
    }
    return false;
}

static bool any_spreads (const char *const *const *argvs, const char *name)
{
    for (; argvs && *argvs; argvs++) {
        if (spreads (*argvs, name))
            return true;
    }
    return false;
}

/* Is {NAME} an argument of one of the operator's programs? */
static bool is_spread (const struct operator_spec *op, const char *name)
{
    const struct group_spec *group = op->group;

    if (spreads (op->prepare, name) || spreads (op->collect, name)
        || any_spreads (op->commands, name))
        return true;
    for (size_t i = 0; group && i < group->n_programs; i++) {
        if (any_spreads (group->programs[i].commands, name))
            return true;
    }
    return false;
}

static bool is_sliced (const struct operator_spec *op, const char *name)
{
    for (const char *const *f = op->fan_out; f && *f; f++) {
        if (strcmp (*f, name) == 0)
            return true;
    }
    return false;
}

static void check_list (const struct compilation *c,
                        const struct yaml_node *key, const struct stage *stage,
                        const struct binding *binding)
{
    const struct port *port = binding->port;
    int64_t n = count_binding (c, binding, 0);
    int64_t bytes = type_is_artifact (&port->type)
                        ? (int64_t)strlen (c->plan->dir) + PATH_BYTES
                        : PARAMETER_BYTES;

    if (n < 0 || n < MANY_BYTES / (bytes + POINTER_BYTES)
        || is_sliced (stage->op, port->name)
        || !is_spread (stage->op, port->name))
        return;
    field_warning (key,
                   "input '%s' of stage '%s' may have %" PRId64
                   " items, which are too many for the arguments of a command; "
                   "write {@%s} in place of {%s}: the path of a file that has "
                   "one of them a line",
                   port->name, stage->name, n, port->name, port->name);
}

void lists_check (const struct compilation *c)
{
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        for (size_t k = 0; stage->op && k < stage->n_bindings; k++)
            check_list (c, c->stages->keys[i], stage, &stage->bindings[k]);
    }
}
