/* SPDX-License-Identifier: BSD-3-Clause */
/* make.h - the operator structures.make: from a structure to frames */
#ifndef OPERATORS_STRUCTURES_MAKE_H
#define OPERATORS_STRUCTURES_MAKE_H

#include "operators/table.h"

struct frame;
struct json;
struct strvec;

extern const struct operator_spec structures_make_operator;

/* Its steps: can all frames be made, and make them. */
enum step_status structures_prepare (struct error *err);
enum step_status structures_make (struct error *err);

/* A frame of the files that the input `structures` names; lent. */
struct structure {
    const char *path;
    const char *name; /* for people: "md.extxyz, frame 3" */
    const struct frame *frame;
    size_t file, number; /* of the file, and of the frame in it, from 0 */
};
typedef int structure_each (const struct structure *structure, void *arg,
                            struct error *err);

/* Call 'each' for all of them, which have atoms of the elements alone, until it
 * returns -1.
 */
int structures_read (const struct json *inputs, const struct strvec *elements,
                     structure_each *each, void *arg, struct error *err);

#endif /* !OPERATORS_STRUCTURES_MAKE_H */
