/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_description.c - a stage with its inputs bound: what stage.json says */
#include "base/base.h"

#include "base/json.h"
#include "campaign/launcher.h"
#include "campaign/plan.h"
#include "engine/act/input_copies.h"
#include "engine/act/inputs.h"
#include "engine/history/lost_results.h"
#include "engine/act/programs_copy.h"
#include "engine/act/slices.h"
#include "engine/act/stage_description.h"
#include "engine/act/witness.h"
#include "engine/history/engine.h"
#include "signature/task_uses.h"

static int bind (struct engine *engine, const struct stage *stage,
                 int iteration, bool copy,
                 struct stage_description *description, struct error *err)
{
    _cleanup_json_ struct json *bound = NULL;
    description->values = inputs_resolve (
        engine->plan, &engine->state, engine->outputs, stage, iteration, err);
    if (!description->values)
        return -1;
    if (slices_check (stage->op, description->values, engine->dir,
                      &engine->heartbeat, err)
        < 0)
        return err && error_is_absence (err) ? lost_results_look (
                   &engine->state, description->values, engine->dir, err)
                                             : -1;
    if (!copy)
        return 0;
    bound = description->values;
    description->values = inputs_copied (engine, &description->contents,
                                         stage->op->inputs, bound, err);
    return description->values ? 0 : -1;
}

const char *stage_first_name (const struct stage *stage,
                              const struct state *state)
{
    const char *first = stage->name;

    for (size_t i = 0; stage->renamed_from && stage->renamed_from[i]; i++)
        first = stage->renamed_from[i];
    return state_first_name (state, stage->name, first);
}

static void fill_manifest (const struct engine *engine,
                           const struct stage *stage, int iteration,
                           struct stage_description *description)
{
    const struct operator_spec *op = stage->op;
    const char *first = stage_first_name (stage, &engine->state);
    const struct launcher_environment *mpi = stage->profile->environment;
    bool alone = stage_ranks (stage) == 1;

    description->same = slices_same (op, description->values);
    description->ports = slices_ports (op);
    description->manifest = (struct stage_manifest){
        .campaign = engine->plan->name,
        .operator_name = op->name,
        .operator_version = op->version,
        .place = state_place (&engine->state, iteration, stage->name),
        .first_name = strcmp (first, stage->name) != 0 ? first : NULL,
        .seed = engine->plan->seed,
        .uses = operator_task_uses (op),
        .files = op->files,
        .programs =
            description->programs.len > 0 ? description->programs.buf : NULL,
        .sliced = operator_fans_out (op),
        .inputs = description->ports,
        .outputs = op->outputs,
        .values = description->same,
        .commands = op->commands,
        .called = engine->plan->call != NULL,
        .script = op->script,
        .worker = op->worker,
        .group = stage->group,
        .checkpoint = op->checkpoint,
        .keeps_logs = op->keeps_logs,
        .input_files = op->input_files,
        .version_line = op->version_line,
        .keeps_raw = stage_keeps_raw (stage),
        .versions = op->versions,
        .fatal_exits = op->fatal_exits,
        .image = stage->image,
        .container = stage->profile->container,
        .env = op->env && op->env[0] ? op->env : NULL,
        .launcher = stage->profile->launcher,
        .agents = stage->profile->agents,
        .environment = alone ? mpi->alone : mpi->ranks,
        .not_inherited = alone ? NULL : mpi->not_ranks,
    };
    description->manifest.place.code = op->code;
}

/* Of what is bound. */
static int identify (struct stage_description *description, struct error *err)
{
    description->parts =
        identity_parts (&description->contents, &description->manifest, err);
    if (!description->parts)
        return -1;
    stage_identity (description->parts, description->identity);
    description->manifest.identity = description->identity;
    description->manifest.parts = description->parts;
    return 0;
}

int stage_describe (struct engine *engine, const struct stage *stage,
                    int iteration, bool copy,
                    struct stage_description *description, struct error *err)
{
    *description = (struct stage_description){ .programs = STRBUF_INIT };
    contents_init (&description->contents, engine->dir, engine->outputs,
                   engine->plan->verify_always, &engine->heartbeat);
    if (bind (engine, stage, iteration, copy, description, err) < 0)
        return -1;
    if (copy && stage->op->programs
        && programs_copy (engine, &description->contents, stage->op,
                          &description->programs, err)
               < 0)
        return -1;
    fill_manifest (engine, stage, iteration, description);
    if (identify (description, err) < 0
        || stage_definition (&description->contents, stage->op,
                             &description->manifest, description->values,
                             description->definition, err)
               < 0)
        return -1;
    description->manifest.definition = description->definition;
    description->witness = witness_before (&description->contents, stage,
                                           &description->manifest, err);
    description->manifest.witness = description->witness;
    return description->witness ? 0 : -1;
}

/* What no stage has a part in. */
static void bind_known (const struct stage *stage, int iteration,
                        struct stage_description *description,
                        struct json *waits_for)
{
    description->values = json_object ();
    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (b->source == SOURCE_ITERATION)
            json_set (description->values, b->port->name, json_int (iteration));
        else if (b->source != SOURCE_LITERAL && b->source != SOURCE_UNBOUND)
            json_push (waits_for, json_string (b->port->name));
        else if (b->literal)
            json_set (description->values, b->port->name,
                      json_ref (b->literal));
    }
}

int stage_describe_known (struct engine *engine, const struct stage *stage,
                          int iteration, struct stage_description *description,
                          struct json *waits_for, struct error *err)
{
    *description = (struct stage_description){ .programs = STRBUF_INIT };
    contents_init (&description->contents, engine->dir, engine->outputs,
                   engine->plan->verify_always, &engine->heartbeat);
    bind_known (stage, iteration, description, waits_for);
    fill_manifest (engine, stage, iteration, description);
    return identify (description, err) < 0
               ? -1
               : stage_description_add_sliced (description, stage->op, NULL,
                                               err);
}

int stage_description_add_sliced (struct stage_description *description,
                                  const struct operator_spec *op,
                                  const struct json *made, struct error *err)
{
    _cleanup_json_ struct json *sliced = json_object ();
    int rc;

    JSON_FOREACH (description->values, it) {
        if (slices_name (op, json_iter_key (it)))
            json_set (sliced, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    rc = identity_add_sliced (&description->contents, op->inputs, sliced,
                              description->parts, err);
    if (rc == 0 && made)
        rc = identity_add_sliced (&description->contents, op->slices, made,
                                  description->parts, err);
    return rc;
}

void stage_description_release (struct stage_description *description)
{
    json_unref (description->values);
    json_unref (description->same);
    json_unref (description->parts);
    json_unref (description->witness);
    strbuf_release (&description->programs);
    free (description->ports);
    contents_release (&description->contents);
}
