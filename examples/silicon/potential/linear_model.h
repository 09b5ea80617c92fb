/* SPDX-License-Identifier: BSD-3-Clause */
/* linear_model.h - a fitted potential and its file
 *
 * The file is text, one "word value" a line in this order, every number in a
 * form that reads back to the same bits:
 *
 *   linear-model 1
 *   species Si
 *   cutoff 4.8
 *   core 1.9
 *   radial2 8
 *   radial3 4
 *   rank 4
 *   coefficients 59
 *   -1.0772e+02
 *   ...
 */
#ifndef LINEAR_MODEL_H
#define LINEAR_MODEL_H

#include "descriptor.h"

#define LINEAR_MODEL_FILE "linear.model"
#define LINEAR_MODEL_MAX_SPECIES 7 /* letters in the name of an element */

struct linear_model {
    char species[LINEAR_MODEL_MAX_SPECIES + 1];
    struct descriptor descriptor;
    double *coefficients; /* descriptor.feature_count of them; owned */
};

/* A model of these settings whose coefficients are all zero.  0, or -1. */
int linear_model_init (struct linear_model *model, const char *species,
                       const struct descriptor_settings *settings,
                       struct problem *problem);

void linear_model_release (struct linear_model *model);

/* 0, or -1 naming the file and the line at fault. */
int linear_model_read (struct linear_model *model, const char *path,
                       struct problem *problem);
int linear_model_write (const struct linear_model *model, const char *path,
                        struct problem *problem);

#endif /* !LINEAR_MODEL_H */
