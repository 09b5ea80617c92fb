/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_pw_scan.c - inputs of pw.x as people write them */
#include "base/base.h"

#include "formats/qe/pw_scan.h"
#include "fuzz.h"

struct place {
    size_t line;
    size_t end;
    size_t size;
};

static int check_item (enum pw_item item, const char *word, size_t line,
                       size_t end, void *arg, struct error *err)
{
    struct place *place = arg;

    (void)item;
    (void)err;
    must_hold (word[0] && strlen (word) < PW_WORD_SIZE, "there is a word");
    must_hold (line >= place->line && end >= place->end && end <= place->size,
               "items follow each other, inside");
    place->line = line;
    place->end = end;
    return 0;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct place place = { .line = 1, .size = size };

    must_hold (pw_scan ((const char *)data, size, check_item, &place, NULL)
                   == 0,
               "any bytes end");
    return 0;
}
