/* SPDX-License-Identifier: BSD-3-Clause */
/* parity.h - forces on the held-out frames, as labelled and as the model has
 * them, for the report
 */
#ifndef OPERATORS_TRAIN_PARITY_H
#define OPERATORS_TRAIN_PARITY_H

struct error;
struct training;

/* In which columns of the code's table the labelled forces are. */
enum parity_columns {
    LABELLED_FIRST, /* DeePMD-kit's `dp test -d` (deepmd/entrypoints/test.py) */
    LABELLED_LAST,  /* nep's force_test.out (src/main_nep/fitness.cu) */
};

/* Make the output `parity`, a line "LABELLED PREDICTED" for each component in
 * eV/A, of 'table', which has a line of six numbers for each atom; where a line
 * is another one or a number is not finite, -1 and no output.
 */
int train_write_parity (const struct training *t, const char *table,
                        enum parity_columns columns, struct error *err);

/* Say in the log that there is none: a model is not thrown away for what only
 * the report shows.
 */
void train_no_parity (const struct error *why);

#endif /* !OPERATORS_TRAIN_PARITY_H */
