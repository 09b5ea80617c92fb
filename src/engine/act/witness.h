/* SPDX-License-Identifier: BSD-3-Clause */
/* witness.h - what was seen of a stage, besides what its identity says
 *
 * An identity is known before anything runs, by what was declared.  The witness
 * tells what it cannot: which files the operator's work was in before and
 * after the stage, what its jobs were set up with, in which image they ran.  It
 * is in stage.json while the stage runs, and afterwards also in witness.json
 * beside its outputs.json:
 *   {"format": 1,
 *    "files": {PATH: SHA256},   of the campaign, that commands, prepare and
 *                               collect name, and `files:`
 *    "setup": [[WORD, ...]], "env": ["NAME=VALUE"],    of profile and operator
 *    "image": {"name", "sha256"},     sha256 null: not known; absent: none
 *    "outputs": SHA256,               of outputs.json; not in stage.json
 *    "versions": {LINE: TASKS},       of the code that they ran, as it told
 *                               them (version_lines.h); not in stage.json
 *    "unsteady": TEXT}                absent: nothing changed meanwhile
 * Results that are unsteady are never taken by another preparation, since
 * what made which of them is not known.
 */
#ifndef ENGINE_WITNESS_H
#define ENGINE_WITNESS_H

struct contents;
struct engine;
struct stage;
struct stage_manifest;
struct stage_place;

/* What is seen now, for stage.json.  Caller unrefs; NULL with 'err'. */
struct json *witness_before (struct contents *contents,
                             const struct stage *stage,
                             const struct stage_manifest *manifest,
                             struct error *err);

/* Append to 'unsteady' which of the files of 'before' are others now; nothing
 * where all are the same.  Of those that the stage with the stage.json
 * 'manifest' (NULL: not asked) runs from a copy it is that which counts.  0; -1
 * with 'err'.
 */
int witness_compare (struct engine *engine, const struct json *manifest,
                     const struct json *before, struct strbuf *unsteady,
                     struct error *err);

/* Append what `files:` of the operator stands for now and did not before, or
 * what was added to the copy that it runs from.
 */
void witness_compare_added (const struct engine *engine,
                            const struct json *manifest,
                            struct strbuf *unsteady);

/* {"files": {PATH: SHA256}} of the inputs of the generation in 'dir' (absolute)
 * that no stage made and that were not copied: directories, and large files.
 * Those that 'witness' tells are left out.  Caller unrefs.
 */
struct json *witness_inputs (const char *dir, const struct json *witness);

/* Write witness.json; 'outputs': the digest of outputs.json, "" where there is
 * none; 'unsteady' is ""
 * where nothing changed, 'versions' {LINE: TASKS}.
 */
int witness_write (struct engine *engine, const struct stage_place *place,
                   const struct json *before, const char *outputs,
                   const char *unsteady, const struct json *versions,
                   struct error *err);

/* witness.json of the generation in 'dir' (absolute); NULL: there is none that
 * can be read.  Caller unrefs.
 */
struct json *witness_read (const char *dir);

/* Is 'theirs', a witness.json, known and steady, and what was seen then equal
 * to 'before'?  Only so are results taken of another campaign.
 */
bool witness_is_equal (const struct json *before, const struct json *theirs);

#endif /* !ENGINE_WITNESS_H */
