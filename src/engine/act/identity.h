/* SPDX-License-Identifier: BSD-3-Clause */
/* identity.h - what a task's result depends on, as one SHA-256
 *
 * Of the operator's version (its declaration as stage.json has it, but for how
 * and where it runs, and the files below the campaign that its commands or its
 * `files` name), its parameters, the contents of its inputs, and of the task's
 * seed, its number and its iteration where the operator uses them.  Results
 * carry it: one with another identity was made by another definition.
 *
 * stage.json keeps what the stage's identity was made of, its parts, so that
 * two can be compared:
 *   {"version": HEX, "parameters": {NAME: HEX}, "inputs": {NAME: HEX},
 *    "place": {"iteration", "seed", "task"},    those that are used
 *    "sliced": {NAME: HEX}, "files": {PATH: HEX}}
 * of which 'files' are in the version, and 'sliced' in the identities of tasks.
 */
#ifndef ENGINE_IDENTITY_H
#define ENGINE_IDENTITY_H

#include "engine/act/contents.h"

struct operator_spec;
struct stage_manifest;

/* Parts but for 'sliced'.  Caller unrefs; NULL with 'err'. */
struct json *identity_parts (struct contents *contents,
                             const struct stage_manifest *manifest,
                             struct error *err);

/* The identity of what all tasks have in common, and of the only task where
 * nothing is sliced.
 */
void stage_identity (const struct json *parts, char hex[DIGEST_HEX_SIZE]);

/* Add to 'parts' those of inputs that are sliced, and of what prepare made:
 * 'values' are whole lists.
 */
int identity_add_sliced (struct contents *contents, const struct port *ports,
                         const struct json *values, struct json *parts,
                         struct error *err);

/* Of task 'task', whose slice (without its identity) is {NAME: value} of the
 * manifest's inputs.
 */
int task_identity (struct contents *contents,
                   const struct stage_manifest *manifest, int task,
                   const struct json *slice, char hex[DIGEST_HEX_SIZE],
                   struct error *err);

/* {PATH: SHA256} of the campaign's files that the operator's work is in: its
 * commands, prepare and collect name them, or its `files`.  Caller unrefs; NULL
 * with 'err'.
 */
struct json *identity_files (struct contents *contents,
                             const struct operator_spec *op,
                             const struct stage_manifest *manifest,
                             struct error *err);

/* The stage's with what prepare and collect run, and with all inputs of the
 * operator, sliced or not: would the stage be prepared as it was?
 */
int stage_definition (struct contents *contents, const struct operator_spec *op,
                      const struct stage_manifest *manifest,
                      const struct json *values, char hex[DIGEST_HEX_SIZE],
                      struct error *err);

#endif /* !ENGINE_IDENTITY_H */
