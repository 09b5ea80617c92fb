/* SPDX-License-Identifier: BSD-3-Clause */
/* output_artifacts.h - the files that outputs.json of a stage tells of */
#ifndef ENGINE_OUTPUT_ARTIFACTS_H
#define ENGINE_OUTPUT_ARTIFACTS_H

#include "space/layout.h"

/* outputs.json of the stage below 'dir': a new reference, NULL with 'err'. */
struct json *output_file_read (const char *dir, const struct stage_place *place,
                               struct error *err);

/* What one task, or collect, made of an output. */
struct output_artifact {
    const char *output;
    char *path; /* relative to the campaign; of a list its directory */
    int64_t bytes;
    const char *sha256;
    struct json *files; /* of what collect made (artifact_record.h); or NULL */
};

/* Call 'each' for every artifact of output 'name' (NULL: of all outputs) that
 * lies in the stage's own directory.  Its -1 stops and is returned.  A list
 * without entries is left out: nothing says where it is.
 */
int output_artifacts_each (const struct json *file,
                           const struct stage_place *place, const char *name,
                           int (*each) (const struct output_artifact *artifact,
                                        void *arg, struct error *err),
                           void *arg, struct error *err);

#endif /* !ENGINE_OUTPUT_ARTIFACTS_H */
