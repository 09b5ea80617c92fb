/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_view.c - what a campaign would do, as JSON */
#include "base/base.h"

#include "adapter.h"
#include "arrays/array_job.h"
#include "base/file.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "campaign/programs_file.h"
#include "campaign/strict_memory.h"
#include "engine/act/slices.h"
#include "engine/history/learned_needs.h"
#include "engine/history/engine.h"
#include "engine/observe/scheduler_access.h"
#include "placement/node_shape.h"
#include "placement/place.h"
#include "report/group_view.h"
#include "report/inputs_view.h"
#include "report/node_view.h"
#include "report/plan_view.h"
#include "space/layout.h"

static void add_outputs (const struct operator_spec *op,
                         const struct port *ports, struct json *v)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (; ports && ports->name; ports++) {
        struct type type;

        if (!operator_output_type (op, ports->name, &type))
            continue;
        type_describe (&type, &text);
        json_set (v, ports->name, json_string (text.buf));
        strbuf_reset (&text);
    }
}

static struct json *outputs_view (const struct operator_spec *op)
{
    struct json *v = json_object ();

    add_outputs (op, op->outputs, v);
    add_outputs (op, op->collected, v);
    return v;
}

/* What is sliced of the binding, as it is written; NULL: another stage makes
 * it.  In iteration 0 there is no previous one.
 */
static struct json *written_value (const struct binding *b, int iteration)
{
    if (b->source == SOURCE_PREVIOUS && iteration == 0)
        return b->fallback;
    return b->source == SOURCE_LITERAL || b->source == SOURCE_UNBOUND
               ? b->literal
               : NULL;
}

/* How many frames a binding brings in 'iteration', where that is told before
 * anything runs; else -1.
 */
static int64_t count_frames (const struct plan *plan, const struct binding *b,
                             int iteration)
{
    int64_t sum = 0;

    for (size_t i = 0; sum >= 0 && i < b->n_parts; i++) {
        int64_t n = count_frames (plan, &b->parts[i], iteration);
        bool none = b->parts[i].source == SOURCE_PREVIOUS && iteration == 0;

        sum = none ? sum : n < 0 ? -1 : sum + n;
    }
    if (b->n_parts > 0)
        return sum;
    return b->source == SOURCE_THIS && b->stage >= 0
               ? stage_made_frames (&plan->stages[b->stage], plan->dir)
               : -1;
}

/* How many tasks it has in 'iteration', when that follows from what is written
 * down (and from the files that patterns find); else -1.
 */
static int64_t count_tasks (const struct plan *plan, const struct stage *stage,
                            int iteration)
{
    _cleanup_json_ struct json *values = json_object ();
    _cleanup_json_ struct json *same = NULL;
    size_t n = 0;
    int64_t tasks = -1;

    if (stage->op->prepare) {
        tasks = stage_prepared_tasks (stage, plan->dir);
        return tasks;
    }
    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];
        struct json *value = written_value (b, iteration);

        if (!slices_name (stage->op, b->port->name))
            continue;
        if (value)
            json_set (values, b->port->name, json_ref (value));
        else if (b->source != SOURCE_UNBOUND)
            return count_frames (plan, b, iteration);
    }
    same = slices_cut (stage->op, values, NULL, plan->dir, NULL, NULL, &n, NULL,
                       NULL);
    tasks = same ? (int64_t)n : -1;
    return tasks;
}

/* The script of the stage's first submission, but for the token; or NULL. */
static struct json *script_view (const struct plan *plan,
                                 const struct stage *stage,
                                 const struct packing *packing,
                                 const struct array_limits *limits,
                                 const char *program)
{
    const struct scheduler scheduler = { .adapter = scheduler_adapter_find (
                                             stage->profile->scheduler) };
    struct array_job job = { .token = "TOKEN",
                             .elements = packing_chunk_elements (packing, 0),
                             .running =
                                 packing_throttle (packing->chunks,
                                                   packing->per_chunk, limits)
                                     .running,
                             .directives = STRVEC_INIT,
                             .agent = STRVEC_INIT };
    struct strbuf run_dir = STRBUF_INIT;
    struct strbuf script = STRBUF_INIT;
    struct json *v = NULL;
    char *absolute;

    layout_run_chunk (0, 0, 0, &run_dir);
    absolute = path_join (plan->dir, run_dir.buf);
    stage_describe_job (plan, stage, packing, &stage->needs, program,
                        run_dir.buf, &job);
    job.run_dir = absolute;
    if (scheduler.adapter
        && scheduler.adapter->render (&scheduler, &job, &script, NULL)
               == ANSWER_OK)
        v = json_string (script.buf);
    free (absolute);
    strbuf_release (&run_dir);
    strbuf_release (&script);
    strvec_release (&job.directives);
    strvec_release (&job.agent);
    return v;
}

static struct json *array_view (const struct packing *p,
                                const struct node_capacity *room)
{
    struct json *v = json_object ();
    double nodes = (double)p->elements * p->nodes * p->cores
                   / (room->cores + room->reserved_cores);

    json_set (v, "elements", json_int (p->elements));
    json_set (v, "slots", json_int (p->slots));
    json_set (v, "tasks_per_element", json_int (p->per_element));
    json_set (v, "chunks", json_int (p->chunks));
    json_set (v, "nodes", json_int (p->nodes));
    json_set (v, "cores", json_int (p->cores));
    json_set (v, "walltime_s", json_real (p->walltime_s));
    json_set (v, "node_hours_at_most",
              p->walltime_s > 0 ? json_real (nodes * p->walltime_s / 3600)
                                : json_null ());
    return v;
}

/* More than one array may have, or than is taken at a time; NULL: it is not. */
static struct json *limits_view (const struct packing *p,
                                 const struct array_limits *limits)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v = NULL;

    if (p->chunks > 1)
        strbuf_addf (
            &text,
            "%" PRId64 " arrays, since one has at most %" PRId64 " elements",
            p->chunks, tighter_limit (limits->elements, limits->submit));
    if (limits->submit > 0 && p->elements > limits->submit)
        strbuf_addf (&text,
                     "%sat most %" PRId64 " elements are queued or running at "
                     "a time, the rest waits its turn",
                     text.len > 0 ? "; " : "", limits->submit);
    if (text.len > 0)
        v = json_string (text.buf);
    return v;
}

static struct json *site_view (const struct plan_site *site)
{
    struct json *v;

    if (site->silent)
        return json_string (site->silent);
    v = json_object ();
    json_set (v, "elements", json_int (site->limits.elements));
    json_set (v, "submit", json_int (site->limits.submit));
    return v;
}

/* Where starting elements may take longer than their work; else NULL. */
static struct json *start_warning (const struct stage *stage, double measured_s,
                                   const struct packing *packing)
{
    double task_s = expected_task_s (&stage->needs, measured_s);
    double waves = (double)packing_waves (packing);

    if (packing->elements == 1 || waves * task_s >= ELEMENT_START_S)
        return NULL;
    if (task_s > 0)
        return json_stringf (
            "an element takes about %d s to start and its tasks %.2g s (%s); "
            "for fewer and longer elements set a lower `limits: elements:` of "
            "profile '%s'",
            ELEMENT_START_S, waves * task_s,
            measured_s > 0 ? "as in the latest iteration"
                           : "a tenth of their walltime",
            stage->profile->name);
    if (packing->elements <= ELEMENTS_AT_ONCE)
        return NULL;
    return json_stringf (
        "an element takes about %d s to start, and how long a task takes is "
        "not known; if it is less than %.2g s set a lower `limits: elements:` "
        "of profile '%s'",
        ELEMENT_START_S, ELEMENT_START_S / waves, stage->profile->name);
}

/* One element's tasks on a node of the profile's topology; NULL: it has none,
 * or a task needs several.
 */
static struct json *node_view (const struct stage *stage,
                               const struct packing *packing)
{
    const struct place_group group =
        place_group_of (&stage->needs, packing->slots);
    const struct place_rules rules =
        place_rules_of_element (&stage->profile->rules, &group, packing->cores);
    struct node_shape shape;
    struct json *v;

    if (!stage->profile->topology || packing->nodes > 1
        || node_shape_from_xml (stage->profile->topology, &shape, NULL) < 0)
        return NULL;
    v = node_view_json (&shape, &group, 1, &rules);
    node_shape_release (&shape);
    return v;
}

static void add_packing (const struct plan *plan, const struct stage *stage,
                         int iteration, const struct plan_site *site,
                         double measured_s, const char *program, struct json *v)
{
    const struct array_limits limits =
        limits_at_site (stage->profile, &site->limits);
    struct node_capacity room;
    int64_t tasks = count_tasks (plan, stage, iteration);
    int64_t frames = stage_made_frames (stage, plan->dir);
    struct packing packing;
    struct error err = ERROR_INIT;
    struct json *warning, *node, *array, *more;

    json_set (v, "tasks", tasks < 0 ? json_null () : json_int (tasks));
    if (tasks >= 0 && count_tasks (plan, stage, iteration + 1) != tasks)
        json_set (v, "only_iteration", json_int (iteration));
    if (frames >= 0)
        json_set (v, "frames", json_int (frames));
    json_set (v, "site", site_view (site));
    if (node_capacity_of (stage->profile, &stage->needs,
                          site->limits.node_cores > 0 ? &site->limits : NULL,
                          &room, &err)
            < 0
        || packing_plan (tasks > 0 ? tasks : 1, &stage->needs, measured_s,
                         &room, &limits, &packing, &err)
               < 0) {
        json_set (v, "error", json_string (err.text));
        return;
    }
    array = tasks > 0 ? array_view (&packing, &room) : json_null ();
    if (tasks > 0 && (more = limits_view (&packing, &limits)))
        json_set (array, "limits", more);
    json_set (v, "array", array);
    if ((node = node_view (stage, &packing)))
        json_set (v, "node", node);
    if (tasks > 0 && (warning = start_warning (stage, measured_s, &packing)))
        json_set (v, "warning", warning);
    json_set (v, "script",
              script_view (plan, stage, &packing, &limits, program));
}

/* The iteration that the stage runs in next. */
static int next_iteration (const struct state *state, const char *name)
{
    int iteration = state_iteration (state);
    const struct stage_state *stage = state_stage (state, iteration, name);

    if (iteration < 0)
        return 0;
    return stage && stage->status != STAGE_WAITING
                   && stage->status != STAGE_PREPARED
               ? iteration + 1
               : iteration;
}

/* {KIND: how many tasks it was learned from} of what is `auto`. */
static struct json *learned_view (const struct learned_needs *learned)
{
    struct json *v = json_object ();

    if (learned->needs.memory_auto)
        json_set (v, "memory", json_int (learned->tasks[SIZE_MEMORY]));
    if (learned->needs.walltime_auto)
        json_set (v, "walltime", json_int (learned->tasks[SIZE_WALLTIME]));
    return v;
}

/* What is copied before tasks run; NULL: nothing. */
static struct json *programs_view (const struct plan *plan,
                                   const struct operator_spec *op)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    struct json *v = NULL;
    int64_t bytes;

    if (op->programs
        && programs_list (plan->dir, op->files, &paths, &bytes, NULL) == 0) {
        v = json_object ();
        json_set (v, "dir", json_string (op->programs));
        json_set (v, "files", json_int ((int64_t)paths.n));
        json_set (v, "bytes", json_int (bytes));
    }
    return v;
}

static struct json *stage_view (const struct plan *plan,
                                const struct state *state,
                                const struct stage *planned,
                                const struct plan_site *sites,
                                const char *program)
{
    const struct plan_site *site = &sites[planned->profile - plan->profiles];
    const int iteration = next_iteration (state, planned->name);
    const struct learned_needs learned =
        learned_needs (planned, state, iteration);
    struct stage with_learned = *planned;
    const struct stage *stage = &with_learned;
    struct json *v = json_object ();
    struct json *after = json_array ();
    struct json *group = group_view_json (stage->group);
    struct json *programs = programs_view (plan, stage->op);

    for (size_t i = 0; i < stage->n_after; i++)
        json_push (after, json_string (plan->stages[stage->after[i]].name));
    json_set (v, "name", json_string (stage->name));
    json_set (v, "operator", json_string (stage->op->name));
    if (stage->op->version > 0)
        json_set (v, "version", json_int (stage->op->version));
    json_set (v, "code", json_string (stage->op->code));
    if (programs)
        json_set (v, "programs", programs);
    json_set (v, "profile", json_string (stage->profile->name));
    json_set (v, "scheduler", json_string (stage->profile->scheduler));
    json_set (v, "after", after);
    json_set (v, "inputs", inputs_view (plan, stage));
    json_set (v, "arrays", arrays_view (stage));
    json_set (v, "outputs", outputs_view (stage->op));
    json_set (v, "when", json_string (stage->when_text));
    json_set (v, "success", json_real (stage->success));
    with_learned.needs = learned.needs;
    json_set (v, "needs", resources_to_json (&stage->needs));
    json_set (v, "learned", learned_view (&learned));
    if (group)
        json_set (v, "group", group);
    add_packing (plan, stage, iteration, site,
                 state_task_s (state, stage->name), program, v);
    return v;
}

static struct json *phases_view (const struct plan *plan)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < plan->n_phases; i++) {
        const struct phase *phase = &plan->phases[i];
        struct json *v = json_object ();

        json_set (v, "name", json_string (phase->name));
        json_set (v, "iterations", json_int (phase->iterations));
        json_set (v, "until", json_string (phase->until_text));
        json_push (list, v);
    }
    return list;
}

/* The phase whose stages these are; NULL: there are none. */
static const char *phase_shown (const struct plan *plan,
                                const struct state *state)
{
    const struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;

    if (plan->n_phases == 0)
        return NULL;
    return plan->phases[it ? plan_phase (plan, it->phase, it->phase_number) : 0]
        .name;
}

struct json *plan_json (const struct plan *plan, const struct state *state,
                        const struct plan_site *sites, const char *program)
{
    struct json *v = json_object ();
    struct json *stages = json_array ();

    for (size_t i = 0; i < plan->n_stages; i++)
        json_push (stages,
                   stage_view (plan, state, &plan->stages[i], sites, program));
    json_set (v, "campaign", json_string (plan->name));
    json_set (v, "dir", json_string (plan->dir));
    json_set (v, "seed", json_int (plan->seed));
    json_set (v, "iterations", json_int (plan_iterations (plan)));
    json_set (v, "stop", json_string (plan->stop_text));
    json_set (v, "phases", phases_view (plan));
    json_set (v, "phase", json_string (phase_shown (plan, state)));
    json_set (v, "stages", stages);
    return v;
}
