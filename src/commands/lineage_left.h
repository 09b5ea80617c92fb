/* SPDX-License-Identifier: BSD-3-Clause */
/* lineage_left.h - what tasks of a stage had, and what they left */
#ifndef COMMANDS_LINEAGE_LEFT_H
#define COMMANDS_LINEAGE_LEFT_H

struct lineage_stage;
struct stage_place;

/* result.json of a task: a new reference, or NULL: it is not there, or is none
 * of this task.
 */
struct json *lineage_result (const struct lineage_stage *stage, int task);

/* The same of a campaign in 'dir'. */
struct json *lineage_result_at (const char *dir,
                                const struct stage_place *place, int task);

/* {NAME: value} that task had for itself; NULL: nothing.  Caller unrefs. */
struct json *lineage_slice (const struct lineage_stage *stage, int task);

/* Is the input (or what prepare made) called 'name' an artifact? */
bool lineage_is_artifact (const struct lineage_stage *stage, const char *name);

/* result.json, or what the logs tell ({"params", "run"}) of a task that has
 * none; NULL: nothing, or too many tasks to look for each.  Caller unrefs.
 */
struct json *lineage_left (const struct lineage_stage *stage, int task);

/* {NAME: {path, bytes, sha256}}: what collect made.  Caller unrefs. */
struct json *lineage_collected (const struct lineage_stage *stage);

#endif /* !COMMANDS_LINEAGE_LEFT_H */
