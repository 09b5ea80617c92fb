/* SPDX-License-Identifier: BSD-3-Clause */
/* functions_file.c - `functions:`, stages that run when they are called
 *
 * A function is declared and bound as a stage is, in a plan that has all stages
 * and, behind them, all functions; so a reference finds both.
 */
#include "base/base.h"

#include "base/arena.h"
#include "base/yaml_write.h"
#include "campaign/compilation.h"
#include "campaign/function_text.h"
#include "campaign/programs_check.h"

/* A campaign has a handful. */
enum { FUNCTIONS_MAX = 256 };

/* --- before stages are bound --- */

void functions_name (struct compilation *c)
{
    const struct yaml_node *node = field_find (c->root, "functions");
    struct plan *plan = c->plan;

    if (!node || c->reader.recorded || field_any_mapping (node) < 0)
        return;
    if (node->n == 0 || node->n > FUNCTIONS_MAX) {
        field_problem (node, "there are %zu functions; write 1 to %d of them",
                       node->n, FUNCTIONS_MAX);
        return;
    }
    plan->functions =
        arena_array (c->reader.arena, node->n, sizeof (*plan->functions));
    plan->n_functions = node->n;
    for (size_t i = 0; i < node->n; i++)
        plan->functions[i].name =
            arena_strdup (c->reader.arena, node->keys[i]->text);
}

/* --- type and then --- */

static void read_type (const struct yaml_node *key,
                       const struct yaml_node *node, struct function *function)
{
    static const char *const names[] = { "train", "predict" };
    const struct yaml_node *type = field_find (node, "type");
    const char *word;
    int i;

    if (!type) {
        field_problem (key,
                       "%s does not say how its calls run; add type: train "
                       "(one after another) or type: predict (side by side)",
                       function->stage.title);
        return;
    }
    if (field_text (type, &word) < 0)
        return;
    i = field_choose (type, word, names, 2, sizeof (*names),
                      "unknown type '%s' of %s", word, function->stage.title);
    if (i >= 0)
        function->type = (enum function_type)i;
}

static void read_then (const struct yaml_node *node, struct function *function)
{
    const struct yaml_node *then = field_find (node, "then");

    if (then && field_argv (then, &function->then) == 0)
        then_check (then);
}

/* --- declared and bound --- */

static bool is_stage (const struct compilation *c, const char *name)
{
    return plan_family_find (c->plan, name)
           || (c->stages && c->stages->kind == YAML_MAPPING
               && yaml_get (c->stages, name) != NULL);
}

static void declare (struct compilation *c, const struct yaml_node *functions,
                     size_t i)
{
    const struct yaml_node *key = functions->keys[i];
    const struct yaml_node *node = functions->items[i];
    struct function *function = &c->plan->functions[i];

    if (is_stage (c, key->text))
        field_problem (key,
                       "'%s' is a stage, too; stages and functions share one "
                       "set of names: choose another",
                       key->text);
    function->stage.function = function;
    stage_declare (c, key, node, &function->stage);
    if (node->kind != YAML_MAPPING)
        return;
    read_type (key, node, function);
    read_then (node, function);
}

/* All stages, and behind them all functions. */
static struct stage *stages_and_functions (struct compilation *c)
{
    const struct plan *plan = c->plan;
    size_t n = plan->n_stages;
    struct stage *all =
        arena_array (c->reader.arena, n + plan->n_functions, sizeof (*all));

    if (n > 0)
        memcpy (all, plan->stages, n * sizeof (*all));
    for (size_t i = 0; i < plan->n_functions; i++)
        all[n + i] = plan->functions[i].stage;
    return all;
}

static void bind (struct compilation *c, const struct yaml_node *functions)
{
    struct plan *plan = c->plan, scope = *plan;
    struct compilation of_all = *c;

    scope.stages = stages_and_functions (c);
    scope.n_stages = plan->n_stages + plan->n_functions;
    of_all.plan = &scope;
    for (size_t i = 0; i < plan->n_functions; i++) {
        if (functions->items[i]->kind == YAML_MAPPING)
            function_bind (&of_all, functions->keys[i], functions->items[i],
                           &plan->functions[i].stage);
    }
}

/* --- steps --- */

/* What the call of a function with a super-operator will have as stages: their
 * fields are checked, and who makes the outputs is known.
 */
static void flatten (struct compilation *c, const struct yaml_node *functions,
                     size_t i)
{
    struct function *function = &c->plan->functions[i];
    const struct operator_spec *op = function->stage.op;
    struct plan scope = *c->plan;
    struct compilation alone = *c;
    struct yaml_node one = *functions;

    if (!op || !op->steps)
        return;
    scope.families = NULL;
    scope.n_families = 0;
    alone.plan = &scope;
    alone.families = NULL;
    one.keys += i;
    one.items += i;
    one.n = 1;
    stages_flattened (&alone, &one);
    function->family = plan_family_find (&scope, function->name);
}

/* --- what is checked of stages, too --- */

static void check (struct compilation *c, const struct yaml_node *functions)
{
    struct compilation of_functions = *c;
    struct plan scope = *c->plan;

    scope.n_stages = 0;
    scope.stages = stages_and_functions (c) + c->plan->n_stages;
    scope.n_stages = c->plan->n_functions;
    of_functions.plan = &scope;
    of_functions.stages = functions;
    tasks_check (&of_functions);
    if (c->reader.this_host)
        programs_check (&of_functions);
}

void functions_read (struct compilation *c)
{
    const struct yaml_node *functions = field_find (c->root, "functions");

    if (c->plan->n_functions == 0)
        return;
    functions =
        stages_with_defaults (c, functions, field_find (c->root, "defaults"));
    for (size_t i = 0; i < functions->n; i++)
        declare (c, functions, i);
    bind (c, functions);
    for (size_t i = 0; i < functions->n; i++)
        flatten (c, functions, i);
    check (c, functions);
    if (problems_errors (c->reader.problems) > 0)
        return; /* an operator may be none */
    for (size_t i = 0; i < functions->n; i++)
        function_text_write (c, functions->items[i], &c->plan->functions[i]);
}
