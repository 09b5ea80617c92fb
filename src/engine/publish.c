/* SPDX-License-Identifier: BSD-3-Clause */
/* publish.c - labelled data into dataset/<format>/iter/<iter>/ */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/engine.h"
#include "engine/front_step.h"
#include "engine/publish.h"
#include "formats/deepmd_dataset.h"
#include "space/layout.h"
#include "space/lease.h"

enum { DATASET_MAX_BYTES = 1 << 30 };

/* Append the files of a frames value (a path, or a list with holes). */
static int gather (const char *dir,
                   const struct json *value,
                   struct strbuf *text,
                   struct error *err)
{
    int rc = 0;

    if (json_kind (value) == JSON_KIND_STRING) {
        char *path = path_join (dir, json_as_string (value));

        rc = file_read (path, DATASET_MAX_BYTES, text, err);
        free (path);
    }
    for (size_t i = 0; rc == 0 && i < json_count (value); i++)
        rc = gather (dir, json_at (value, i), text, err);
    return rc;
}

/* Swap a finished directory in. */
static int put_in_place (struct engine *engine,
                         const char *format,
                         int iteration,
                         const char *from,
                         struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    char *to;
    int rc = -1;

    layout_dataset_dir (format, iteration, &relative);
    to = engine_path (engine, &relative);
    if (file_sync_tree (from, err) < 0 || file_make_parent (to, err) < 0
        || lease_check (engine->lease, err) < 0)
        goto done;
    point_reached ("publish.checked");
    rc = file_replace_tree (from, to, err);
done:
    free (to);
    return rc;
}

static int publish_text (struct engine *engine,
                         const char *work,
                         int iteration,
                         const struct strbuf *text,
                         struct error *err)
{
    const struct plan *plan = engine->plan;
    char *extxyz = xasprintf ("%s/extxyz", work);
    char *file = xasprintf ("%s/dataset.extxyz", extxyz);
    char *deepmd = xasprintf ("%s/deepmd", work);
    int rc = -1;

    if (file_make_dirs (extxyz, err) < 0
        || file_write_atomic (file, text->buf, text->len, err) < 0)
        goto done;
    if (deepmd_dataset_write (file, (char *const *)plan->elements,
                              plan->n_elements, deepmd, err)
        < 0) {
        rc = error_is_trouble (err) ? -1 : 1;
        goto done;
    }
    if (put_in_place (engine, "deepmd", iteration, deepmd, err) < 0
        || put_in_place (engine, "extxyz", iteration, extxyz, err) < 0)
        goto done;
    rc = file_remove_tree (work, err);
done:
    free (extxyz);
    free (file);
    free (deepmd);
    return rc;
}

static int gather_published (const char *dir,
                             const struct port *ports,
                             const struct json *outputs,
                             struct strbuf *text,
                             struct error *err)
{
    for (; ports && ports->name; ports++) {
        if (ports->publish
            && gather (dir, json_get (outputs, ports->name), text, err) < 0)
            return -1;
    }
    return 0;
}

int publish_dataset (struct engine *engine,
                     const struct stage *stage,
                     const struct stage_place *place,
                     const struct json *outputs,
                     struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    const char *dir = engine->plan->dir;
    char *work = NULL;
    int rc = -1;

    if (!stage->publish)
        return 0;
    if (gather_published (dir, stage->op->outputs, outputs, &text, err) < 0
        || gather_published (dir, stage->op->collected, outputs, &text, err)
               < 0)
        goto done;
    rc = 0;
    if (text.len == 0)
        goto done;
    work = front_step_dir (engine, stage, place->iteration, "publish", err);
    rc = work ? publish_text (engine, work, place->iteration, &text, err) : -1;
    if (rc < 0 && work)
        front_step_stop (engine, work, err);
done:
    strbuf_release (&text);
    free (work);
    return rc;
}
