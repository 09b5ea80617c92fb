/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_task.c - what a stage's only task was told */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "commands/stage_task.h"
#include "handover/stage_manifest.h"
#include "signature/operator.h"
#include "signature/value.h"

static struct json *task_json (const struct stage_manifest *stage,
                               const char *campaign_dir)
{
    struct json *inputs = json_object ();
    struct json *v = json_object ();

    for (const struct port *port = stage->inputs; port->name; port++) {
        struct json *value = json_get (stage->values, port->name);

        if (value)
            json_set (inputs, port->name,
                      value_absolute (&port->type, value, campaign_dir));
    }
    json_set (v, "format", json_int (1));
    json_set (v, "campaign_dir", json_string (campaign_dir));
    json_set (v, "iteration", json_int (stage->place.iteration));
    json_set (v, "seed",
              json_int (task_seed (stage->seed, stage->place.stage,
                                   stage->place.iteration, 0)));
    json_set (v, "inputs", inputs);
    return v;
}

struct json *stage_task_read (const char *campaign_dir,
                              const struct stage_place *place,
                              struct error *err)
{
    struct stage_manifest stage = STAGE_MANIFEST_INIT;
    struct strbuf path = STRBUF_INIT;
    struct json *v, *task = NULL;
    char *file;

    layout_run_stage (place->stage, place->iteration, &path);
    strbuf_add_str (&path, "/" LAYOUT_STAGE_MANIFEST);
    file = path_join (campaign_dir, path.buf);
    v = json_read_file (file, err);
    if (v && stage_manifest_from_json (v, &stage, err) < 0)
        error_prefix (err, "%s", file);
    else if (v)
        task = task_json (&stage, campaign_dir);
    stage_manifest_release (&stage);
    json_unref (v);
    free (file);
    strbuf_release (&path);
    return task;
}
