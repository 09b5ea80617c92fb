/* SPDX-License-Identifier: BSD-3-Clause */
/* namelist.h - find one's way in a pw.x input: namelists, their keys, cards */
#ifndef OPERATORS_QE_NAMELIST_H
#define OPERATORS_QE_NAMELIST_H

#include <stddef.h>

struct error;

enum pw_item {
    PW_NAMELIST, /* "&CONTROL"; 'word' is "control" */
    PW_KEY,      /* a key of a namelist; 'word' is "nat" */
    PW_CARD,     /* the first word of a line outside namelists: "k_points",
                    but also the first number of a card's lines */
};

enum { PW_WORD_SIZE = 32 }; /* longer words are cut */

/* Call 'each' for every item, in order: its lower-case word, the line it is on
 * (from 1) and the position after it.  Comments (! and, outside namelists, #)
 * and quoted text are passed over.  Stops when 'each' returns not 0, and
 * returns that.
 */
int pw_scan (const char *text,
             size_t len,
             int (*each) (enum pw_item item,
                          const char *word,
                          size_t line,
                          size_t end,
                          void *arg,
                          struct error *err),
             void *arg,
             struct error *err);

#endif /* !OPERATORS_QE_NAMELIST_H */
