/* SPDX-License-Identifier: BSD-3-Clause */
/* printed.h - where it is that a task printed
 *
 * Of a task that ended well: a part of output-<element>.<n>, as the result log
 * tells.  Of another one: a file of its own in work/<element>.<n>, which one
 * that runs shares with its slot.
 */
#ifndef COMMANDS_PRINTED_H
#define COMMANDS_PRINTED_H

#include <stdint.h>

struct error;
struct stage_place;

struct printed {
    char *path; /* NULL: it printed nothing that was kept */
    uint64_t at;
    uint64_t bytes; /* UINT64_MAX: up to the end of the file */
};

/* What task 'task' printed in its newest try.  Release it in any case. */
int printed_find (const char *campaign_dir,
                  const struct stage_place *place,
                  int task,
                  struct printed *printed,
                  struct error *err);
void printed_release (struct printed *printed);

#endif /* !COMMANDS_PRINTED_H */
