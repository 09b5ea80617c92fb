/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_poscar.c - structures as people write them for VASP */
#include "base/base.h"

#include "formats/frame.h"
#include "formats/vasp/poscar.h"
#include "fuzz.h"

/* What we write we read, in the order in which it was written. */
static void write_and_read (const struct frame *frame)
{
    size_t *order = calloc (frame->n_atoms, sizeof (*order));
    struct frame again = FRAME_INIT;
    struct strbuf text = STRBUF_INIT;

    frame_order_by_element (frame, order);
    poscar_format (frame, &text);
    must_hold (poscar_parse (text.buf, text.len, "w", &again, NULL) == 0
                   && again.n_atoms == frame->n_atoms,
               "what was written can be read");
    for (size_t i = 0; i < frame->n_atoms; i++)
        must_hold (memcmp (again.positions + 3 * i,
                           frame->positions + 3 * order[i], 3 * sizeof (double))
                           == 0
                       && strcmp (again.symbols[i], frame->symbols[order[i]])
                              == 0,
                   "what is read is what was written");
    frame_release (&again);
    strbuf_release (&text);
    free (order);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    if (poscar_parse ((const char *)data, size, "POSCAR", &frame, &err) == 0) {
        for (size_t i = 0; i < 3 * frame.n_atoms; i++)
            must_hold (isfinite (frame.positions[i]), "atoms are somewhere");
        write_and_read (&frame);
    } else {
        must_hold (err.text[0] && frame.n_atoms == 0, "only a complaint");
    }
    frame_release (&frame);
    return 0;
}
