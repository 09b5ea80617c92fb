/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_member.c - one of the files of a committee, frame after frame */
#include "config.h"

#include "base/error.h"
#include "selection/deviations/committee.h"
#include "selection/deviations/committee_member.h"
#include "selection/statistics/frame_stats.h"

int member_open (struct member *member,
                 const char *path,
                 const struct vector_options *options,
                 uint64_t *absent,
                 struct error *err)
{
    struct error why = ERROR_INIT;

    *member = (struct member){ .number = -1, .end = UINT64_MAX };
    member->reader = vector_reader_open (path, options, &why);
    if (member->reader)
        return 0;
    if (!error_is_absence (&why))
        return error_copy (err, &why);
    ++*absent;
    return 0;
}

void member_close (struct member *member, uint64_t *counts)
{
    if (member->end == UINT64_MAX && member->reader
        && vector_reader_truncated (member->reader))
        counts[COUNT_CUT_FILES]++;
    vector_reader_close (member->reader);
}

int member_next (struct member *member, struct error *err)
{
    int rc = member->ended
                 ? 0
                 : vector_reader_next (member->reader, &member->frame, err);

    if (rc == 1 && member->frame.place >= member->end)
        rc = 0;
    member->at_frame = rc == 1;
    member->ended = rc == 0;
    if (rc != 1)
        return rc;
    member->went_back |= (member->any && member->frame.step <= member->last)
                         || (member->needs_steps && !member->frame.has_step);
    member->any = true;
    member->last = member->frame.step;
    member->number++;
    return 1;
}

/* Is the member's frame before (-1), at (0) or behind (1) that of the
 * trajectory?  Where one of the files has no steps, frames are counted.
 */
static int compare_frames (const struct member *member,
                           const struct member *trajectory)
{
    int64_t a = member->frame.step, b = trajectory->frame.step;

    if (!member->frame.has_step || !trajectory->frame.has_step) {
        a = member->number;
        b = trajectory->number;
    }
    return (a > b) - (a < b);
}

int member_seek (struct member *member,
                 const struct member *trajectory,
                 struct error *err)
{
    while (member->reader
           && (!member->at_frame || compare_frames (member, trajectory) < 0)) {
        int rc = member_next (member, err);

        if (rc != 1)
            return rc;
    }
    if (!member->reader || compare_frames (member, trajectory) != 0)
        return 0;
    member->at_frame = false;
    return 1;
}

bool member_has_atoms_of (const struct member *model,
                          const struct member *trajectory)
{
    const struct vector_frame *a = &model->frame, *b = &trajectory->frame;
    bool same = a->n_atoms == b->n_atoms;

    for (size_t i = 0; same && a->ids && b->ids && i < a->n_atoms; i++)
        same = a->ids[i] == b->ids[i];
    return same;
}

int member_begin_at (struct member *member, uint64_t place, struct error *err)
{
    if (!member->reader)
        return 0;
    if (place == UINT64_MAX)
        member->end = 0;                 /* there is nothing to read */
    member->number = (int64_t)place - 1; /* that of an array's frames */
    return place == UINT64_MAX
               ? 0
               : vector_reader_go_to (member->reader, place, err);
}
