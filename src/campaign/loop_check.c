/* SPDX-License-Identifier: BSD-3-Clause */
/* loop_check.c - does a campaign that selects also label what it selects, train
 * on what it labels and publish that, and wait for what can be true?
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/compilation.h"
#include "signature/operator.h"

static bool selects (const struct stage *stage)
{
    return stage->op && strcmp (stage->op->name, "model_devi.select") == 0;
}

/* The port that the stage publishes, or NULL. */
static const struct port *published (const struct stage *stage)
{
    const struct port *tables[] = { stage->op->collected, stage->op->outputs };

    for (size_t i = 0; i < ARRAY_SIZE (tables); i++) {
        for (const struct port *port = tables[i]; port && port->name; port++) {
            if (port->publish)
                return port;
        }
    }
    return NULL;
}

static void check_selected (const struct compilation *c,
                            const struct yaml_node *key,
                            const struct stage *stage)
{
    if (!plan_binds (c->plan, stage, "frames"))
        field_warning (key,
                       "no stage takes %s.frames, so what is selected is never "
                       "labelled; write frames: previous.%s.frames in the "
                       "stage that labels",
                       stage->name, stage->name);
}

static void check_labelled (const struct compilation *c,
                            const struct yaml_node *key,
                            const struct stage *stage)
{
    const struct port *port = published (stage);

    if (port && stage->publish && !plan_binds (c->plan, stage, port->name))
        field_warning (key,
                       "no stage takes %s.%s, so nothing is trained on what is "
                       "labelled; bind all.%s.%s in the stage that trains",
                       stage->name, port->name, stage->name, port->name);
}

static const struct binding *binding_of (const struct stage *stage,
                                         const char *name)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (strcmp (stage->bindings[i].port->name, name) == 0)
            return &stage->bindings[i];
    }
    return NULL;
}

static bool is_given (const struct stage *stage, const char *name)
{
    const struct binding *b = binding_of (stage, name);

    return b && (b->source != SOURCE_UNBOUND || !json_is_null (b->literal));
}

/* Is it looked at whether trajectories are sound? */
static bool looks_at_health (const struct stage *stage)
{
    return is_given (stage, "health.labelled")
           || is_given (stage, "health.closest");
}

/* The rule of stop: where it is about the output called 'name'; or NULL. */
static const struct yaml_node *rule_about (const struct compilation *c,
                                           const char *name)
{
    const struct yaml_node *when =
        field_find (field_find (c->root, "stop"), "when");

    return when && when->kind == YAML_SCALAR && strstr (when->text, name)
               ? when
               : NULL;
}

/* `healthy` is null where nothing asks for it. */
static void check_healthy (const struct compilation *c,
                           const struct stage *stage)
{
    _cleanup_free_ char *name = xasprintf ("%s.healthy", stage->name);
    const struct yaml_node *when = rule_about (c, name);

    if (when && !looks_at_health (stage))
        field_warning (when,
                       "%s is null as long as the stage does not look at it, "
                       "so this never holds; write health: {labelled: "
                       "all.STAGE.dataset} there, of the stage that labels",
                       name);
}

/* `converged` is false where nothing says what that is. */
static void check_converged (const struct compilation *c,
                             const struct stage *stage)
{
    _cleanup_free_ char *name = xasprintf ("%s.converged", stage->name);
    const struct yaml_node *when = rule_about (c, name);

    if (when && !is_given (stage, "convergence.accurate")
        && !is_given (stage, "convergence.drift"))
        field_warning (when,
                       "%s is false as long as the stage does not say what it "
                       "is; write convergence: {accurate: 0.95} there, or "
                       "when: %s.accurate >= 0.95 here",
                       name, stage->name);
}

/* Do both refer to one output, and may they stand for the same of it? */
static bool are_shared (const struct binding *a, const struct binding *b)
{
    if (a->stage < 0 || a->stage != b->stage
        || strcmp (a->output, b->output) != 0)
        return false;
    return a->source == b->source || a->source == SOURCE_ALL
           || b->source == SOURCE_ALL || a->source == SOURCE_LATEST
           || b->source == SOURCE_LATEST;
}

/* The same, of lists of references. */
static bool have_shared (const struct binding *a, const struct binding *b)
{
    if (a->n_parts == 0 && b->n_parts == 0)
        return are_shared (a, b);
    for (size_t i = 0; i < a->n_parts; i++) {
        if (have_shared (&a->parts[i], b))
            return true;
    }
    for (size_t i = 0; a->n_parts == 0 && i < b->n_parts; i++) {
        if (are_shared (a, &b->parts[i]))
            return true;
    }
    return false;
}

/* Errors of what is trained on say nothing of the rest. */
static void check_validation (const struct compilation *c,
                              const struct stage *stage)
{
    static const char *const judged_by[] = { "validation", "held_out",
                                             "test_data", "test_set", NULL };
    const struct binding *datasets = binding_of (stage, "datasets");

    for (size_t i = 0; datasets && judged_by[i]; i++) {
        const struct binding *b = binding_of (stage, judged_by[i]);

        if (b && have_shared (b, datasets))
            problems_warn (c->reader.problems, b->mark,
                           "stage '%s' is validated on what it is trained on; "
                           "write %s: {from: data.held_out}",
                           stage->name, b->port->name);
    }
}

/* What is selected has no labels yet. */
static void check_trained (const struct compilation *c,
                           const struct stage *stage)
{
    const struct binding *datasets = binding_of (stage, "datasets");
    size_t n = datasets && datasets->n_parts > 0 ? datasets->n_parts : 1;

    for (size_t i = 0; datasets && i < n; i++) {
        const struct binding *b =
            datasets->n_parts > 0 ? &datasets->parts[i] : datasets;

        if (b->stage >= 0 && selects (&c->plan->stages[b->stage])
            && strcmp (b->output, "frames") == 0)
            problems_warn (c->reader.problems, datasets->mark,
                           "stage '%s' is trained on what '%s' selects, which "
                           "has no labels; write all.STAGE.dataset of the "
                           "stage that labels",
                           stage->name, c->plan->stages[b->stage].name);
    }
}

/* Forces, or what else is said of trajectories, of other trajectories. */
static void check_sources (const struct compilation *c,
                           const struct stage *stage)
{
    static const char *const of_them[] = {
        "forces", "deviations",        "frames_expected",
        "system", "health.conditions", "health.blown_up",
        NULL
    };
    const struct binding *them = binding_of (stage, "trajectories");

    for (size_t i = 0; them && them->stage >= 0 && of_them[i]; i++) {
        const struct binding *b = binding_of (stage, of_them[i]);
        const struct stage *from =
            b && b->stage >= 0 ? &c->plan->stages[b->stage] : NULL;

        if (!from || !from->op
            || (strchr (of_them[i], '.') && !looks_at_health (stage))
            || (b->stage == them->stage && b->source == them->source)
            || !port_find (from->op->outputs, them->output))
            continue;
        problems_warn (c->reader.problems, b->mark,
                       "stage '%s': %s are of other trajectories than those "
                       "of '%s' that are judged; write %s.%s",
                       stage->name, of_them[i],
                       c->plan->stages[them->stage].name,
                       c->plan->stages[them->stage].name, b->output);
    }
}

/* Does any text of the file say it? */
static bool is_said (const struct yaml_node *node, const char *text)
{
    if (node->kind == YAML_SCALAR)
        return strstr (node->text, text) != NULL;
    for (size_t i = 0; i < node->n; i++) {
        if (is_said (node->items[i], text))
            return true;
    }
    return false;
}

/* A convergence that is tested and that nothing asks for. */
static void check_unasked (const struct compilation *c,
                           const struct yaml_node *key,
                           const struct stage *stage)
{
    const struct binding *b = binding_of (stage, "convergence.accurate");
    _cleanup_free_ char *name = xasprintf ("%s.converged", stage->name);

    if (b && b->source == SOURCE_LITERAL && !is_said (c->root, name))
        field_warning (key,
                       "stage '%s' says when it has converged, and stop: does "
                       "not ask for it; write stop: {when: %s, ...}, or remove "
                       "convergence",
                       stage->name, name);
}

/* LAMMPS dumps hold forces. */
static void check_quantities (const struct compilation *c,
                              const struct yaml_node *key,
                              const struct stage *stage)
{
    const struct binding *forces = binding_of (stage, "forces");
    const struct stage *from =
        forces && forces->stage >= 0 ? &c->plan->stages[forces->stage] : NULL;

    if (from && from->op && strcmp (from->op->name, "lammps.explore") == 0
        && (is_given (stage, "levels.virial")
            || is_given (stage, "levels.energy")))
        field_problem (key,
                       "levels for the virial and the energy need what "
                       "lammps.explore writes with committee: deepmd (the "
                       "virial) or a code of your own; write levels for the "
                       "force alone, or that");
}

/* "when: iteration == 0" of what needs something of the iteration before. */
static void check_first (const struct compilation *c,
                         const struct yaml_node *key, const struct stage *stage)
{
    const struct yaml_node *when =
        field_find (field_find (c->stages, key->text), "when");

    if (!when || when->kind != YAML_SCALAR
        || strcmp (when->text, "iteration == 0") != 0)
        return;
    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (b->source == SOURCE_PREVIOUS && !b->fallback && b->stage >= 0
            && !b->port->optional)
            field_warning (when,
                           "stage '%s' is run in iteration 0 alone, and "
                           "previous.%s is not there then, so it never runs; "
                           "write default: of '%s', or another condition",
                           stage->name, c->plan->stages[b->stage].name,
                           b->port->name);
    }
}

static void check_bound (const struct compilation *c,
                         const struct yaml_node *key, const struct stage *stage)
{
    if (selects (stage)) {
        check_selected (c, key, stage);
        check_converged (c, stage);
        check_healthy (c, stage);
        check_unasked (c, key, stage);
        check_quantities (c, key, stage);
    } else {
        check_labelled (c, key, stage);
        check_first (c, key, stage);
    }
}

/* The frames of this stage that 'b' gathers, or trains on: which output that
 * is; NULL: none.
 */
static const char *gathered_by (const struct binding *b,
                                const struct operator_spec *op, int stage)
{
    const char *output = NULL;
    struct type type;

    if (b->stage == stage
        && (b->source == SOURCE_ALL || strcmp (b->port->name, "datasets") == 0)
        && operator_output_type (op, b->output, &type)
        && type.kind == TYPE_FRAMES)
        return b->output;
    for (size_t i = 0; !output && i < b->n_parts; i++)
        output = gathered_by (&b->parts[i], op, stage);
    return output;
}

/* The same, by any stage. */
static const char *gathered (const struct plan *plan, size_t stage)
{
    const char *output = NULL;

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *by = &plan->stages[i];

        for (size_t k = 0; !output && k < by->n_bindings; k++)
            output = gathered_by (&by->bindings[k], plan->stages[stage].op,
                                  (int)stage);
    }
    return output;
}

/* What an operator of the user's own labels is trained on without `publish:`,
 * and so is in no dataset/.  Built-in ones publish what is labelled.
 */
static void check_published (const struct compilation *c, size_t i)
{
    const struct stage *stage = &c->plan->stages[i];
    const char *output;

    if (!stage->op || !stage->publish || stage_publishes (stage)
        || !field_find (c->operators.node, stage->op->name)
        || !(output = gathered (c->plan, i)))
        return;
    field_warning (c->stages->keys[i],
                   "%s.%s is trained on and not published, so dataset/, export "
                   "and report have nothing of it; write %s: {type: frames, "
                   "publish: true} in operator '%s', or, where it is no "
                   "training data, publish: false in the stage",
                   stage->name, output, output, stage->op->name);
}

void loop_check (const struct compilation *c)
{
    const struct plan *plan = c->plan;
    bool loop = false;

    for (size_t i = 0; i < plan->n_stages; i++)
        loop = loop || selects (&plan->stages[i]);
    for (size_t i = 0; i < plan->n_stages; i++)
        check_published (c, i);
    for (size_t i = 0; loop && i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        const struct yaml_node *key = c->stages->keys[i];

        if (!stage->op)
            continue;
        /* in another phase something may bind it */
        if (c->n_phases <= 1)
            check_bound (c, key, stage);
        if (selects (stage)) {
            check_sources (c, stage);
        } else {
            check_validation (c, stage);
            check_trained (c, stage);
        }
    }
}
