/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_cp2k_input.c - templates of CP2K inputs */
#include "base/base.h"

#include "formats/frame.h"
#include "fuzz.h"
#include "operators/cp2k/input.h"

struct seen {
    size_t size;
    size_t after;
    size_t line;
};

static int look_at_line (const struct cp2k_line *line, void *arg,
                         struct error *err)
{
    struct seen *seen = arg;

    (void)err;
    must_hold (line->after > seen->after && line->after <= seen->size,
               "positions go on, within the text");
    must_hold (line->number > seen->line, "lines go on");
    seen->after = line->after;
    seen->line = line->number;
    return 0;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct seen seen = { .size = size };
    struct strbuf out = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    cp2k_scan (text, size, "a.inp", look_at_line, &seen, &err);
    must_hold (frame_resize (&frame, 1, false, NULL) == 0, "one atom");
    symbol_set (frame.symbols[0], "Si", 2);
    if (cp2k_check_input (text, size, "a.inp", &err) == 0) {
        must_hold (cp2k_format_input (text, size, "a.inp", &frame, &out, &err)
                       == 0,
                   "what is checked can be completed");
        must_hold (out.len > size, "something is added");
    } else {
        must_hold (err.text[0], "a complaint");
    }
    frame_release (&frame);
    strbuf_release (&out);
    return 0;
}
