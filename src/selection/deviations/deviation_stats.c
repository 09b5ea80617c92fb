/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_stats.c - a model_devi.out, or a share of one, into the statistics
 */
#include "config.h"

#include "base/error.h"
#include "formats/deviations/deviation_file.h"
#include "selection/deviations/deviation_stats.h"
#include "selection/statistics/frame_stats.h"

struct deviation_reader *deviation_reader_for (const struct rules *rules)
{
    static const bool force_only[DEVIATION_QUANTITIES] = { [DEVIATION_FORCE] =
                                                               true };

    return deviation_reader_new (rules->n_systems > 0 ? rules->criteria[0].has
                                                      : force_only,
                                 rules->clusters.any);
}

static void make_relative (const struct deviation_source *source,
                           struct deviation_rows *rows)
{
    double *value = rows->value[DEVIATION_FORCE];

    for (size_t i = 0; source->rms_force != 0 && i < rows->n; i++)
        value[i] /= source->rms_force;
}

/* One time through the source. */
static int read_once (const struct frame_stats *stats,
                      const struct deviation_source *source,
                      struct deviation_reader *reader,
                      struct step_dedup *dedup,
                      struct frame_stats_part *part,
                      int64_t keep_from,
                      struct error *err)
{
    struct deviation_rows rows;
    int rc;

    frame_stats_part_reset (stats, part, source->system);
    step_dedup_start (dedup, stats, part, source->task, source->part,
                      keep_from);
    if (deviation_reader_open (reader, source->path, source->begin, source->end,
                               source->file_bytes, err)
        < 0)
        return -1;
    while ((rc = deviation_reader_next (reader, &rows, err)) == 1) {
        if (rows.atoms && rows.n_atoms == 0)
            return error_set (err,
                              "%s: step %lld: no deviations of atoms, which "
                              "clusters need; LAMMPS writes them with 'atomic'",
                              source->path, (long long)rows.step[0]);
        make_relative (source, &rows);
        step_dedup_add (dedup, &rows, NULL);
    }
    step_dedup_end (dedup);
    return rc;
}

int deviation_stats (const struct frame_stats *stats,
                     const struct deviation_source *source,
                     struct deviation_reader *reader,
                     struct step_dedup *dedup,
                     struct frame_stats_part *part,
                     uint64_t *cut,
                     struct error *err)
{
    bool whole = source->begin == 0 && source->end == source->file_bytes;
    struct deviation_source same = *source;
    int rc = read_once (stats, source, reader, dedup, part, INT64_MAX, err);

    if (rc == 0 && dedup->went_back && whole) {
        same.end = same.file_bytes = deviation_reader_bytes (reader);
        rc = read_once (stats, &same, reader, dedup, part, dedup->lowest, err);
    }
    dedup->went_back |= !whole && !deviation_reader_is_uniform (reader);
    *cut = deviation_reader_cut (reader);
    return rc;
}

int deviation_stats_sorted (const struct frame_stats *stats,
                            const struct deviation_source *source,
                            struct deviation_reader *reader,
                            struct step_dedup *dedup,
                            struct frame_stats_part *part,
                            uint64_t *cut,
                            struct error *err)
{
    int rc = read_once (stats, source, reader, dedup, part, INT64_MIN, err);

    *cut = deviation_reader_cut (reader);
    return rc;
}
