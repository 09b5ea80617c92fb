/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_units.c - durations and sizes as people write them */
#include "base/base.h"

#include "base/units.h"
#include "fuzz.h"

/* Any number can be shown. */
static void show (const uint8_t *data, size_t size)
{
    struct strbuf shown = STRBUF_INIT;
    double s = 0;
    int64_t bytes = 0;

    memcpy (&s, data, size < sizeof (s) ? size : sizeof (s));
    memcpy (&bytes, data, size < sizeof (bytes) ? size : sizeof (bytes));
    format_duration (s, &shown);
    format_bytes (bytes, &shown);
    must_hold (shown.len > 0 && shown.len < 100, "numbers can be shown");
    strbuf_release (&shown);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);
    double s = -1;
    int64_t bytes = -1;

    if (parse_duration (text, &s) == 0)
        must_hold (isfinite (s) && s >= 0, "a duration is finite");
    else
        must_hold (s == -1, "the output is untouched");
    if (parse_bytes (text, &bytes) == 0)
        must_hold (bytes >= 0, "a size is not negative");
    else
        must_hold (bytes == -1, "the output is untouched");
    free (text);
    if (size > 0)
        show (data, size);
    return 0;
}
