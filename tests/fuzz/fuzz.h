/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz.h - what the fuzz targets have in common
 *
 * A target is one file with one LLVMFuzzerTestOneInput: it hands any bytes to
 * a parser and aborts when what comes back breaks a promise of the parser's
 * header.  scripts/fuzz links it to libFuzzer; `make check` links it to
 * replay_main.c, which replays corpus/<target>/ and some hostile texts.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/json.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Abort, for the fuzzer to see, unless a promise is kept. */
static inline void must_hold (bool holds, const char *promise)
{
    if (holds)
        return;
    fprintf (stderr, "broken promise: %s\n", promise);
    abort ();
}

/* A value of ours can be written, read back and is the same. */
static inline void must_survive_writing (const struct json *v)
{
    struct strbuf text = STRBUF_INIT;
    struct json *again;

    json_dump (v, JSON_COMPACT, &text);
    again = json_parse (text.buf, text.len, "written", NULL);
    must_hold (again, "what was written can be read");
    must_hold (json_equal (v, again), "what is read is what was written");
    json_unref (again);
    strbuf_release (&text);
}

#endif /* !TESTS_FUZZ_H */
