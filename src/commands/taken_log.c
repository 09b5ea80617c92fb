/* SPDX-License-Identifier: BSD-3-Clause */
/* taken_log.c - the try of a task whose result was taken, where that ran */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/taken_log.h"
#include "commands/task_record.h"
#include "engine/history/engine.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"
#include "report/reuse_view.h"
#include "space/record_log.h"

enum { LOG_MAX_BYTES = 1 << 30 };

/* --- of another campaign --- */

struct looking {
    int task;
    int found; /* -1: none */
};

static int look_at_end (const struct json *record, void *arg, struct error *err)
{
    struct looking *looking = arg;
    const struct json *of = json_get (json_get (record, "reused"), "task");

    (void)err;
    if (of && json_get_int (record, "task") == looking->task)
        looking->found = (int)json_as_int (of);
    return 0;
}

/* Without artifacts. */
static int number_in_log (const struct engine *engine,
                          const struct stage_place *place, int task)
{
    struct looking looking = { task, -1 };
    struct strbuf relative = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    _cleanup_free_ char *path = NULL;

    layout_run (place->generation, &relative);
    strbuf_add_str (&relative, "/" LAYOUT_TAKEN);
    path = engine_path (engine, &relative);
    if (file_read (path, LOG_MAX_BYTES, &text, NULL) == 0)
        (void)record_scan (text.buf, text.len, path, look_at_end, &looking,
                           &accepted, NULL);
    return looking.found;
}

/* With artifacts. */
static int number_in_result (const struct engine *engine,
                             const struct stage_place *place, int task)
{
    _cleanup_json_ struct json *result = NULL;
    const struct json *of;
    int number;

    (void)task_result_read (engine->dir, place, task, NULL, &result, NULL);
    of = json_get (json_get (result, "reused"), "task");
    number = of ? (int)json_as_int (of) : -1;
    return number;
}

struct json *taken_origin (const struct engine *engine,
                           const struct stage_state *state, int iteration,
                           int task)
{
    static const char *const keys[] = { "campaign", "stage", "iteration" };
    const struct stage_place place =
        state_place (&engine->state, iteration, state->name);
    int number = number_in_result (engine, &place, task);
    struct json *v = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
        json_set_from (v, keys[i], reused_origin_of (state, task));
    if (number >= 0)
        json_set (v, "task", json_int (number));
    return v;
}

static void find_there (const struct engine *engine,
                        const struct stage_place *place,
                        const struct json *origin, int *task,
                        struct task_record *record, struct strbuf *from)
{
    const struct stage_place there = { json_get_string (origin, "stage"),
                                       place->code,
                                       (int)json_get_int (origin, "iteration"),
                                       0 };
    int number = number_in_result (engine, place, *task);

    if (number < 0)
        number = number_in_log (engine, place, *task);
    if (number >= 0) {
        (void)task_record_find_at (json_get_string (origin, "campaign"), &there,
                                   number, record, NULL);
        *task = number;
        strbuf_addf (from, "task %d of ", number);
    }
    reused_origin_text (origin, from);
}

/* --- of an earlier generation --- */

/* Of a task of the generation in 'dir'; NULL: not known.  Caller unrefs. */
static struct json *identity_in (const char *dir, int task,
                                 const struct stage_place *place)
{
    _cleanup_free_ char *file = path_join (dir, LAYOUT_STAGE_MANIFEST);
    _cleanup_json_ struct json *manifest = json_read_file (file, NULL);
    _cleanup_json_ struct json *slice = NULL;
    struct json *identity = NULL;
    _cleanup_ (task_range_release) struct task_range one = TASK_RANGE_INIT;
    const char *text;

    task_range_add (&one, task);
    if (json_get_int (manifest, "iteration") == place->iteration
        && strcmp (json_get_string (manifest, "stage"), place->stage) == 0
        && (!json_as_bool (json_get (manifest, "sliced"))
            || slice_file_read (dir, &one, &slice, NULL) == 0)
        && (text =
                slice_identity (slice, json_get_string (manifest, "identity"))))
        identity = json_string (text);
    return identity;
}

static bool is_equal (const struct engine *engine, int generation,
                      const struct json *identity, int task,
                      const struct stage_place *place)
{
    struct strbuf relative = STRBUF_INIT;
    _cleanup_json_ struct json *theirs = NULL;
    _cleanup_free_ char *dir = NULL;
    bool is;

    layout_replaced_dir (generation, &relative);
    dir = engine_path (engine, &relative);
    theirs = identity_in (dir, task, place);
    is = theirs && json_equal (theirs, identity);
    return is;
}

/* The newest that ran an equal task of that number. */
static void find_earlier (const struct engine *engine,
                          const struct stage_place *place, int task,
                          struct task_record *record, struct strbuf *from)
{
    struct strbuf relative = STRBUF_INIT;
    struct stage_place earlier = *place;
    _cleanup_json_ struct json *identity = NULL;
    _cleanup_free_ char *dir = NULL;

    layout_stage_dir (place, &relative);
    dir = engine_path (engine, &relative);
    identity = identity_in (dir, task, place);
    while (identity && !record->start && --earlier.generation > 0) {
        if (is_equal (engine, earlier.generation, identity, task, place))
            (void)task_record_find_at (engine->dir, &earlier, task, record,
                                       NULL);
    }
    strbuf_add_str (from, "an earlier preparation of the stage");
}

void taken_record_find (const struct engine *engine,
                        const struct stage_state *state, int iteration,
                        int *task, struct task_record *record,
                        struct strbuf *from)
{
    const struct stage_place place =
        state_place (&engine->state, iteration, state->name);
    const struct json *origin = reused_origin_of (state, *task);

    if (origin)
        find_there (engine, &place, origin, task, record, from);
    else
        find_earlier (engine, &place, *task, record, from);
}
