/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_extxyz.c - frames as people and programs write them */
#include "base/base.h"

#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "fuzz.h"

/* What we write we read, and then write the same again. */
static void write_and_read (const struct frame *frame)
{
    struct frame again = FRAME_INIT;
    struct strbuf first = STRBUF_INIT;
    struct strbuf second = STRBUF_INIT;

    extxyz_format (frame, &first);
    must_hold (extxyz_parse (first.buf, first.len, "w", 1, &again, NULL) == 0,
               "what was written can be read");
    extxyz_format (&again, &second);
    must_hold (first.len == second.len
                   && memcmp (first.buf, second.buf, first.len) == 0,
               "what is read is what was written");
    frame_release (&again);
    strbuf_release (&first);
    strbuf_release (&second);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    if (extxyz_parse ((const char *)data, size, "f.extxyz", 1, &frame, &err)
        == 0)
        write_and_read (&frame);
    else
        must_hold (err.text[0] && frame.n_atoms == 0, "only a complaint");
    frame_release (&frame);
    return 0;
}
