/* SPDX-License-Identifier: BSD-3-Clause */
/* outline.h - a YAML file that is being written, with notes beside its keys
 *
 * Values are JSON below one root; a note belongs to the path of a key
 * ("stages.train.with.input", "phases.0.iterations").  What has no notes below
 * it and fits into a line is written in one ({a: 1, b: [2, 3]}).
 */
#ifndef IMPORT_OUTLINE_H
#define IMPORT_OUTLINE_H

struct outline {
    struct json *root;
    struct json *notes;  /* {path: text} */
    struct json *shared; /* {key: value} of outline_share */
};

void outline_init (struct outline *outline);
void outline_release (struct outline *outline);

/* Put 'v', whose reference is taken over, at 'path' (keys with dots between
 * them; mappings on the way are made), behind what is there.  'note' (NULL:
 * none) becomes its comment.
 */
void outline_set (struct outline *outline, const char *path, struct json *v,
                  const char *note, ...) PRINTF_LIKE (4, 5);

/* A comment for a path that has, or will have, a value. */
void outline_note (struct outline *outline, const char *path, const char *note,
                   ...) PRINTF_LIKE (3, 4);

/* Put {NAME: value} into `with:` of a stage. */
void outline_set_inputs (struct outline *campaign, const char *stage,
                         const struct json *inputs);

/* Where 'v' stands more than once as what 'key' has it is written out the first
 * time, under the anchor system_KEY, and named after that.
 */
void outline_share (struct outline *outline, const char *key, struct json *v);

/* Append all of it as YAML. */
void outline_write (const struct outline *outline, struct strbuf *out);

#endif /* !IMPORT_OUTLINE_H */
