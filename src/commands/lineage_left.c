/* SPDX-License-Identifier: BSD-3-Clause */
/* lineage_left.c - what tasks of a stage had, and what they left */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "commands/lineage_left.h"
#include "commands/lineage.h"
#include "commands/task_record.h"
#include "engine/history/output_artifacts.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"
#include "signature/type.h"
#include "space/layout_read.h"

/* Of tasks without artifacts the logs tell, all of which are read for each. */
enum { LOGGED_TASKS_MAX = 64 };

struct json *lineage_result_at (const char *dir,
                                const struct stage_place *place, int task)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    struct json *result;
    _cleanup_free_ char *path = NULL;

    layout_task_out (place, task, &relative);
    strbuf_add_str (&relative, "/" LAYOUT_RESULT_FILE);
    path = path_join (dir, relative.buf);
    result = json_read_file (path, NULL);
    if (result && task_result_check (result, place, task, NULL) < 0) {
        json_unref (result);
        result = NULL;
    }
    return result;
}

struct json *lineage_result (const struct lineage_stage *stage, int task)
{
    const struct stage_place place = lineage_place (stage);

    return lineage_result_at (stage->dir, &place, task);
}

struct json *lineage_slice (const struct lineage_stage *stage, int task)
{
    _cleanup_free_ char *dir = lineage_path (stage, NULL);
    _cleanup_ (task_range_release) struct task_range one = TASK_RANGE_INIT;
    struct json *slice = NULL;

    task_range_add (&one, task);
    if (json_as_bool (json_get (stage->manifest, "sliced")))
        slice_file_read (dir, &one, &slice, NULL);
    return slice;
}

bool lineage_is_artifact (const struct lineage_stage *stage, const char *name)
{
    const struct json *inputs = json_get (stage->manifest, "inputs");

    for (size_t i = 0; i < json_count (inputs); i++) {
        const struct json *port = json_at (inputs, i);
        struct type type = { .kind = TYPE_NONE };

        if (strcmp (json_get_string (port, "name"), name) != 0)
            continue;
        for (int k = TYPE_INT; k <= TYPE_NPY; k++) {
            if (strcmp (type_kind_names[k],
                        json_get_string (json_get (port, "type"), "kind"))
                == 0)
                type.kind = (enum type_kind)k;
        }
        return type_is_artifact (&type);
    }
    return false;
}

struct json *lineage_left (const struct lineage_stage *stage, int task)
{
    const struct stage_place place = lineage_place (stage);
    _cleanup_ (task_record_release) struct task_record record =
        TASK_RECORD_INIT;
    struct json *v = lineage_result (stage, task), *run;

    if (v || task_range_count (&stage->tasks) > LOGGED_TASKS_MAX)
        return v;
    if (task_record_find_at (stage->dir, &place, task, &record, NULL) == 0
        && record.end) {
        v = json_object ();
        run = json_object ();
        json_set (run, "host", json_ref (json_get (record.claim, "host")));
        json_set (run, "wall_s", json_ref (json_get (record.end, "wall_s")));
        if (json_get (record.end, "version_line"))
            json_set (run, "version_line",
                      json_ref (json_get (record.end, "version_line")));
        json_set (v, "params", json_ref (json_get (record.end, "params")));
        json_set (v, "run", run);
    }
    return v;
}

static int add_collected (const struct output_artifact *artifact, void *arg,
                          struct error *err)
{
    struct json *collected = arg, *one;
    struct space_path at;

    (void)err;
    space_path_read (artifact->path, &at);
    if (at.task >= 0)
        return 0;
    one = json_object ();
    json_set (one, "path", json_string (artifact->path));
    json_set (one, "bytes", json_int (artifact->bytes));
    json_set (one, "sha256", json_string (artifact->sha256));
    json_set (collected, artifact->output, one);
    return 0;
}

struct json *lineage_collected (const struct lineage_stage *stage)
{
    const struct stage_place place = lineage_place (stage);
    struct json *collected = json_object ();
    _cleanup_json_ struct json *file =
        stage->collected ? lineage_file (stage, LAYOUT_OUTPUTS) : NULL;

    if (file)
        output_artifacts_each (file, &place, NULL, add_collected, collected,
                               NULL);
    return collected;
}
