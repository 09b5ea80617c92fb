/* SPDX-License-Identifier: BSD-3-Clause */
/* row_order.h - atoms are kept in the order of their ids, as LAMMPS counts them
 */
#ifndef FORMATS_ROW_ORDER_H
#define FORMATS_ROW_ORDER_H

struct numbered_row {
    double id; /* ids are exact up to 2^53 */
    size_t row;
};

/* Sort by id.  Returns NULL, or (lent) a row whose id is not finite or occurs
 * twice; the order is then unspecified.
 */
const struct numbered_row *row_order (struct numbered_row *rows, size_t n);

#endif /* !FORMATS_ROW_ORDER_H */
