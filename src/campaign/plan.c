/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - a campaign that has been parsed, checked, bound and compiled */
#include "base/base.h"

#include "arrays/array_job.h"
#include "base/arena.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "signature/expression.h"
#include "signature/group.h"
#include "signature/value.h"

void stage_release (struct stage *stage)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        struct binding *binding = &stage->bindings[i];

        json_unref (binding->literal);
        json_unref (binding->fallback);
        for (size_t k = 0; k < binding->n_parts; k++)
            json_unref (binding->parts[k].literal);
    }
    expression_destroy (stage->when);
}

void plan_destroy (struct plan *plan)
{
    if (!plan)
        return;
    if (plan->lent_from) {
        arena_destroy (plan->arena);
        return;
    }
    for (size_t i = 0; i < plan->n_stages; i++)
        stage_release (&plan->stages[i]);
    for (size_t i = 0; i < plan->n_functions; i++)
        stage_release (&plan->functions[i].stage);
    for (size_t i = 1;
         plan->by_phase && plan->by_phase[0] == plan && i < plan->n_phases; i++)
        plan_destroy (plan->by_phase[i]);
    for (size_t i = 0; i < plan->n_phases; i++)
        expression_destroy (plan->phases[i].until);
    for (size_t i = 0; i < plan->n_history; i++)
        expression_destroy (plan->history[i].expression);
    expression_destroy (plan->stop);
    json_unref (plan->config);
    json_unref (plan->data);
    arena_destroy (plan->arena); /* the plan itself lives there */
}

int stage_ranks (const struct stage *stage)
{
    int most = 1;

    if (!stage->group || group_is_command (stage->group))
        return stage->needs.ranks;
    for (size_t i = 0; i < stage->group->n_programs; i++) {
        if (stage->group->programs[i].needs.ranks > most)
            most = stage->group->programs[i].needs.ranks;
    }
    return most;
}

static bool has_published (const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (ports->publish)
            return true;
    }
    return false;
}

bool stage_publishes (const struct stage *stage)
{
    return stage->publish && stage->op
           && (has_published (stage->op->collected)
               || has_published (stage->op->outputs));
}

bool stage_goes_on (const struct stage *stage)
{
    return stage->group && stage->group->workspace_global;
}

bool stage_reuses (const struct stage *stage)
{
    return stage->reuse && stage->op && !stage->op->not_reused
           && !stage_goes_on (stage) && port_count (stage->op->outputs) > 0;
}

int stage_keep (const struct stage *stage, const struct port *port)
{
    const struct output_keep *k = stage->keep;

    for (; k && k->output; k++) {
        if (strcmp (k->output, port->name) == 0)
            return k->keep;
    }
    return port->keep;
}

bool stage_keeps_raw (const struct stage *stage)
{
    return stage->op->leaves_raw
           && (stage->raw == RAW_UNTIL_DONE || stage->raw == RAW_ALWAYS);
}

/* --- stages that stay as they were --- */

/* All stages of 'newest', with the profiles of 'plan'. */
static void lend_stages (struct plan *plan, const struct plan *newest)
{
    for (size_t i = 0; i < newest->n_stages; i++) {
        const struct profile *profile = newest->stages[i].profile;

        plan->stages[i] = newest->stages[i];
        plan->stages[i].profile = &plan->profiles[profile - newest->profiles];
    }
}

static const struct profile *keep_profile (struct plan *plan,
                                           const struct profile *profile)
{
    for (size_t i = 0; i < plan->n_profiles; i++) {
        if (strcmp (plan->profiles[i].name, profile->name) == 0)
            return &plan->profiles[i];
    }
    plan->profiles[plan->n_profiles] = *profile;
    return &plan->profiles[plan->n_profiles++];
}

/* The programs of a group stay as they were, and so does what they need. */
static bool fits_as_it_was (const struct stage *newest,
                            const struct stage *kept)
{
    const struct resources *a = &newest->needs, *b = &kept->needs;

    if (strcmp (newest->op->name, kept->op->name) != 0)
        return false;
    if (!newest->group && !kept->group)
        return true;
    return a->nodes == b->nodes && a->ranks == b->ranks && a->cores == b->cores
           && a->gpus == b->gpus && a->gpu_share == b->gpu_share
           && a->memory_bytes == b->memory_bytes;
}

/* What its results depend on stays; where and how often it runs is as the
 * newest plan says, if that has the same operator there.
 */
static void keep_stage (struct plan *plan, const struct kept_stage *as)
{
    const struct stage *kept = as->stage;
    int at = plan_stage_find (plan, as->name);
    struct stage *stage = &plan->stages[at < 0 ? (int)plan->n_stages++ : at];

    if (at >= 0 && fits_as_it_was (stage, kept)) {
        stage->op = kept->op;
        stage->group = kept->group;
        stage->image = kept->image;
    } else {
        const int *after = stage->after;
        size_t n_after = at < 0 ? 0 : stage->n_after;

        *stage = *kept;
        stage->name = arena_strdup (plan->arena, as->name);
        stage->profile = keep_profile (plan, kept->profile);
        stage->after = after;
        stage->n_after = n_after;
    }
    /* Its inputs were bound when it was prepared. */
    stage->bindings = NULL;
    stage->n_bindings = 0;
    stage->when = NULL;
}

struct plan *plan_keep_stages (const struct plan *newest,
                               const struct kept_stage *kept, size_t n)
{
    struct arena *arena = arena_create ();
    struct plan *plan = arena_alloc (arena, sizeof (*plan));

    *plan = *newest;
    plan->arena = arena;
    plan->lent_from = newest;
    plan->profiles =
        arena_array (arena, newest->n_profiles + n, sizeof (*plan->profiles));
    for (size_t i = 0; i < newest->n_profiles; i++)
        plan->profiles[i] = newest->profiles[i];
    plan->stages =
        arena_array (arena, newest->n_stages + n, sizeof (*plan->stages));
    lend_stages (plan, newest);
    for (size_t i = 0; i < n; i++)
        keep_stage (plan, &kept[i]);
    return plan;
}

int plan_function_find (const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_functions; i++) {
        if (strcmp (plan->functions[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

const struct operator_spec *plan_call_operator (const struct plan *plan)
{
    const char *name = plan->call ? plan->call->function : "";
    const struct family *family = plan_family_find (plan, name);
    int stage = plan_stage_find (plan, name);

    if (family)
        return family->op;
    return stage >= 0 ? plan->stages[stage].op : NULL;
}

const char *function_type_name (enum function_type type)
{
    return type == FUNCTION_TRAIN ? "train" : "predict";
}

int plan_stage_find (const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        if (strcmp (plan->stages[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

const struct family *plan_family_find (const struct plan *plan,
                                       const char *name)
{
    for (size_t i = 0; i < plan->n_families; i++) {
        if (strcmp (plan->families[i].name, name) == 0)
            return &plan->families[i];
    }
    return NULL;
}

bool stage_is_of (const char *name, const char *family)
{
    size_t len = strlen (family);

    return strncmp (name, family, len) == 0
           && (name[len] == '\0' || name[len] == '.');
}

int plan_phase (const struct plan *plan, const char *name, int number)
{
    int last = plan->n_phases > 0 ? (int)plan->n_phases - 1 : 0;

    for (size_t i = 0; name && i < plan->n_phases; i++) {
        if (strcmp (plan->phases[i].name, name) == 0)
            return (int)i;
    }
    return number < last ? number : last;
}

const struct plan *plan_in_phase (const struct plan *plan, int number)
{
    return plan->by_phase ? plan->by_phase[number] : plan;
}

void profile_describe_job (const struct profile *profile, struct array_job *job)
{
    job->queue = profile->queue;
    job->account = profile->account;
    job->qos = profile->qos;
    job->gres = profile->gres;
    job->env = profile->env;
    job->setup = profile->setup;
    job->login_shell = profile->login_shell;
    if (profile->directives)
        strvec_push_all (&job->directives, (char *const *)profile->directives);
}

void stage_describe_job (const struct plan *plan, const struct stage *stage,
                         const struct packing *packing,
                         const struct resources *task, const char *program,
                         const char *run_dir, struct array_job *job)
{
    const char *const agent[] = { program, "-C",    plan->dir, "agent",
                                  "--run", run_dir, NULL };

    job->nodes = packing->nodes;
    job->ranks = resources_of_node (task).ranks;
    job->cores = packing->cores;
    job->gpus = packing->gpus;
    job->memory_bytes = packing->memory_bytes;
    job->walltime_s = packing->walltime_s;
    job->priority = stage->priority;
    profile_describe_job (stage->profile, job);
    strvec_push_all (&job->agent, (char *const *)agent);
}

struct json *stage_known_values (const struct stage *stage, const char *dir)
{
    struct json *known = json_object ();

    for (size_t k = 0; k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];

        if (binding->literal)
            json_set_path (
                known, binding->port->name,
                value_absolute (&binding->port->type, binding->literal, dir));
        else if (binding->port && binding->source == SOURCE_UNBOUND
                 && !stage->function) /* there it may be bound yet */
            json_set_path (known, binding->port->name, json_null ());
    }
    return known;
}

static int64_t count_ahead (const struct stage *stage, const char *dir,
                            int64_t (*count) (const struct json *inputs,
                                              const char *dir))
{
    _cleanup_json_ struct json *known = NULL;
    int64_t n;

    if (!count)
        return -1;
    known = stage_known_values (stage, dir);
    n = count (known, dir);
    return n;
}

int64_t stage_prepared_tasks (const struct stage *stage, const char *dir)
{
    return count_ahead (stage, dir, stage->op->count_tasks);
}

int64_t stage_made_frames (const struct stage *stage, const char *dir)
{
    return count_ahead (stage, dir, stage->op->count_frames);
}

int64_t plan_iterations (const struct plan *plan)
{
    int64_t sum = 0;

    for (size_t i = 0; i < plan->n_phases; i++)
        sum += plan->phases[i].iterations;
    return plan->n_phases > 0 && sum < plan->max_iterations
               ? sum
               : plan->max_iterations;
}
