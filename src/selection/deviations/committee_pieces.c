/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_pieces.c - where a committee's files are cut for several ranks */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/frame_search.h"
#include "formats/npy/npy_rows.h"
#include "formats/vector_reader.h"
#include "selection/deviations/committee.h"
#include "selection/deviations/committee_member.h"

bool committee_is_divisible (const char *trajectory,
                             const char *const *forces,
                             size_t n_models)
{
    enum vector_division first = vector_division (trajectory);

    for (size_t k = 0; k < n_models; k++) {
        if (vector_division (forces[k]) != first)
            return false;
    }
    return first != VECTOR_WHOLE;
}

/* value * part / whole, whose product may not fit 64 bits. */
static uint64_t scale (uint64_t value, uint64_t part, uint64_t whole)
{
    return (uint64_t)((unsigned __int128)value * part / whole);
}

/* Where each file is cut; the end of it is UINT64_MAX. */
struct cut {
    uint64_t trajectory;
    uint64_t *models;
};

/* By steps: at the first frame behind a byte of the trajectory, and the first
 * frames of the models that are not before it.
 */
static int cut_by_step (const struct committee_files *files,
                        uint64_t byte,
                        struct cut *cut,
                        struct error *err)
{
    int64_t step = 0;
    int rc = frame_search_byte (files->trajectory, byte, &cut->trajectory,
                                &step, err);

    if (rc == 0)
        cut->trajectory = UINT64_MAX;
    for (size_t k = 0; rc >= 0 && k < files->n_models; k++) {
        int found = 0;

        if (rc == 1)
            found = frame_search_step (files->forces[k], step, &cut->models[k],
                                       err);
        if (found < 0)
            return -1;
        if (found != 1)
            cut->models[k] = UINT64_MAX;
    }
    return rc < 0 ? -1 : 0;
}

/* By numbers: at the same row of all arrays. */
static int cut_by_number (const struct committee_files *files,
                          uint64_t at,
                          struct cut *cut,
                          struct error *err)
{
    struct npy_rows *rows = npy_rows_open (files->trajectory, err);

    if (!rows)
        return -1;
    cut->trajectory = scale (npy_rows_count (rows), at, files->piece->bytes);
    for (size_t k = 0; k < files->n_models; k++)
        cut->models[k] = cut->trajectory;
    npy_rows_close (rows);
    return 0;
}

static int find_cut (const struct committee_files *files,
                     uint64_t at,
                     struct cut *cut,
                     struct error *err)
{
    if (vector_division (files->trajectory) == VECTOR_BY_NUMBER)
        return cut_by_number (files, at, cut, err);
    return cut_by_step (
        files, scale (files->piece->trajectory_bytes, at, files->piece->bytes),
        cut, err);
}

int committee_take_piece (const struct committee_files *files,
                          struct member *trajectory,
                          struct member *models,
                          struct error *err)
{
    struct cut cut = { 0, xcalloc (files->n_models, sizeof (uint64_t)) };
    bool by_step = vector_division (files->trajectory) == VECTOR_BY_STEP;
    int rc = 0;

    trajectory->needs_steps = by_step;
    for (size_t k = 0; k < files->n_models; k++)
        models[k].needs_steps = by_step;
    if (files->piece->end < files->piece->bytes) {
        rc = find_cut (files, files->piece->end, &cut, err);
        trajectory->end = cut.trajectory;
        for (size_t k = 0; k < files->n_models; k++)
            models[k].end = cut.models[k];
    }
    if (rc == 0 && files->piece->begin > 0) {
        rc = find_cut (files, files->piece->begin, &cut, err);
        if (rc == 0)
            rc = member_begin_at (trajectory, cut.trajectory, err);
        for (size_t k = 0; rc == 0 && k < files->n_models; k++)
            rc = member_begin_at (&models[k], cut.models[k], err);
    }
    free (cut.models);
    return rc;
}
