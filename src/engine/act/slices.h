/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - a stage's inputs cut into tasks
 *
 * The inputs named by fan_out, and the lists prepare made, are sliced in
 * lockstep; every other input is the same for all tasks.
 */
#ifndef ENGINE_SLICES_H
#define ENGINE_SLICES_H

struct heartbeat;
struct operator_spec;

/* A port table for stage.json: the operator's inputs and prepare's slices, as
 * one task sees them.  NULL-name terminated; free() it.
 */
struct port *slices_ports (const struct operator_spec *op);

/* Is input 'name' sliced? */
bool slices_name (const struct operator_spec *op, const char *name);

/* Check what inputs_resolve gave against the signature (sliced inputs must be
 * lists, or frames files), on disk below 'dir'.
 */
int slices_check (const struct operator_spec *op, const struct json *values,
                  const char *dir, const struct heartbeat *heartbeat,
                  struct error *err);

/* The lists for the operator's slices from 'made', which prepare wrote: every
 * one is there and of its type, and the paths of artifacts, which are seen from
 * 'out_dir', lead to something there.  In what is returned they begin with
 * 'place', where out_dir will be.  Caller unrefs; NULL with 'err'.
 */
struct json *slices_made (const struct operator_spec *op,
                          const struct json *made, const char *out_dir,
                          const char *place, struct error *err);

/* Of 'values', those that are the same for all tasks; the caller unrefs. */
struct json *slices_same (const struct operator_spec *op,
                          const struct json *values);

/* Takes the slice of the next task, {NAME: value} (lent); -1 ends the cutting.
 */
typedef int slice_put (const struct json *slice, void *arg, struct error *err);

/* Cut.  'values' is what inputs_resolve gave, 'made' what slices_made gave
 * (NULL: none).  Calls 'put' (NULL: they are only counted) for each task in
 * order, once everything is known to fit; stores their number in *n_tasks (1
 * without a call when nothing is sliced), and returns the values that are the
 * same for all.  NULL with 'err' (e.g. unequal lengths, naming both).
 */
struct json *slices_cut (const struct operator_spec *op,
                         const struct json *values, const struct json *made,
                         const char *dir, slice_put *put, void *arg,
                         size_t *n_tasks, const struct heartbeat *heartbeat,
                         struct error *err);

#endif /* !ENGINE_SLICES_H */
