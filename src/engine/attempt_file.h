/* SPDX-License-Identifier: BSD-3-Clause */
/* attempt_file.h - attempt.json: how an attempt was packed
 *
 * Written before the attempt is journaled and never changed, so that every
 * chunk is submitted as it was planned, whatever campaign.yaml says by then.
 */
#ifndef ENGINE_ATTEMPT_FILE_H
#define ENGINE_ATTEMPT_FILE_H

#include "arrays/packing.h"
#include "signature/resources.h"

struct error;

struct attempt_place {
    const char *stage;
    int iteration;
    int attempt;
};

struct attempt_file {
    struct packing packing;
    struct resources task; /* after what retries changed */
};

/* 'dir' is the campaign directory. */
int attempt_file_write (const char *dir,
                        const struct attempt_place *place,
                        const struct attempt_file *file,
                        struct error *err);
int attempt_file_read (const char *dir,
                       const struct attempt_place *place,
                       struct attempt_file *file,
                       struct error *err);

/* Absolute path of 'name' in the attempt's directory, and in that of one of
 * its chunks; caller frees.
 */
char *attempt_path (const char *dir,
                    const struct attempt_place *place,
                    const char *name);
char *attempt_chunk_path (const char *dir,
                          const struct attempt_place *place,
                          int chunk,
                          const char *name);

#endif /* !ENGINE_ATTEMPT_FILE_H */
