/* SPDX-License-Identifier: BSD-3-Clause */
/* structure.c - the structure that a drawn frame, or atom of one, stands for */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/lammps/lammps_dump.h"
#include "reduce/selection_input.h"
#include "reduce/structure.h"
#include "selection/geometry/cluster.h"

/* The symbol of each atom, from its `element`, or `type` and the input. */
static int set_symbols (const struct selection_input *input,
                        const struct dump_frame *dump,
                        struct frame *frame,
                        struct error *err)
{
    int column = dump_frame_column (dump, "type");

    if (!dump->elements && column < 0)
        return error_set (err, "no column 'type' or 'element'");
    for (size_t i = 0; i < dump->n_atoms; i++) {
        const char *symbol = NULL;
        double type = 0;

        if (dump->elements)
            symbol = dump->elements[i];
        else
            type = dump->values[i * dump->columns.n + (size_t)column];
        if (type >= 1 && type <= (double)input->elements.n
            && type == floor (type))
            symbol = input->elements.v[(size_t)type - 1];
        if (!symbol || symbol_set (frame->symbols[i], symbol, strlen (symbol)))
            return error_set (err, "atom type %g, but there are %zu elements",
                              type, input->elements.n);
    }
    return 0;
}

static void set_positions (const struct dump_frame *dump, struct frame *frame)
{
    static const char *const names[] = { "x", "y", "z" };

    for (int j = 0; j < 3; j++) {
        int column = dump_frame_column (dump, names[j]);

        for (size_t i = 0; column >= 0 && i < dump->n_atoms; i++)
            frame->positions[3 * i + j] =
                dump->values[i * dump->columns.n + (size_t)column];
    }
}

/* Leave the cluster around atom 'centre', in its own image. */
static int cut_cluster (const struct selection_input *input,
                        size_t centre,
                        struct frame *frame,
                        struct error *err)
{
    const struct geometry whole = { frame->n_atoms, frame->positions,
                                    frame->cell, frame->periodic, NULL };
    size_t *atoms = xcalloc (frame->n_atoms, sizeof (*atoms));
    double *positions = xcalloc (3 * frame->n_atoms, sizeof (*positions));
    size_t n = cluster_cut (&whole, (const char (*)[SYMBOL_SIZE])frame->symbols,
                            centre, &input->rules.clusters, atoms, positions);

    memcpy (frame->positions, positions, 3 * n * sizeof (*positions));
    for (size_t i = 0; i < n; i++) /* atoms[i] >= i */
        memmove (frame->symbols[i], frame->symbols[atoms[i]], SYMBOL_SIZE);
    frame->n_atoms = n;
    frame->positions =
        xreallocarray (frame->positions, 3 * n + 1, sizeof (*frame->positions));
    frame->symbols =
        xreallocarray (frame->symbols, n + 1, sizeof (*frame->symbols));
    free (positions);
    free (atoms);
    return n > 0 ? 0 : error_set (err, "the cell has no volume");
}

int structure_make (const struct selection_input *input,
                    const struct dump_frame *dump,
                    int64_t atom,
                    struct frame *frame,
                    struct error *err)
{
    if (frame_resize (frame, dump->n_atoms, false, err) < 0
        || set_symbols (input, dump, frame, err) < 0)
        return -1;
    set_positions (dump, frame);
    memcpy (frame->cell, dump->cell, sizeof (dump->cell));
    memcpy (frame->periodic, dump->periodic, sizeof (dump->periodic));
    if (atom == 0)
        return 0;
    if ((uint64_t)atom > dump->n_atoms)
        return error_set (err, "%zu atoms, but a deviation of the %lldth",
                          dump->n_atoms, (long long)atom);
    return cut_cluster (input, (size_t)atom - 1, frame, err);
}
