/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_stats.c - what labelled frames are, and the ranges of their labels */
#include "base/base.h"

#include "formats/atomic_units.h"
#include "formats/frame.h"
#include "selection/dataset/dataset_stats.h"

double value_range_mean (const struct value_range *range)
{
    return range->n > 0 ? range->sum / (double)range->n : 0;
}

double value_range_rms (const struct value_range *range)
{
    return range->n > 0 ? sqrt (range->squares / (double)range->n) : 0;
}

static void add_value (struct value_range *range, double value,
                       struct frame_mark mark)
{
    if (!isfinite (value))
        return;
    if (range->n == 0 || value < range->low) {
        range->low = value;
        range->at_low = mark;
    }
    if (range->n == 0 || value > range->high) {
        range->high = value;
        range->at_high = mark;
    }
    range->n++;
    range->sum += value;
    range->squares += value * value;
}

const char *dataset_label_name (enum dataset_label label)
{
    static const char *const names[LABELS] = { "energy", "forces", "virial" };

    return names[label];
}

/* --- compositions --- */

static int compare_symbols (const void *a, const void *b)
{
    return strcmp (a, b);
}

/* "H2O" */
static char *formula (const struct frame *frame)
{
    size_t n = frame->n_atoms, same;
    char (*sorted)[SYMBOL_SIZE] = xcalloc (n + 1, SYMBOL_SIZE);
    struct strbuf text = STRBUF_INIT;

    memcpy (sorted, frame->symbols, n * SYMBOL_SIZE);
    qsort (sorted, n, SYMBOL_SIZE, compare_symbols);
    for (size_t i = 0; i < n; i += same) {
        for (same = 1;
             i + same < n && strcmp (sorted[i], sorted[i + same]) == 0; same++)
            ;
        strbuf_add_str (&text, sorted[i]);
        if (same > 1)
            strbuf_addf (&text, "%zu", same);
    }
    free (sorted);
    return strbuf_detach (&text);
}

static struct composition *find_composition (struct dataset_stats *stats,
                                             const struct frame *frame)
{
    char *text = formula (frame);
    struct composition *made;

    for (size_t i = 0; i < stats->n_compositions; i++) {
        if (strcmp (stats->compositions[i].formula, text) == 0) {
            free (text);
            return &stats->compositions[i];
        }
    }
    stats->compositions =
        grow_array (stats->compositions, stats->n_compositions, &stats->alloc,
                    sizeof (*stats->compositions));
    made = &stats->compositions[stats->n_compositions++];
    *made = (struct composition){ .formula = text, .n_atoms = frame->n_atoms };
    return made;
}

/* --- labels --- */

static void count_labels (struct dataset_stats *stats,
                          const struct frame *frame, struct frame_mark mark)
{
    const bool has[LABELS] = { frame->has_energy, frame->forces != NULL,
                               frame->has_virial };

    for (int i = 0; i < LABELS; i++) {
        struct label_count *label = &stats->labels[i];

        if (!has[i] && label->n == stats->n_frames)
            label->first_without = mark;
        label->n += has[i];
    }
}

static void add_forces (struct dataset_stats *stats, const struct frame *frame,
                        struct frame_mark mark)
{
    double net[3] = { 0, 0, 0 };

    for (size_t i = 0; i < frame->n_atoms; i++) {
        const double *f = frame->forces + 3 * i;

        add_value (&stats->force,
                   sqrt (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), mark);
        for (int k = 0; k < 3; k++)
            net[k] += f[k];
    }
    add_value (&stats->net_force,
               sqrt (net[0] * net[0] + net[1] * net[1] + net[2] * net[2])
                   / (double)frame->n_atoms,
               mark);
}

static void add_virial (struct dataset_stats *stats, const struct frame *frame,
                        struct frame_mark mark)
{
    const double *v = frame->virial;
    double volume = fabs (frame_volume (frame));

    for (int i = 0; i < 9; i++)
        add_value (&stats->virial, v[i] / (double)frame->n_atoms, mark);
    if (volume > 0)
        add_value (&stats->pressure,
                   (v[0] + v[4] + v[8]) / 3 / volume * EV_A3_GPA, mark);
}

static void add_compression (struct compression *c, const struct frame *frame)
{
    const double *w = frame->virial;
    double whole = fabs (frame_volume (frame));
    double volume = whole / (double)frame->n_atoms;
    double pressure = (w[0] + w[4] + w[8]) / 3 / whole * EV_A3_GPA;

    if (!(whole > 0) || !isfinite (pressure))
        return;
    c->n++;
    c->volume += volume;
    c->pressure += pressure;
    c->volume_volume += volume * volume;
    c->volume_pressure += volume * pressure;
    c->pressure_pressure += pressure * pressure;
}

bool compression_modulus (const struct compression *c, double *modulus_GPa)
{
    enum { FRAMES_MIN = 5 };
    static const double spread_min = 0.01, explained_min = 0.5;
    double n = (double)c->n, volume = c->volume / n, pressure = c->pressure / n;
    double vv = c->volume_volume / n - volume * volume;
    double vp = c->volume_pressure / n - volume * pressure;
    double pp = c->pressure_pressure / n - pressure * pressure;

    if (c->n < FRAMES_MIN || !(vv > pow (spread_min * volume, 2)) || !(pp > 0)
        || vp * vp < explained_min * vv * pp)
        return false;
    *modulus_GPa = -volume * vp / vv;
    return true;
}

static bool is_valid (const struct frame *frame)
{
    size_t n = 3 * frame->n_atoms;

    return all_finite (frame->cell, 9) && all_finite (frame->positions, n)
           && (!frame->forces || all_finite (frame->forces, n))
           && (!frame->has_energy || isfinite (frame->energy))
           && (!frame->has_virial || all_finite (frame->virial, 9));
}

static void add_labels (struct dataset_stats *stats,
                        struct composition *composition,
                        const struct frame *frame, struct frame_mark mark)
{
    double n = (double)frame->n_atoms;

    if (frame->has_energy) {
        add_value (&stats->energy, frame->energy / n, mark);
        add_value (&composition->energy, frame->energy / n, mark);
    }
    if (frame->forces)
        add_forces (stats, frame, mark);
    if (frame->has_virial)
        add_virial (stats, frame, mark);
    if (frame->has_virial && frame->periodic[0] && frame->periodic[1]
        && frame->periodic[2])
        add_compression (&composition->compression, frame);
}

void dataset_stats_add (struct dataset_stats *stats, const struct frame *frame,
                        struct frame_mark mark)
{
    struct composition *composition = find_composition (stats, frame);
    int n_periodic =
        frame->periodic[0] + frame->periodic[1] + frame->periodic[2];

    count_labels (stats, frame, mark);
    if (!is_valid (frame) && stats->n_invalid++ == 0)
        stats->first_invalid = mark;
    if (frame->n_atoms > 0)
        add_labels (stats, composition, frame, mark);
    if (frame->n_atoms > 0 && n_periodic == 3)
        add_value (&stats->volume,
                   fabs (frame_volume (frame)) / (double)frame->n_atoms, mark);
    stats->n_periodic += n_periodic == 3;
    stats->n_isolated += n_periodic == 0;
    stats->n_atoms += frame->n_atoms;
    stats->n_frames++;
    composition->n_frames++;
}

void dataset_stats_release (struct dataset_stats *stats)
{
    for (size_t i = 0; i < stats->n_compositions; i++)
        free (stats->compositions[i].formula);
    free (stats->compositions);
    *stats = (struct dataset_stats)DATASET_STATS_INIT;
}
