/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - what fanfold-reduce leaves behind: selected frames and numbers */
#include "base/base.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "reduce/inspect.h"
#include "reduce/passes.h"
#include "reduce/selection_input.h"
#include "reduce/provenance.h"
#include "reduce/result.h"
#include "reduce/structure.h"
#include "selection/statistics/frame_stats.h"

enum {
    TOKEN_LENGTH = 10,
    COARSE = 8, /* bins of a histogram in one of the histogram */
};

/* Read the drawn frame once more and append it to 'out'. */
static int add_frame (struct structure_reader *reader,
                      const struct trajectory *trajectory,
                      const struct sampled *sampled, uint64_t drawn_from,
                      struct strbuf *out, struct error *err)
{
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct strbuf info = STRBUF_INIT;
    int rc = structure_read (reader, trajectory, sampled, &frame, err);

    if (rc == 0)
        rc = error_set (err, "%s: changed while it was being read",
                        reader->path);
    if (rc < 0)
        return -1;
    if (reader->input->iteration >= 0)
        strbuf_addf (&info, "iteration=%lld ",
                     (long long)reader->input->iteration);
    strbuf_addf (&info, "task=%lld step=%lld ", (long long)sampled->task,
                 (long long)sampled->step);
    if (sampled->atom > 0)
        strbuf_addf (&info, "atom=%lld ", (long long)sampled->atom);
    strbuf_addf (&info, "deviation=");
    strbuf_add_double (&info, sampled->deviation);
    if (reader->input->rules.draws)
        strbuf_addf (&info, " drawn_from=%" PRIu64, drawn_from);
    frame.info = strbuf_detach (&info);
    extxyz_format (&frame, out);
    return 0;
}

/* Write the frames of one system among those drawn; *written[i] notes them. */
static int write_system (const struct selection_input *input,
                         const struct selection *selection, size_t system,
                         const char *dir, bool *written, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct structure_reader reader;
    _cleanup_free_ char *name =
        xasprintf ("%s.extxyz", input->systems.v[system]);
    _cleanup_free_ char *path = path_join (dir, name);
    int rc = 0;

    structure_reader_init (&reader, input);
    for (size_t i = 0; rc == 0 && i < selection->n; i++) {
        const struct sampled *sampled = &selection->frames[i];
        const struct trajectory *t = input_trajectory (input, sampled->task);

        if (t->system != system)
            continue;
        written[i] = true;
        if (!t->path)
            continue;
        rc = add_frame (&reader, t, sampled, selection->n_candidates, &text,
                        err);
    }
    if (rc == 0 && text.len > 0)
        rc = file_write_atomic (path, text.buf, text.len, err);
    structure_reader_close (&reader);
    return rc;
}

static int write_systems (const struct selection_input *input,
                          const struct selection *selection, const char *dir,
                          struct error *err)
{
    _cleanup_free_ bool *written = xcalloc (selection->n, sizeof (*written));
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < selection->n; i++) {
        if (!written[i])
            rc = write_system (
                input, selection,
                input_trajectory (input, selection->frames[i].task)->system,
                dir, written, err);
    }
    return rc;
}

char *result_temporary (const char *dir)
{
    const char *base = path_base (dir);
    char token[TOKEN_LENGTH + 1];

    random_token (token, TOKEN_LENGTH);
    return xasprintf ("%.*s.tmp-%s-%s", (int)(base - dir), dir, base, token);
}

static int write_frames (const struct selection_input *input,
                         const struct selection *selection, const char *dir,
                         struct error *err)
{
    _cleanup_free_ char *temporary = result_temporary (dir);
    int rc = file_make_dirs (temporary, err);

    if (rc == 0)
        rc = write_systems (input, selection, temporary, err);
    if (rc == 0 && (rc = file_rename (temporary, dir, err)) < 0)
        error_prefix (err, "frames_dir must be absent or empty");
    if (rc < 0)
        file_remove_tree (temporary, NULL, NULL);
    return rc;
}

static void set_fraction (struct json *params, const char *key, uint64_t part,
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

/* Eight bins of the histogram each, from the first to the last that has frames:
 * {"edges": [n + 1 numbers], "frames": [n numbers]}
 */
static struct json *histogram_of (const struct histogram *histogram)
{
    struct json *shown = json_object (), *edges = json_array (),
                *frames = json_array ();
    size_t first = HISTOGRAM_BINS, end = 0;

    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        if (histogram->bins[i] == 0)
            continue;
        if (first == HISTOGRAM_BINS)
            first = i / COARSE * COARSE;
        end = (i / COARSE + 1) * COARSE;
    }
    for (size_t i = first; i < end; i += COARSE) {
        uint64_t n = 0;

        for (size_t j = i; j < i + COARSE; j++)
            n += histogram->bins[j];
        json_push (edges, json_real (histogram_edge (i)));
        json_push (frames, json_int ((int64_t)n));
    }
    if (first < end)
        json_push (edges, json_real (histogram_edge (end)));
    json_set (shown, "edges", edges);
    json_set (shown, "frames", frames);
    return shown;
}

static struct json *systems_of (const struct selection_input *input,
                                const struct frame_stats *stats,
                                const struct selection *selection)
{
    _cleanup_free_ uint64_t *selected =
        xcalloc (input->systems.n, sizeof (*selected));
    struct json *all = json_object ();

    for (size_t i = 0; i < selection->n; i++)
        selected[input_trajectory (input, selection->frames[i].task)->system]++;
    for (size_t i = 0; i < input->systems.n; i++) {
        const struct histogram *histogram = &stats->histograms[i];
        struct json *one = json_object ();

        set_count (one, "frames", histogram_frames (histogram));
        set_class_counts (one, histogram->frames);
        set_count (one, "selected", selected[i]);
        json_set (one, "levels", frame_stats_levels_json (stats, i));
        json_set (one, "histogram", histogram_of (histogram));
        json_set (all, input->systems.v[i], one);
    }
    return all;
}

/* Levels that are not known to hold let nothing converge. */
static bool may_converge (const struct found_levels *found, struct strbuf *why)
{
    if (!found->any || found->calibrated)
        return true;
    if (isnan (found->all.low))
        strbuf_add_str (why, "the labels give no level");
    else
        strbuf_addf (why,
                     "of labelled frames that are called accurate %" PRIu64
                     " of %" PRIu64 " are right, fewer than asked for",
                     found->all.right.right, found->all.right.accurate);
    return false;
}

static void set_convergence (struct json *params,
                             const struct selection_input *input,
                             const struct selection *selection)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;
    bool converged = may_converge (&selection->levels, &why)
                     && convergence_reached (
                         &input->rules.convergence,
                         json_as_double (json_get (params, "accurate")),
                         json_get (params, "levels"), input->earlier, &why);

    json_set (params, "converged", json_bool (converged));
    json_set (params, "convergence", json_string (why.buf));
}

static void set_calibration (struct json *params,
                             const struct selection_input *input,
                             const struct selection *selection)
{
    if (!selection->levels.any)
        return;
    json_set (params, "calibrated", json_bool (selection->levels.calibrated));
    json_set (params, "calibration",
              found_levels_json (&selection->levels, input));
}

static void set_health (struct json *params,
                        const struct selection_input *input,
                        const struct selection *selection)
{
    if (!selection->health.any)
        return;
    json_set (params, "healthy",
              json_real (found_health_share (&selection->health, input)));
    json_set (params, "health", found_health_json (&selection->health, input));
}

static void set_counts (struct json *params,
                        const struct selection_input *input,
                        const struct selection *selection)
{
    const uint64_t *counts = selection->counts;

    set_count (params, "lost", counts[COUNT_LOST]);
    set_count (params, "missing_tasks", input->missing_tasks);
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

/* Of frames that were drawn there are no classes. */
static struct json *drawn_params (struct json *all)
{
    static const char *const kept[] = {
        "total",          "invalid",      "selected",      "lost",
        "missing_tasks",  "absent_files", "cut_files",     "cut_rows",
        "repeated_steps", "proceed",      "max_deviation", "deviation_median",
    };
    struct json *params = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (kept); i++) {
        if (json_get (all, kept[i]))
            json_set (params, kept[i], json_ref (json_get (all, kept[i])));
    }
    json_unref (all);
    return params;
}

struct json *result_params (const struct selection_input *input,
                            const struct frame_stats *stats,
                            const struct selection *selection)
{
    struct histogram histogram = HISTOGRAM_INIT;
    uint64_t lost = selection->counts[COUNT_LOST], all;
    struct json *params = json_object ();

    for (size_t i = 0; i < input->systems.n; i++)
        histogram_merge (&histogram, &stats->histograms[i]);
    all = histogram_frames (&histogram);
    if (!input->rules.clusters.any)
        all += lost;
    else
        lost = 0; /* how many atoms they had is not known */
    set_fraction (params, "accurate", histogram.frames[FRAME_ACCURATE], all);
    set_fraction (params, "candidate", histogram.frames[FRAME_CANDIDATE], all);
    set_fraction (params, "failed",
                  histogram.frames[FRAME_FAILED]
                      + histogram.frames[FRAME_INVALID] + lost,
                  all);
    set_fraction (params, "invalid", histogram.frames[FRAME_INVALID], all);
    set_count (params, "candidates", histogram.frames[FRAME_CANDIDATE]);
    set_count (params, "selected", selection->n);
    set_counts (params, input, selection);
    if (histogram_valid (&histogram) > 0) {
        json_set (params, "max_deviation", json_real (histogram.max_deviation));
        json_set (params, "deviation_median",
                  json_real (histogram_median (&histogram)));
    }
    if (selection->dropped_features)
        json_set (params, "dropped_features",
                  json_ref (selection->dropped_features));
    json_set (params, "levels",
              frame_stats_all_levels_json (stats, &input->systems));
    set_convergence (params, input, selection);
    set_calibration (params, input, selection);
    set_health (params, input, selection);
    json_set (params, "systems", systems_of (input, stats, selection));
    set_count (params, "total", all);
    json_set (params, "proceed", json_bool (selection->n > 0));
    return input->rules.draws ? drawn_params (params) : params;
}

static int write_params (const struct selection_input *input,
                         const struct frame_stats *stats,
                         const struct selection *selection, struct error *err)
{
    _cleanup_json_ struct json *params =
        result_params (input, stats, selection);
    int rc = file_make_parent (input->params_path, err);

    if (rc == 0)
        rc = json_write_file (input->params_path, params, err);
    return rc;
}

int result_write (const struct selection_input *input,
                  const struct frame_stats *stats,
                  const struct selection *selection, struct error *err)
{
    _cleanup_free_ char *dir =
        input->frames_dir ? path_absolute (input->frames_dir) : NULL;
    int rc = 0;

    if (dir)
        rc = write_frames (input, selection, dir, err);
    if (rc == 0
        && ((rc = provenance_write (input, stats, selection, err)) < 0
            || (rc = write_params (input, stats, selection, err)) < 0)
        && dir)
        file_remove_tree (dir, NULL, NULL);
    return rc;
}
