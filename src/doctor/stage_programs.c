/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_programs.c - which programs the stages of a campaign run by a profile,
 * and what they ask of them
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/launcher.h"
#include "campaign/plan.h"
#include "doctor/doctor.h"
#include "operators/code_trial.h"
#include "signature/template.h"

/* The one of 'programs' of which the same is asked, or NULL. */
static struct json *find_alike (const struct json *programs,
                                const struct json *program)
{
    for (size_t i = 0; i < json_count (programs); i++) {
        struct json *other = json_at (programs, i);

        if (json_equal (json_get (other, "argv"), json_get (program, "argv"))
            && json_equal (json_get (other, "question"),
                           json_get (program, "question")))
            return other;
    }
    return NULL;
}

static struct json *describe (const struct stage *stage,
                              const struct port *port,
                              const struct json *inputs)
{
    const struct code_trial *trial =
        code_trial_find (stage->op->name, port->name);
    const struct launcher_environment *mpi = stage->profile->environment;
    struct json *program = json_object ();

    json_set (program, "name", json_string (port->name));
    json_set (program, "stages", json_array ());
    json_set (program, "argv", json_deep_copy (json_get (inputs, port->name)));
    if (trial) {
        json_set (program, "operator", json_string (stage->op->name));
        json_set (program, "input", json_string (port->name));
        json_set (program, "question", trial->ask (inputs));
        if (mpi && mpi->alone)
            json_set (program, "environment", argv_to_json (mpi->alone));
    }
    return program;
}

static void add_program (const struct stage *stage, struct json *program,
                         struct json *programs)
{
    struct json *alike = find_alike (programs, program);
    struct json *stages = json_get (alike ? alike : program, "stages");

    if (!json_array_has_string (stages, stage->name))
        json_push (stages, json_string (stage->name));
    if (alike)
        json_unref (program);
    else
        json_push (programs, program);
}

/* A program that another stage tells is not known before. */
static void add_stage (const struct plan *plan, const struct stage *stage,
                       const struct profile *profile, struct json *programs)
{
    _cleanup_json_ struct json *inputs = NULL;

    if (strcmp (stage->profile->name, profile->name) != 0)
        return;
    inputs = stage_known_values (stage, plan->dir);
    for (const struct port *port = stage->op->inputs; port && port->name;
         port++) {
        if (port->program && json_count (json_get (inputs, port->name)) > 0)
            add_program (stage, describe (stage, port, inputs), programs);
    }
}

struct json *stage_programs (const struct plan *campaign,
                             const struct profile *profile)
{
    struct json *programs = json_array ();
    size_t n = campaign->n_phases > 0 ? campaign->n_phases : 1;

    for (size_t p = 0; p < n; p++) {
        const struct plan *plan = plan_in_phase (campaign, (int)p);

        for (size_t i = 0; i < plan->n_stages; i++)
            add_stage (plan, &plan->stages[i], profile, programs);
    }
    for (size_t i = 0; i < campaign->n_functions; i++)
        add_stage (campaign, &campaign->functions[i].stage, profile, programs);
    return programs;
}
