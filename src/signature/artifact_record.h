/* SPDX-License-Identifier: BSD-3-Clause */
/* artifact_record.h - what is recorded of an artifact, and whether it still is
 * so
 *
 *   {"bytes": N, "sha256": HEX (digest_tree), "seen": HEX (tree_look),
 *    "files": ["HEX  NAME", ...]}      of a directory of at most 1000 files
 * "seen" is of before the contents were read: what changes afterwards looks
 * otherwise.
 */
#ifndef SIGNATURE_ARTIFACT_RECORD_H
#define SIGNATURE_ARTIFACT_RECORD_H

struct heartbeat;

/* What is at 'path' now.  Caller unrefs; NULL with 'err'. */
struct json *artifact_record (const char *path,
                              const struct heartbeat *heartbeat,
                              struct error *err);

/* Is what is at 'path' what was recorded?  Its contents are read where it does
 * not look as it was 'seen' (NULL: not known), or if 'contents'.  1; 0; -1 with
 * 'err': it is gone, or cannot be read.
 */
int artifact_is_same (const char *path, const struct json *record,
                      const char *seen, bool contents,
                      const struct heartbeat *heartbeat, struct error *err);

/* Say of what is not the same which file it is, and both digests.  -1. */
int artifact_say_difference (const char *path, const struct json *record,
                             const struct heartbeat *heartbeat,
                             struct error *err);

#endif /* !SIGNATURE_ARTIFACT_RECORD_H */
