/* SPDX-License-Identifier: BSD-3-Clause */
/* closest_pairs.c - how close atoms of any two elements come */
#include "base/base.h"

#include "selection/dataset/closest_pairs.h"
#include "selection/geometry/geometry.h"

/* A frame's elements, by number. */
struct species {
    size_t *of_atom;
    const char **names;
    size_t n, alloc;
    size_t *pair; /* n * n: which pair two of them are */
};

struct looking {
    const struct species *species;
    struct closest_pairs *pairs;
    struct frame_mark mark;
};

static size_t find_species (struct species *species, const char *name)
{
    for (size_t i = 0; i < species->n; i++) {
        if (strcmp (species->names[i], name) == 0)
            return i;
    }
    species->names = grow_array (species->names, species->n, &species->alloc,
                                 sizeof (*species->names));
    species->names[species->n] = name;
    return species->n++;
}

static size_t find_pair (struct closest_pairs *pairs, const char *a,
                         const char *b)
{
    bool swapped = strcmp (a, b) > 0;
    const char *first = swapped ? b : a, *second = swapped ? a : b;
    struct closest_pair *made;

    for (size_t i = 0; i < pairs->n; i++) {
        if (strcmp (pairs->v[i].symbols[0], first) == 0
            && strcmp (pairs->v[i].symbols[1], second) == 0)
            return i;
    }
    pairs->v =
        grow_array (pairs->v, pairs->n, &pairs->alloc, sizeof (*pairs->v));
    made = &pairs->v[pairs->n];
    *made = (struct closest_pair){ .distance = INFINITY };
    memcpy (made->symbols[0], first, strlen (first) + 1);
    memcpy (made->symbols[1], second, strlen (second) + 1);
    return pairs->n++;
}

/* Of one atom of an element its images are the pairs. */
static void note_species (struct species *species, struct closest_pairs *pairs,
                          const struct frame *frame)
{
    species->of_atom = xcalloc (frame->n_atoms, sizeof (*species->of_atom));
    for (size_t i = 0; i < frame->n_atoms; i++)
        species->of_atom[i] = find_species (species, frame->symbols[i]);
    species->pair = xcalloc (species->n * species->n, sizeof (*species->pair));
    for (size_t a = 0; a < species->n; a++) {
        for (size_t b = 0; b < species->n; b++)
            species->pair[a * species->n + b] =
                find_pair (pairs, species->names[a], species->names[b]);
    }
}

static bool take_pair (size_t a, size_t b, double squared, void *arg)
{
    const struct looking *looking = arg;
    const struct species *species = looking->species;
    size_t pair =
        species->pair[species->of_atom[a] * species->n + species->of_atom[b]];
    struct closest_pair *found = &looking->pairs->v[pair];
    double distance = sqrt (squared);

    if (distance < found->distance) {
        found->distance = distance;
        found->mark = looking->mark;
    }
    return false;
}

/* The farthest that could still be closest, of the pairs that the frame has. */
static double reach_of (const struct species *species,
                        const struct closest_pairs *pairs)
{
    double reach = 0;

    for (size_t i = 0; i < species->n * species->n; i++)
        reach = fmax (reach, pairs->v[species->pair[i]].distance);
    return fmin (reach, CLOSEST_PAIRS_REACH);
}

void closest_pairs_add (struct closest_pairs *pairs, const struct frame *frame,
                        struct frame_mark mark)
{
    struct species species = { 0 };
    struct looking looking = { &species, pairs, mark };
    struct geometry geometry = { .n_atoms = frame->n_atoms,
                                 .positions = frame->positions,
                                 .cell = frame->cell,
                                 .periodic = frame->periodic };
    double cell[9];

    if (frame->n_atoms == 0 || !all_finite (frame->cell, 9)
        || !all_finite (frame->positions, 3 * frame->n_atoms))
        return;
    if (frame_volume (frame) == 0)
        geometry_isolate (&geometry, cell);
    if (geometry_is_flat (&geometry, CLOSEST_PAIRS_HEIGHT)) {
        if (pairs->n_flat++ == 0)
            pairs->first_flat = mark;
        return;
    }
    note_species (&species, pairs, frame);
    geometry_each_pair (&geometry, reach_of (&species, pairs), take_pair,
                        &looking);
    free (species.of_atom);
    free (species.names);
    free (species.pair);
}

void closest_pairs_release (struct closest_pairs *pairs)
{
    free (pairs->v);
    *pairs = (struct closest_pairs)CLOSEST_PAIRS_INIT;
}
