/* SPDX-License-Identifier: BSD-3-Clause */
/* value.h - does a value fit its type?
 *
 * The same code serves `check` (literals), the engine (before a stage is
 * prepared) and the agent (before and after a task).
 *
 * One frame of a frames file is the object
 *   {"path": P, "frame": 7, "offset": 4711, "bytes": 600}
 * made when a fan-out slices a frames input.
 */
#ifndef SIGNATURE_VALUE_H
#define SIGNATURE_VALUE_H

#include "signature/type.h"

struct heartbeat;

enum {
    VALUE_SHAPE = 0,       /* JSON shape only; paths are not looked at */
    VALUE_ON_DISK = 1,     /* artifacts must exist and be of their kind: files
                              and frames regular files (not read), npy arrays
                              with the header the type asks for */
    VALUE_ALLOW_HOLES = 2, /* null elements in lists are legal */
};

/* 0, or -1 with 'err' saying where in the value and what ("[3].path: no such
 * file 'x'", "low: expected float, got a string").  Paths resolve against
 * 'dir'.  A null value is never legal except as a hole.  Beats at every item of
 * a list.
 */
int value_check (const struct type *type, const struct json *value, int flags,
                 const char *dir, const struct heartbeat *heartbeat,
                 struct error *err);

/* The whole numbers from 0 to n-1, for n from 0 to VALUE_NUMBERS_MAX: what a
 * sliced int is where it is bound to a number; NULL with 'err' for another n.
 * Caller unrefs.
 */
enum { VALUE_NUMBERS_MAX = 1000000 };
struct json *value_numbers (int64_t n, struct error *err);

/* A copy in which every path of an artifact (also that of a frame object) is
 * absolute, resolved against 'dir' (or begins with it, if it is
 * relative); parameters are copied as they are.  Caller
 * unrefs.
 */
struct json *value_absolute (const struct type *type, const struct json *value,
                             const char *dir);

/* Set *type to that of the array at 'path'; its strings are static. */
int npy_read_type (const char *path, struct type *type, struct error *err);

#endif /* !SIGNATURE_VALUE_H */
