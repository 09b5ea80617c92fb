/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs_write.c - outputs.json, and how the artifacts look that it tells of
 */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/json.h"
#include "engine/act/generation.h"
#include "engine/act/outputs_write.h"
#include "engine/history/engine.h"
#include "space/layout.h"

/* Whole and read-only, with its digest. */
static int write_sealed (const struct engine *engine,
                         const struct stage_place *place, const char *name,
                         const struct json *v, char sha256[DIGEST_HEX_SIZE],
                         struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = json_check (v, err);

    if (rc < 0) {
        error_prefix (err, "%s", name);
    } else {
        json_dump (v, JSON_PRETTY, &text);
        digest_bytes (text.buf, text.len, sha256);
        rc = generation_write (engine, place, name, &text, err);
    }
    return rc;
}

/* Tasks that are ok. */
static struct json *ok_tasks (const struct stage_state *state)
{
    _cleanup_ (task_range_release) struct task_range ok = TASK_RANGE_INIT;
    struct json *v;

    for (int32_t t = 0; t < state->n_tasks; t++) {
        if (state->tasks[t].outcome == OUTCOME_OK)
            task_range_add (&ok, t);
    }
    v = task_range_to_json (&ok);
    return v;
}

static int write_seen (const struct engine *engine,
                       const struct stage_place *place, struct json *seen,
                       struct error *err)
{
    _cleanup_json_ struct json *v = json_object ();
    char hex[DIGEST_HEX_SIZE];

    json_set (v, "format", json_int (1));
    json_set (v, "seen", json_ref (seen));
    return write_sealed (engine, place, LAYOUT_SEEN, v, hex, err);
}

int outputs_write (const struct engine *engine, const struct stage_place *place,
                   const struct stage_state *state, struct json *outputs,
                   struct json *artifacts, struct json *seen,
                   char sha256[DIGEST_HEX_SIZE], struct error *err)
{
    _cleanup_json_ struct json *v = json_object ();
    int rc = json_count (seen) > 0 ? write_seen (engine, place, seen, err) : 0;

    json_set (v, "format", json_int (1));
    json_set (v, "stage", json_string (place->stage));
    json_set (v, "code", json_string (place->code));
    json_set (v, "iteration", json_int (place->iteration));
    json_set (v, "tasks", json_int (state->n_tasks));
    json_set (v, "ok", ok_tasks (state));
    if (state->reused)
        json_set (v, "reused", json_ref (state->reused));
    json_set (v, "outputs", json_ref (outputs));
    json_set (v, "artifacts", json_ref (artifacts));
    if (rc == 0)
        rc = write_sealed (engine, place, LAYOUT_OUTPUTS, v, sha256, err);
    return rc;
}
