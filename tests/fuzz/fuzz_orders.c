/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_orders.c - stage.json and job.json for agents, task.json for the
 * reducer, report.json for doctor
 *
 * Every input is tried as each of them.
 */
#include "base/base.h"

#include "handover/job_manifest.h"
#include "handover/stage_manifest.h"
#include "base/findings.h"
#include "fuzz.h"
#include "reduce/selection_input.h"

static void try_stage_manifest (const struct json *v)
{
    struct stage_manifest order = STAGE_MANIFEST_INIT;
    struct stage_manifest again = STAGE_MANIFEST_INIT;
    struct error err = ERROR_INIT;
    struct json *written;

    if (stage_manifest_from_json (v, &order, &err) < 0) {
        must_hold (err.text[0], "a complaint");
        stage_manifest_release (&order);
        return;
    }
    must_hold (order.tasks >= 0 && order.place.stage && order.outputs,
               "an order is whole");
    written = stage_manifest_to_json (&order);
    must_hold (stage_manifest_from_json (written, &again, NULL) == 0,
               "what was written can be read");
    json_unref (written);
    stage_manifest_release (&again);
    stage_manifest_release (&order);
}

static void try_job_manifest (const struct json *v)
{
    struct job_manifest order = { 0 };
    struct job_manifest again = { 0 };
    struct error err = ERROR_INIT;
    struct json *written;

    if (job_manifest_from_json (v, &order, &err) < 0) {
        must_hold (err.text[0], "a complaint");
        return;
    }
    written = job_manifest_to_json (&order);
    must_hold (job_manifest_from_json (written, &again, NULL) == 0,
               "what was written can be read");
    must_hold (again.elements == order.elements && again.slots == order.slots
                   && task_range_count (&again.tasks)
                          == task_range_count (&order.tasks),
               "what is read is what was written");
    json_unref (written);
    job_manifest_release (&again);
    job_manifest_release (&order);
}

/* From nodes, for doctor. */
static void try_findings (const struct json *v)
{
    struct findings findings = FINDINGS_INIT;
    struct error err = ERROR_INIT;

    if (findings_add_json (&findings, v, &err) < 0)
        must_hold (err.text[0] && findings.n == 0, "a complaint, and no more");
    else
        must_hold (findings.n == json_count (v), "each is read");
    findings_release (&findings);
}

static void try_selection (const char *text, size_t len)
{
    struct selection_input input = SELECTION_INPUT_INIT;
    struct error err = ERROR_INIT;

    if (selection_input_parse (text, len, "task.json", &input, &err) == 0) {
        for (size_t i = 1; i < input.n_trajectories; i++)
            must_hold (input.trajectories[i - 1].task
                           < input.trajectories[i].task,
                       "trajectories are in the order of their tasks");
        must_hold (input.params_path, "numbers go somewhere");
    } else {
        must_hold (err.text[0], "a complaint");
    }
    selection_input_release (&input);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct json *v = json_parse ((const char *)data, size, "order", NULL);

    if (v) {
        try_stage_manifest (v);
        try_job_manifest (v);
        try_findings (v);
    }
    try_selection ((const char *)data, size);
    json_unref (v);
    return 0;
}
