/* SPDX-License-Identifier: BSD-3-Clause */
/* act_prepare.c - bind a stage's inputs, cut them into tasks, write stage.json
 *
 * Whatever is wrong with the inputs is bad_input: the stage fails at once.
 */
#include "config.h"

#include <stdlib.h>

#include "arrays/stage_order.h"
#include "arrays/task_range.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/act.h"
#include "engine/decide.h"
#include "engine/engine.h"
#include "engine/events.h"
#include "engine/front_step.h"
#include "engine/inputs.h"
#include "engine/slices.h"
#include "space/layout.h"

struct preparation {
    struct engine *engine;
    const struct stage *stage;
    int iteration;
    struct json *values; /* everything bound */
    struct json *made;   /* what prepare made, or NULL */
    struct json *same;   /* what is the same for all tasks */
    struct strbuf lines;
    size_t n_tasks;
};

/* 0, 1 bad input, -1. */
static int run_prepare (struct preparation *p, struct error *err)
{
    const struct front_step step = { .stage = p->stage,
                                     .iteration = p->iteration,
                                     .name = "prepare",
                                     .command = p->stage->op->prepare,
                                     .inputs = p->values };
    char *dir;
    char *file = NULL;
    int rc;

    if ((rc = front_step_run (p->engine, &step, &dir, err)) != 0)
        goto done;
    file = path_join (dir, "slices.json");
    if (!(p->made = json_read_file (file, err)))
        rc = error_is_trouble (err) ? -1 : 1;
    else
        rc = file_remove_tree (dir, err);
done:
    free (file);
    free (dir);
    return rc;
}

/* 0, 1 bad input, -1. */
static int bind_and_cut (struct preparation *p, struct error *err)
{
    struct engine *engine = p->engine;
    const char *dir = engine->plan->dir;
    int rc;

    p->values = inputs_resolve (engine->plan, &engine->state, engine->outputs,
                                p->stage, p->iteration, err);
    if (!p->values || slices_check (p->stage->op, p->values, dir, err) < 0)
        return error_is_trouble (err) ? -1 : 1;
    if (p->stage->op->prepare && (rc = run_prepare (p, err)) != 0)
        return rc;
    p->same = slices_cut (p->stage->op, p->values, p->made, dir, &p->lines,
                          &p->n_tasks, err);
    if (!p->same)
        return error_is_trouble (err) ? -1 : 1;
    if (p->n_tasks > TASK_MAX + 1) {
        error_set (err, "%zu tasks; a stage has at most %d", p->n_tasks,
                   TASK_MAX + 1);
        return 1;
    }
    return 0;
}

static int write_order (const struct preparation *p, struct error *err)
{
    const struct plan *plan = p->engine->plan;
    const struct operator* op = p->stage->op;
    struct port *ports = slices_ports (op);
    struct stage_order order = {
        .campaign = plan->name,
        .place = { p->stage->name, op->code, p->iteration },
        .seed = plan->seed,
        .tasks = (int32_t)p->n_tasks,
        .sliced = operator_fans_out (op),
        .inputs = ports,
        .outputs = op->outputs,
        .values = p->same,
        .commands = op->commands,
        .fatal_exits = op->fatal_exits,
        .launcher = p->stage->profile->launcher,
    };
    struct json *v = stage_order_to_json (&order);
    struct strbuf run = STRBUF_INIT;
    char *dir;
    char *file;
    char *slices;
    int rc = -1;

    layout_run_stage (p->stage->name, p->iteration, &run);
    dir = engine_path (p->engine, &run);
    file = path_join (dir, LAYOUT_STAGE_ORDER);
    slices = path_join (dir, LAYOUT_SLICES);
    if (file_make_dirs (dir, err) == 0
        && (!order.sliced
            || file_write_atomic (slices, p->lines.buf, p->lines.len, err)
                   == 0))
        rc = json_write_file (file, v, err);
    free (slices);
    free (file);
    free (dir);
    free (ports);
    json_unref (v);
    return rc;
}

static struct json *outcome_event (const struct preparation *p,
                                   int bad_input,
                                   const struct error *why)
{
    struct json *event =
        event_of_stage (bad_input ? "unfit" : "prepared", clock_wall_s (),
                        p->iteration, p->stage->name);

    if (bad_input)
        json_set (event, "why", json_stringf ("bad_input: %s", why->text));
    else
        json_set (event, "tasks", json_int ((int64_t)p->n_tasks));
    return event;
}

enum act_result act_prepare (struct engine *engine,
                             const struct action *action,
                             struct error *err)
{
    struct preparation p = { .engine = engine,
                             .stage = &engine->plan->stages[action->stage],
                             .iteration = action->iteration,
                             .lines = STRBUF_INIT };
    enum act_result result = ACT_FAILED;
    int bad = bind_and_cut (&p, err);

    if (bad < 0 || (bad == 0 && write_order (&p, err) < 0)
        || engine_record (engine, outcome_event (&p, bad, err), err) < 0)
        goto done;
    result = ACT_DONE;
done:
    json_unref (p.values);
    json_unref (p.made);
    json_unref (p.same);
    strbuf_release (&p.lines);
    return result;
}
