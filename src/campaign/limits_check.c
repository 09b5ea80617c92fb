/* SPDX-License-Identifier: BSD-3-Clause */
/* limits_check.c - are the limits of a campaign, of its phases and of tasks
 * such as a person means?
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/compilation.h"
#include "signature/expression.h"

static const double success_few = 0.1;

enum { TRIES_MANY = 20 };

/* --- stop: --- */

/* Fractions of a selection after which no one stops. */
struct selection {
    double accurate, candidate, failed;
};

static bool ends_in (const char *name, const char *word)
{
    const char *dot = strrchr (name, '.');

    return dot && strcmp (dot + 1, word) == 0;
}

static struct json *look_up (const char *name, void *arg)
{
    const struct selection *selection = arg;

    if (ends_in (name, "accurate"))
        return json_real (selection->accurate);
    return json_real (ends_in (name, "failed") ? selection->failed
                                               : selection->candidate);
}

/* -1 for a name that is none of a selection's fractions. */
static int visit_name (const char *name, void *arg, struct error *err)
{
    const struct plan *plan = arg;

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        size_t len = strlen (stage->name);

        if (stage->op && strcmp (stage->op->name, "model_devi.select") == 0
            && strncmp (name, stage->name, len) == 0 && name[len] == '.'
            && (ends_in (name, "accurate") || ends_in (name, "failed")
                || ends_in (name, "candidate")))
            return 0;
    }
    return error_set (err, "%s", name);
}

static bool holds_after (const struct expression *when,
                         struct selection selection)
{
    struct error err;
    _cleanup_json_ struct json *v = NULL;

    return expression_eval (when, look_up, &selection, &v, &err) == 0
           && json_as_bool (v);
}

static void check_stop (const struct compilation *c)
{
    static const struct selection bad[] = { { 0.01, 0.98, 0.01 },
                                            { 0.01, 0.99, 0 },
                                            { 0.01, 0.01, 0.98 } };
    const struct plan *plan = c->plan;
    const struct yaml_node *when =
        field_find (field_find (c->root, "stop"), "when");
    struct error err;

    if (!when || !plan->stop
        || expression_names (plan->stop, visit_name, (void *)plan, &err) < 0)
        return;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        if (!holds_after (plan->stop, bad[i]))
            continue;
        field_warning (when,
                       "stop: this holds also where one frame of a hundred is "
                       "accurate (candidate %g, failed %g); write such as "
                       "accurate >= 0.95 and failed == 0, with the stage's "
                       "name before each",
                       bad[i].candidate, bad[i].failed);
        return;
    }
}

/* --- errors that stop: waits for --- */

static bool is_error (const char *name)
{
    static const char *const words[] = { "rmse", "mae", "error", "loss" };
    const char *dot = strrchr (name, '.');

    for (size_t i = 0; dot && i < ARRAY_SIZE (words); i++) {
        if (strstr (dot, words[i]))
            return true;
    }
    return false;
}

/* The errors are all so, and every frame is accurate. */
static struct json *look_up_error (const char *name, void *arg)
{
    static const struct selection good = { .accurate = 1 };

    return is_error (name) ? json_real (*(const double *)arg)
                           : look_up (name, (void *)&good);
}

static int visit_error (const char *name, void *arg, struct error *err)
{
    return is_error (name) ? 0 : visit_name (name, arg, err);
}

static bool holds_for_error (const struct expression *when, double error)
{
    struct error err;
    _cleanup_json_ struct json *v = NULL;

    return expression_eval (when, look_up_error, &error, &v, &err) == 0
           && json_as_bool (v);
}

/* -1 for a name that is no error of what a built-in operator was trained on. */
static int visit_trained (const char *name, void *arg, struct error *err)
{
    static const char *const trainers[] = { "deepmd.train", "gpumd.train",
                                            NULL };
    static const char *const errors[] = { "loss",   "rmse",   "rmse_e",
                                          "rmse_f", "rmse_v", NULL };
    const struct plan *plan = arg;
    const char *dot = strrchr (name, '.');

    for (size_t i = 0; dot && i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        size_t len = strlen (stage->name);

        if (stage->op && words_contain (trainers, stage->op->name)
            && strncmp (name, stage->name, len) == 0 && name + len == dot
            && words_contain (errors, dot + 1))
            return 0;
    }
    return error_set (err, "%s", name);
}

static void check_errors (const struct compilation *c)
{
    static const double huge = 1e6;
    const struct yaml_node *when =
        field_find (field_find (c->root, "stop"), "when");
    struct plan *plan = c->plan;
    struct error err;

    if (!when || !plan->stop
        || expression_names (plan->stop, visit_error, plan, &err) < 0)
        return;
    if (holds_for_error (plan->stop, huge) && !holds_for_error (plan->stop, 0))
        field_warning (when, "stop: this holds where the error is large, and "
                             "not where it is small; write < for >");
    else if (expression_names (plan->stop, visit_trained, plan, &err) == 0
             && !holds_for_error (plan->stop, huge))
        field_warning (when,
                       "stop: this is the error on what is trained on, which "
                       "is small also where the potential fails elsewhere; "
                       "write such as accurate >= 0.95 of the stage that "
                       "selects, or an error on validation data (rmse_f_val)");
}

/* --- phases: --- */

/* Does stop: hold wherever the phase is over by its `until`?  Both speak of the
 * fractions of a selection alone.
 */
static bool stops_with (struct plan *plan, const struct phase *phase)
{
    enum { POINTS = 100 };
    bool over = false;
    struct error err;

    if (expression_names (plan->stop, visit_name, plan, &err) < 0
        || expression_names (phase->until, visit_name, plan, &err) < 0)
        return false;
    for (int i = 0; i <= POINTS; i++) {
        struct selection s = { (double)i / POINTS, 1 - (double)i / POINTS, 0 };

        if (!holds_after (phase->until, s))
            continue;
        over = true;
        if (!holds_after (plan->stop, s))
            return false;
    }
    return over;
}

static void check_stop_in_phases (const struct compilation *c)
{
    const struct yaml_node *when =
        field_find (field_find (c->root, "stop"), "when");
    struct plan *plan = c->plan;

    for (size_t i = 0; when && plan->stop && i + 1 < plan->n_phases; i++) {
        if (plan->stop_consecutive > 1 || !plan->phases[i].until
            || !stops_with (plan, &plan->phases[i]))
            continue;
        field_warning (when,
                       "stop: this holds when the phase '%s' is over, so the "
                       "campaign ends there and never reaches '%s'; remove it: "
                       "a campaign ends after its last phase",
                       plan->phases[i].name, plan->phases[i + 1].name);
        return;
    }
}

/* Iterations that the phases before take at least: `until:` may end one. */
static void check_phases (const struct compilation *c)
{
    const struct yaml_node *phases = field_find (c->root, "phases");
    const struct plan *plan = c->plan;
    int64_t least = 0;

    for (size_t i = 0; phases && i < plan->n_phases; i++) {
        const struct phase *phase = &plan->phases[i];

        if (least >= plan->max_iterations) {
            field_warning (phases->items[i],
                           "the phase '%s' is never reached: those before it "
                           "take %" PRId64 " iterations, and stop: has %d; "
                           "raise iterations of stop:, or remove it there",
                           phase->name, least, (int)plan->max_iterations);
            return;
        }
        least += phase->until ? 1 : phase->iterations;
    }
}

/* --- of tasks --- */

static void check_success (const struct stage *stage,
                           const struct yaml_node *node)
{
    const struct yaml_node *success = field_find (node, "success");

    if (success && stage->success < success_few)
        field_warning (success,
                       "success: stage '%s' counts as done when %g %% of its "
                       "tasks are, so nothing tells that the others failed; "
                       "write such as success: 0.9",
                       stage->name, 100 * stage->success);
}

/* What a program does wrong it mostly does again. */
static void check_tries (const struct stage *stage,
                         const struct yaml_node *node)
{
    static const enum outcome outcomes[] = { OUTCOME_FAILED,
                                             OUTCOME_BAD_OUTPUT };

    for (size_t i = 0; i < ARRAY_SIZE (outcomes); i++) {
        const struct yaml_node *tries =
            field_find (field_find (node, "retry"), outcome_name (outcomes[i]));

        if (tries && stage->retry[outcomes[i]].tries > TRIES_MANY)
            field_warning (tries,
                           "retry: a task of stage '%s' that fails is run %d "
                           "times, mostly to fail again; write 3, and more "
                           "for node_failure or preempted alone",
                           stage->name, stage->retry[outcomes[i]].tries);
    }
}

void limits_check (const struct compilation *c)
{
    check_stop (c);
    check_errors (c);
    check_phases (c);
    check_stop_in_phases (c);
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        check_success (&c->plan->stages[i], c->stages->items[i]);
        check_tries (&c->plan->stages[i], c->stages->items[i]);
    }
}
