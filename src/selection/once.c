/* SPDX-License-Identifier: BSD-3-Clause */
/* once.c - every step of a file once, the last time that it comes */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "selection/once.h"
#include "selection/survey.h"

static void drop_kept (struct once *once)
{
    for (size_t i = 0; i < once->n_kept; i++)
        free (once->kept[i].atoms);
    once->n_kept = 0;
}

void once_release (struct once *once)
{
    drop_kept (once);
    free (once->held_atoms);
    free (once->kept);
    free (once->out);
    free (once->places);
    *once = (struct once)ONCE_INIT;
}

/* A section is a trajectory of its own, with steps and skips of its own. */
static void start_section (struct once *once, int64_t section)
{
    once->section = section;
    once->skip_left = once->survey->rules->skip_frames;
    once->has_held = false;
}

void once_start (struct once *once,
                 const struct survey *survey,
                 struct survey_part *part,
                 int64_t task,
                 int64_t part_of_task,
                 int64_t keep_from)
{
    drop_kept (once);
    *once = (struct once){
        .survey = survey,
        .part = part,
        .task = task,
        .part_of_task = part_of_task,
        .keep_from = keep_from,
        .lowest = INT64_MAX,
        .held_atoms = once->held_atoms,
        .kept = once->kept,
        .kept_alloc = once->kept_alloc,
        .out = once->out,
        .places = once->places,
    };
    if (!once->out) {
        once->out = xcalloc (1, sizeof (*once->out));
        once->places = xcalloc (DEVIATION_ROWS_MAX, sizeof (*once->places));
    }
    start_section (once, 0);
}

/* --- out --- */

static void pass_on (struct once *once,
                     const struct deviation_rows *rows,
                     const uint64_t *places)
{
    if (rows->n == 0)
        return;
    if (once->n_frames == 0)
        once->first = rows->step[0];
    once->last = rows->step[rows->n - 1];
    once->n_frames += rows->n;
    if (!once->went_back)
        survey_add (once->survey, once->part, once->task,
                    once->part_of_task + once->section, rows, places);
}

static void flush (struct once *once)
{
    pass_on (once, once->out, once->places);
    once->out->n = 0;
}

/* One row, to be passed on with others. */
static void put (struct once *once, const struct once_row *row)
{
    struct deviation_rows *out = once->out;

    if (once->skip_left > 0) {
        once->skip_left--;
        return;
    }
    out->step[out->n] = row->step;
    once->places[out->n] = row->place;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        out->value[q][out->n] = row->value[q];
    out->atoms = row->atoms;
    out->n_atoms = row->n_atoms;
    if (++out->n == DEVIATION_ROWS_MAX || row->atoms)
        flush (once);
}

/* --- row by row --- */

/* A copy of the row's atoms, in 'room' if that is not NULL. */
static double *copy_atoms (const struct once_row *row, double *room)
{
    if (!row->atoms)
        return NULL;
    room = xreallocarray (room, row->n_atoms + 1, sizeof (*room));
    memcpy (room, row->atoms, row->n_atoms * sizeof (*room));
    return room;
}

static void hold (struct once *once, const struct once_row *row)
{
    once->held = *row;
    once->has_held = true;
    if (row->atoms)
        once->held.atoms = once->held_atoms =
            copy_atoms (row, once->held_atoms);
}

static void keep (struct once *once, const struct once_row *row)
{
    once->kept = grow_array (once->kept, once->n_kept, &once->kept_alloc,
                             sizeof (*once->kept));
    once->kept[once->n_kept] = *row;
    once->kept[once->n_kept].order = once->n_kept;
    once->kept[once->n_kept].atoms = copy_atoms (row, NULL);
    once->n_kept++;
}

/* The row after the one that is held. */
static void take (struct once *once, const struct once_row *row)
{
    if (row->step >= once->keep_from) {
        keep (once, row);
        return;
    }
    if (once->has_held && row->step == once->held.step) {
        once->repeated++;
    } else if (once->has_held && row->step < once->held.step) {
        once->went_back = true;
        if (row->step < once->lowest)
            once->lowest = row->step;
    } else if (once->has_held) {
        put (once, &once->held);
    }
    hold (once, row);
}

static void put_held (struct once *once)
{
    if (once->has_held)
        put (once, &once->held);
    once->has_held = false;
}

static int compare_kept (const void *a, const void *b)
{
    const struct once_row *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void end_section (struct once *once)
{
    put_held (once);
    if (once->n_kept > 1)
        qsort (once->kept, once->n_kept, sizeof (*once->kept), compare_kept);
    for (size_t i = 0; i < once->n_kept; i++) {
        if (i + 1 < once->n_kept
            && once->kept[i + 1].step == once->kept[i].step)
            once->repeated++;
        else
            put (once, &once->kept[i]);
    }
    drop_kept (once);
    flush (once);
}

static void get_row (const struct deviation_rows *rows,
                     const uint64_t *places,
                     size_t i,
                     struct once_row *row)
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
static bool are_rising (const struct once *once,
                        const struct deviation_rows *rows)
{
    bool falls = rows->step[0] < once->survey->rules->skip_steps
                 || (once->has_held && rows->step[0] <= once->held.step)
                 || rows->step[rows->n - 1] >= once->keep_from
                 || once->skip_left > 0;

    for (size_t i = 1; i < rows->n; i++)
        falls |= rows->step[i] <= rows->step[i - 1];
    return !falls;
}

void once_add (struct once *once,
               struct deviation_rows *rows,
               const uint64_t *places)
{
    struct once_row row;

    if (rows->n == 0)
        return;
    if (rows->section != once->section) {
        end_section (once);
        start_section (once, rows->section);
    }
    if (rows->n > 1 && are_rising (once, rows)) {
        put_held (once);
        flush (once);
        get_row (rows, places, --rows->n, &once->held);
        once->has_held = true;
        pass_on (once, rows, places);
        return;
    }
    for (size_t i = 0; i < rows->n; i++) {
        get_row (rows, places, i, &row);
        if (row.step >= once->survey->rules->skip_steps)
            take (once, &row);
    }
}

bool once_end (struct once *once)
{
    end_section (once);
    return !once->went_back;
}
