/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes_check.c - are arrays that share a named size known to differ? */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "campaign/compilation.h"
#include "signature/operator.h"
#include "signature/sizes.h"

/* What is known of a stage: the sizes that all its tasks share. */
struct stage_sizes {
    struct sizes sizes;
    bool begun; /* a stage may wait for itself, which is reported elsewhere */
};

struct checking {
    const struct compilation *c;
    struct stage_sizes *stages;
};

static const struct sizes *sizes_of (const struct checking *k, int stage);

static void complain (const struct checking *k, const struct stage *stage,
                      const struct binding *binding, const struct error *err)
{
    problems_add (k->c->reader.problems, binding->mark,
                  "%s: %s; bind arrays that agree", stage->title, err->text);
}

static bool is_sliced (const struct stage *stage, const struct binding *binding)
{
    return words_contain (stage->op->fan_out, binding->port->name);
}

/* --- what is written down --- */

static int note_literal (const struct checking *k, struct sizes *sizes,
                         const struct binding *binding, const char *name,
                         const struct json *value, struct error *err)
{
    return sizes_note_value (sizes, &binding->port->type, value,
                             k->c->reader.dir, "input", name, NULL, err);
}

/* Literals that all tasks see; then defaults, each beside these. */
static void note_literals (const struct checking *k, const struct stage *stage,
                           struct sizes *sizes)
{
    struct error err = ERROR_INIT;
    size_t n;

    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (!is_sliced (stage, b)
            && note_literal (k, sizes, b, b->port->name, b->literal, &err) < 0)
            complain (k, stage, b, &err);
    }
    n = sizes->n;
    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (!is_sliced (stage, b)
            && note_literal (k, sizes, b, b->port->name, b->fallback, &err) < 0)
            complain (k, stage, b, &err);
        sizes_truncate (sizes, n);
    }
}

/* --- what other stages declare --- */

/* The output a binding takes, its sizes as far as they are known there. */
static bool find_output (const struct checking *k,
                         const struct binding *binding, struct type *type)
{
    const struct operator_spec *op = k->c->plan->stages[binding->stage].op;
    const struct sizes *known;

    if (!operator_output_type (op, binding->output, type))
        return false;
    if (binding->source != SOURCE_THIS) /* another phase may know others */
        return true;
    known = sizes_of (k, binding->stage);
    for (int i = 0; i < type->n_dims; i++) {
        if (type->sizes[i])
            type->shape[i] = sizes_find (known, type->sizes[i]);
    }
    return true;
}

static int note_reference (const struct checking *k,
                           const struct binding *binding, struct sizes *sizes,
                           struct error *err)
{
    struct type type;

    for (size_t i = 0; i < binding->n_parts; i++) {
        if (note_reference (k, &binding->parts[i], sizes, err) < 0)
            return -1;
    }
    if (binding->stage < 0 || !find_output (k, binding, &type))
        return 0;
    return sizes_note (sizes, &binding->port->type, &type, "input",
                       binding->port->name, err);
}

static void note_references (const struct checking *k,
                             const struct stage *stage, struct sizes *sizes)
{
    struct error err = ERROR_INIT;

    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (note_reference (k, &stage->bindings[i], sizes, &err) < 0)
            complain (k, stage, &stage->bindings[i], &err);
    }
}

/* --- slices --- */

/* Those of one task; -1 after recording what differs. */
static int check_slice (const struct checking *k, const struct stage *stage,
                        size_t task, struct sizes *sizes)
{
    struct error err = ERROR_INIT;

    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (!is_sliced (stage, b) || !type_names_sizes (&b->port->type))
            continue;
        if (note_literal (k, sizes, b,
                          arena_printf (k->c->reader.arena, "%s[%zu]",
                                        b->port->name, task),
                          json_at (b->literal, task), &err)
            < 0) {
            complain (k, stage, b, &err);
            return -1;
        }
    }
    return 0;
}

/* 'sizes' are those of all tasks, and stay so. */
static void check_slices (const struct checking *k, const struct stage *stage,
                          struct sizes *sizes)
{
    size_t n_tasks = 0, n = sizes->n;
    int rc = 0;

    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (is_sliced (stage, b) && type_names_sizes (&b->port->type)
            && json_count (b->literal) > n_tasks)
            n_tasks = json_count (b->literal);
    }
    for (size_t task = 0; rc == 0 && task < n_tasks; task++) {
        rc = check_slice (k, stage, task, sizes);
        sizes_truncate (sizes, n);
    }
}

/* --- a stage --- */

static const struct sizes *sizes_of (const struct checking *k, int index)
{
    const struct stage *stage = &k->c->plan->stages[index];
    struct stage_sizes *of = &k->stages[index];

    if (of->begun)
        return &of->sizes;
    of->begun = true;
    note_literals (k, stage, &of->sizes);
    note_references (k, stage, &of->sizes);
    check_slices (k, stage, &of->sizes);
    return &of->sizes;
}

void sizes_check (const struct compilation *c)
{
    size_t n = c->plan->n_stages;
    const struct checking k = { c, xcalloc (n + 1, sizeof (*k.stages)) };

    for (size_t i = 0; i < n; i++)
        sizes_of (&k, (int)i);
    for (size_t i = 0; i < n; i++)
        sizes_release (&k.stages[i].sizes);
    free (k.stages);
}
