/* SPDX-License-Identifier: BSD-3-Clause */
/* incar.h - VASP's settings: INCAR (VASP wiki, INCAR)
 *
 * "TAG = value"; several on a line are separated by ';', a line that ends in
 * '\' goes on in the next, '#' and '!' begin a comment, and a value in quotes
 * may have several lines.  Case does not matter.
 */
#ifndef FORMATS_INCAR_H
#define FORMATS_INCAR_H

enum { INCAR_TAG_SIZE = 64 }; /* longer names are cut */

struct incar_tag {
    char name[INCAR_TAG_SIZE]; /* in capitals */
    const char *value;         /* up to 'end', as it stands */
    const char *end;
    size_t line; /* from 1 */
};

/* How far a text was read, which must stay. */
struct incar {
    const char *at;
    const char *end;
    size_t line;
};

#define INCAR_OF(text, len)                                                    \
    {                                                                          \
        .at = (text), .end = (text) + (len), .line = 1                         \
    }

/* The next tag; false when there is none. */
bool incar_next (struct incar *incar, struct incar_tag *tag);

/* Is the value ".TRUE.", "T" or the like? */
bool incar_is_true (const struct incar_tag *tag);

/* Is the tag, in capitals, among them? */
bool incar_sets (const char *text, size_t len, const char *name);

/* Append all tags that there are, in capitals. */
void incar_known_tags (struct strvec *tags);

#endif /* !FORMATS_INCAR_H */
