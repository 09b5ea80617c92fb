/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_frames.c - whole frames out of LAMMPS dumps, text and binary */
#include "base/base.h"

#include "formats/atomic_units.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "formats/lammps/dump_frames.h"
#include "formats/vector_reader.h"

/* LAMMPS manual, "units": lengths are angstrom in both. */
static const struct units {
    const char *name;
    double force_ev; /* of eV/angstrom */
} known_units[] = {
    { "metal", 1 },
    { "real", 4184 / (MOL * EV_J) }, /* kcal/mol */
};

struct dump_frames {
    const struct frame_options *options;
    struct vector_options vectors;
    struct vector_reader *reader;
    const struct units *units; /* NULL: not known yet */
    char *path;
};

static const struct units *find_units (const char *name, struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE (known_units); i++) {
        if (strcmp (known_units[i].name, name) == 0)
            return &known_units[i];
    }
    error_set (err, "LAMMPS's units '%s' are not read; `metal` and `real` are",
               name);
    return NULL;
}

void *dump_frames_open (const char *path, const struct frame_options *options,
                        struct error *err)
{
    const struct units *units = NULL;
    struct dump_frames *dump;

    if (options->units && !(units = find_units (options->units, err)))
        return NULL;
    dump = xcalloc (1, sizeof (*dump));
    dump->options = options;
    dump->units = units;
    dump->path = xstrdup (path);
    dump->vectors = (struct vector_options){ .kind = VECTOR_POSITIONS,
                                             .structure = true,
                                             .with_forces = true,
                                             .columns = options->columns };
    dump->reader = vector_reader_open (path, &dump->vectors, err);
    if (dump->reader)
        return dump;
    dump_frames_close (dump);
    return NULL;
}

void dump_frames_close (void *source)
{
    _cleanup_free_ struct dump_frames *dump = source;

    vector_reader_close (dump->reader);
    free (dump->path);
}

/* The units that were said, or else those that the dump tells, which LAMMPS
 * does once, before the first frame; both must be the same.
 */
static int choose_units (struct dump_frames *dump, const char *told,
                         struct strvec *notes, struct error *err)
{
    const struct units *units;

    if (!told || !told[0]) {
        if (!dump->units)
            frame_note (notes,
                        "units are taken to be LAMMPS's `metal`; say `--units` "
                        "if they are others");
        dump->units = dump->units ? dump->units : &known_units[0];
        return 0;
    }
    if (!(units = find_units (told, err)))
        return error_prefix (err, "%s", dump->path);
    if (dump->units && dump->units != units)
        return error_set (err,
                          dump->options->units
                              ? "%s: its units are '%s', and '%s' were said; "
                                "leave out `--units`"
                              : "%s: its units are '%s', and '%s' were those "
                                "of frames before it; read them one by one",
                          dump->path, told, dump->units->name);
    dump->units = units;
    return 0;
}

/* What atom 'atom' is; NULL with 'err'. */
static const char *symbol_of (const struct dump_frames *dump,
                              const struct vector_frame *lent, size_t atom,
                              struct error *err)
{
    const struct frame_options *options = dump->options;
    double type;

    if (lent->symbols)
        return lent->symbols[atom];
    if (!lent->types) {
        error_set (err, "%s: neither a column 'element' nor 'type'; dump one",
                   dump->path);
        return NULL;
    }
    type = lent->types[atom];
    if (type >= 1 && type < (double)options->n_elements + 1)
        return options->elements[(size_t)type - 1];
    if (options->n_elements > 0)
        error_set (err, "%s: atom type %g, but there are %zu elements",
                   dump->path, type, options->n_elements);
    else
        error_set (err,
                   "%s: its atoms have types and no symbols; say what types "
                   "1, 2 ... are, as in `--elements Si,O`",
                   dump->path);
    return NULL;
}

static int take_atoms (const struct dump_frames *dump,
                       const struct vector_frame *lent, struct frame *frame,
                       struct error *err)
{
    size_t n = lent->n_atoms;

    if (frame_resize (frame, n, lent->forces != NULL, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *symbol = symbol_of (dump, lent, i, err);

        if (!symbol)
            return -1;
        if (symbol_set (frame->symbols[i], symbol, strlen (symbol)) < 0)
            return error_set (err, "'%s' is no name of an element", symbol);
    }
    memcpy (frame->positions, lent->vectors, n * 3 * sizeof (double));
    for (size_t i = 0; lent->forces && i < 3 * n; i++)
        frame->forces[i] = lent->forces[i] * dump->units->force_ev;
    return 0;
}

/* All atoms are there: where the cell stands does not matter. */
static int take_frame (const struct dump_frames *dump,
                       const struct vector_frame *lent, struct frame *frame,
                       struct error *err)
{
    struct frame made = FRAME_INIT;

    if (take_atoms (dump, lent, &made, err) < 0) {
        frame_release (&made);
        return -1;
    }
    memcpy (made.cell, lent->cell, sizeof (made.cell));
    memcpy (made.periodic, lent->periodic, sizeof (made.periodic));
    made.info = xasprintf ("step=%lld", (long long)lent->step);
    frame_release (frame);
    *frame = made;
    return 1;
}

int dump_frames_next (void *source, struct frame *frame, struct strvec *notes,
                      struct error *err)
{
    struct dump_frames *dump = source;
    struct vector_frame lent;
    int rc = vector_reader_next (dump->reader, &lent, err);

    if (rc == 0 && vector_reader_truncated (dump->reader))
        return error_set (err, "%s: the file ends within a frame", dump->path);
    if (rc != 1)
        return rc;
    if (choose_units (dump, lent.units, notes, err) < 0)
        return -1;
    return take_frame (dump, &lent, frame, err);
}
