/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_frame.c - why a frame was selected, or was not
 *
 * What was selected and what was refused stands in the stage's provenance; of
 * the other frames the deviation is looked up again.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/explain_frame.h"
#include "commands/invocation.h"
#include "commands/select_source.h"
#include "formats/deviation_file.h"
#include "formats/number.h"
#include "selection/committee.h"
#include "selection/committee_rules.h"
#include "selection/deviation_survey.h"
#include "selection/rms_force.h"
#include "selection/rules.h"
#include "space/layout.h"

struct asked {
    int64_t task;
    int64_t step;
    int64_t atom; /* 0: the frame */
};

/* What the stage left of the iteration. */
struct selected {
    struct json *task;       /* what its task was told */
    struct json *outputs;    /* of the stage */
    struct json *provenance; /* of the selection */
};

/* "3:400" or "3:400:17". */
static int read_asked (const char *text, struct asked *asked)
{
    const char *end = text + strlen (text);

    asked->atom = 0;
    text = integer_read (text, end, &asked->task);
    if (*text != ':')
        return -1;
    text = integer_read (text + 1, end, &asked->step);
    if (*text == ':')
        text = integer_read (text + 1, end, &asked->atom);
    return text == end && asked->task >= 0 ? 0 : -1;
}

/* The file 'name' below a directory of the campaign; NULL with 'err'. */
static struct json *read_below (const struct campaign *campaign,
                                const struct strbuf *dir,
                                const char *name,
                                struct error *err)
{
    char *place = path_join (campaign->plan->dir, dir->buf);
    char *path = name ? path_join (place, name) : NULL;
    struct json *v = json_read_file (path ? path : place, err);

    free (path);
    free (place);
    return v;
}

static int read_selected (const struct campaign *campaign,
                          const struct stage_place *place,
                          struct selected *selected,
                          struct error *err)
{
    struct strbuf in = STRBUF_INIT, out = STRBUF_INIT, outputs = STRBUF_INIT;

    layout_task_in (place, 0, &in);
    layout_task_out (place, 0, &out);
    layout_outputs_file (place, &outputs);
    selected->task = read_below (campaign, &in, "task.json", err);
    if (selected->task)
        selected->provenance = read_below (campaign, &out, "provenance", err);
    if (selected->provenance)
        selected->outputs = read_below (campaign, &outputs, NULL, err);
    strbuf_release (&in);
    strbuf_release (&out);
    strbuf_release (&outputs);
    return selected->outputs ? 0 : -1;
}

static void selected_release (struct selected *selected)
{
    json_unref (selected->task);
    json_unref (selected->outputs);
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

        if (json_as_int (json_get (one, "task")) == asked->task
            && json_as_int (json_get (one, "step")) == asked->step
            && json_as_int (json_get (one, "atom")) == asked->atom)
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
static int find_row (const char *path,
                     const struct asked *asked,
                     const struct rules *rules,
                     double value[DEVIATION_QUANTITIES],
                     struct error *err)
{
    struct deviation_reader *reader = deviation_reader_for (rules);
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
static int find_forces (const struct json *inputs,
                        const struct asked *asked,
                        const struct rules *rules,
                        double value[DEVIATION_QUANTITIES],
                        struct error *err)
{
    size_t task = (size_t)asked->task;
    struct committee_rules making = { .position_columns = NULL };
    struct committee_files files = {
        .rules = rules,
        .making = &making,
        .trajectory =
            json_as_string (json_at (json_get (inputs, "trajectories"), task)),
    };
    const char **forces = select_source_forces (inputs, task, &files.n_models);
    struct committee_losses losses = { 0 };
    struct committee *committee = NULL;
    uint64_t places[DEVIATION_ROWS_MAX];
    struct deviation_rows rows;
    int rc = committee_rules_from_json (inputs, &making, err), found = 0;

    files.forces = forces;
    if (rc == 0)
        committee = committee_open (&files, &losses, err);
    if (!committee)
        rc = -1;
    while (rc >= 0
           && (rc = committee_next (committee, &rows, places, err)) == 1)
        found |= take_rows (&rows, asked, value);
    committee_close (committee, &losses);
    free (forces);
    return rc < 0 ? -1 : found;
}

/* The rules as they were asked for, for one system, and its levels as used. */
static int read_rules (const struct selected *selected,
                       const char *system,
                       struct rules *rules,
                       struct error *err)
{
    const struct json *levels = json_get (
        json_get (json_get (selected->outputs, "outputs"), "levels"), system);
    static const char *const names[] = { "force", "virial", "energy" };
    struct strvec systems = STRVEC_INIT;
    int rc;

    JSON_FOREACH (json_get (json_get (selected->outputs, "outputs"), "levels"),
                  it)
        strvec_push (&systems, json_iter_key (it));
    rc = rules_from_json (json_get (selected->provenance, "request"), &systems,
                          rules, err);
    for (size_t i = 0; rc == 0 && i < systems.n; i++) {
        if (strcmp (systems.v[i], system) == 0)
            rules->criteria[0] = rules->criteria[i];
    }
    for (int q = 0; rc == 0 && q < DEVIATION_DISTANCE; q++) {
        if (rules->criteria[0].has[q])
            rules->criteria[0].levels[q].low =
                json_as_double (json_at (json_get (levels, names[q]), 0));
    }
    strvec_release (&systems);
    return rc;
}

/* With adaptive levels a frame at the high level has not failed. */
static enum frame_class class_of (const struct rules *rules,
                                  const double value[DEVIATION_QUANTITIES])
{
    struct criteria criteria = rules->criteria[0];

    for (int q = 0; rules->adaptive && q < DEVIATION_DISTANCE; q++)
        criteria.levels[q].high = nextafter (criteria.levels[q].high, INFINITY);
    if (rules
            ->adaptive) /* above any high level is failed, whatever the other */
        criteria.semantics = SEMANTICS_DPGEN2;
    return classify_frame (&criteria, value);
}

static void print_values (const struct rules *rules,
                          const double value[DEVIATION_QUANTITIES])
{
    static const char *const names[] = { "force", "virial", "energy",
                                         "smallest distance" };
    const struct criteria *criteria = &rules->criteria[0];

    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        if (!criteria->has[q])
            continue;
        printf ("%s %.6g, levels %.6g to %.6g\n", names[q], value[q],
                criteria->levels[q].low, criteria->levels[q].high);
    }
}

static void print_class (const struct rules *rules,
                         const struct asked *asked,
                         enum frame_class class)
{
    static const char *const classes[] = {
        "accurate: the committee agrees on it",
        "a candidate, but not drawn: others came first, or there was no quota",
        "failed: the committee disagrees too much for it to be of use",
        "invalid: a deviation is not finite",
    };

    if (asked->step < rules->skip_steps)
        printf ("not counted: steps before %lld are skipped\n",
                (long long)rules->skip_steps);
    else
        printf ("%s\n", classes[class]);
}

/* A frame that was neither selected nor refused. */
static int tell_rest (const struct selected *selected,
                      const struct asked *asked,
                      const char *system,
                      struct error *err)
{
    const struct json *inputs = json_get (selected->task, "inputs");
    size_t task = (size_t)asked->task;
    const char *path =
        json_as_string (json_at (json_get (inputs, "deviations"), task));
    double value[DEVIATION_QUANTITIES] = { 0 }, rms = 1;
    struct rules rules = RULES_INIT;
    int rc = read_rules (selected, system, &rules, err);

    if (rc == 0 && rules.avg_relative)
        rc = rms_force (
            json_as_string (json_at (json_get (inputs, "trajectories"), task)),
            &rms, err);
    if (rc == 0)
        rc = path[0] ? find_row (path, asked, &rules, value, err)
                     : find_forces (inputs, asked, &rules, value, err);
    if (rc == 0)
        printf ("there is no such step\n");
    if (rc == 1) {
        value[DEVIATION_FORCE] /= rms;
        print_values (&rules, value);
        print_class (&rules, asked, class_of (&rules, value));
    }
    rules_release (&rules);
    return rc < 0 ? -1 : 0;
}

/* --- what is told --- */

static void tell_selected (const struct json *entry)
{
    printf ("deviation %.6g\nselected, picked by: %s\n",
            json_as_double (json_get (entry, "deviation")),
            json_as_string (json_get (entry, "picked")));
}

static void tell_refused (const struct json *entry)
{
    printf ("deviation %.6g\na candidate that was drawn, but refused: %s\n",
            json_as_double (json_get (entry, "deviation")),
            json_as_string (json_get (entry, "why")));
}

static int tell (const struct selected *selected,
                 const struct asked *asked,
                 struct error *err)
{
    const struct json *systems =
        json_get (json_get (selected->task, "inputs"), "system");
    const char *system =
        json_as_string (json_at (systems, (size_t)asked->task));
    const struct json *entry;

    if (system[0] == '\0')
        return error_set (err,
                          "task %lld left nothing to select from; there are "
                          "%zu tasks",
                          (long long)asked->task, json_count (systems));
    printf ("task %lld, step %lld", (long long)asked->task,
            (long long)asked->step);
    if (asked->atom > 0)
        printf (", atom %lld", (long long)asked->atom);
    printf (" of system %s\n", system);
    if ((entry = find_entry (selected, "frames", asked)))
        tell_selected (entry);
    else if ((entry = find_entry (selected, "refused", asked)))
        tell_refused (entry);
    else
        return tell_rest (selected, asked, system, err);
    return 0;
}

enum exit_status explain_frame (const struct campaign *campaign,
                                const struct stage *stage,
                                int iteration,
                                const char *frame)
{
    const struct stage_place place = { stage->name, stage->op->code,
                                       iteration };
    struct selected selected = { 0 };
    struct error err = ERROR_INIT;
    struct asked asked;
    int rc;

    if (strcmp (stage->op->name, "model_devi.select") != 0)
        return complain (STATUS_USAGE,
                         "stage '%s' does not select frames; name one that "
                         "uses model_devi.select",
                         stage->name);
    if (read_asked (frame, &asked) < 0)
        return complain (STATUS_USAGE, "--frame: '%s'; write TASK:STEP", frame);
    rc = read_selected (campaign, &place, &selected, &err);
    if (rc == 0)
        rc = tell (&selected, &asked, &err);
    selected_release (&selected);
    return rc < 0 ? complain (STATUS_FAILED, "%s", err.text) : STATUS_DONE;
}
