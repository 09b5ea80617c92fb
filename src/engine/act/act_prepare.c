/* SPDX-License-Identifier: BSD-3-Clause */
/* act_prepare.c - bind a stage's inputs, cut them into tasks, write stage.json
 *
 * Whatever is wrong with the inputs is bad_input: the stage fails at once.
 */
#include "base/base.h"

#include "handover/slice_file.h"
#include "arrays/task_range.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/act/front_step.h"
#include "engine/act/generation.h"
#include "engine/act/input_copies.h"
#include "engine/act/inputs.h"
#include "engine/act/programs_copy.h"
#include "engine/act/slices.h"
#include "engine/act/stage_description.h"
#include "engine/act/taking.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"
#include "signature/programs.h"
#include "space/layout.h"

enum { BEAT_EVERY = 1024 }; /* slices */

struct preparation {
    struct engine *engine;
    const struct stage *stage;
    int iteration;
    struct strvec names;       /* that it had before */
    struct json *found;        /* [{generation, dir}]: in its places; or NULL */
    char *dir;                 /* of its place, relative */
    char *making;              /* where it is put together, absolute */
    struct strbuf making_name; /* the same, relative */
    struct stage_description d;
    struct json *made; /* what prepare made, or NULL */
    struct taking taking;
    struct slice_writer slices;
    size_t n_tasks;
};

/* --- what prepare makes --- */

/* What prepare wrote, checked: its lists, whose paths lead to 'place', and its
 * files.  NULL with 'err'.
 */
static struct json *read_made (const struct preparation *p,
                               const char *step_dir, const char *place,
                               struct error *err)
{
    _cleanup_free_ char *file = path_join (step_dir, "slices.json");
    _cleanup_free_ char *out_dir = path_join (step_dir, "out");
    _cleanup_json_ struct json *lists = json_read_file (file, err);
    struct json *made = NULL;

    if (lists && output_tree_check_links (out_dir, err) == 0)
        made = slices_made (p->stage->op, lists, out_dir, place, err);
    return made;
}

/* Keep the files that prepare left, if there are any. */
static int keep_made (const struct preparation *p, const char *step_dir,
                      const char *place, struct error *err)
{
    _cleanup_free_ char *out_dir = path_join (step_dir, "out");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_look (out_dir, err);

    if (rc > 0)
        rc = file_list_dir (out_dir, &names, err);
    if (rc == 0 && names.n > 0)
        rc = front_step_keep (p->engine, step_dir, place, "prepare.checked",
                              err);
    return rc;
}

/* 0, 1 bad input, -1. */
static int run_prepare (struct preparation *p, struct error *err)
{
    const struct front_step step = { .stage = p->stage,
                                     .iteration = p->iteration,
                                     .name = LAYOUT_PREPARE,
                                     .command = p->stage->op->prepare,
                                     .script = p->stage->op->prepare_script,
                                     .programs = p->d.manifest.programs,
                                     .inputs = p->d.values };
    _cleanup_free_ char *place =
        path_join (p->making_name.buf, LAYOUT_PREPARED);
    _cleanup_free_ char *dir = NULL;
    int rc;

    if ((rc = front_step_run (p->engine, &step, &dir, err)) != 0)
        return rc;
    if (!(p->made = read_made (p, dir, place, err)))
        rc = error_is_machine_error (err) ? -1 : 1;
    else if ((rc = keep_made (p, dir, place, err)) == 0)
        rc = file_remove_tree (dir, &p->engine->heartbeat, err);
    return rc;
}

/* --- slices --- */

/* 'value' with paths as they will be when the generation has appeared: what
 * prepare made lies where it is put together yet.  A new reference.
 */
static struct json *as_it_will_be (const struct preparation *p,
                                   struct json *value)
{
    size_t len = p->making_name.len;
    const char *text = json_as_string (value);
    struct json *v;

    if (json_kind (value) == JSON_KIND_STRING)
        return strncmp (text, p->making_name.buf, len) == 0 && text[len] == '/'
                   ? json_stringf ("%s%s", p->dir, text + len)
                   : json_ref (value);
    if (json_kind (value) == JSON_KIND_ARRAY) {
        v = json_array ();
        for (size_t i = 0; i < json_count (value); i++)
            json_push (v, as_it_will_be (p, json_at (value, i)));
        return v;
    }
    if (json_kind (value) != JSON_KIND_OBJECT)
        return json_ref (value);
    v = json_object ();
    JSON_FOREACH (value, it)
        json_set (v, json_iter_key (it),
                  as_it_will_be (p, json_iter_value (it)));
    return v;
}

/* A million slices take longer than a lease. */
static int put_slice (const struct json *slice, void *arg, struct error *err)
{
    struct preparation *p = arg;
    int task = (int)p->n_tasks++;
    char identity[DIGEST_HEX_SIZE];
    _cleanup_json_ struct json *v = NULL;

    if (task % BEAT_EVERY == 0)
        engine_heartbeat (p->engine);
    if (task_identity (&p->d.contents, &p->d.manifest, task, slice, identity,
                       err)
        < 0)
        return -1;
    v = p->made ? as_it_will_be (p, (struct json *)slice)
                : json_ref ((struct json *)slice);
    return slice_writer_add (&p->slices, v, identity, err);
}

/* slices.jsonl and its index. */
static int cut (struct preparation *p, struct error *err)
{
    const struct operator_spec *op = p->stage->op;
    bool sliced = operator_fans_out (op);
    struct json *same;

    if (sliced && slice_writer_open (&p->slices, p->making, err) < 0)
        return -1;
    same = slices_cut (op, p->d.values, p->made, p->engine->dir, put_slice, p,
                       &p->n_tasks, &p->engine->heartbeat, err);
    json_unref (same);
    if (!same || (sliced && slice_writer_commit (&p->slices, err) < 0))
        return -1;
    p->d.manifest.tasks = (int32_t)p->n_tasks;
    return 0;
}

/* 0, 1 bad input, -1. */
static int bind_and_cut (struct preparation *p, struct error *err)
{
    int rc;

    if (stage_describe (p->engine, p->stage, p->iteration, true, &p->d, err)
        < 0)
        return error_is_machine_error (err) ? -1 : 1;
    if (p->stage->op->prepare && (rc = run_prepare (p, err)) != 0)
        return rc;
    if (stage_description_add_sliced (&p->d, p->stage->op, p->made, err) < 0
        || cut (p, err) < 0)
        return error_is_machine_error (err) ? -1 : 1;
    if (p->n_tasks > TASK_MAX + 1) {
        error_set (err, "%zu tasks; a stage has at most %d", p->n_tasks,
                   TASK_MAX + 1);
        return 1;
    }
    return 0;
}

/* --- what is in the place --- */

static void add_name (struct preparation *p, const char *name)
{
    if (name && strcmp (name, p->stage->name) != 0
        && plan_stage_find (p->engine->plan, name) < 0
        && !strvec_contains (&p->names, name))
        strvec_push (&p->names, name);
}

/* What the stage was called before, by the file and by the history. */
static void add_former_names (struct preparation *p)
{
    const struct stage_state *earlier =
        state_stage (&p->engine->state, p->iteration, p->stage->name);
    const char *const *name = p->stage->renamed_from;

    for (; name && *name; name++)
        add_name (p, *name);
    add_name (p, earlier ? earlier->dir : NULL);
    add_name (p, earlier ? earlier->first_name : NULL);
}

/* What lies in the place of a stage of this name, although nothing is in force
 * there: the journal was lost, or a driver was killed.
 */
static int find_in_place (struct preparation *p, const char *name,
                          struct error *err)
{
    const struct stage_place place = { name, p->stage->op->code, p->iteration,
                                       0 };
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
    struct json *one;
    int number;

    layout_stage_dir (&place, &dir);
    if (generation_at (p->engine, dir.buf, &number, err) < 0)
        return -1;
    if (number > 0) {
        one = json_object ();
        json_set (one, "generation", json_int (number));
        json_set (one, "dir", json_string (dir.buf));
        if (!p->found)
            p->found = json_array ();
        json_push (p->found, one);
    }
    return 0;
}

static int find_all (struct preparation *p, struct error *err)
{
    int rc;

    add_former_names (p);
    rc = find_in_place (p, p->stage->name, err);
    for (size_t i = 0; rc == 0 && i < p->names.n; i++)
        rc = find_in_place (p, p->names.v[i], err);
    return rc;
}

static void set_names (const struct preparation *p, int number,
                       struct json *event)
{
    json_set (event, "code", json_string (p->stage->op->code));
    json_set (event, "first_name",
              json_string (stage_first_name (p->stage, &p->engine->state)));
    json_set (event, "generation", json_int (number));
}

/* The number is this preparation's from then on, and what was found may be
 * taken from, whoever goes on.
 */
static int record_preparing (struct preparation *p, int number,
                             struct error *err)
{
    struct json *event = event_of_stage ("preparing", engine_now_s (p->engine),
                                         p->iteration, p->stage->name);

    set_names (p, number, event);
    if (p->found)
        json_set (event, "found", json_ref (p->found));
    return engine_record (p->engine, event, err);
}

static int supersede_found (struct preparation *p, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (p->found); i++) {
        const struct json *one = json_at (p->found, i);

        rc = generation_supersede (p->engine, json_get_string (one, "dir"),
                                   (int)json_get_int (one, "generation"), err);
    }
    return rc;
}

/* Run files of a preparation that came to nothing. */
static int remove_run_files (const struct preparation *p, int number,
                             struct error *err)
{
    struct strbuf run = STRBUF_INIT;
    _cleanup_free_ char *path = NULL;

    if (number == 0)
        return 0;
    layout_run (number, &run);
    path = engine_path (p->engine, &run);
    return file_remove_tree (path, &p->engine->heartbeat, err);
}

static int begin (struct preparation *p, struct error *err)
{
    const struct state *state = &p->engine->state;
    const struct stage_state *stage =
        state_stage (state, p->iteration, p->stage->name);
    int before = stage ? stage->generation : 0;
    int number = state->generation + 1;

    if (find_all (p, err) < 0 || record_preparing (p, number, err) < 0
        || remove_run_files (p, before, err) < 0 || supersede_found (p, err) < 0
        || !(p->making = generation_begin (p->engine, number, err)))
        return -1;
    layout_making_dir (number, &p->making_name);
    p->dir = state_stage_dir (state, p->iteration, p->stage->name);
    return 0;
}

/* --- its files --- */

/* Nobody sees it before all is there and on the disk (generation_appear). */
static int put_file (const struct preparation *p, const char *name,
                     const struct json *v, struct error *err)
{
    _cleanup_free_ char *file = path_join (p->making, name);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = json_check (v, err);

    if (rc < 0)
        error_prefix (err, "%s", file);
    json_dump (v, JSON_PRETTY, &text);
    if (rc == 0)
        rc = file_create_sealed (file, text.buf, text.len, err);
    return rc;
}

/* Of what runs from a copy it is that which is told. */
static bool is_copied_program (const struct preparation *p, const char *path)
{
    const struct stage_manifest *manifest = &p->d.manifest;

    return manifest->programs && programs_hold (manifest->files, path)
           && json_get (json_get (p->d.witness, "files"), path);
}

/* The text of those that run in place. */
static int keep_programs (struct preparation *p, struct error *err)
{
    _cleanup_json_ struct json *files =
        programs_in_place (&p->d.manifest, json_get (p->d.witness, "files"));

    return programs_keep (p->engine, &p->d.contents, files, err);
}

/* inputs.json: where inputs came from, and digests of those that no stage made,
 * for who looks behind a result (commands/lineage.h).
 */
static int write_origins (const struct preparation *p, struct error *err)
{
    const struct engine *engine = p->engine;
    _cleanup_json_ struct json *v = json_object ();
    struct json *files = json_object ();

    JSON_FOREACH (p->d.contents.sha256, it) {
        const char *path = json_iter_key (it);
        struct json *from = json_get (p->d.contents.copied, path);
        struct json *one;

        if (layout_stage_dir_length (path) > 0
            || path_is_at_or_below (path, LAYOUT_MAKING_DIR)
            || is_copied_program (p, path))
            continue;
        one = json_object ();
        json_set (one, "sha256", json_ref (json_iter_value (it)));
        if (from)
            json_set (one, "from", json_ref (from));
        json_set (files, path, one);
    }
    json_set (v, "format", json_int (1));
    json_set (
        v, "sources",
        inputs_sources (engine->plan, &engine->state, p->stage, p->iteration));
    json_set (v, "files", files);
    return put_file (p, LAYOUT_ORIGINS, v, err);
}

static int write_manifest (const struct preparation *p, struct error *err)
{
    _cleanup_json_ struct json *v = stage_manifest_to_json (&p->d.manifest);

    return put_file (p, LAYOUT_STAGE_MANIFEST, v, err);
}

/* All of it, with what is taken; then it appears. */
static int appear (struct preparation *p, struct error *err)
{
    if (keep_programs (p, err) < 0 || write_origins (p, err) < 0
        || write_manifest (p, err) < 0)
        return -1;
    if (!stage_goes_on (p->stage)
        && (taking_begin (&p->taking, p->engine, p->stage, &p->d, p->making,
                          err)
                < 0
            || taking_fill (&p->taking, err) < 0))
        return -1;
    return generation_appear (p->engine, p->making, p->dir, err) < 0
                   || taking_finish (&p->taking, p->dir, err) < 0
               ? -1
               : 0;
}

/* --- the event --- */

static struct json *unfit_event (const struct preparation *p,
                                 const struct error *why)
{
    struct json *event = event_of_stage ("unfit", engine_now_s (p->engine),
                                         p->iteration, p->stage->name);

    json_set (event, "why", json_stringf ("bad_input: %s", why->text));
    return event;
}

static struct json *prepared_event (const struct preparation *p)
{
    const struct taking *taking = &p->taking;
    struct json *reused = origins_to_json (&taking->origins);
    struct json *event = event_of_stage ("prepared", engine_now_s (p->engine),
                                         p->iteration, p->stage->name);

    set_names (p, p->d.manifest.place.generation, event);
    json_set (event, "tasks", json_int ((int64_t)p->n_tasks));
    if (taking->ok.n_spans > 0)
        json_set (event, "ok", task_range_to_json (&taking->ok));
    if (taking->logs)
        json_set (event, "logs", json_ref (taking->logs));
    if (reused)
        json_set (event, "reused", reused);
    return event;
}

static int prepare (struct preparation *p, struct error *err)
{
    int bad;

    if (begin (p, err) < 0 || (bad = bind_and_cut (p, err)) < 0)
        return -1;
    if (bad > 0)
        return engine_record (p->engine, unfit_event (p, err), err);
    if (appear (p, err) < 0
        || engine_record (p->engine, prepared_event (p), err) < 0)
        return -1;
    contents_keep (&p->d.contents);
    return 0;
}

enum act_result act_prepare (struct engine *engine, const struct action *action,
                             struct error *err)
{
    struct preparation p = { .engine = engine,
                             .stage = &engine->plan->stages[action->stage],
                             .iteration = action->iteration,
                             .names = STRVEC_INIT,
                             .making_name = STRBUF_INIT,
                             .taking = TAKING_INIT,
                             .slices = SLICE_WRITER_INIT };
    int rc = prepare (&p, err);

    json_unref (p.made);
    json_unref (p.found);
    strvec_release (&p.names);
    strbuf_release (&p.making_name);
    slice_writer_release (&p.slices);
    stage_description_release (&p.d);
    taking_release (&p.taking);
    free (p.making);
    free (p.dir);
    return rc < 0 ? ACT_FAILED : ACT_DONE;
}
