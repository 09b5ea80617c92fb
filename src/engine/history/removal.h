/* SPDX-License-Identifier: BSD-3-Clause */
/* removal.h - outputs that were removed, since nothing needed them any more
 *
 * What `keep:` of an output does not keep is removed by the driver between the
 * events `removing` and `removed`.  removed.json beside outputs.json says the
 * same to whoever reads the data space without a journal:
 *   {"format": 1, "outputs": {NAME: {"keep": "2", "at": 4, "bytes": N}}}
 * `at`: the current iteration when it was removed.
 */
#ifndef ENGINE_REMOVAL_H
#define ENGINE_REMOVAL_H

#include "space/layout.h"

/* Raw files of tasks (`raw:`) are removed under this name, by this word. */
#define REMOVAL_RAW "raw"
#define REMOVAL_UNTIL_DONE "until_done"

struct stage_state;

/* What the state says of the removal of an output: lent; NULL: it was not. */
const struct json *stage_removal (const struct stage_state *stage,
                                  const char *output);

/* Has a driver begun to remove outputs of the stage, and not ended? */
bool stage_is_being_removed (const struct stage_state *stage);

/* Is it of raw files, and so of no output? */
bool removal_is_of_raw (const struct json *removal);

/* Append "removed in iteration 4 (keep: 2)". */
void removal_text (const struct json *removal, struct strbuf *out);

/* {NAME: removal} of the stage's removed.json below 'dir': a new reference,
 * NULL: nothing was removed, or the file cannot be read.
 */
struct json *removals_read (const char *dir, const struct stage_place *place);

/* The whole of that file.  Caller unrefs. */
struct json *removals_file (struct json *removals);

#endif /* !ENGINE_REMOVAL_H */
