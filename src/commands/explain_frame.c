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

static void print_class (const struct rules *rules,
                         const struct criteria *criteria,
                         const struct asked *asked,
                         const double value[DEVIATION_QUANTITIES])
{
    static const char *const classes[] = {
        "accurate: the committee agrees on it",
        "a candidate, not selected: others came first, or its quota is full",
        "failed: the committee disagrees too much for it to be of use",
        "invalid: a deviation is not a number",
    };

    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        if (criteria->has[q])
            printf ("%s %.6g, levels %.6g to %.6g\n", quantity_names[q],
                    value[q], criteria->levels[q].low,
                    criteria->levels[q].high);
    }
    if (asked->step < rules->skip_steps)
        printf ("not counted: steps before %lld are skipped\n",
                (long long)rules->skip_steps);
    else
        printf ("%s\n", classes[class_of (*criteria, rules->adaptive, value)]);
}

/* A frame that was neither selected nor refused. */
static int explain_rest (const struct selected *selected,
                         const struct trajectory *trajectory,
                         const struct asked *asked, struct error *err)
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
        printf ("there is no such step\n");
    if (rc == 1) {
        value[DEVIATION_FORCE] /= rms;
        print_class (rules, &criteria, asked, value);
    }
    return rc < 0 ? -1 : 0;
}

static int explain_asked (const struct selected *selected,
                          const struct asked *asked, struct error *err)
{
    const struct selection_input *input = &selected->input;
    const struct trajectory *trajectory = input_trajectory (input, asked->task);
    const struct json *entry;

    if (!trajectory)
        return error_set (
            err, "task %lld left nothing to select from; there are %zu tasks",
            (long long)asked->task,
            input->n_trajectories + (size_t)input->missing_tasks);
    printf ("task %lld, step %lld", (long long)asked->task,
            (long long)asked->step);
    if (asked->atom > 0)
        printf (", atom %lld", (long long)asked->atom);
    printf (" of system %s\n", input->systems.v[trajectory->system]);
    if ((entry = find_entry (selected, "frames", asked)))
        printf ("deviation %.6g\nselected, picked by: %s\n",
                json_get_double (entry, "deviation"),
                json_get_string (entry, "picked"));
    else if ((entry = find_entry (selected, "refused", asked)))
        printf ("deviation %.6g\na candidate, but refused: %s\n",
                json_get_double (entry, "deviation"),
                json_get_string (entry, "why"));
    else
        return explain_rest (selected, trajectory, asked, err);
    return 0;
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
    if (status == STATUS_DONE && explain_asked (&selected, &asked, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    selected_release (&selected);
    json_unref (task);
    return status;
}
