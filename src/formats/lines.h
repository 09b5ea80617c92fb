/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.h - the lines of a text or a file, and the words of a line
 *
 * Lines end in "\n" or "\r\n"; the last one may lack it.  A file is read in
 * large blocks: memory is a block, or the longest line.  A compressed file is
 * unpacked.
 */
#ifndef FORMATS_LINES_H
#define FORMATS_LINES_H

#include "formats/packed/packed_file.h"

struct lines {
    const char *at;  /* the line at hand, without its end; words are taken */
    const char *end; /* off its front.  Valid until the next line is read */
    bool complete;   /* it did end in a line break */
    size_t number;   /* of the line at hand, from 1, counted */
    uint64_t counted_from; /* from this byte of the file */
    uint64_t start;        /* where it starts in the file */

    struct packed_file file; /* or the caller's text, without a block */
    const char *text;        /* the caller's */
    uint64_t file_bytes;     /* UINT64_MAX: not known */
};

#define LINES_INIT                                                             \
    {                                                                          \
        .file = PACKED_FILE_INIT                                               \
    }

/* Read 'text', which must stay; 'name' is for messages (copied).  'first' is
 * the number of its first line, from 1.
 */
void lines_of_text (struct lines *lines, const char *text, size_t len,
                    const char *name, size_t first);

/* Read the file at 'path' from byte 'offset' on, where a line must start;
 * lines are counted from there.
 */
int lines_open (struct lines *lines, const char *path, uint64_t offset,
                struct error *err);

/* Go to byte 'offset' of the file, where a line must start; lines are counted
 * from there.
 */
int lines_go_to (struct lines *lines, uint64_t offset, struct error *err);

/* Legal on LINES_INIT and twice. */
void lines_close (struct lines *lines);

/* Go to the next line: 1, 0 at the end (the line at hand is then empty), or -1
 * when the file cannot be read.
 */
int lines_next (struct lines *lines, struct error *err);

/* Go to the next line of what 'table' calls it, in which no file may end, nor
 * be cut.
 */
int lines_next_of (struct lines *lines, const char *table, struct error *err);

/* 0, or -1 when the line at hand is the last and no line break ends it: its
 * last number may lack digits.
 */
int lines_check_end (const struct lines *lines, struct error *err);

/* At most so many bytes follow the line at hand: what an announced count of
 * something can be checked against before memory is taken for it.
 */
uint64_t lines_bytes_left (const struct lines *lines);

/* Bytes in memory, for callers that read lines themselves: the next line starts
 * at 'at', 'stop' is the end, and 'begin' where the memory starts.
 */
struct lines_memory {
    const char *begin;
    const char *at;
    const char *stop;
};
struct lines_memory lines_in_memory (const struct lines *lines);

/* Go behind n lines that were read so, and end at 'after'. */
void lines_skip (struct lines *lines, const char *after, size_t n);

/* Set "NAME:LINE: what", or, where lines were not counted from the start of the
 * file, "NAME: line N from byte B on: what".  Returns -1.
 */
int lines_error (const struct lines *lines, struct error *err, const char *fmt,
                 ...) PRINTF_LIKE (3, 4);

/* Put that place before what 'err' says.  Returns -1. */
int lines_prefix (const struct lines *lines, struct error *err);

/* Take one word (what spaces and tabs separate) off the line at hand.  False
 * when there is none left.  The word is [*word, *word + *len).
 */
bool lines_take_word (struct lines *lines, const char **word, size_t *len);

/* Take one word that is entirely a number.  False when it is not or there is
 * none; how much of the line was taken is then unspecified.
 */
bool lines_take_number (struct lines *lines, double *value);
bool lines_take_integer (struct lines *lines, int64_t *value);

/* Take n numbers, all of them finite. */
bool lines_take_finite (struct lines *lines, double *values, size_t n);

/* True when the words are exactly a list of n numbers. */
bool lines_take_numbers (struct lines *lines, double *values, size_t n);

/* Only spaces are left. */
bool lines_at_end (struct lines *lines);

/* Take 'prefix' off the line at hand, if it begins with it. */
bool lines_take_prefix (struct lines *lines, const char *prefix);

/* The line at hand has 'words' in it. */
bool lines_contain (const struct lines *lines, const char *words);

#endif /* !FORMATS_LINES_H */
