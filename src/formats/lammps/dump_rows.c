/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_rows.c - some columns of a LAMMPS dump's rows, fast */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "formats/lammps/dump_rows.h"
#include "formats/lammps/dump_words.h"

/* How many words a row is likely to have: the first line tells.  LAMMPS used
 * to print a space before its end, which makes one more, without a letter; what
 * else there is becomes apparent when rows are converted.
 */
static size_t row_words (const struct dump_rows *rows,
                         const struct dump_words *words)
{
    size_t n = rows->n_columns;

    return words->any_empty && words->n > n && words->word[n] != words->line[1]
               ? n + 1
               : n;
}

/* How many of n rows have a letter in each word, but none behind the last
 * column.
 */
static size_t count_full (const struct dump_rows *rows,
                          const struct dump_words *words,
                          size_t stride,
                          size_t n)
{
    const uint16_t *word = words->word;

    for (size_t i = 0; words->any_empty && i < n; i++, word += stride) {
        for (size_t k = 0; k < stride; k++) {
            if ((word[k] + 1 == word[k + 1]) != (k == rows->n_columns))
                return i;
        }
    }
    return n;
}

/* The end of the bytes that rows [row, end) likely take, at 'at', when rows
 * [first, row) took those from 'start' on.
 */
static const char *likely_end (const char *start,
                               const char *at,
                               const char *stop,
                               size_t first,
                               size_t row,
                               size_t end)
{
    size_t left = (size_t)(stop - at), likely = left;

    if (row > first)
        likely = (end - row) * ((size_t)(at - start) / (row - first) + 1)
                 + 2 * DUMP_WINDOW_BYTES;
    return likely < left ? at + likely : stop;
}

size_t dump_rows_read (const struct dump_rows *rows,
                       size_t first,
                       size_t end,
                       const char *begin,
                       const char *at,
                       const char *stop,
                       const char **next)
{
    const struct dump_rows_way *way = rows->plain ? NULL : dump_rows_avx2 ();
    struct dump_words words;
    const char *start = at;
    size_t row = first;

    if (!way)
        way = &dump_rows_plain;
    while (row < end && at - begin >= DUMP_NUMBER_BYTES) {
        size_t stride, n, made;

        way->find_words (at, likely_end (start, at, stop, first, row, end),
                         &words);
        stride = row_words (rows, &words);
        n = words.n / stride;
        if (n > end - row)
            n = end - row;
        if (n > words.n_lines)
            n = words.n_lines;
        made = way->convert (rows, &words, stride, row,
                             count_full (rows, &words, stride, n));
        at += words.word[made * stride];
        row += made;
        if (made < n || n == 0)
            break;
    }
    *next = at;
    return row;
}
