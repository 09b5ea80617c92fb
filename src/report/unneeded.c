/* SPDX-License-Identifier: BSD-3-Clause */
/* unneeded.c - outputs that lie there and that nothing needs any more */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/retention.h"
#include "engine/history/output_artifacts.h"
#include "engine/history/state.h"
#include "report/unneeded.h"

static int add_bytes (const struct output_artifact *artifact, void *arg,
                      struct error *err)
{
    int64_t *bytes = arg;

    (void)err;
    *bytes += artifact->bytes;
    return 0;
}

struct look {
    const struct plan *plan;
    const struct state *state;
    const char *stage;
    struct stage_place place;
    struct json *file; /* outputs.json, when it was wanted */
};

static int64_t bytes_of (struct look *look, const struct port *ports)
{
    int64_t bytes = 0;

    for (; ports && ports->name; ports++) {
        if (!type_is_artifact (&ports->type) || ports->publish
            || output_need (look->plan, look->state, look->stage, ports->name,
                            look->place.iteration)
                   != NEED_OVER)
            continue;
        if (!look->file)
            look->file = output_file_read (look->plan->dir, &look->place, NULL);
        output_artifacts_each (look->file, &look->place, ports->name, add_bytes,
                               &bytes, NULL);
    }
    return bytes;
}

int64_t unneeded_bytes (const struct plan *plan, const struct state *state,
                        int stage, int iteration)
{
    const struct stage *s = &plan->stages[stage];
    const struct stage_state *at = state_stage (state, iteration, s->name);
    struct look look = { .plan = plan,
                         .state = state,
                         .stage = s->name,
                         .place = state_place (state, iteration, s->name) };
    int64_t bytes = 0;

    if (at && at->status == STAGE_DONE)
        bytes = bytes_of (&look, s->op->outputs)
                + bytes_of (&look, s->op->collected);
    json_unref (look.file);
    return bytes;
}
