/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_summary.h - what a report tells of a stage without reading what each of
 * its tasks left: run/<generation>/summary.json, which fan-in writes
 *
 *   {"format": 1, "outputs": SHA256 of outputs.json,
 *    "tries": tries_summary.h, or null,
 *    "numbers": {OUTPUT: {"n", "least", "median", "mean", "most"}} (of outputs
 *       that are a number for each of more than SUMMARY_TASKS tasks)}
 * Nothing depends on it: a report makes one that is not there from the agents'
 * logs and outputs.json.
 */
#ifndef ENGINE_STAGE_SUMMARY_H
#define ENGINE_STAGE_SUMMARY_H

enum { SUMMARY_TASKS = 64 };

struct engine;
struct stage_place;
struct tries_summary;

/* The numbers of a list, nulls and all else left out, as above; NULL: there are
 * none.  Caller unrefs.
 */
struct json *number_spread (const struct json *list);

/* Write it; 'tries' were told of all records, 'outputs' as outputs.json has
 * them, 'sha256' is that of the file.  It is left out where it cannot be
 * written.
 */
void stage_summary_write (const struct engine *engine,
                          const struct stage_place *place,
                          struct tries_summary *tries,
                          const struct json *outputs, const char *sha256);

/* Read it, or make it where it is not there, or of other results: so many tasks
 * are read as '*allowance' says, which becomes less by them.  NULL: the stage
 * was not prepared, or has more.  Caller unrefs.
 */
struct json *stage_summary_get (const struct engine *engine, int iteration,
                                const char *stage, int64_t *allowance);

#endif /* !ENGINE_STAGE_SUMMARY_H */
