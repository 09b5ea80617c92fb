/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_frame_files.c - frames as engines write them: npy headers, LAMMPS data
 * files, results of pw.x
 *
 * Every input is tried as each of them (extxyz and dumps have their own).
 */
#include "base/base.h"

#include "formats/frame.h"
#include "formats/lammps/lammps_data.h"
#include "formats/npy/npy.h"
#include "formats/qe/qe_xml.h"
#include "fuzz.h"

static char *const elements[] = { "Si", "O" };

static void try_npy (const char *text, size_t len)
{
    struct npy_header header = { .item_bytes = 1 };
    struct error err = ERROR_INIT;
    uint64_t n = 1;

    if (npy_parse_header (text, len, "a.npy", &header, &err) < 0) {
        must_hold (err.text[0], "a complaint");
        return;
    }
    must_hold (header.n_dims >= 0 && header.n_dims <= NPY_MAX_DIMS,
               "dimensions are limited");
    must_hold (header.data_offset <= len, "the header was there");
    for (int i = 0; i < header.n_dims; i++)
        n *= header.shape[i];
    must_hold (n == header.n_items, "items are counted");
}

static void look_at_frame (const struct frame *frame)
{
    must_hold (frame->n_atoms > 0, "a frame has atoms");
    for (size_t i = 0; i < 9; i++)
        must_hold (isfinite (frame->cell[i]), "a cell is finite");
}

/* What we write we read. */
static void write_and_read (const struct frame *frame)
{
    struct frame again = FRAME_INIT;
    struct strbuf text = STRBUF_INIT;

    if (lammps_data_format (frame, elements, 2, &text, NULL) == 0) {
        must_hold (lammps_data_parse (text.buf, text.len, "w", elements, 2,
                                      &again, NULL)
                       == 0,
                   "what was written can be read");
        must_hold (again.n_atoms == frame->n_atoms, "all of it");
    }
    frame_release (&again);
    strbuf_release (&text);
}

static void try_lammps_data (const char *text, size_t len)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    if (lammps_data_parse (text, len, "a.data", elements, 2, &frame, &err)
        == 0) {
        look_at_frame (&frame);
        write_and_read (&frame);
    } else {
        must_hold (err.text[0] && frame.n_atoms == 0, "only a complaint");
    }
    frame_release (&frame);
}

static void try_qe_xml (const char *text, size_t len)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;
    bool converged = false;

    if (qe_xml_parse (text, len, "a.xml", &frame, &converged, &err) == 0)
        look_at_frame (&frame);
    else
        must_hold (err.text[0] && frame.n_atoms == 0, "only a complaint");
    frame_release (&frame);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    try_npy ((const char *)data, size);
    try_lammps_data ((const char *)data, size);
    try_qe_xml ((const char *)data, size);
    return 0;
}
