/* SPDX-License-Identifier: BSD-3-Clause */
/* observations.c - what a driver saw */
#include "base/base.h"

#include "base/json.h"
#include "engine/decide/observations.h"

static void observed_release (struct observed_submission *s)
{
    free (s->elements);
    json_unref (s->logs);
}

void observations_release (struct observations *observations)
{
    for (size_t i = 0; i < observations->n_attempts; i++) {
        struct observed_attempt *attempt = &observations->attempts[i];

        for (size_t j = 0; j < attempt->n_submissions; j++)
            observed_release (&attempt->submissions[j]);
        free (attempt->submissions);
    }
    free (observations->outputs);
    free (observations->attempts);
    free (observations->dependency_jobs);
    memset (observations, 0, sizeof (*observations));
}

const struct observed_attempt *observations_find (
    const struct observations *observations, const char *name)
{
    for (size_t i = 0; i < observations->n_attempts; i++) {
        if (strcmp (observations->attempts[i].stage, name) == 0)
            return &observations->attempts[i];
    }
    return NULL;
}

void observations_add_outputs (struct observations *observations,
                               const char *stage, int iteration,
                               const struct json *outputs)
{
    observations->outputs = grow_array (
        observations->outputs, observations->n_outputs,
        &observations->outputs_alloc, sizeof (*observations->outputs));
    observations->outputs[observations->n_outputs++] =
        (struct observed_outputs){ stage, iteration, outputs };
}

const struct json *observations_outputs (
    const struct observations *observations, const char *stage, int iteration)
{
    for (size_t i = 0; i < observations->n_outputs; i++) {
        const struct observed_outputs *o = &observations->outputs[i];

        if (o->iteration == iteration && strcmp (o->stage, stage) == 0)
            return o->outputs;
    }
    return NULL;
}
