/* SPDX-License-Identifier: BSD-3-Clause */
/* act_fan_in.c - the outputs of a stage: stacked, collected, published
 *
 * Nothing is visible to other stages before outputs.json is there and
 * journaled, so everything here may be done again after a crash.
 */
#include "base/base.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/act/fan_in.h"
#include "engine/act/generation.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/act/front_step.h"
#include "engine/act/inputs_compare.h"
#include "engine/act/outputs_write.h"
#include "engine/act/publish.h"
#include "engine/act/stage_summary.h"
#include "engine/act/tries_summary.h"
#include "engine/act/stacked_outputs.h"
#include "engine/act/witness.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"
#include "signature/sizes.h"
#include "signature/value.h"
#include "space/layout.h"
#include "space/lease.h"

struct fan_in {
    struct engine *engine;
    const struct stage *stage;
    struct stage_place place;
    const struct stage_state *state;
    struct json *outputs;   /* {NAME: value}, what outputs.json will hold */
    struct json *artifacts; /* {NAME: {bytes, sha256}}, or a list of them */
    struct json *published; /* {FORM: SHA256}: the training data that it made */
    struct json *seen;      /* {PATH: how the artifact there looks} */
    struct json *versions;  /* of the code (version_lines.h) */
    struct tries_summary *tries;  /* for the summary; NULL: there is none */
    char sha256[DIGEST_HEX_SIZE]; /* of outputs.json; "": not written */
    char *dir;                    /* of the generation, absolute */
    struct json *manifest;        /* stage.json, or NULL */
    struct strbuf unsteady;       /* what changed while it ran */
};

static int stack (const struct fan_in *f, struct error *err)
{
    const struct stacking stacking = { f->engine, f->stage,    &f->place,
                                       f->state,  f->outputs,  f->artifacts,
                                       f->seen,   f->versions, f->tries };

    return stack_outputs (&stacking, err);
}

/* --- what was seen --- */

/* Into f->manifest; without it only a collect cannot run. */
static int read_manifest (struct fan_in *f, struct error *err)
{
    _cleanup_free_ char *file = path_join (f->dir, LAYOUT_STAGE_MANIFEST);
    struct error why = ERROR_INIT;

    f->manifest = json_read_file (file, &why);
    if (!f->manifest && (f->stage->op->collect || !error_is_absence (&why)))
        return error_copy (err, &why);
    if (f->manifest && !json_get (f->manifest, "values"))
        return error_set (err, "%s: holds no values", file);
    return 0;
}

/* Tasks have read them, so has collect, and what when is not known.  0; 1 with
 * 'err', which is why none of its results counts; -1.
 */
static int compare_inputs (struct fan_in *f, struct error *err)
{
    if (!f->manifest
        || inputs_compare (f->engine, f->stage, f->dir,
                           json_get (f->manifest, "values"), f->state->n_tasks,
                           err)
               == 0)
        return 0;
    if (error_is_machine_error (err))
        return -1;
    strbuf_add_str (&f->unsteady, err->text);
    return 1;
}

static int write_witness (const struct fan_in *f, struct error *err)
{
    return f->manifest
               ? witness_write (f->engine, &f->place,
                                json_get (f->manifest, "witness"), f->sha256,
                                f->unsteady.buf, f->versions, err)
               : 0;
}

/* --- collect --- */

static struct json *absolute_outputs (const struct fan_in *f)
{
    const struct port *port = f->stage->op->outputs;
    struct json *absolute = json_object ();

    for (; port && port->name; port++)
        json_set (absolute, port->name,
                  value_absolute (&port->type,
                                  json_get (f->outputs, port->name),
                                  f->engine->dir));
    return absolute;
}

static int keep_collected (const struct fan_in *f, const char *step_dir,
                           struct error *err)
{
    _cleanup_free_ char *from = path_join (step_dir, LAYOUT_OUT);

    if (file_seal_tree (from, &f->engine->heartbeat, err) < 0
        || lease_check (f->engine->lease, err) < 0)
        return -1;
    point_reached ("collect.checked");
    return generation_put (f->engine, &f->place, from, LAYOUT_OUT, err);
}

/* Put what collect left below out/ in its place and take its values. */
static int take_collected (struct fan_in *f, const char *step_dir,
                           const struct json *checked, struct error *err)
{
    const struct port *port = f->stage->op->collected;
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    int rc;

    layout_stage_path (&f->place, LAYOUT_OUT, &out);
    rc = keep_collected (f, step_dir, err);
    seen_note (f->seen, checked, out.buf);
    for (; rc == 0 && port && port->name; port++) {
        json_set (f->outputs, port->name,
                  output_value (port, checked, out.buf));
        if (type_is_artifact (&port->type))
            json_set (f->artifacts, port->name,
                      artifact_record_of (port, checked, true));
    }
    return rc;
}

/* The sizes that collect's outputs share with what all tasks share. */
static int note_inputs (const struct fan_in *f, const struct json *inputs,
                        struct sizes *sizes, struct error *err)
{
    const struct port *port = f->stage->op->inputs;

    for (; port && port->name; port++) {
        if (sizes_note_value (sizes, &port->type, json_get (inputs, port->name),
                              f->engine->dir, "input", port->name,
                              &f->engine->heartbeat, err)
            < 0)
            return -1;
    }
    return 0;
}

/* 0; 1 with 'err' when the operator's collect failed; -1. */
static int run_collect (struct fan_in *f, struct error *err)
{
    struct front_step step = { .stage = f->stage,
                               .iteration = f->place.iteration,
                               .name = LAYOUT_COLLECT,
                               .command = f->stage->op->collect,
                               .script = f->stage->op->collect_script,
                               .outputs = f->stage->op->collected };
    struct sizes sizes = SIZES_INIT;
    struct json *inputs = json_get (f->manifest, "values");
    const struct json *programs = json_get (f->manifest, "programs");
    struct json *checked = NULL;
    char *dir = NULL;
    int rc = -1;

    if (!f->stage->op->collect)
        return 0;
    step.inputs = inputs;
    step.programs = programs ? json_as_string (programs) : NULL;
    step.stacked = absolute_outputs (f);
    if ((rc = front_step_run (f->engine, &step, &dir, err)) != 0)
        goto done;
    if (note_inputs (f, inputs, &sizes, err) < 0
        || output_tree_take (step.outputs, dir, err) < 0
        || !(checked = outputs_check (step.outputs, dir, &sizes,
                                      &f->engine->heartbeat, err))) {
        rc = error_is_machine_error (err) ? -1 : 1;
        goto done;
    }
    rc = take_collected (f, dir, checked, err);
    if (rc == 0)
        rc = file_remove_tree (dir, &f->engine->heartbeat, err);
done:
    sizes_release (&sizes);
    json_unref (step.stacked);
    json_unref (checked);
    free (dir);
    return rc;
}

/* --- the result --- */

/* `count`, and `proceed`: false when nothing is ok or the operator says so. */
static void set_flags (struct fan_in *f)
{
    int32_t count = f->state->by_outcome[OUTCOME_OK];
    const struct json *said = json_get (f->outputs, "proceed");
    bool proceed = count > 0;

    if (json_kind (said) == JSON_KIND_BOOL)
        proceed = proceed && json_as_bool (said);
    json_set (f->outputs, "count", json_int (count));
    json_set (f->outputs, "proceed", json_bool (proceed));
}

static enum act_result record_end (struct fan_in *f, const char *status,
                                   const char *why, struct error *err)
{
    struct json *event = event_of_stage ("stage", engine_now_s (f->engine),
                                         f->place.iteration, f->stage->name);

    json_set (event, "phase", json_string (status));
    if (why)
        json_set (event, "why", json_string (why));
    if (json_get (f->outputs, "count")) {
        json_set (event, "count", json_ref (json_get (f->outputs, "count")));
        json_set (event, "proceed",
                  json_ref (json_get (f->outputs, "proceed")));
    }
    if (f->unsteady.len > 0)
        json_set (event, "unsteady", json_string (f->unsteady.buf));
    if (f->sha256[0])
        json_set (event, "outputs", json_string (f->sha256));
    if (json_count (f->published) > 0)
        json_set (event, "dataset", json_ref (f->published));
    return engine_record (f->engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

/* Programs, and inputs that no stage made and of which there is no copy. */
static int compare_seen (struct fan_in *f, struct error *err)
{
    const struct json *witness = json_get (f->manifest, "witness");
    _cleanup_json_ struct json *inputs = witness_inputs (f->dir, witness);
    int rc =
        witness_compare (f->engine, f->manifest, witness, &f->unsteady, err);

    if (rc == 0)
        rc = witness_compare (f->engine, NULL, inputs, &f->unsteady, err);
    if (rc == 0)
        witness_compare_added (f->engine, f->manifest, &f->unsteady);
    return rc;
}

/* The outputs of the stage.  0; 1 with 'err': it failed; -1. */
static int make_outputs (struct fan_in *f, struct error *err)
{
    int rc = read_manifest (f, err) < 0 ? -1 : compare_inputs (f, err);

    if (rc == 0)
        rc = stack (f, err);
    if (rc == 0)
        rc = run_collect (f, err);
    if (rc == 0)
        rc = publish_dataset (f->engine, f->stage, &f->place, f->outputs,
                              f->published, err);
    return rc == 0 ? compare_seen (f, err) : rc;
}

static int write_outputs (struct fan_in *f, struct error *err)
{
    if (lease_check (f->engine->lease, err) < 0)
        return -1;
    point_reached ("outputs.checked");
    return outputs_write (f->engine, &f->place, f->state, f->outputs,
                          f->artifacts, f->seen, f->sha256, err)
                       < 0
                   || write_witness (f, err) < 0
               ? -1
               : 0;
}

static void fan_in_release (struct fan_in *f)
{
    json_unref (f->outputs);
    json_unref (f->artifacts);
    json_unref (f->published);
    json_unref (f->seen);
    json_unref (f->versions);
    tries_summary_destroy (f->tries);
    json_unref (f->manifest);
    strbuf_release (&f->unsteady);
    free (f->dir);
}

/* Is there anything that nothing but its outputs.json could tell? */
static bool is_to_be_told (const struct engine *engine,
                           const struct stage_state *state)
{
    int at = plan_stage_find (engine->plan, state->name);

    return at >= 0 && engine->plan->stages[at].op
           && !outputs_have_artifacts (engine->plan->stages[at].op->outputs)
           && state->status != STAGE_DONE && state->by_outcome[OUTCOME_OK] > 0;
}

int fan_in_unfinished (struct engine *engine, const struct stage_state *state,
                       int iteration, char sha256[DIGEST_HEX_SIZE],
                       struct error *err)
{
    struct fan_in f = { .engine = engine,
                        .place = state_place (&engine->state, iteration,
                                              state->name),
                        .state = state };
    struct error why = ERROR_INIT;
    int rc;

    sha256[0] = '\0';
    if (!is_to_be_told (engine, state))
        return 0;
    f.stage =
        &engine->plan->stages[plan_stage_find (engine->plan, state->name)];
    f.outputs = json_object ();
    f.artifacts = json_object ();
    f.seen = json_object ();
    f.versions = json_object ();
    rc = stack (&f, &why);
    if (rc == 0 && (rc = lease_check (engine->lease, err)) == 0)
        rc = outputs_write (engine, &f.place, state, f.outputs, f.artifacts,
                            f.seen, sha256, err);
    else if (rc < 0 && why.text[0]) /* what is damaged is made again */
        rc = error_is_machine_error (&why) && !error_is_absence (&why)
                 ? error_copy (err, &why)
                 : 0;
    fan_in_release (&f);
    return rc;
}

enum act_result act_fan_in (struct engine *engine, const struct action *action,
                            struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    _cleanup_ (fan_in_release) struct fan_in f = {
        .engine = engine,
        .stage = stage,
        .place = state_place (&engine->state, action->iteration, stage->name),
        .state = state_stage (&engine->state, action->iteration, stage->name),
        .outputs = json_object (),
        .artifacts = json_object (),
        .published = json_object (),
        .seen = json_object (),
        .versions = json_object (),
        .unsteady = STRBUF_INIT,
    };
    enum act_result result = ACT_FAILED;
    struct strbuf dir = STRBUF_INIT;
    int rc;

    layout_stage_dir (&f.place, &dir);
    f.dir = engine_path (engine, &dir);
    f.tries = tries_summary_create (f.state->n_tasks);
    err->text[0] = '\0';
    rc = make_outputs (&f, err);
    if (rc > 0 && f.unsteady.len > 0
        && (lease_check (engine->lease, err) < 0
            || write_witness (&f, err) < 0))
        rc = -1;
    if (rc > 0) {
        result = record_end (&f, "failed", err->text, err);
    } else if (rc == 0) {
        set_flags (&f);
        if (write_outputs (&f, err) == 0) {
            stage_summary_write (engine, &f.place, f.tries, f.outputs,
                                 f.sha256);
            result = record_end (&f, "done", NULL, err);
        }
    }
    return result;
}
