/* SPDX-License-Identifier: BSD-3-Clause */
/* publish.c - labelled data into dataset/<format>/iter/<iter>/ */
#include "base/base.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/made.h"
#include "engine/history/outputs_store.h"
#include "engine/history/stale_files.h"
#include "engine/history/state.h"
#include "engine/act/front_step.h"
#include "engine/act/publish.h"
#include "formats/dataset_writer.h"
#include "space/layout.h"
#include "space/lease.h"

enum { DATASET_MAX_BYTES = 1 << 30 };

/* Append the files of a frames value (a path, or a list with holes). */
static int gather_frames (const struct engine *engine, const struct json *value,
                          struct strbuf *text, struct error *err)
{
    int rc = 0;

    if (json_kind (value) == JSON_KIND_STRING) {
        _cleanup_free_ char *path =
            path_join (engine->dir, json_as_string (value));

        heartbeat_send (&engine->heartbeat);
        rc = file_read (path, DATASET_MAX_BYTES, text, err);
    }
    for (size_t i = 0; rc == 0 && i < json_count (value); i++)
        rc = gather_frames (engine, json_at (value, i), text, err);
    return rc;
}

/* Swap a finished directory in. */
static int put_in_place (struct engine *engine, const char *format,
                         int iteration, const char *from, struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *to = NULL;

    layout_dataset_dir (format, iteration, &relative);
    to = engine_path (engine, &relative);
    if (file_seal_tree (from, &engine->heartbeat, err) < 0
        || file_make_lasting_parent (to, err) < 0
        || lease_check (engine->lease, err) < 0)
        return -1;
    point_reached ("publish.checked");
    return file_swap_tree (from, to, &engine->heartbeat, err);
}

/* Write the frames in all forms below 'work': 0, 1 when they are not fit to
 * train on, or -1.
 */
static int write_forms (const struct engine *engine, const char *work,
                        const struct strbuf *text, struct error *err)
{
    const struct plan *plan = engine->plan;
    _cleanup_free_ char *frames = path_join (work, "frames.extxyz");
    int rc = file_make_lasting_dirs (work, err);

    if (rc == 0)
        rc = file_write_atomic (frames, text->buf, text->len, err);
    for (size_t i = 0; rc == 0 && dataset_writers[i].name; i++) {
        _cleanup_free_ char *dir = path_join (work, dataset_writers[i].name);

        if (dataset_writers[i].is_published
            && dataset_writers[i].write (frames, (char *const *)plan->elements,
                                         plan->n_elements, dir,
                                         &engine->heartbeat, err)
                   < 0)
            rc = error_is_machine_error (err) ? -1 : 1;
    }
    return rc;
}

/* What the journal will know of it. */
static int note_published (const struct engine *engine, const char *format,
                           const char *dir, struct json *published,
                           struct error *err)
{
    char hex[DIGEST_HEX_SIZE];

    if (digest_tree (dir, hex, NULL, &engine->heartbeat, err) < 0)
        return -1;
    json_set (published, format, json_string (hex));
    return 0;
}

static int publish_text (struct engine *engine, const char *work, int iteration,
                         const struct strbuf *text, struct json *published,
                         struct error *err)
{
    int rc = write_forms (engine, work, text, err);

    for (size_t i = 0; rc == 0 && dataset_writers[i].name; i++) {
        _cleanup_free_ char *dir = path_join (work, dataset_writers[i].name);

        if (dataset_writers[i].is_published)
            rc = note_published (engine, dataset_writers[i].name, dir,
                                 published, err);
        if (dataset_writers[i].is_published && rc == 0)
            rc = put_in_place (engine, dataset_writers[i].name, iteration, dir,
                               err);
    }
    return rc == 0 ? file_remove_tree (work, &engine->heartbeat, err) : rc;
}

static int gather_ports (const struct engine *engine, const struct port *ports,
                         const struct json *outputs, struct strbuf *text,
                         struct error *err)
{
    for (; ports && ports->name; ports++) {
        if (ports->publish
            && gather_frames (engine, json_get (outputs, ports->name), text,
                              err)
                   < 0)
            return -1;
    }
    return 0;
}

static int gather_outputs (const struct engine *engine,
                           const struct stage *stage,
                           const struct json *outputs, struct strbuf *text,
                           struct error *err)
{
    const struct operator_spec *op = stage->op;

    return gather_ports (engine, op->outputs, outputs, text, err) < 0
                   || gather_ports (engine, op->collected, outputs, text, err)
                          < 0
               ? -1
               : 0;
}

static int compare_ports (struct made *made, const struct port *ports,
                          const struct json *outputs, struct error *err)
{
    for (; ports && ports->name; ports++) {
        if (ports->publish
            && made_compare_value (made, json_get (outputs, ports->name), err)
                   < 0)
            return -1;
    }
    return 0;
}

/* Is what it published still what it made? */
static int compare_outputs (const struct engine *engine,
                            const struct stage *stage,
                            const struct json *outputs, struct error *err)
{
    struct made made;
    int rc;

    made_init (&made, engine->dir, engine->outputs, engine->plan->verify_always,
               &engine->heartbeat);
    rc = compare_ports (&made, stage->op->outputs, outputs, err);
    if (rc == 0)
        rc = compare_ports (&made, stage->op->collected, outputs, err);
    made_release (&made);
    return rc;
}

/* What another stage published in this iteration, if it has. */
static int gather_other (struct engine *engine, const struct stage *stage,
                         int iteration, struct strbuf *text, struct error *err)
{
    const struct stage_state *s =
        state_stage (&engine->state, iteration, stage->name);
    const struct json *outputs;

    if (!stage->publish || !s || s->status != STAGE_DONE)
        return 0;
    outputs = outputs_store_get (engine->outputs, iteration, stage->name, err);
    return outputs && compare_outputs (engine, stage, outputs, err) == 0
               ? gather_outputs (engine, stage, outputs, text, err)
               : -1;
}

/* The training data of the iteration, in the order of the plan, of which 'own'
 * are those of the stage that publishes now.
 */
static int gather_iteration (struct engine *engine, const struct stage *stage,
                             int iteration, const struct strbuf *own,
                             struct strbuf *text, struct error *err)
{
    const struct plan *plan = engine->plan;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < plan->n_stages; i++) {
        if (&plan->stages[i] == stage)
            strbuf_add (text, own->buf, own->len);
        else
            rc = gather_other (engine, &plan->stages[i], iteration, text, err);
    }
    return rc;
}

/* Write what was gathered; a step that cannot go on is left to the next driver.
 */
static int publish_gathered (struct engine *engine, int iteration,
                             const struct strbuf *text, struct json *published,
                             struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *work = NULL;
    int rc = unpublished_remove (engine, err);

    layout_publishing_dir (lease_epoch (engine->lease), &relative);
    work = engine_path (engine, &relative);
    if (rc == 0)
        rc = publish_text (engine, work, iteration, text, published, err);
    if (rc < 0)
        front_step_stop (engine, work, err);
    return rc;
}

int publish_iteration (struct engine *engine, int iteration,
                       struct json *published, struct error *err)
{
    struct strbuf none = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = gather_iteration (engine, NULL, iteration, &none, &text, err);

    if (rc == 0 && text.len > 0)
        rc = publish_gathered (engine, iteration, &text, published, err);
    return rc > 0 ? -1 : rc;
}

int publish_dataset (struct engine *engine, const struct stage *stage,
                     const struct stage_place *place,
                     const struct json *outputs, struct json *published,
                     struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf own = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = -1;

    if (!stage->publish)
        return 0;
    if (gather_outputs (engine, stage, outputs, &own, err) < 0)
        return -1;
    rc = 0;
    if (own.len == 0)
        return rc;
    rc = gather_iteration (engine, stage, place->iteration, &own, &text, err);
    if (rc < 0)
        return rc;
    return publish_gathered (engine, place->iteration, &text, published, err);
}
