/* SPDX-License-Identifier: BSD-3-Clause */
/* random_frames.h - models and frames drawn at random, for tests
 *
 * Include after cmocka.h.  The same seed gives the same on every machine.
 */
#ifndef RANDOM_FRAMES_H
#define RANDOM_FRAMES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame_terms.h"
#include "periodic_search.h"
#include "problem.h"

#define COUNT(a) (sizeof (a) / sizeof ((a)[0]))

/* The defaults of fit_linear. */
static const struct descriptor_settings silicon = { .cutoff_A = 4.8,
                                                    .core_A = 1.9,
                                                    .radial2 = 8,
                                                    .radial3 = 4,
                                                    .rank = 4 };

/* The minimal standard generator: the same numbers everywhere. */
static inline double uniform (uint64_t *state)
{
    *state = 16807 * *state % 2147483647;
    return (double)*state / 2147483647;
}

static inline struct linear_model random_model (
    const struct descriptor_settings *settings, uint64_t seed)
{
    struct linear_model model;
    struct problem problem;

    assert_int_equal (linear_model_init (&model, "Si", settings, &problem), 0);
    for (size_t k = 0; k < model.descriptor.feature_count; k++)
        model.coefficients[k] = (2 * uniform (&seed) - 1) / (double)(1 + k);
    return model;
}

/* Six atoms thrown into a cell of these vectors, none within 1.3 A. */
static inline struct frame random_frame (const double cell[3][3], uint64_t seed)
{
    struct frame frame = { .path = "random", .line = 1, .atom_count = 6 };
    struct neighbourhood around = NEIGHBOURHOOD_INIT;
    struct periodic_search search;
    struct problem problem;

    memcpy (frame.cell, cell, sizeof frame.cell);
    frame.positions = calloc (6, sizeof *frame.positions);
    frame.forces = calloc (6, sizeof *frame.forces);
    assert_int_equal (periodic_search_init (&search, &frame, 1.3, &problem), 0);
    for (size_t i = 0; i < 6; i++) {
        frame.atom_count = i + 1;
        do {
            double f[3];

            for (int k = 0; k < 3; k++)
                f[k] = 3 * uniform (&seed) - 1;
            for (int axis = 0; axis < 3; axis++)
                frame.positions[i][axis] = f[0] * cell[0][axis]
                                           + f[1] * cell[1][axis]
                                           + f[2] * cell[2][axis];
            assert_int_equal (
                periodic_search_run (&search, i, &around, &problem), 0);
        } while (around.count > 0);
    }
    neighbourhood_release (&around);
    return frame;
}

static inline void frame_free (struct frame *frame)
{
    free (frame->positions);
    free (frame->forces);
}

/* A cell smaller than the cutoff and askew, and its mirror image: the search
 * must find several images of one neighbour, and handedness must not matter.
 */
static const double askew[3][3] = {
    { 4.1, 0.0, 0.3 },
    { -1.7, 4.4, 0.0 },
    { 0.9, 1.8, 5.2 },
};
static const double left_handed[3][3] = {
    { -1.7, 4.4, 0.0 },
    { 4.1, 0.0, 0.3 },
    { 0.9, 1.8, 5.2 },
};
static const double cubic[3][3] = {
    { 5.431, 0.0, 0.0 },
    { 0.0, 5.431, 0.0 },
    { 0.0, 0.0, 5.431 },
};

static const struct {
    const char *name;
    const double (*cell)[3];
} cells[] = {
    { "cubic", cubic },
    { "askew", askew },
    { "left-handed", left_handed },
};

static inline double energy_of (const struct linear_model *model,
                                const struct frame *frame, double (*forces)[3])
{
    struct problem problem;
    double energy;

    if (frame_predict (model, frame, &energy, forces, &problem) < 0)
        fail_msg ("%s", problem.text);
    return energy;
}

static inline void assert_close (double found, double wanted, double tolerance)
{
    if (!(fabs (found - wanted) <= tolerance * (1 + fabs (wanted))))
        fail_msg ("%.17g is not %.17g", found, wanted);
}

#endif /* !RANDOM_FRAMES_H */
