/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - what would be selected: other levels, other rules, on deviations
 * that are there; writes nothing
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/select_rules.h"
#include "commands/select_source.h"
#include "commands/select_view.h"
#include "selection/choose.h"
#include "selection/committee_rules.h"
#include "selection/committee_survey.h"
#include "selection/deviation_survey.h"
#include "selection/rms_force.h"
#include "selection/survey.h"

/* --- passes --- */

struct what_if {
    struct select_source source;
    struct rules rules;
    struct survey survey;
    struct committee_rules making; /* of forces */
    double *rms; /* force of each file's trajectory, or NULL */
    uint64_t cut;
    uint64_t repeated;
};

static int source_of (const struct what_if *what_if,
                      size_t i,
                      struct deviation_source *source,
                      struct error *err)
{
    *source = (struct deviation_source){
        .path = what_if->source.files.v[i],
        .task = (int64_t)i,
        .system = what_if->source.system[i],
        .rms_force = what_if->rms ? what_if->rms[i] : 0,
    };
    if (file_tree_bytes (source->path, &source->file_bytes, err) < 0)
        return -1;
    source->end = source->file_bytes;
    return 0;
}

static int read_forces (struct what_if *what_if,
                        size_t i,
                        struct once *once,
                        struct survey_part *part,
                        struct error *err)
{
    const struct select_source *from = &what_if->source;
    struct committee_source source = {
        .files = { .rules = &what_if->rules,
                   .making = &what_if->making,
                   .trajectory = from->files.v[i] },
        .task = (int64_t)i,
        .system = from->system[i],
    };
    struct committee_losses losses;
    const char **forces =
        select_source_forces (from->inputs, i, &source.files.n_models);
    int rc;

    source.files.forces = forces;
    rc = committee_survey (&what_if->survey, &source, once, part, &losses, err);
    free (forces);
    return rc;
}

static int read_deviations (struct what_if *what_if,
                            size_t i,
                            struct deviation_reader *reader,
                            struct once *once,
                            struct survey_part *part,
                            struct error *err)
{
    struct deviation_source source;
    uint64_t cut;

    if (source_of (what_if, i, &source, err) < 0
        || deviation_survey (&what_if->survey, &source, reader, once, part,
                             &cut, err)
               < 0)
        return -1;
    what_if->cut += cut;
    return 0;
}

/* One file into the survey; a task that left none is passed over. */
static int read_one (struct what_if *what_if,
                     size_t i,
                     struct deviation_reader *reader,
                     struct once *once,
                     struct survey_part *part,
                     struct error *err)
{
    int rc;

    if (what_if->source.files.v[i][0] == '\0')
        return 0;
    if (what_if->source.by_forces)
        rc = read_forces (what_if, i, once, part, err);
    else
        rc = read_deviations (what_if, i, reader, once, part, err);
    if (rc < 0)
        return -1;
    survey_merge (&what_if->survey, part);
    what_if->repeated += once->repeated;
    return 0;
}

static int read_pass (struct what_if *what_if,
                      enum survey_pass pass,
                      struct error *err)
{
    struct survey *survey = &what_if->survey;
    struct deviation_reader *reader = deviation_reader_for (&what_if->rules);
    struct survey_part *part = survey_part_new (survey);
    struct once once = ONCE_INIT;
    int rc = 0;

    survey_start (survey, pass, what_if->rules.quota);
    what_if->cut = what_if->repeated = 0;
    for (size_t i = 0; rc == 0 && i < what_if->source.files.n; i++)
        rc = read_one (what_if, i, reader, &once, part, err);
    once_release (&once);
    survey_part_free (part);
    deviation_reader_free (reader);
    return rc;
}

/* What deviations are relative to, if they are. */
static int find_forces (struct what_if *what_if, struct error *err)
{
    size_t n = what_if->source.files.n;
    int rc = 0;

    if (!what_if->rules.avg_relative)
        return 0;
    if (what_if->source.by_forces)
        return error_set (err, "avg_relative needs deviations, and there are "
                               "forces");
    what_if->rms = xcalloc (n, sizeof (*what_if->rms));
    for (size_t i = 0; rc == 0 && i < n; i++) {
        char *path = select_source_trajectory (&what_if->source, i);

        rc = rms_force (path, &what_if->rms[i], err);
        if (rc == 0 && what_if->rms[i] == 0)
            what_if->rms[i] = NAN;
        free (path);
    }
    return rc;
}

static int read_all (struct what_if *what_if, struct error *err)
{
    if (find_forces (what_if, err) < 0)
        return -1;
    if (what_if->rules.adaptive) {
        if (read_pass (what_if, SURVEY_RANGES, err) < 0)
            return -1;
        survey_find_bins (&what_if->survey);
        if (read_pass (what_if, SURVEY_TOPS, err) < 0)
            return -1;
        survey_find_levels (&what_if->survey);
    }
    return read_pass (what_if, SURVEY_CLASSES, err);
}

/* How many of each system would be selected.  Caller frees. */
static uint64_t *count_selected (struct what_if *what_if)
{
    uint64_t *selected =
        xcalloc (what_if->source.systems.n, sizeof (*selected));
    struct drawn *frames;
    size_t n;

    choose_frames (&what_if->survey, NULL, NULL, true, &frames, &n);
    for (size_t i = 0; i < n; i++)
        selected[what_if->source.system[frames[i].task]]++;
    free (frames);
    return selected;
}

static void show (struct what_if *what_if,
                  const struct json *left_out,
                  bool as_json)
{
    struct select_view view = {
        .survey = &what_if->survey,
        .systems = &what_if->source.systems,
        .earlier = json_get (what_if->source.inputs, "earlier"),
        .left_out = left_out,
        .selected = count_selected (what_if),
        .n_files = what_if->source.files.n,
        .cut_rows = what_if->cut,
        .repeated_steps = what_if->repeated,
    };

    if (as_json)
        select_view_json (&view);
    else
        select_view_print (&view);
    free (view.selected);
}

static enum exit_status run_what_if (const struct invocation *invocation,
                                     struct json *left_out,
                                     struct what_if *what_if)
{
    struct error err = ERROR_INIT;
    enum exit_status status = select_source_find (invocation, &what_if->source);
    struct json *asked;
    int rc;

    if (status != STATUS_DONE)
        return status;
    asked = select_rules (invocation, &what_if->source, left_out, &err);
    rc = asked ? rules_from_json (asked, &what_if->source.systems,
                                  &what_if->rules, &err)
               : -1;
    json_unref (asked);
    if (rc == 0 && what_if->source.by_forces)
        rc = committee_rules_from_json (what_if->source.inputs,
                                        &what_if->making, &err);
    if (rc < 0)
        return complain (STATUS_USAGE, "%s", err.text);
    survey_init (&what_if->survey, &what_if->rules);
    if (read_all (what_if, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    show (what_if, left_out, invocation_option (invocation, "json") != NULL);
    return STATUS_DONE;
}

static enum exit_status run_select (const struct invocation *invocation)
{
    struct what_if what_if = { .source = SELECT_SOURCE_INIT };
    struct json *left_out = json_array ();
    enum exit_status status = run_what_if (invocation, left_out, &what_if);

    survey_release (&what_if.survey);
    rules_release (&what_if.rules);
    free (what_if.rms);
    select_source_release (&what_if.source);
    json_unref (left_out);
    return status;
}

const struct command select_command = {
    .name = "select",
    .arguments = "[PATH...]",
    .summary = "what other levels would select; writes nothing",
    .min_args = 0,
    .max_args = 1000000,
    .options = select_options,
    .run = run_select,
};
