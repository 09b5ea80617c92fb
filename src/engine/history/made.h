/* SPDX-License-Identifier: BSD-3-Clause */
/* made.h - is what stages made what was recorded of it?
 *
 * outputs.json of a stage has the digests of its artifacts, and seen.json
 * beside it how they looked.  Whoever reads one of them asks here first: it is
 * read where it looks otherwise (signature/artifact_record.h), and what differs
 * is an error that names the file, both digests, and what to do.
 */
#ifndef ENGINE_MADE_H
#define ENGINE_MADE_H

struct heartbeat;
struct outputs_store;

struct made {
    const char *dir;
    const struct outputs_store *outputs;
    struct json *records; /* {PATH: artifact_record.h} */
    struct json *stages;  /* {STAGE_DIR: {PATH: how it looked}}: those whose
                             outputs.json was read */
    bool always;
    const struct heartbeat *heartbeat;
};

/* 'dir' and 'outputs', the campaign's, are lent; 'always': artifacts are read,
 * however they look.
 */
void made_init (struct made *made, const char *dir,
                const struct outputs_store *outputs, bool always,
                const struct heartbeat *heartbeat);
void made_release (struct made *made);

/* Compare the artifact that is at 'path', relative to the campaign, or that the
 * path is in; each is compared once.  0, also of what no stage made; -1 with
 * 'err'.  *sha256 (unless NULL): a reference to the digest of what the path
 * leads to, where that is known.
 */
int made_compare (struct made *made, const char *path, struct json **sha256,
                  struct error *err);

/* The same of all paths in the value of an artifact: a path, a frame of a file,
 * a hole, or a list of these.
 */
int made_compare_value (struct made *made, const struct json *value,
                        struct error *err);

#endif /* !ENGINE_MADE_H */
