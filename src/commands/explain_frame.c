/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_frame.c - why a frame was selected, or was not
 *
 * What was selected and what was refused is in the stage's provenance, or in
 * that of a what-if; of the other frames the deviation is looked up again.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/what_if.h"
#include "commands/command.h"
#include "engine/history/outputs_store.h"
#include "formats/deviations/deviation_file.h"
#include "formats/number.h"
#include "reduce/provenance.h"
#include "selection/deviations/committee.h"
#include "selection/deviations/rms_force.h"
#include "selection/statistics/frame_stats.h"
#include "space/layout.h"

struct asked {
    int64_t task;
    int64_t step;
    int64_t atom; /* 0: the frame */
};

/* What a stage selected, or would select. */
struct selected {
    struct selection_input input;
    struct json *provenance;
    struct json *levels; /* as used: {SYSTEM: {QUANTITY: [low, high]}} */
    struct error lost;   /* what it selected from and is not there any more */
};

/* Read "3:400" or "3:400:17".  False when it is neither. */
static bool read_asked (const char *text, struct asked *asked)
{
    const char *end = text + strlen (text);

    asked->atom = 0;
    text = integer_read (text, end, &asked->task);
    if (!text || *text != ':' || asked->task < 0)
        return false;
    text = integer_read (text + 1, end, &asked->step);
    if (text && *text == ':') {
        text = integer_read (text + 1, end, &asked->atom);
        if (asked->atom < 1)
            return false;
    }
    return text == end;
}

/* What the stage left of the iteration. */
static int read_selected (const struct campaign *campaign, const char *stage,
                          int iteration, struct json *task,
                          struct selected *selected, struct error *err)
{
    const struct engine *engine = &campaign->engine;
    const struct json *outputs = NULL;
    _cleanup_free_ char *path = engine_stage_path (
        engine, iteration, stage, LAYOUT_ONLY_OUT "/provenance");

    if (selection_input_read (task, &selected->input, err) == 0)
        selected->provenance = json_read_file (path, err);
    if (selected->provenance)
        outputs = outputs_store_get (engine->outputs, iteration, stage, err);
    selected->levels = json_ref (json_get (outputs, "levels"));
    return outputs ? 0 : -1;
}

/* What it would leave with other rules. */
static enum exit_status select_again (const struct invocation *invocation,
                                      struct json *task,
                                      struct selected *selected)
{
    _cleanup_ (what_if_release) struct what_if what_if = WHAT_IF_INIT;
    enum exit_status status = what_if_run (invocation, task, &what_if);

    if (status == STATUS_DONE) {
        selected->provenance =
            provenance_of (&what_if.input, &what_if.stats, &what_if.selection);
        selected->levels = frame_stats_all_levels_json (&what_if.stats,
                                                        &what_if.input.systems);
        frame_stats_release (&what_if.stats); /* it uses the input's rules */
        selected->input = what_if.input;
        what_if.input = (struct selection_input)SELECTION_INPUT_INIT;
    }
    return status;
}

static void selected_release (struct selected *selected)
{
    selection_input_release (&selected->input);
    json_unref (selected->levels);
    json_unref (selected->provenance);
}

/* The entry of the frame in a list of the provenance, or NULL. */
static const struct json *find_entry (const struct selected *selected,
                                      const char *list,
                                      const struct asked *asked)
{
    const struct json *all = json_get (selected->provenance, list);

    for (size_t i = 0; i < json_count (all); i++) {
        const struct json *one = json_at (all, i);

        if (json_get_int (one, "task") == asked->task
            && json_get_int (one, "step") == asked->step
            && json_get_int (one, "atom") == asked->atom)
            return one;
    }
    return NULL;
}

/* --- the deviation --- */

/* Take the values of the step, if it is among the rows. */
static bool take_rows (const struct deviation_rows *rows,
                       const struct asked *asked,
                       double value[DEVIATION_QUANTITIES])
{
    bool found = false;

    for (size_t i = 0; i < rows->n; i++) {
        if (rows->step[i] != asked->step)
            continue;
        found = true;
        for (int q = 0; q < DEVIATION_QUANTITIES; q++)
            value[q] = rows->value[q][i];
        if (asked->atom > 0)
            value[DEVIATION_FORCE] = (size_t)asked->atom <= rows->n_atoms
                                         ? rows->atoms[asked->atom - 1]
                                         : NAN;
    }
    return found;
}

/* The last row of the step: 1, 0 when there is none, or -1. */
static int find_row (const char *path, const struct asked *asked,
                     const struct rules *rules,
                     double value[DEVIATION_QUANTITIES], struct error *err)
{
    struct deviation_reader *reader =
        deviation_reader_new (rules_quantities (rules), rules->clusters.any);
    struct deviation_rows rows;
    uint64_t bytes;
    int rc = -1, found = 0;

    if (file_tree_bytes (path, &bytes, err) == 0
        && deviation_reader_open (reader, path, 0, bytes, bytes, err) == 0) {
        while ((rc = deviation_reader_next (reader, &rows, err)) == 1)
            found |= take_rows (&rows, asked, value);
    }
    deviation_reader_free (reader);
    return rc < 0 ? -1 : found;
}

/* The same from the forces of the committee; the trajectory's last frame of the
 * step counts.
 */
static int find_forces (const struct selection_input *input,
                        const struct trajectory *trajectory,
                        const struct asked *asked,
                        double value[DEVIATION_QUANTITIES], struct error *err)
{
    const struct committee_files files = { .rules = &input->rules,
                                           .making = &input->committee,
                                           .trajectory = trajectory->path,
                                           .forces = trajectory->forces,
                                           .n_models = input->n_models };
    uint64_t counts[SCAN_COUNTS] = { 0 };
    struct committee *committee = committee_open (&files, counts, err);
    uint64_t places[DEVIATION_ROWS_MAX];
    struct deviation_rows rows;
    int rc = committee ? 0 : -1, found = 0;

    while (rc >= 0
           && (rc = committee_next (committee, &rows, places, err)) == 1)
        found |= take_rows (&rows, asked, value);
    committee_close (committee, counts);
    return rc < 0 ? -1 : found;
}

static const char *const quantity_names[] = { "force", "virial", "energy",
                                              "smallest distance" };

/* The levels that the frames of a system were judged by. */
static struct criteria used_criteria (const struct selected *selected,
                                      size_t system)
{
    const struct selection_input *input = &selected->input;
    const struct json *levels =
        json_get (selected->levels, input->systems.v[system]);
    struct criteria criteria = input->rules.criteria[system];

    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const struct json *pair = json_get (levels, quantity_names[q]);

        if (!criteria.has[q])
            continue;
        criteria.levels[q].low = json_as_double (json_at (pair, 0));
        if (json_is_number (json_at (pair, 1))) /* null: there is none */
            criteria.levels[q].high = json_as_double (json_at (pair, 1));
    }
    return criteria;
}

/* With adaptive levels a frame at the high level has not failed, and one above
 * any high level has, whatever the other quantities are.
 */
static enum frame_class class_of (struct criteria criteria, bool adaptive,
                                  const double value[DEVIATION_QUANTITIES])
{
    for (int q = 0; adaptive && q < DEVIATION_DISTANCE; q++)
        criteria.levels[q].high = nextafter (criteria.levels[q].high, INFINITY);
    if (adaptive)
        criteria.semantics = SEMANTICS_DPGEN2;
    return classify_frame (&criteria, value);
}

/* The classes of frames that were neither selected nor refused, and how a
 * person is told.
 */
static const struct {
    const char *word, *text;
} classes[] = {
    [FRAME_ACCURATE] = { "accurate", "accurate: the committee agrees on it" },
    [FRAME_CANDIDATE] = { "candidate",
                          "a candidate, not selected: others came first, or "
                          "its quota is full" },
    [FRAME_FAILED] = { "failed", "failed: the committee disagrees too much for "
                                 "it to be of use" },
    [FRAME_INVALID] = { "invalid", "invalid: a deviation is not a number" },
};

static void set_class (const struct rules *rules,
                       const struct criteria *criteria,
                       const struct asked *asked,
                       const double value[DEVIATION_QUANTITIES], struct json *v)
{
    struct json *deviations = json_object ();

    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        struct json *one;

        if (!criteria->has[q])
            continue;
        one = json_object ();
        json_set (one, "value", json_real (value[q]));
        json_set (one, "low", json_real (criteria->levels[q].low));
        json_set (one, "high", json_real (criteria->levels[q].high));
        json_set (deviations, quantity_names[q], one);
    }
    json_set (v, "deviations", deviations);
    if (asked->step < rules->skip_steps)
        json_set (v, "skip_steps", json_int (rules->skip_steps));
    json_set (
        v, "class",
        json_string (
            asked->step < rules->skip_steps
                ? "skipped"
                : classes[class_of (*criteria, rules->adaptive, value)].word));
}

/* A frame that was neither selected nor refused. */
static int find_rest (const struct selected *selected,
                      const struct trajectory *trajectory,
                      const struct asked *asked, struct json *v,
                      struct error *err)
{
    const struct rules *rules = &selected->input.rules;
    struct criteria criteria = used_criteria (selected, trajectory->system);
    double value[DEVIATION_QUANTITIES] = { 0 }, rms = 1;
    int rc;

    if (selected->lost.text[0])
        return error_copy (err, &selected->lost);
    if (rules->avg_relative && rms_force (trajectory->path, &rms, err) < 0)
        return -1;
    rc = trajectory->deviations
             ? find_row (trajectory->deviations, asked, rules, value, err)
             : find_forces (&selected->input, trajectory, asked, value, err);
    if (rc == 0)
        json_set (v, "class", json_null ());
    if (rc == 1) {
        value[DEVIATION_FORCE] /= rms;
        set_class (rules, &criteria, asked, value, v);
    }
    return rc < 0 ? -1 : 0;
}

/* {"task", "step", ["atom"], "system", "class"; of one that was selected or
 * refused "deviation", and "picked" or "why"; of others "deviations"
 * {QUANTITY: {"value", "low", "high"}}, ["skip_steps"]}; "class" null: there is
 * no such step.
 */
static int find_asked (const struct selected *selected,
                       const struct asked *asked, struct json *v,
                       struct error *err)
{
    const struct selection_input *input = &selected->input;
    const struct trajectory *trajectory = input_trajectory (input, asked->task);
    const struct json *picked = find_entry (selected, "frames", asked);
    const struct json *entry =
        picked ? picked : find_entry (selected, "refused", asked);

    if (!trajectory)
        return error_set (
            err, "task %lld left nothing to select from; there are %zu tasks",
            (long long)asked->task,
            input->n_trajectories + (size_t)input->missing_tasks);
    json_set (v, "task", json_int (asked->task));
    json_set (v, "step", json_int (asked->step));
    if (asked->atom > 0)
        json_set (v, "atom", json_int (asked->atom));
    json_set (v, "system", json_string (input->systems.v[trajectory->system]));
    if (!entry)
        return find_rest (selected, trajectory, asked, v, err);
    json_set (v, "class", json_string (picked ? "selected" : "refused"));
    json_set_from (v, "deviation", entry);
    json_set_from (v, picked ? "picked" : "why", entry);
    return 0;
}

/* --- for people --- */

static double limit_of (const struct json *v, const char *key, double none)
{
    const struct json *value = json_get (v, key);

    return json_is_number (value) ? json_as_double (value) : none;
}

static void rest_text (const struct json *v, struct strbuf *out)
{
    const char *word = json_get_string (v, "class");

    JSON_FOREACH (json_get (v, "deviations"), it) {
        const struct json *one = json_iter_value (it);

        strbuf_addf (out, "%s %.6g, levels %.6g to %.6g\n", json_iter_key (it),
                     limit_of (one, "value", NAN),
                     limit_of (one, "low", -INFINITY),
                     limit_of (one, "high", INFINITY));
    }
    if (json_get (v, "skip_steps"))
        strbuf_addf (out, "not counted: steps before %" PRId64 " are skipped\n",
                     json_get_int (v, "skip_steps"));
    for (size_t i = 0; i < ARRAY_SIZE (classes); i++) {
        if (strcmp (classes[i].word, word) == 0)
            strbuf_addf (out, "%s\n", classes[i].text);
    }
    if (!*word)
        strbuf_add_str (out, "there is no such step\n");
}

static void frame_text (const struct json *v, struct strbuf *out)
{
    strbuf_addf (out, "task %" PRId64 ", step %" PRId64,
                 json_get_int (v, "task"), json_get_int (v, "step"));
    if (json_get (v, "atom"))
        strbuf_addf (out, ", atom %" PRId64, json_get_int (v, "atom"));
    strbuf_addf (out, " of system %s\n", json_get_string (v, "system"));
    if (!json_get (v, "deviation")) {
        rest_text (v, out);
        return;
    }
    strbuf_addf (out, "deviation %.6g\n", json_get_double (v, "deviation"));
    if (json_get (v, "picked"))
        strbuf_addf (out, "selected, picked by: %s\n",
                     json_get_string (v, "picked"));
    else
        strbuf_addf (out, "a candidate, but refused: %s\n",
                     json_get_string (v, "why"));
}

static enum exit_status tell (const struct invocation *invocation,
                              const struct stage *stage, int iteration,
                              const struct selected *selected,
                              const struct asked *asked)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *v = json_object ();
    struct error err = ERROR_INIT;

    json_set (v, "format", json_int (1));
    json_set (v, "stage", json_string (stage->name));
    json_set (v, "iteration", json_int (iteration));
    if (find_asked (selected, asked, v, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    frame_text (v, &text);
    print_reply (invocation, v, text.buf);
    return STATUS_DONE;
}

enum exit_status explain_frame (const struct invocation *invocation,
                                const struct campaign *campaign,
                                const struct stage *stage, int iteration,
                                const char *frame)
{
    struct selected selected = { .input = SELECTION_INPUT_INIT };
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;
    struct json *task;
    struct asked asked;

    if (strcmp (stage->op->name, "model_devi.select") != 0)
        return complain (STATUS_USAGE,
                         "stage '%s' does not select frames; name one that "
                         "uses model_devi.select",
                         stage->name);
    if (!read_asked (frame, &asked))
        return complain (STATUS_USAGE,
                         "--frame: '%s'; write TASK:STEP or TASK:STEP:ATOM",
                         frame);
    task = select_source_task (campaign, stage->name, iteration, &selected.lost,
                               &err);
    if (!task)
        return complain (STATUS_FAILED, "%s",
                         err.text[0] ? err.text
                                     : "the stage has selected nothing yet");
    if (invocation_option (invocation, "set") && selected.lost.text[0])
        status = complain (STATUS_FAILED, "%s", selected.lost.text);
    else if (invocation_option (invocation, "set"))
        status = select_again (invocation, task, &selected);
    else if (read_selected (campaign, stage->name, iteration, task, &selected,
                            &err)
             < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    if (status == STATUS_DONE)
        status = tell (invocation, stage, iteration, &selected, &asked);
    selected_release (&selected);
    json_unref (task);
    return status;
}
