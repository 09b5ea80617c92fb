/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - a stage's inputs cut into tasks
 *
 * The inputs named by fan_out, and the lists prepare made, are sliced in
 * lockstep; every other input is the same for all tasks.
 */
#ifndef ENGINE_SLICES_H
#define ENGINE_SLICES_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct json;
struct operator;
struct strbuf;

/* A port table for stage.json: the operator's inputs and prepare's slices, as
 * one task sees them.  NULL-name terminated; free() it.
 */
struct port *slices_ports (const struct operator* op);

/* Is input 'name' sliced? */
bool slices_name (const struct operator* op, const char *name);

/* Check what inputs_resolve gave against the signature (sliced inputs must be
 * lists, or frames files), on disk below 'dir'.
 */
int slices_check (const struct operator* op,
                  const struct json *values,
                  const char *dir,
                  struct error *err);

/* Cut.  'values' is what inputs_resolve gave, 'made' what prepare made (NULL:
 * none).  Appends one JSON line per task to 'lines', stores their number in
 * *n_tasks (1 and no line when nothing is sliced), and returns the values that
 * are the same for all.  NULL with 'err' (e.g. unequal lengths, naming both).
 */
struct json *slices_cut (const struct operator* op,
                         const struct json *values,
                         const struct json *made,
                         const char *dir,
                         struct strbuf *lines,
                         size_t *n_tasks,
                         struct error *err);

#endif /* !ENGINE_SLICES_H */
