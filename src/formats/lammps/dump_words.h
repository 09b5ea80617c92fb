/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_words.h - the words of a LAMMPS dump's rows, many rows at once
 *
 * What dump_rows.c is made of: first where words and lines start, then the
 * numbers in them.  Neither waits for the other, nor one number for the one
 * before: that is what makes it fast.  Both are there twice, in plain C and for
 * processors with AVX2.
 */
#ifndef FORMATS_DUMP_WORDS_H
#define FORMATS_DUMP_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/lammps/dump_rows.h"

enum {
    DUMP_WINDOW_BYTES = 64,  /* are looked at together */
    DUMP_BLOCK_BYTES = 4096, /* windows of a block */
    DUMP_NUMBER_BYTES = 16,  /* of a number are looked at, up to its end */
};

/* Words are separated by one space or line break each; two in a row have an
 * empty word between them.  Offsets count from the start of the block.
 */
struct dump_words {
    const char *text;
    size_t n;
    size_t n_lines;
    bool any_empty;
    /* Where each word and each line starts, and what would follow the last;
     * the arrays are longer, since more may be written at once than there are.
     */
    uint16_t word[DUMP_BLOCK_BYTES + DUMP_WINDOW_BYTES];
    uint16_t line[DUMP_BLOCK_BYTES + DUMP_WINDOW_BYTES];
};

/* How rows are read. */
struct dump_rows_way {
    /* Find the words that end in [at, stop), of no more than a block; not of a
     * window that holds another kind of separator, and of none after it.
     */
    void (*find_words) (const char *at,
                        const char *stop,
                        struct dump_words *words);

    /* Convert rows [row, row + n), whose columns are words 0, 1, ... ('stride'
     * of them a row; words->text - DUMP_NUMBER_BYTES is in memory).  Returns
     * how many are rows before one that is none.
     */
    size_t (*convert) (const struct dump_rows *rows,
                       const struct dump_words *words,
                       size_t stride,
                       size_t row,
                       size_t n);
};

extern const struct dump_rows_way dump_rows_plain;

/* NULL when the processor, or the compiler, has no AVX2. */
const struct dump_rows_way *dump_rows_avx2 (void);

/* For those who convert: row 'row' from its words (word[0] is the first),
 * number by number in any form.
 */
bool dump_rows_convert_any (const struct dump_rows *rows,
                            const char *text,
                            const uint16_t *word,
                            size_t row);

#endif /* !FORMATS_DUMP_WORDS_H */
