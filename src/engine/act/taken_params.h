/* SPDX-License-Identifier: BSD-3-Clause */
/* taken_params.h - results without artifacts, taken from outputs.json
 *
 * They become `end` records of the new generation's own log (LAYOUT_TAKEN),
 * which the event `prepared` names.
 */
#ifndef ENGINE_TAKEN_PARAMS_H
#define ENGINE_TAKEN_PARAMS_H

struct taking;
struct taking_source;

/* Task 'old' of the source becomes 'task'.  1, 0: it was not ok, -1. */
int taken_params_add (struct taking *taking, const struct taking_source *source,
                      int32_t old, int32_t task, struct error *err);

/* Write the log: 'each' calls 'take' for every task of the new generation. */
int taken_params_write (
    struct taking *taking,
    int (*take) (struct taking *taking, int32_t task, const char *identity,
                 struct error *err),
    int (*each) (struct taking *taking, const char *dir,
                 int (*take) (struct taking *taking, int32_t task,
                              const char *identity, struct error *err),
                 struct error *err),
    struct error *err);

#endif /* !ENGINE_TAKEN_PARAMS_H */
