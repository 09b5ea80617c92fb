/* SPDX-License-Identifier: BSD-3-Clause */
/* by_element.h - the port by_element: {KEY: {ELEMENT: NUMBER}}, for keys of a
 * template that have a value for each kind of atoms, in an order which differs
 * from frame to frame
 */
#ifndef OPERATORS_BY_ELEMENT_H
#define OPERATORS_BY_ELEMENT_H

#include "signature/operator.h"

struct template_key;

/* What a kit's table of keys says of those. */
#define BY_ELEMENT "write by_element of the stage instead"

extern const struct type by_element_numbers;

/* The port; 'check' calls by_element_check with the kit's keys. */
#define BY_ELEMENT_PORT(CHECK)                                                 \
    {                                                                          \
        "by_element", MAP_OF (by_element_numbers), .optional = true,           \
                                                   .check = (CHECK)            \
    }

/* Is each key among those that say BY_ELEMENT, in any case, and are its values
 * of elements?
 */
int by_element_check (const struct template_key *keys,
                      const struct known_input *input, struct error *err);

#endif /* !OPERATORS_BY_ELEMENT_H */
