/* SPDX-License-Identifier: BSD-3-Clause */
/* structure.c - the structure that a drawn frame, or atom of one, stands for */
#include "base/base.h"

#include "reduce/selection_input.h"
#include "reduce/structure.h"
#include "selection/deviations/step_files.h"
#include "selection/geometry/cluster.h"
#include "selection/sampling/top_k.h"

void structure_reader_init (struct structure_reader *reader,
                            const struct selection_input *input)
{
    *reader = (struct structure_reader){
        .input = input,
        .options = { .kind = VECTOR_POSITIONS,
                     .structure = true,
                     .columns = input->committee.position_columns },
    };
}

void structure_reader_close (struct structure_reader *reader)
{
    vector_reader_close (reader->file);
    free (reader->path);
    reader->file = NULL;
    reader->path = NULL;
}

/* The symbol of each atom, as it is told, or from its type and the input. */
static int set_symbols (const struct selection_input *input,
                        const struct vector_frame *found, struct frame *frame,
                        struct error *err)
{
    if (!found->symbols && !found->types)
        return error_set (err, "no column 'type' or 'element'");
    for (size_t i = 0; i < found->n_atoms; i++) {
        const char *symbol = found->symbols ? found->symbols[i] : NULL;
        double type = symbol ? 0 : found->types[i];

        if (type >= 1 && type <= (double)input->elements.n
            && type == floor (type))
            symbol = input->elements.v[(size_t)type - 1];
        if (!symbol || symbol_set (frame->symbols[i], symbol, strlen (symbol)))
            return error_set (err, "atom type %g, but there are %zu elements",
                              type, input->elements.n);
    }
    return 0;
}

/* Leave the cluster around atom 'centre', in its own image. */
static int cut_cluster (const struct selection_input *input, size_t centre,
                        struct frame *frame, struct error *err)
{
    const struct geometry whole = { frame->n_atoms, frame->positions,
                                    frame->cell, frame->periodic, NULL };
    _cleanup_free_ size_t *atoms = xcalloc (frame->n_atoms, sizeof (*atoms));
    _cleanup_free_ double *positions =
        xcalloc (3 * frame->n_atoms, sizeof (*positions));
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
    return n > 0 ? 0 : error_set (err, "the cell has no volume");
}

static int make_structure (const struct selection_input *input,
                           const struct vector_frame *found, int64_t atom,
                           struct frame *frame, struct error *err)
{
    size_t n = found->n_atoms;

    if (frame_resize (frame, n, false, err) < 0
        || set_symbols (input, found, frame, err) < 0)
        return -1;
    memcpy (frame->positions, found->vectors, 3 * n * sizeof (double));
    memcpy (frame->cell, found->cell, sizeof (found->cell));
    memcpy (frame->periodic, found->periodic, sizeof (found->periodic));
    if (atom == 0)
        return 0;
    if ((uint64_t)atom > n)
        return error_set (err, "%zu atoms, but a deviation of the %lldth", n,
                          (long long)atom);
    return cut_cluster (input, (size_t)atom - 1, frame, err);
}

int structure_read (struct structure_reader *reader,
                    const struct trajectory *trajectory,
                    const struct sampled *sampled, struct frame *frame,
                    struct error *err)
{
    char *path = step_file_path (trajectory->path, sampled->step);
    struct vector_frame found;
    int rc;

    if (reader->file && strcmp (path, reader->path) == 0) {
        free (path);
    } else {
        structure_reader_close (reader);
        reader->path = path;
        reader->file = vector_reader_open (path, &reader->options, err);
        if (!reader->file)
            return -1;
    }
    if (vector_reader_go_to (reader->file, sampled->place, err) < 0)
        return -1;
    rc = vector_reader_next (reader->file, &found, err);
    if (rc != 1 || (found.has_step && found.step != sampled->step))
        return rc < 0 ? -1 : 0;
    if (make_structure (reader->input, &found, sampled->atom, frame, err) < 0)
        return error_prefix (err, "%s: step %lld", reader->path,
                             (long long)sampled->step);
    return 1;
}
