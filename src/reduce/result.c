/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - what fanfold-reduce leaves behind: selected frames and numbers */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "formats/extxyz.h"
#include "formats/frame.h"
#include "formats/lammps_dump.h"
#include "reduce/frame_file.h"
#include "reduce/inspect.h"
#include "reduce/passes.h"
#include "reduce/plan_file.h"
#include "reduce/provenance.h"
#include "reduce/result.h"
#include "reduce/structure.h"
#include "selection/survey.h"

enum {
    TOKEN_LENGTH = 10,
    COARSE = 8, /* bins of a tally in one of the histogram */
};

static int make_frame (const struct plan *plan,
                       const struct dump_frame *dump,
                       const struct drawn *drawn,
                       struct frame *frame,
                       struct error *err)
{
    struct strbuf info = STRBUF_INIT;

    if (structure_make (plan, dump, drawn->atom, frame, err) < 0)
        return -1;
    if (plan->iteration >= 0)
        strbuf_addf (&info, "iteration=%lld ", (long long)plan->iteration);
    strbuf_addf (&info, "task=%lld step=%lld ", (long long)drawn->task,
                 (long long)drawn->step);
    if (drawn->atom > 0)
        strbuf_addf (&info, "atom=%lld ", (long long)drawn->atom);
    strbuf_addf (&info, "deviation=");
    strbuf_add_double (&info, drawn->deviation);
    frame->info = strbuf_detach (&info);
    return 0;
}

/* Read the drawn frame once more and append it to 'out'. */
static int add_frame (const struct plan *plan,
                      const struct trajectory *trajectory,
                      const struct drawn *drawn,
                      struct frame_file *file,
                      struct strbuf *out,
                      struct error *err)
{
    struct dump_frame dump = DUMP_FRAME_INIT;
    struct frame frame = FRAME_INIT;
    int rc = frame_file_read (file, plan, trajectory, drawn, &dump, err);

    if (rc == 0 || (rc == 1 && dump.step != drawn->step))
        rc = error_set (err, "%s: changed while it was being read", file->path);
    else if (rc == 1 && make_frame (plan, &dump, drawn, &frame, err) < 0)
        rc = error_prefix (err, "%s: step %lld", file->path,
                           (long long)drawn->step);
    if (rc == 1)
        extxyz_format (&frame, out);
    frame_release (&frame);
    dump_frame_release (&dump);
    return rc < 0 ? -1 : 0;
}

/* Write the frames of one system among those drawn; *written[i] notes them. */
static int write_system (const struct plan *plan,
                         const struct selection *selection,
                         size_t system,
                         const char *dir,
                         bool *written,
                         struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct frame_file file = FRAME_FILE_INIT;
    char *name = xasprintf ("%s.extxyz", plan->systems.v[system]);
    char *path = path_join (dir, name);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < selection->n; i++) {
        const struct drawn *drawn = &selection->frames[i];
        const struct trajectory *t = plan_trajectory (plan, drawn);

        if (t->system != system)
            continue;
        written[i] = true;
        if (!t->path)
            continue;
        rc = add_frame (plan, t, drawn, &file, &text, err);
    }
    if (rc == 0 && text.len > 0)
        rc = file_write_atomic (path, text.buf, text.len, err);
    frame_file_close (&file);
    strbuf_release (&text);
    free (path);
    free (name);
    return rc;
}

static int write_systems (const struct plan *plan,
                          const struct selection *selection,
                          const char *dir,
                          struct error *err)
{
    bool *written = xcalloc (selection->n, sizeof (*written));
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < selection->n; i++) {
        if (!written[i])
            rc = write_system (
                plan, selection,
                plan_trajectory (plan, &selection->frames[i])->system, dir,
                written, err);
    }
    free (written);
    return rc;
}

char *result_temporary (const char *dir)
{
    const char *base = path_base (dir);
    char token[TOKEN_LENGTH + 1];

    random_token (token, TOKEN_LENGTH);
    return xasprintf ("%.*s.tmp-%s-%s", (int)(base - dir), dir, base, token);
}

static int write_frames (const struct plan *plan,
                         const struct selection *selection,
                         const char *dir,
                         struct error *err)
{
    char *temporary = result_temporary (dir);
    int rc = file_make_dirs (temporary, err);

    if (rc == 0)
        rc = write_systems (plan, selection, temporary, err);
    if (rc == 0 && (rc = file_rename (temporary, dir, err)) < 0)
        error_prefix (err, "frames_dir must be absent or empty");
    if (rc < 0)
        file_remove_tree (temporary, NULL);
    free (temporary);
    return rc;
}

static void set_fraction (struct json *params,
                          const char *key,
                          uint64_t part,
                          uint64_t whole)
{
    double fraction = whole > 0 ? (double)part / (double)whole : 0;

    json_set (params, key, json_real (fraction));
}

static void set_count (struct json *params, const char *key, uint64_t count)
{
    json_set (params, key, json_int ((int64_t)count));
}

static void set_class_counts (struct json *object, const uint64_t *frames)
{
    set_count (object, "accurate", frames[FRAME_ACCURATE]);
    set_count (object, "candidates", frames[FRAME_CANDIDATE]);
    set_count (object, "failed", frames[FRAME_FAILED]);
    set_count (object, "invalid", frames[FRAME_INVALID]);
}

/* Eight bins of the tally each, from the first to the last that has frames:
 * {"edges": [n + 1 numbers], "frames": [n numbers]}
 */
static struct json *histogram_of (const struct tally *tally)
{
    struct json *histogram = json_object (), *edges = json_array (),
                *frames = json_array ();
    size_t first = TALLY_BINS, end = 0;

    for (size_t i = 0; i < TALLY_BINS; i++) {
        if (tally->bins[i] == 0)
            continue;
        if (first == TALLY_BINS)
            first = i / COARSE * COARSE;
        end = (i / COARSE + 1) * COARSE;
    }
    for (size_t i = first; i < end; i += COARSE) {
        uint64_t n = 0;

        for (size_t j = i; j < i + COARSE; j++)
            n += tally->bins[j];
        json_push (edges, json_real (tally_edge (i)));
        json_push (frames, json_int ((int64_t)n));
    }
    if (first < end)
        json_push (edges, json_real (tally_edge (end)));
    json_set (histogram, "edges", edges);
    json_set (histogram, "frames", frames);
    return histogram;
}

static struct json *systems_of (const struct plan *plan,
                                const struct survey *survey,
                                const struct selection *selection)
{
    uint64_t *selected = xcalloc (plan->systems.n, sizeof (*selected));
    struct json *all = json_object ();

    for (size_t i = 0; i < selection->n; i++)
        selected[plan_trajectory (plan, &selection->frames[i])->system]++;
    for (size_t i = 0; i < plan->systems.n; i++) {
        const struct tally *tally = &survey->tallies[i];
        struct json *one = json_object ();

        set_count (one, "frames", tally_frames (tally));
        set_class_counts (one, tally->frames);
        set_count (one, "selected", selected[i]);
        json_set (one, "levels", survey_levels_json (survey, i));
        json_set (one, "histogram", histogram_of (tally));
        json_set (all, plan->systems.v[i], one);
    }
    free (selected);
    return all;
}

static void set_convergence (struct json *params, const struct plan *plan)
{
    struct strbuf why = STRBUF_INIT;
    bool converged =
        convergence_reached (&plan->rules.convergence,
                             json_as_double (json_get (params, "accurate")),
                             json_get (params, "levels"), plan->earlier, &why);

    json_set (params, "converged", json_bool (converged));
    json_set (params, "convergence", json_string (why.buf));
    strbuf_release (&why);
}

static void set_counts (struct json *params,
                        const struct plan *plan,
                        const struct selection *selection)
{
    const uint64_t *counts = selection->counts;

    set_count (params, "lost", counts[COUNT_LOST] + plan->missing_frames);
    set_count (params, "missing_tasks", plan->missing_tasks);
    set_count (params, "absent_files",
               counts[COUNT_ABSENT_TRAJECTORIES] + counts[COUNT_ABSENT_FORCES]
                   + counts[COUNT_ABSENT_DEVIATIONS]);
    set_count (params, "cut_files", counts[COUNT_CUT_FILES]);
    set_count (params, "cut_rows", counts[COUNT_CUT_ROWS]);
    set_count (params, "repeated_steps", counts[COUNT_REPEATED_STEPS]);
    set_count (params, "without_frame", selection->verdicts[VERDICT_NO_FRAME]);
    set_count (params, "bad_box", selection->verdicts[VERDICT_BAD_BOX]);
    set_count (params, "too_close", selection->verdicts[VERDICT_TOO_CLOSE]);
    set_count (params, "no_vacuum", selection->verdicts[VERDICT_NO_VACUUM]);
    set_count (params, "duplicates", selection->verdicts[VERDICT_DUPLICATE]);
}

static struct json *make_params (const struct plan *plan,
                                 const struct survey *survey,
                                 const struct selection *selection)
{
    struct tally tally = TALLY_INIT;
    uint64_t lost = selection->counts[COUNT_LOST] + plan->missing_frames, all;
    struct json *params = json_object ();

    for (size_t i = 0; i < plan->systems.n; i++)
        tally_merge (&tally, &survey->tallies[i]);
    all = tally_frames (&tally);
    if (!plan->rules.clusters.any)
        all += lost;
    else
        lost = 0; /* how many atoms they had is not known */
    set_count (params, "frames", all);
    set_fraction (params, "accurate", tally.frames[FRAME_ACCURATE], all);
    set_fraction (params, "candidate", tally.frames[FRAME_CANDIDATE], all);
    set_fraction (
        params, "failed",
        tally.frames[FRAME_FAILED] + tally.frames[FRAME_INVALID] + lost, all);
    set_fraction (params, "invalid", tally.frames[FRAME_INVALID], all);
    set_count (params, "candidates", tally.frames[FRAME_CANDIDATE]);
    set_count (params, "selected", selection->n);
    set_counts (params, plan, selection);
    if (tally_valid (&tally) > 0) {
        json_set (params, "max_deviation", json_real (tally.max_deviation));
        json_set (params, "deviation_median",
                  json_real (tally_median (&tally)));
    }
    json_set (params, "levels",
              survey_all_levels_json (survey, &plan->systems));
    set_convergence (params, plan);
    json_set (params, "systems", systems_of (plan, survey, selection));
    return params;
}

static int write_params (const struct plan *plan,
                         const struct survey *survey,
                         const struct selection *selection,
                         struct error *err)
{
    struct json *params = make_params (plan, survey, selection);
    int rc = file_make_parent (plan->params_path, err);

    if (rc == 0)
        rc = json_write_file (plan->params_path, params, err);
    json_unref (params);
    return rc;
}

int result_write (const struct plan *plan,
                  const struct survey *survey,
                  const struct selection *selection,
                  struct error *err)
{
    char *dir = plan->frames_dir ? path_absolute (plan->frames_dir) : NULL;
    int rc = 0;

    if (dir)
        rc = write_frames (plan, selection, dir, err);
    if (rc == 0
        && ((rc = provenance_write (plan, survey, selection, err)) < 0
            || (rc = write_params (plan, survey, selection, err)) < 0)
        && dir)
        file_remove_tree (dir, NULL);
    free (dir);
    return rc;
}
