/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_orders.c - stage.json and job.json for agents, plan.json for the
 * reducer, report.json for doctor
 *
 * Every input is tried as each of them.
 */
#include "config.h"

#include <string.h>

#include "arrays/job_order.h"
#include "arrays/stage_order.h"
#include "doctor/node_report.h"
#include "fuzz.h"
#include "reduce/plan_file.h"

static void try_stage_order (const struct json *v)
{
    struct stage_order order = STAGE_ORDER_INIT;
    struct stage_order again = STAGE_ORDER_INIT;
    struct error err = ERROR_INIT;
    struct json *written;

    if (stage_order_from_json (v, &order, &err) < 0) {
        must_hold (err.text[0], "a complaint");
        stage_order_release (&order);
        return;
    }
    must_hold (order.tasks >= 0 && order.place.stage && order.outputs,
               "an order is whole");
    written = stage_order_to_json (&order);
    must_hold (stage_order_from_json (written, &again, NULL) == 0,
               "what was written can be read");
    json_unref (written);
    stage_order_release (&again);
    stage_order_release (&order);
}

static void try_job_order (const struct json *v)
{
    struct job_order order = { 0 };
    struct job_order again = { 0 };
    struct error err = ERROR_INIT;
    struct json *written;

    if (job_order_from_json (v, &order, &err) < 0) {
        must_hold (err.text[0], "a complaint");
        return;
    }
    written = job_order_to_json (&order);
    must_hold (job_order_from_json (written, &again, NULL) == 0,
               "what was written can be read");
    must_hold (again.elements == order.elements && again.slots == order.slots,
               "what is read is what was written");
    json_unref (written);
}

/* From nodes, for doctor. */
static void try_report (const struct json *v)
{
    struct node_report report, again;
    struct error err = ERROR_INIT;
    struct json *written;

    if (node_report_from_json (v, &report, &err) < 0) {
        must_hold (err.text[0], "a complaint");
        return;
    }
    written = node_report_to_json (&report);
    must_hold (node_report_from_json (written, &again, NULL) == 0
                   && again.cores == report.cores
                   && strcmp (again.host, report.host) == 0,
               "what is read is what was written");
    json_unref (written);
}

static void try_plan (const char *text, size_t len)
{
    struct plan plan = PLAN_INIT;
    struct error err = ERROR_INIT;

    if (plan_parse (text, len, "plan.json", &plan, &err) == 0) {
        for (size_t i = 1; i < plan.n_trajectories; i++)
            must_hold (plan.trajectories[i - 1].task
                           <= plan.trajectories[i].task,
                       "trajectories are in the order of their tasks");
        must_hold (plan.frames_dir && plan.params_path, "a plan is whole");
    } else {
        must_hold (err.text[0], "a complaint");
    }
    plan_release (&plan);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct json *v = json_parse ((const char *)data, size, "order", NULL);

    if (v) {
        try_stage_order (v);
        try_job_order (v);
        try_report (v);
    }
    try_plan ((const char *)data, size);
    json_unref (v);
    return 0;
}
