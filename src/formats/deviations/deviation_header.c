/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_header.c - which column of a model_devi.out is what */
#include "base/base.h"

#include "formats/deviations/deviation_header.h"
#include "formats/lines.h"

static void forget (struct deviation_header *header)
{
    *header = (struct deviation_header){ 0 };
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        header->largest[q] = header->least[q] = header->first[q] =
            header->last[q] = -1;
}

enum column_kind { LARGEST, LEAST, AVERAGE };

static void note (struct deviation_header *header,
                  enum deviation_quantity quantity, enum column_kind kind,
                  int column)
{
    if (header->first[quantity] < 0)
        header->first[quantity] = column;
    header->last[quantity] = column;
    if (kind == LARGEST)
        header->largest[quantity] = column;
    if (kind == LEAST)
        header->least[quantity] = column;
}

void deviation_header_default (struct deviation_header *header)
{
    static const enum deviation_quantity order[] = { DEVIATION_VIRIAL,
                                                     DEVIATION_FORCE };

    forget (header);
    for (int column = 1; column <= 6; column++)
        note (header, order[(column - 1) / 3],
              (enum column_kind) ((column - 1) % 3), column);
    header->n_named = 7;
    header->atoms = true;
}

/* The name of column header->n_named; only a column of atoms has none after it.
 */
static void add_column (struct deviation_header *header, const char *name,
                        size_t len)
{
    static const struct {
        const char *name;
        enum deviation_quantity quantity;
        enum column_kind kind;
    } known[] = {
        { "max_devi_v", DEVIATION_VIRIAL, LARGEST },
        { "min_devi_v", DEVIATION_VIRIAL, LEAST },
        { "avg_devi_v", DEVIATION_VIRIAL, AVERAGE },
        { "max_devi_f", DEVIATION_FORCE, LARGEST },
        { "min_devi_f", DEVIATION_FORCE, LEAST },
        { "avg_devi_f", DEVIATION_FORCE, AVERAGE },
        { "max_devi_fr", DEVIATION_FORCE, LARGEST },
        { "min_devi_fr", DEVIATION_FORCE, LEAST },
        { "avg_devi_fr", DEVIATION_FORCE, AVERAGE },
        { "max_devi_e", DEVIATION_ENERGY, LARGEST },
        { "min_devi_e", DEVIATION_ENERGY, LEAST },
        { "avg_devi_e", DEVIATION_ENERGY, AVERAGE },
        { "devi_e", DEVIATION_ENERGY, LARGEST },
        { "min_dis", DEVIATION_DISTANCE, LARGEST },
    };

    if (len >= 10 && memcmp (name, "atm_devi_f", 10) == 0) {
        header->atoms = true;
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE (known); i++) {
        if (strlen (known[i].name) == len
            && memcmp (known[i].name, name, len) == 0)
            note (header, known[i].quantity, known[i].kind,
                  (int)header->n_named);
    }
    header->n_named++;
}

bool deviation_header_parse (const char *line, size_t len,
                             struct deviation_header *header)
{
    struct deviation_header read;
    struct lines words;
    const char *word;
    size_t word_len;
    bool ok;

    lines_of_text (&words, line, len, "", 1);
    words.at = line + 1;
    words.end = line + len;
    ok = lines_take_word (&words, &word, &word_len) && word_len == 4
         && memcmp (word, "step", 4) == 0;
    forget (&read);
    read.n_named = 1;
    while (ok && lines_take_word (&words, &word, &word_len))
        add_column (&read, word, word_len);
    lines_close (&words);
    if (ok)
        *header = read;
    return ok;
}
