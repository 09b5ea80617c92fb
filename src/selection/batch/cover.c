/* SPDX-License-Identifier: BSD-3-Clause */
/* cover.c - a batch that differs: what stands for all candidates */
#include "base/base.h"

#include "base/sort.h"
#include "selection/batch/cover.h"
#include "selection/batch/row_distance.h"

enum { PAIRS = 4096 };

static const double unit = 0x1p38; /* of a similarity of 1 */

/* Of pairs all over the candidates; the largest where that is 0. */
static double median_of (const struct cover *cover)
{
    size_t n = cover->n;
    double squares[PAIRS];

    if (n < 2)
        return 1;
    for (size_t k = 0; k < PAIRS; k++) {
        size_t i = k * n / PAIRS;
        size_t j = (i + 1 + k * 2654435761u % (n - 1)) % n;

        squares[k] =
            row_distance (cover->rows + i * cover->width,
                          cover->rows + j * cover->width, cover->width);
    }
    sort_doubles (squares, PAIRS);
    if (squares[PAIRS / 2] > 0)
        return squares[PAIRS / 2];
    return squares[PAIRS - 1] > 0 ? squares[PAIRS - 1] : 1;
}

void cover_init (struct cover *cover, const float *rows, size_t n, size_t width,
                 size_t begin, size_t end, double radius)
{
    *cover = (struct cover){ .rows = rows,
                             .n = n,
                             .width = width,
                             .begin = begin,
                             .end = end,
                             .radius = radius * radius,
                             .round = 1 };
    cover->median = median_of (cover);
    cover->covered = xcalloc (n, sizeof (*cover->covered));
    cover->bounds = xcalloc (end - begin, sizeof (*cover->bounds));
    cover->rounds = xcalloc (end - begin, sizeof (*cover->rounds));
    for (size_t i = 0; i < end - begin; i++)
        cover->bounds[i] = UINT64_MAX;
}

void cover_release (struct cover *cover)
{
    free (cover->covered);
    free (cover->bounds);
    free (cover->rounds);
    *cover = (struct cover){ 0 };
}

static uint64_t similarity (const struct cover *cover, const float *row,
                            size_t i)
{
    double squared =
        row_distance (row, cover->rows + i * cover->width, cover->width);

    if (cover->radius > 0)
        return squared <= cover->radius ? (uint64_t)unit : 0;
    return (uint64_t)(exp (-squared / cover->median) * unit);
}

static void meet (struct cover *cover, const float *row, size_t begin,
                  size_t end)
{
    for (size_t i = begin; i < end; i++) {
        uint64_t by = similarity (cover, row, i);

        if (by > cover->covered[i])
            cover->covered[i] = by;
    }
}

void cover_meet (struct cover *cover, const float *row)
{
    meet (cover, row, cover->begin, cover->end);
}

void cover_take (struct cover *cover, size_t i)
{
    meet (cover, cover->rows + i * cover->width, 0, cover->n);
    cover->round++;
}

static uint64_t value_of (const struct cover *cover, size_t candidate)
{
    const float *row = cover->rows + candidate * cover->width;
    uint64_t value = 0;

    for (size_t i = 0; i < cover->n; i++) {
        uint64_t by = similarity (cover, row, i);

        if (by > cover->covered[i])
            value += by - cover->covered[i];
    }
    return value;
}

uint64_t cover_best (struct cover *cover, size_t *best)
{
    size_t n = cover->end - cover->begin;

    *best = 0;
    if (n == 0)
        return 0;
    for (;;) {
        size_t i = 0;

        for (size_t k = 1; k < n; k++) {
            if (cover->bounds[k] > cover->bounds[i])
                i = k;
        }
        *best = cover->begin + i;
        if (cover->rounds[i] == cover->round)
            return cover->bounds[i];
        cover->bounds[i] = value_of (cover, *best);
        cover->rounds[i] = cover->round;
    }
}
