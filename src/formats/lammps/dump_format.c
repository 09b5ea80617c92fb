/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_format.c - frames as LAMMPS dumps them */
#include "base/base.h"

#include "formats/frame.h"
#include "formats/lammps/dump_format.h"
#include "formats/lammps/lammps_data.h"

static void add_numbers (const double *v, int n, struct strbuf *out)
{
    for (int i = 0; i < n; i++) {
        if (i > 0)
            strbuf_add_char (out, ' ');
        strbuf_add_double (out, v[i]);
    }
}

/* The bounding box of a triclinic cell (LAMMPS manual, "Triclinic simulation
 * boxes").
 */
static void add_box (const struct frame *frame, struct strbuf *out)
{
    const double *cell = frame->cell;
    double xy = cell[3], xz = cell[6], yz = cell[7];
    bool triclinic = xy != 0 || xz != 0 || yz != 0;
    const double rows[3][3] = {
        { fmin (fmin (0, xy), fmin (xz, xy + xz)),
          cell[0] + fmax (fmax (0, xy), fmax (xz, xy + xz)), xy },
        { fmin (0, yz), cell[4] + fmax (0, yz), xz },
        { 0, cell[8], yz },
    };

    strbuf_addf (out, "ITEM: BOX BOUNDS%s", triclinic ? " xy xz yz" : "");
    for (int i = 0; i < 3; i++)
        strbuf_add_str (out, frame->periodic[i] ? " pp" : " ff");
    strbuf_add_char (out, '\n');
    for (int i = 0; i < 3; i++) {
        add_numbers (rows[i], triclinic ? 3 : 2, out);
        strbuf_add_char (out, '\n');
    }
}

static int add_atoms (const struct frame *frame, char *const *elements,
                      size_t n_elements, struct strbuf *out, struct error *err)
{
    strbuf_addf (out, "ITEM: ATOMS id type element x y z%s\n",
                 frame->forces ? " fx fy fz" : "");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        size_t type = words_index (elements, n_elements, frame->symbols[i]);

        if (type == n_elements)
            return error_set (err, "atom %zu: '%s' is not among the elements",
                              i + 1, frame->symbols[i]);
        strbuf_addf (out, "%zu %zu %s ", i + 1, type + 1, frame->symbols[i]);
        add_numbers (frame->positions + 3 * i, 3, out);
        if (frame->forces) {
            strbuf_add_char (out, ' ');
            add_numbers (frame->forces + 3 * i, 3, out);
        }
        strbuf_add_char (out, '\n');
    }
    return 0;
}

int dump_format (const struct frame *frame, char *const *elements,
                 size_t n_elements, struct strbuf *out, struct error *err)
{
    size_t len = out->len;
    int64_t step = 0;

    if (lammps_cell_check (frame->cell, err) < 0)
        return -1;
    frame_step (frame, &step);
    strbuf_addf (out,
                 "ITEM: UNITS\nmetal\nITEM: TIMESTEP\n%lld\n"
                 "ITEM: NUMBER OF ATOMS\n%zu\n",
                 (long long)step, frame->n_atoms);
    add_box (frame, out);
    if (add_atoms (frame, elements, n_elements, out, err) < 0) {
        strbuf_truncate (out, len);
        return -1;
    }
    return 0;
}
