/* SPDX-License-Identifier: BSD-3-Clause */
/* taken_params.c - results without artifacts, taken from outputs.json */
#include "base/base.h"

#include "arrays/outcome.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/stage_description.h"
#include "engine/act/taken_params.h"
#include "engine/act/taking.h"
#include "engine/history/engine.h"
#include "space/layout.h"
#include "space/lease.h"
#include "space/record_log.h"

static struct json *params_of (const struct taking *taking,
                               const struct taking_source *source, int32_t old)
{
    const struct operator_spec *op = taking->stage->op;
    const struct json *outputs = json_get (source->outputs, "outputs");
    struct json *params = json_object ();

    for (const struct port *port = op->outputs; port && port->name; port++) {
        struct json *value = json_get (outputs, port->name);

        if (operator_fans_out (op))
            value = json_at (value, (size_t)old);
        if (value && !json_is_null (value))
            json_set (params, port->name, json_ref (value));
    }
    return params;
}

/* Where the source had it from, which is where it was made; else the source
 * itself, if that is another campaign's.  Caller unrefs; or NULL.
 */
static struct json *origin_of (const struct taking_source *source, int32_t old)
{
    const struct json *list = json_get (source->outputs, "reused");

    for (size_t i = 0; i < json_count (list); i++) {
        struct json *one = json_at (list, i);
        struct task_range tasks = TASK_RANGE_INIT;
        bool has =
            task_range_parse (json_get_string (one, "tasks"), &tasks, NULL) == 0
            && task_range_contains (&tasks, old);

        task_range_release (&tasks);
        if (has)
            return json_ref (one);
    }
    return taking_origin (source, old);
}

int taken_params_add (struct taking *taking, const struct taking_source *source,
                      int32_t old, int32_t task, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    _cleanup_json_ struct json *record = NULL;
    _cleanup_json_ struct json *origin = NULL;
    int rc;

    if (!task_range_contains (&source->ok, old))
        return 0;
    record = json_object ();
    json_set (record, "ev", json_string ("end"));
    json_set (record, "task", json_int (task));
    json_set (record, "outcome", json_string (outcome_name (OUTCOME_OK)));
    json_set (record, "wall_s", json_real (0));
    json_set (record, "message", json_string (""));
    json_set (record, "params", params_of (taking, source, old));
    if ((origin = origin_of (source, old)))
        json_set (record, "reused", json_ref (origin));
    record_format (record, &line);
    rc = file_writer_add (taking->log, line.buf, line.len, err);
    if (rc == 0) {
        taking->log_bytes += (int64_t)line.len;
        origins_add (&taking->origins, origin, task);
        task_range_add (&taking->ok, task);
    }
    return rc < 0 ? -1 : 1;
}

static int commit (struct taking *taking, const char *path, struct error *err)
{
    char hex[DIGEST_HEX_SIZE];
    struct json *log;

    if (taking->log_bytes == 0)
        return 0;
    if (lease_check (taking->engine->lease, err) < 0
        || file_writer_commit (taking->log, err) < 0
        || digest_tree (path, hex, NULL, &taking->engine->heartbeat, err) < 0)
        return -1;
    log = json_object ();
    json_set (log, "bytes", json_int (taking->log_bytes));
    json_set (log, "sha256", json_string (hex));
    taking->logs = json_object ();
    json_set (taking->logs, LAYOUT_TAKEN, log);
    return 0;
}

int taken_params_write (
    struct taking *taking,
    int (*take) (struct taking *taking, int32_t task, const char *identity,
                 struct error *err),
    int (*each) (struct taking *taking, const char *dir,
                 int (*take) (struct taking *taking, int32_t task,
                              const char *identity, struct error *err),
                 struct error *err),
    struct error *err)
{
    _cleanup_ (file_writer_release) struct file_writer log = FILE_WRITER_INIT;
    struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *path = NULL;
    int rc = -1;

    layout_run (taking->description->manifest.place.generation, &relative);
    strbuf_add_str (&relative, "/" LAYOUT_TAKEN);
    path = engine_path (taking->engine, &relative);
    taking->log = &log;
    if (file_make_lasting_parent (path, err) == 0
        && file_writer_open (&log, path, err) == 0
        && each (taking, taking->making, take, err) == 0)
        rc = commit (taking, path, err);
    taking->log = NULL;
    return rc;
}
