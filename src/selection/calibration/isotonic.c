/* SPDX-License-Identifier: BSD-3-Clause */
/* isotonic.c - from which score on most frames failed */
#include "base/base.h"

#include "selection/calibration/calibration.h"

/* Frames that follow each other, with one fitted share. */
struct block {
    double score; /* the least */
    uint64_t frames;
    uint64_t failed;
};

static bool is_less (const struct block *a, const struct block *b)
{
    return (double)a->failed * (double)b->frames
           < (double)b->failed * (double)a->frames;
}

static size_t pool (struct block *blocks, size_t n)
{
    while (n > 1 && !is_less (&blocks[n - 2], &blocks[n - 1])) {
        blocks[n - 2].frames += blocks[n - 1].frames;
        blocks[n - 2].failed += blocks[n - 1].failed;
        n--;
    }
    return n;
}

/* Frames of equal score begin as one block. */
double calibration_high (const struct calibration *c, double failed)
{
    _cleanup_free_ struct block *blocks =
        xreallocarray (NULL, c->n_labelled + 1, sizeof (*blocks));
    size_t n = 0;

    for (uint64_t i = 0; i < c->n_labelled;) {
        struct block block = { c->labelled[i].score, 0, 0 };

        for (; i < c->n_labelled && c->labelled[i].score == block.score; i++) {
            block.frames++;
            block.failed += c->labelled[i].error > failed;
        }
        blocks[n] = block;
        n = pool (blocks, n + 1);
    }
    for (size_t b = 0; b < n; b++) {
        if (2 * blocks[b].failed > blocks[b].frames)
            return blocks[b].score;
    }
    return NAN;
}
