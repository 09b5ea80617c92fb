/* SPDX-License-Identifier: BSD-3-Clause */
/* published_parts.c - which task made which part of published training data */
#include "base/base.h"

#include "base/digest.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/published_parts.h"
#include "engine/history/engine.h"
#include "engine/history/output_artifacts.h"
#include "engine/history/outputs_store.h"
#include "signature/operator.h"

struct finding {
    const struct strbuf *text;
    struct published_parts *parts;
    struct stage_place place;
    const struct json *file; /* outputs.json of the stage there */
};

static uint64_t end_of (const struct published_parts *parts)
{
    return parts->n > 0 ? parts->v[parts->n - 1].end : 0;
}

static void drop_behind (struct published_parts *parts, size_t n)
{
    while (parts->n > n)
        free (parts->v[--parts->n].path);
}

/* -1: this is not what follows in the file. */
static int add_part (const struct output_artifact *artifact, void *arg,
                     struct error *err)
{
    struct finding *f = arg;
    uint64_t begin = end_of (f->parts);
    char hex[DIGEST_HEX_SIZE];

    (void)err;
    if (artifact->bytes < 0 || (uint64_t)artifact->bytes > f->text->len - begin)
        return -1;
    digest_bytes (f->text->buf + begin, (size_t)artifact->bytes, hex);
    if (strcmp (hex, artifact->sha256) != 0)
        return -1;
    f->parts->v = grow_array (f->parts->v, f->parts->n, &f->parts->alloc,
                              sizeof (*f->parts->v));
    f->parts->v[f->parts->n++] =
        (struct published_part){ xstrdup (artifact->path),
                                 begin + (uint64_t)artifact->bytes };
    return 0;
}

static int add_output (struct finding *f, const struct port *port)
{
    return output_artifacts_each (f->file, &f->place, port->name, add_part, f,
                                  NULL);
}

/* Put what tasks made in the place of parts[n], if that is these results one
 * behind the other.
 */
static void divide (struct finding *f, const struct operator_spec *op, size_t n)
{
    struct published_part whole = f->parts->v[n];
    const struct port *port = op->outputs;

    f->parts->n = n;
    for (; port && port->name; port++) {
        if (port->type.kind == TYPE_FRAMES && add_output (f, port) == 0
            && end_of (f->parts) == whole.end) {
            free (whole.path);
            return;
        }
        drop_behind (f->parts, n);
    }
    f->parts->v[f->parts->n++] = whole;
}

static int add_stage (struct finding *f, const struct operator_spec *op)
{
    for (const struct port *port = op->outputs; port && port->name; port++) {
        if (port->publish && add_output (f, port) < 0)
            return -1;
    }
    for (const struct port *port = op->collected; port && port->name; port++) {
        size_t n = f->parts->n;

        if (port->publish && add_output (f, port) < 0)
            return -1;
        if (port->publish && f->parts->n == n + 1)
            divide (f, op, n);
    }
    return 0;
}

void published_parts_find (const struct engine *engine, int iteration,
                           const struct strbuf *text,
                           struct published_parts *parts)
{
    const struct plan *plan = engine->plan;
    struct finding f = { .text = text, .parts = parts };
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        const struct stage_state *s =
            state_stage (&engine->state, iteration, stage->name);
        _cleanup_json_ struct json *file = NULL;

        if (!stage_publishes (stage) || !s || s->status != STAGE_DONE)
            continue;
        f.place = state_place (&engine->state, iteration, stage->name);
        file = outputs_store_file (engine->outputs, &f.place, NULL);
        f.file = file;
        rc = file ? add_stage (&f, stage->op) : -1;
    }
    if (rc < 0 || end_of (parts) != text->len)
        drop_behind (parts, 0);
}

void published_parts_release (struct published_parts *parts)
{
    drop_behind (parts, 0);
    free (parts->v);
    *parts = (struct published_parts)PUBLISHED_PARTS_INIT;
}

const char *published_parts_at (const struct published_parts *parts,
                                uint64_t byte)
{
    size_t low = 0, high = parts->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (parts->v[middle].end <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low < parts->n ? parts->v[low].path : NULL;
}
