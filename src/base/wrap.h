/* SPDX-License-Identifier: BSD-3-Clause */
/* wrap.h - text in lines that are no longer than a terminal is wide (pure)
 *
 * A line break takes the place of the blanks before the word that would reach
 * beyond; what goes on has the blanks its line began with and four more (two
 * where less than 60 columns are there).  A word that is longer stays whole.
 */
#ifndef BASE_WRAP_H
#define BASE_WRAP_H

/* Text that comes in pieces.  Zeroed: at the beginning of a line. */
struct wrap {
    int column, indent; /* of the line */
    int blanks;         /* that were not written yet */
    bool words;         /* the line has some */
};

/* Append 'n' bytes in lines of at most 'width' columns (0: any). */
void wrap_add (struct wrap *wrap, const char *bytes, size_t n, int width,
               struct strbuf *out);

/* A whole text. */
void wrap_text (const char *text, int width, struct strbuf *out);

#endif /* !BASE_WRAP_H */
