/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs_compare.c - are a stage's inputs still what it was prepared with? */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/inputs_compare.h"
#include "engine/act/slices.h"
#include "engine/history/engine.h"
#include "engine/history/made.h"
#include "handover/slice_file.h"
#include "signature/operator.h"

enum { BATCH = 1024 };

static int compare_all (struct made *made, const struct port *ports,
                        const struct json *values, struct error *err)
{
    for (; ports->name; ports++) {
        if (type_is_artifact (&ports->type)
            && made_compare_value (made, json_get (values, ports->name), err)
                   < 0)
            return error_prefix (err, "input '%s'", ports->name);
    }
    return 0;
}

static int compare_batch (struct made *made, const struct port *ports,
                          const char *stage_dir, const struct task_range *tasks,
                          struct error *err)
{
    struct json *slices[BATCH] = { 0 };
    int rc = slice_file_read (stage_dir, tasks, slices, err);

    for (size_t i = 0; i < BATCH; i++) {
        if (rc == 0 && slices[i])
            rc = compare_all (made, ports, slices[i], err);
        json_unref (slices[i]);
    }
    return rc;
}

static int compare_slices (struct engine *engine, struct made *made,
                           const struct port *ports, const char *stage_dir,
                           int32_t n_tasks, struct error *err)
{
    int rc = 0;

    for (int32_t first = 0; rc == 0 && first < n_tasks; first += BATCH) {
        _cleanup_ (task_range_release) struct task_range batch =
            TASK_RANGE_INIT;
        int32_t last = first + BATCH < n_tasks ? first + BATCH : n_tasks;

        engine_heartbeat (engine);
        task_range_add_span (&batch, first, last - 1);
        rc = compare_batch (made, ports, stage_dir, &batch, err);
    }
    return rc;
}

static bool slices_artifacts (const struct operator_spec *op,
                              const struct port *ports)
{
    bool any = false;

    for (; ports->name; ports++)
        any = any
              || (type_is_artifact (&ports->type)
                  && slices_name (op, ports->name));
    return any;
}

int inputs_compare (struct engine *engine, const struct stage *stage,
                    const char *stage_dir, const struct json *values,
                    int32_t n_tasks, struct error *err)
{
    _cleanup_free_ struct port *ports = slices_ports (stage->op);
    struct made made;
    int rc;

    made_init (&made, engine->dir, engine->outputs, engine->plan->verify_always,
               &engine->heartbeat);
    rc = compare_all (&made, ports, values, err);
    if (rc == 0 && slices_artifacts (stage->op, ports))
        rc = compare_slices (engine, &made, ports, stage_dir, n_tasks, err);
    made_release (&made);
    return rc;
}
