/* SPDX-License-Identifier: BSD-3-Clause */
/* labelled.c - which candidates have a label already */
#include "base/base.h"

#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "reduce/inspect.h"
#include "reduce/labelled.h"
#include "reduce/selection_input.h"
#include "selection/geometry/duplicate.h"

struct labelled_candidate {
    uint64_t key;
    struct frame frame;
    uint64_t *verdict;
};

void labelled_init (struct labelled *labelled,
                    const struct selection_input *input)
{
    *labelled = (struct labelled){ .input = input };
}

static void forget (struct labelled *labelled)
{
    for (size_t i = 0; i < labelled->n; i++)
        frame_release (&labelled->candidates[i].frame);
    labelled->n = labelled->bytes = 0;
}

void labelled_release (struct labelled *labelled)
{
    forget (labelled);
    free (labelled->candidates);
    labelled_init (labelled, labelled->input);
}

static int compare_keys (const void *a, const void *b)
{
    const struct labelled_candidate *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* The first candidate whose key is not less. */
static size_t find_key (const struct labelled *labelled, uint64_t key)
{
    size_t low = 0, high = labelled->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (labelled->candidates[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One labelled frame. */
static int compare_with (const struct frame *frame, void *arg,
                         struct error *err)
{
    struct labelled *labelled = arg;
    double tolerance = labelled->input->rules.duplicates;
    uint64_t key = duplicate_key (frame);

    (void)err;
    for (size_t i = find_key (labelled, key);
         i < labelled->n && labelled->candidates[i].key == key; i++) {
        if (duplicate_same (&labelled->candidates[i].frame, frame, tolerance))
            *labelled->candidates[i].verdict = VERDICT_DUPLICATE;
    }
    return 0;
}

int labelled_finish (struct labelled *labelled, struct error *err)
{
    const struct strvec *paths = &labelled->input->labelled;
    int rc = 0;

    if (labelled->n > 1)
        qsort (labelled->candidates, labelled->n,
               sizeof (*labelled->candidates), compare_keys);
    for (size_t i = 0; rc == 0 && labelled->n > 0 && i < paths->n; i++)
        rc = extxyz_read_file (paths->v[i], compare_with, labelled, err);
    forget (labelled);
    return rc;
}

int labelled_add (struct labelled *labelled, struct frame *frame,
                  uint64_t *verdict, struct error *err)
{
    labelled->candidates =
        grow_array (labelled->candidates, labelled->n, &labelled->alloc,
                    sizeof (*labelled->candidates));
    labelled->candidates[labelled->n++] = (struct labelled_candidate){
        .key = duplicate_key (frame), .frame = *frame, .verdict = verdict
    };
    labelled->bytes += sizeof (struct labelled_candidate)
                       + frame->n_atoms * (3 * sizeof (double) + SYMBOL_SIZE);
    *frame = (struct frame)FRAME_INIT;
    return labelled->bytes < LABELLED_BYTES ? 0
                                            : labelled_finish (labelled, err);
}
