/* SPDX-License-Identifier: BSD-3-Clause */
/* step_dedup.c - every step of a file once, the last time that it comes */
#include "base/base.h"

#include "selection/statistics/step_dedup.h"
#include "selection/statistics/frame_stats.h"

static void drop_kept (struct step_dedup *dedup)
{
    for (size_t i = 0; i < dedup->n_kept; i++)
        free (dedup->kept[i].atoms);
    dedup->n_kept = 0;
}

void step_dedup_release (struct step_dedup *dedup)
{
    drop_kept (dedup);
    free (dedup->held_atoms);
    free (dedup->kept);
    free (dedup->out);
    free (dedup->places);
    *dedup = (struct step_dedup){ 0 };
}

/* A section is a trajectory of its own, with steps and skips of its own. */
static void start_section (struct step_dedup *dedup, int64_t section)
{
    dedup->section = section;
    dedup->skip_left = dedup->stats->rules->skip_frames;
    dedup->has_held = false;
}

void step_dedup_start (struct step_dedup *dedup,
                       const struct frame_stats *stats,
                       struct frame_stats_part *part, int64_t task,
                       int64_t part_of_task, int64_t keep_from)
{
    drop_kept (dedup);
    *dedup = (struct step_dedup){
        .stats = stats,
        .part = part,
        .task = task,
        .part_of_task = part_of_task,
        .keep_from = keep_from,
        .lowest = INT64_MAX,
        .held_atoms = dedup->held_atoms,
        .kept = dedup->kept,
        .kept_alloc = dedup->kept_alloc,
        .out = dedup->out,
        .places = dedup->places,
    };
    if (!dedup->out) {
        dedup->out = xcalloc (1, sizeof (*dedup->out));
        dedup->places = xcalloc (DEVIATION_ROWS_MAX, sizeof (*dedup->places));
    }
    start_section (dedup, 0);
}

/* --- out --- */

static void pass_on (struct step_dedup *dedup,
                     const struct deviation_rows *rows, const uint64_t *places)
{
    if (rows->n == 0)
        return;
    if (dedup->n_frames == 0)
        dedup->first = rows->step[0];
    dedup->last = rows->step[rows->n - 1];
    dedup->n_frames += rows->n;
    if (!dedup->went_back)
        frame_stats_add (dedup->stats, dedup->part, dedup->task,
                         dedup->part_of_task + dedup->section, rows, places);
}

static void flush (struct step_dedup *dedup)
{
    pass_on (dedup, dedup->out, dedup->places);
    dedup->out->n = 0;
}

/* One row, to be passed on with others. */
static void put (struct step_dedup *dedup, const struct step_dedup_row *row)
{
    struct deviation_rows *out = dedup->out;

    if (dedup->skip_left > 0) {
        dedup->skip_left--;
        return;
    }
    out->step[out->n] = row->step;
    dedup->places[out->n] = row->place;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        out->value[q][out->n] = row->value[q];
    out->atoms = row->atoms;
    out->n_atoms = row->n_atoms;
    if (++out->n == DEVIATION_ROWS_MAX || row->atoms)
        flush (dedup);
}

/* --- row by row --- */

/* A copy of the row's atoms, in 'room' if that is not NULL. */
static double *copy_atoms (const struct step_dedup_row *row, double *room)
{
    if (!row->atoms)
        return NULL;
    room = xreallocarray (room, row->n_atoms + 1, sizeof (*room));
    memcpy (room, row->atoms, row->n_atoms * sizeof (*room));
    return room;
}

static void hold_row (struct step_dedup *dedup,
                      const struct step_dedup_row *row)
{
    dedup->held = *row;
    dedup->has_held = true;
    if (row->atoms)
        dedup->held.atoms = dedup->held_atoms =
            copy_atoms (row, dedup->held_atoms);
}

static void keep (struct step_dedup *dedup, const struct step_dedup_row *row)
{
    dedup->kept = grow_array (dedup->kept, dedup->n_kept, &dedup->kept_alloc,
                              sizeof (*dedup->kept));
    dedup->kept[dedup->n_kept] = *row;
    dedup->kept[dedup->n_kept].order = dedup->n_kept;
    dedup->kept[dedup->n_kept].atoms = copy_atoms (row, NULL);
    dedup->n_kept++;
}

/* The row after the one that is held. */
static void take (struct step_dedup *dedup, const struct step_dedup_row *row)
{
    if (row->step >= dedup->keep_from) {
        keep (dedup, row);
        return;
    }
    if (dedup->has_held && row->step == dedup->held.step) {
        dedup->repeated++;
    } else if (dedup->has_held && row->step < dedup->held.step) {
        dedup->went_back = true;
        if (row->step < dedup->lowest)
            dedup->lowest = row->step;
    } else if (dedup->has_held) {
        put (dedup, &dedup->held);
    }
    hold_row (dedup, row);
}

static void put_held (struct step_dedup *dedup)
{
    if (dedup->has_held)
        put (dedup, &dedup->held);
    dedup->has_held = false;
}

static int compare_kept (const void *a, const void *b)
{
    const struct step_dedup_row *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void end_section (struct step_dedup *dedup)
{
    put_held (dedup);
    if (dedup->n_kept > 1)
        qsort (dedup->kept, dedup->n_kept, sizeof (*dedup->kept), compare_kept);
    for (size_t i = 0; i < dedup->n_kept; i++) {
        if (i + 1 < dedup->n_kept
            && dedup->kept[i + 1].step == dedup->kept[i].step)
            dedup->repeated++;
        else
            put (dedup, &dedup->kept[i]);
    }
    drop_kept (dedup);
    flush (dedup);
}

static void get_row (const struct deviation_rows *rows, const uint64_t *places,
                     size_t i, struct step_dedup_row *row)
{
    row->step = rows->step[i];
    row->place = places ? places[i] : UINT64_MAX;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        row->value[q] = rows->value[q][i];
    row->atoms = (double *)rows->atoms;
    row->n_atoms = rows->n_atoms;
}

/* --- all at once --- */

/* Do the steps of the rows only go up, from those that came before on? */
static bool are_rising (const struct step_dedup *dedup,
                        const struct deviation_rows *rows)
{
    bool falls = rows->step[0] < dedup->stats->rules->skip_steps
                 || (dedup->has_held && rows->step[0] <= dedup->held.step)
                 || rows->step[rows->n - 1] >= dedup->keep_from
                 || dedup->skip_left > 0;

    for (size_t i = 1; i < rows->n; i++)
        falls |= rows->step[i] <= rows->step[i - 1];
    return !falls;
}

void step_dedup_add (struct step_dedup *dedup, struct deviation_rows *rows,
                     const uint64_t *places)
{
    struct step_dedup_row row;

    if (rows->n == 0)
        return;
    if (rows->section != dedup->section) {
        end_section (dedup);
        start_section (dedup, rows->section);
    }
    if (rows->n > 1 && are_rising (dedup, rows)) {
        put_held (dedup);
        flush (dedup);
        get_row (rows, places, --rows->n, &dedup->held);
        dedup->has_held = true;
        pass_on (dedup, rows, places);
        return;
    }
    for (size_t i = 0; i < rows->n; i++) {
        get_row (rows, places, i, &row);
        if (row.step >= dedup->stats->rules->skip_steps)
            take (dedup, &row);
    }
}

bool step_dedup_end (struct step_dedup *dedup)
{
    end_section (dedup);
    return !dedup->went_back;
}
