/* SPDX-License-Identifier: BSD-3-Clause */
/* defects.h - atoms taken out, exchanged and put in, at random
 *
 * Which ones follows from the stream.  -1 with 'err' for what there are not
 * enough atoms for; the frame is whole then, but for what was done already.
 */
#ifndef STRUCTURES_DEFECTS_H
#define STRUCTURES_DEFECTS_H

#include "formats/frame.h"

struct random_stream;

/* So many atoms of an element. */
struct atoms_of {
    char symbol[SYMBOL_SIZE];
    int64_t n;
};

/* A share of the atoms of one element becomes another. */
struct exchange {
    char of[SYMBOL_SIZE], by[SYMBOL_SIZE];
    double share;
};

/* Take out so many; one atom is left at least. */
int vacancies_make (struct frame *frame, int64_t wanted,
                    struct random_stream *random, struct error *err);

/* Take out this one, from 0. */
void vacancy_make (struct frame *frame, size_t atom);

/* The n exchanges of the list are of the atoms that were there before, so none
 * is exchanged twice.  Those of one element stand together.  Each share has to
 * be a whole number of atoms, to EXCHANGE_TOLERANCE of one, and one at least.
 */
#define EXCHANGE_TOLERANCE 0.01
int exchanges_make (struct frame *frame, const struct exchange *list, size_t n,
                    struct random_stream *random, struct error *err);

/* Put in so many of an element, INTERSTITIALS_MAX at most, each at that of
 * INTERSTITIAL_PLACES random places whose nearest atom is farthest away.  The
 * cell has a volume; the frame has room (structure_copy).
 */
enum { INTERSTITIAL_PLACES = 100, INTERSTITIALS_MAX = 100 };
int interstitials_make (struct frame *frame, const struct atoms_of *wanted,
                        struct random_stream *random, struct error *err);

#endif /* !STRUCTURES_DEFECTS_H */
