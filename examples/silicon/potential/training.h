/* SPDX-License-Identifier: BSD-3-Clause */
/* training.h - fit one member of a committee to labelled frames
 *
 * Members differ in the frames they see: each is fitted to a bootstrap
 * resample, as many draws with replacement as there are frames (B. Efron,
 * Ann. Statist. 7, 1, 1979).  Where members disagree, data are missing.
 */
#ifndef TRAINING_H
#define TRAINING_H

#include <stdint.h>

#include "extxyz_frames.h"
#include "linear_model.h"

struct training_settings {
    double ridge;
    double energy_weight; /* of (energy error)^2 per atom; (eV/A)^2 weigh 1 */
};

/* How far a model is off, root mean square over frames and components. */
struct score {
    double energy_rmse; /* eV per atom */
    double force_rmse;  /* eV/A */
    double force_rms;   /* of the labels themselves, to compare with, eV/A */
};

/* Set draws[f], how often frame f of 'count' was drawn.  Every draw is a hash
 * of (seed, member, number of the draw), so it depends on nothing else.
 */
void bootstrap_draw (size_t count, uint64_t seed, uint64_t member,
                     unsigned *draws);

/* Set the model's coefficients to the ridge fit of its frames, frame f counted
 * draws[f] times.  0, or -1.
 */
int train_linear (struct linear_model *model, const struct frames *frames,
                  const unsigned *draws,
                  const struct training_settings *settings,
                  struct problem *problem);

/* 0, or -1. */
int score_model (const struct linear_model *model, const struct frames *frames,
                 struct score *score, struct problem *problem);

#endif /* !TRAINING_H */
