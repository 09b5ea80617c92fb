/* SPDX-License-Identifier: BSD-3-Clause */
/* input_copies.h - files that a user bound by path, as they were
 *
 * A stage goes by what its inputs were when it was prepared: of each file that
 * no stage made, up to INPUT_COPY_MAX_BYTES, there is a copy in
 * .fanfold/inputs/<digest>/<name>, one for each content.  Of larger ones, and
 * of directories, the digest is known, and agents look whether they change.
 */
#ifndef ENGINE_INPUT_COPIES_H
#define ENGINE_INPUT_COPIES_H

#include "engine/act/identity.h"

struct engine;
struct port;

enum { INPUT_COPY_MAX_BYTES = 64 << 20 };

/* 'values' with the paths of copies, which are on the disk; the caller unrefs.
 * The digests of the copies are added to 'contents'.  NULL with 'err'.
 */
struct json *inputs_copied (struct engine *engine, struct contents *contents,
                            const struct port *inputs,
                            const struct json *values, struct error *err);

/* The same place has the text of programs that ran: of each of 'files', {PATH:
 * SHA256} of a witness, up to PROGRAM_COPY_MAX_BYTES.  One that was taken away
 * meanwhile is passed over: who runs it will say so.
 */
enum { PROGRAM_COPY_MAX_BYTES = 4 << 20 };
int programs_keep (struct engine *engine, struct contents *contents,
                   const struct json *files, struct error *err);

#endif /* !ENGINE_INPUT_COPIES_H */
