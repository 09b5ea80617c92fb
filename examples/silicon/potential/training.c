/* SPDX-License-Identifier: BSD-3-Clause */
/* training.c - fit one member of a committee to labelled frames */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame_terms.h"
#include "problem.h"
#include "ridge_fit.h"
#include "training.h"

/* The output step of SplitMix64: G. Steele, D. Lea and C. Flood, OOPSLA 2014,
 * doi 10.1145/2660193.2660195.
 */
static uint64_t scramble (uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void bootstrap_draw (size_t count, uint64_t seed, uint64_t member,
                     unsigned *draws)
{
    uint64_t stream = scramble (scramble (seed) ^ member);

    memset (draws, 0, count * sizeof *draws);
    for (size_t i = 0; i < count; i++)
        draws[scramble (stream ^ i) % count]++;
}

/* The core is no unknown: it is subtracted from the labels. */
static void add_frame (struct ridge_fit *fit, const struct frame *frame,
                       const struct frame_terms *terms, double draws,
                       double energy_weight)
{
    const double *force = &frame->forces[0][0];

    ridge_fit_add (fit, terms->energy_row,
                   frame->energy_eV - terms->fixed_energy_eV,
                   draws * energy_weight / (double)frame->atom_count);
    for (size_t r = 0; r < 3 * frame->atom_count; r++)
        ridge_fit_add (fit, terms->force_rows + r * fit->count,
                       force[r] - terms->fixed_forces[r], draws);
}

int train_linear (struct linear_model *model, const struct frames *frames,
                  const unsigned *draws,
                  const struct training_settings *settings,
                  struct problem *problem)
{
    struct ridge_fit fit;
    int rc = -1;

    if (ridge_fit_init (&fit, model->descriptor.feature_count, problem) < 0)
        return -1;
    for (size_t f = 0; f < frames->count; f++) {
        const struct frame *frame = &frames->items[f];
        struct frame_terms terms;

        if (draws[f] == 0)
            continue;
        if (frame_terms_init (&terms, &model->descriptor, frame, problem) < 0)
            goto done;
        add_frame (&fit, frame, &terms, draws[f], settings->energy_weight);
        frame_terms_release (&terms);
    }
    rc = ridge_fit_solve (&fit, settings->ridge, model->coefficients, problem);
done:
    ridge_fit_release (&fit);
    return rc;
}

/* Add one frame's squared errors to 'sum'.  0, or -1. */
static int score_frame (const struct linear_model *model,
                        const struct frame *frame, struct score *sum,
                        struct problem *problem)
{
    size_t count = 3 * frame->atom_count;
    double *predicted = calloc (count, sizeof *predicted);
    const double *wanted = &frame->forces[0][0];
    double energy, error;
    int rc = -1;

    if (!predicted) {
        problem_set (problem, "out of memory");
        goto done;
    }
    if (frame_predict (model, frame, &energy, (double (*)[3])predicted, problem)
        < 0)
        goto done;
    error = (energy - frame->energy_eV) / (double)frame->atom_count;
    sum->energy_rmse += error * error;
    for (size_t r = 0; r < count; r++) {
        error = predicted[r] - wanted[r];
        sum->force_rmse += error * error;
        sum->force_rms += wanted[r] * wanted[r];
    }
    rc = 0;
done:
    free (predicted);
    return rc;
}

int score_model (const struct linear_model *model, const struct frames *frames,
                 struct score *score, struct problem *problem)
{
    struct score sum = { 0 };
    double components = 0;

    for (size_t f = 0; f < frames->count; f++) {
        if (score_frame (model, &frames->items[f], &sum, problem) < 0)
            return -1;
        components += 3 * (double)frames->items[f].atom_count;
    }
    score->energy_rmse = sqrt (sum.energy_rmse / (double)frames->count);
    score->force_rmse = sqrt (sum.force_rmse / components);
    score->force_rms = sqrt (sum.force_rms / components);
    return 0;
}
