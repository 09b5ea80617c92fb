/* SPDX-License-Identifier: BSD-3-Clause */
/* pw_scan.h - one's way in an input of pw.x: namelists, their keys, cards */
#ifndef FORMATS_PW_SCAN_H
#define FORMATS_PW_SCAN_H

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
typedef int pw_each_item (enum pw_item item, const char *word, size_t line,
                          size_t end, void *arg, struct error *err);
int pw_scan (const char *text, size_t len, pw_each_item *each, void *arg,
             struct error *err);

#endif /* !FORMATS_PW_SCAN_H */
