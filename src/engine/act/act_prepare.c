/* SPDX-License-Identifier: BSD-3-Clause */
/* act_prepare.c - bind a stage's inputs, cut them into tasks, write stage.json
 *
 * Whatever is wrong with the inputs is bad_input: the stage fails at once.
 */
#include "config.h"

#include <stdlib.h>

#include "handover/slice_file.h"
#include "handover/task_result.h"
#include "arrays/task_range.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/act/adoption.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/act/front_step.h"
#include "engine/act/inputs.h"
#include "engine/act/logged_adoption.h"
#include "engine/act/reuse.h"
#include "engine/act/slices.h"
#include "engine/act/stage_description.h"
#include "engine/act/witness.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"
#include "space/layout.h"
#include "space/lease.h"

enum { BEAT_EVERY = 1024 }; /* slices */

struct preparation {
    struct engine *engine;
    const struct stage *stage;
    int iteration;
    struct stage_description d;
    struct json *made; /* what prepare made, or NULL */
    char *run_dir;     /* absolute */
    bool artifacts;    /* do its tasks leave an `out`? */
    struct adoption adoption;
    struct reuse *reuse;       /* of what the store has; or NULL */
    struct json *adopted_logs; /* of tasks without artifacts; or NULL */
    struct slice_writer slices;
    size_t n_tasks;
};

/* What prepare wrote, checked: its lists, whose paths lead to 'place', and its
 * files.  NULL with 'err'.
 */
static struct json *read_made (const struct preparation *p,
                               const char *step_dir, const char *place,
                               struct error *err)
{
    char *file = path_join (step_dir, "slices.json");
    char *out_dir = path_join (step_dir, "out");
    struct json *lists = json_read_file (file, err);
    struct json *made = NULL;

    if (lists && output_tree_check_links (out_dir, err) == 0)
        made = slices_made (p->stage->op, lists, out_dir, place, err);
    json_unref (lists);
    free (out_dir);
    free (file);
    return made;
}

/* Keep the files that prepare left, if there are any; those that an earlier
 * driver kept, which was killed before it could say so, go in any case.
 */
static int keep_made (const struct preparation *p, const char *step_dir,
                      const char *place, struct error *err)
{
    char *out_dir = path_join (step_dir, "out");
    char *kept = path_join (p->engine->dir, place);
    struct strvec names = STRVEC_INIT;
    int rc = file_look (out_dir, err);

    if (rc > 0)
        rc = file_list_dir (out_dir, &names, err);
    if (rc == 0 && names.n > 0)
        rc = front_step_keep (p->engine, step_dir, place, "prepare.checked",
                              err);
    else if (rc == 0 && (rc = lease_check (p->engine->lease, err)) == 0)
        rc = file_remove_tree (kept, &p->engine->heartbeat, err);
    strvec_release (&names);
    free (kept);
    free (out_dir);
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
                                     .inputs = p->d.values };
    const struct stage_place stage = { p->stage->name, p->stage->op->code,
                                       p->iteration };
    struct strbuf place = STRBUF_INIT;
    char *dir;
    int rc;

    layout_stage_path (&stage, LAYOUT_PREPARED, &place);
    if ((rc = front_step_run (p->engine, &step, &dir, err)) != 0)
        goto done;
    if (!(p->made = read_made (p, dir, place.buf, err)))
        rc = error_is_machine_error (err) ? -1 : 1;
    else if ((rc = keep_made (p, dir, place.buf, err)) == 0)
        rc = file_remove_tree (dir, &p->engine->heartbeat, err);
done:
    strbuf_release (&place);
    free (dir);
    return rc;
}

/* What is here already need not be looked for. */
static void look_in_store (struct preparation *p, int task,
                           const char *identity)
{
    if (p->reuse && !task_range_contains (&p->adoption.ok, task))
        reuse_find (p->reuse, task, identity);
}

/* A million slices take longer than a lease. */
static int put_slice (const struct json *slice, void *arg, struct error *err)
{
    struct preparation *p = arg;
    int task = (int)p->n_tasks++;
    char identity[DIGEST_HEX_SIZE];

    if (task % BEAT_EVERY == 0)
        engine_heartbeat (p->engine);
    if (task_identity (&p->d.contents, &p->d.manifest, task, slice, identity,
                       err)
            < 0
        || (p->artifacts
            && adoption_try (&p->adoption, task, identity, err) < 0))
        return -1;
    look_in_store (p, task, identity);
    return slice_writer_add (&p->slices, slice, identity, err);
}

/* Those of an earlier preparation: its tasks were others. */
static int drop_checkpoints (const struct preparation *p, struct error *err)
{
    char *dir = path_join (p->run_dir, LAYOUT_CHECKPOINTS);
    int rc = lease_check (p->engine->lease, err);

    if (rc == 0)
        rc = file_remove_tree (dir, &p->engine->heartbeat, err);
    free (dir);
    return rc;
}

/* Of a stage that is not sliced. */
static int adopt_only_task (struct preparation *p, struct error *err)
{
    if (p->artifacts && adoption_try (&p->adoption, 0, p->d.identity, err) < 0)
        return -1;
    look_in_store (p, 0, p->d.identity);
    return 0;
}

static int take_from_store (struct preparation *p, struct error *err)
{
    if (!p->artifacts)
        return logged_adoption (
            &p->adoption, p->run_dir,
            operator_fans_out (p->stage->op) ? NULL : p->d.identity,
            p->d.manifest.tasks, p->reuse, &p->adopted_logs, err);
    return p->reuse ? reuse_take (p->reuse, &p->adoption.ok,
                                  &p->adoption.origins, err)
                    : 0;
}

/* Results of tasks that are not accounted for: who put them there may have died
 * before they were on the disk.
 */
static int make_adopted_last (struct preparation *p, struct error *err)
{
    bool way_synced = false;

    return task_results_make_last (p->engine->dir, &p->d.manifest.place,
                                   &p->adoption.ok, &way_synced,
                                   &p->engine->heartbeat, err);
}

/* slices.jsonl and its index. */
static int cut (struct preparation *p, struct error *err)
{
    const struct operator_spec *op = p->stage->op;
    bool sliced = operator_fans_out (op);
    struct json *same;

    if (file_make_lasting_dirs (p->run_dir, err) < 0
        || drop_checkpoints (p, err) < 0
        || (sliced && slice_writer_open (&p->slices, p->run_dir, err) < 0))
        return -1;
    same = slices_cut (op, p->d.values, p->made, p->engine->dir, put_slice, p,
                       &p->n_tasks, &p->engine->heartbeat, err);
    json_unref (same);
    if (!same || (sliced && slice_writer_commit (&p->slices, err) < 0))
        return -1;
    p->d.manifest.tasks = (int32_t)p->n_tasks;
    if (!sliced && adopt_only_task (p, err) < 0)
        return -1;
    return make_adopted_last (p, err) < 0 ? -1 : take_from_store (p, err);
}

static void add_name (const struct preparation *p, const char *name,
                      struct strvec *names)
{
    if (name && plan_stage_find (p->engine->plan, name) < 0
        && !strvec_contains (names, name))
        strvec_push (names, name);
}

/* What the stage was called before, by the file and by the history. */
static struct strvec former_names (const struct preparation *p,
                                   const struct stage_state *earlier)
{
    const char *const *name = p->stage->renamed_from;
    struct strvec names = STRVEC_INIT;

    for (; name && *name; name++)
        add_name (p, *name, &names);
    add_name (p, earlier ? earlier->dir : NULL, &names);
    add_name (p, p->d.manifest.first_name, &names);
    return names;
}

/* What was replaced of a stage that goes on was made from another workspace. */
static int adopt_after (const struct stage *stage, const struct state *state,
                        const struct stage_state *earlier)
{
    int after = earlier ? earlier->adopt_after : 0;

    if (stage_goes_on (stage))
        return state->replaced;
    return after > state->fresh_after ? after : state->fresh_after;
}

static void begin_adoption (struct preparation *p)
{
    const struct stage_state *earlier =
        state_stage (&p->engine->state, p->iteration, p->stage->name);

    p->artifacts = outputs_have_artifacts (p->stage->op->outputs);
    adoption_begin (&p->adoption, p->engine, &p->d, former_names (p, earlier),
                    adopt_after (p->stage, &p->engine->state, earlier));
}

/* Tasks of a stage that failed since an input changed under them must not count
 * when the journal that knew of it is lost.
 */
static int check_place (const struct preparation *p, struct error *err)
{
    const struct stage_place *place = &p->d.manifest.place;
    char *says = witness_unsteady (p->engine->dir, place);
    struct strbuf outputs = STRBUF_INIT, dir = STRBUF_INIT;
    char *path;
    int rc = 0;

    layout_stage_path (place, LAYOUT_OUTPUTS, &outputs);
    path = engine_path (p->engine, &outputs);
    layout_stage_dir (place, &dir);
    if (says && !file_exists (path))
        rc =
            error_set (err,
                       "%s: results that do not count (%s); move it away, then "
                       "run `fanfold retry`",
                       dir.buf, says);
    strbuf_release (&dir);
    free (path);
    free (says);
    return rc;
}

/* 0, 1 bad input, -1. */
static int bind_and_cut (struct preparation *p, struct error *err)
{
    int rc;

    if (stage_describe (p->engine, p->stage, p->iteration, true, &p->d, err) < 0
        || check_place (p, err) < 0)
        return error_is_machine_error (err) ? -1 : 1;
    begin_adoption (p);
    if (p->stage->op->prepare && (rc = run_prepare (p, err)) != 0)
        return rc;
    p->reuse = reuse_begin (p->engine, p->stage, &p->d);
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

/* inputs.json: where inputs came from, and digests of those that no stage made,
 * for who looks behind a result (commands/lineage.h).
 */
static int write_origins (const struct preparation *p, struct error *err)
{
    const struct engine *engine = p->engine;
    struct json *v = json_object (), *files = json_object ();
    char *file = path_join (p->run_dir, LAYOUT_ORIGINS);
    int rc;

    JSON_FOREACH (p->d.contents.sha256, it) {
        const char *path = json_iter_key (it);
        struct json *from = json_get (p->d.contents.copied, path);
        struct json *one;

        if (layout_stage_dir_length (path) > 0)
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
    rc = json_write_file (file, v, err);
    json_unref (v);
    free (file);
    return rc;
}

static int write_order (const struct preparation *p, struct error *err)
{
    struct json *v = stage_manifest_to_json (&p->d.manifest);
    char *file = path_join (p->run_dir, LAYOUT_STAGE_MANIFEST);
    int rc = json_write_file (file, v, err);

    free (file);
    json_unref (v);
    return rc;
}

static struct json *outcome_event (const struct preparation *p, int bad_input,
                                   const struct error *why)
{
    struct json *reused = origins_to_json (&p->adoption.origins);
    struct json *event =
        event_of_stage (bad_input ? "unfit" : "prepared",
                        engine_now_s (p->engine), p->iteration, p->stage->name);

    if (bad_input)
        json_set (event, "why", json_stringf ("bad_input: %s", why->text));
    else
        json_set (event, "tasks", json_int ((int64_t)p->n_tasks));
    if (!bad_input)
        json_set (event, "code", json_string (p->stage->op->code));
    if (!bad_input && p->d.manifest.first_name)
        json_set (event, "first_name", json_string (p->d.manifest.first_name));
    if (!bad_input && p->adoption.ok.n_spans > 0)
        json_set (event, "ok", task_range_to_json (&p->adoption.ok));
    if (!bad_input && p->adopted_logs)
        json_set (event, "logs", json_ref (p->adopted_logs));
    if (!bad_input && reused)
        json_set (event, "reused", json_ref (reused));
    json_unref (reused);
    return event;
}

enum act_result act_prepare (struct engine *engine, const struct action *action,
                             struct error *err)
{
    struct preparation p = { .engine = engine,
                             .stage = &engine->plan->stages[action->stage],
                             .iteration = action->iteration,
                             .slices = SLICE_WRITER_INIT,
                             .adoption = { .ok = TASK_RANGE_INIT } };
    enum act_result result = ACT_FAILED;
    struct strbuf run = STRBUF_INIT;
    int bad;

    layout_run_stage (p.stage->name, p.iteration, &run);
    p.run_dir = engine_path (engine, &run);
    bad = bind_and_cut (&p, err);
    reuse_end (p.reuse); /* nothing of it is left when that is known */
    p.reuse = NULL;
    if (bad < 0
        || (bad == 0
            && (write_origins (&p, err) < 0 || write_order (&p, err) < 0))
        || engine_record (engine, outcome_event (&p, bad, err), err) < 0)
        goto done;
    contents_keep (&p.d.contents);
    result = ACT_DONE;
done:
    reuse_end (p.reuse);
    json_unref (p.made);
    json_unref (p.adopted_logs);
    slice_writer_release (&p.slices);
    stage_description_release (&p.d);
    adoption_release (&p.adoption);
    free (p.run_dir);
    return result;
}
