/* SPDX-License-Identifier: BSD-3-Clause */
/* disk_use.h - what a campaign takes of the disk, by what it is for */
#ifndef COMMANDS_DISK_USE_H
#define COMMANDS_DISK_USE_H

#include "space/layout_read.h"

/* One stage in one iteration, or one kind of other things. */
struct disk_row {
    enum space_kind kind;
    char name[SPACE_NAME_SIZE];
    int iteration;  /* -1: of all */
    int generation; /* of run files; else 0 */
    int64_t bytes;  /* on the disk */
    int64_t inodes;
    int64_t freed;    /* size of outputs that `keep:` removed */
    int64_t unneeded; /* ... that nothing needs and are there; -1: not known */
};

struct disk_use {
    struct disk_row *rows; /* by kind, iteration and name */
    size_t n, alloc;
    struct disk_row all; /* their sum */
};

#define DISK_USE_INIT                                                          \
    {                                                                          \
        0                                                                      \
    }

/* Look at everything below 'dir'.  A file with several names counts once. */
int disk_use_read (const char *dir, struct disk_use *use, struct error *err);
void disk_use_release (struct disk_use *use);

/* Say of which stage the run files of a generation are; of rows that are told
 * nothing one is left, of what was superseded.
 */
void disk_use_name_runs (struct disk_use *use,
                         void (*tell) (struct disk_row *row, void *arg),
                         void *arg);

/* The row of a stage in an iteration, or NULL. */
struct disk_row *disk_use_stage (const struct disk_use *use, const char *name,
                                 int iteration);

#endif /* !COMMANDS_DISK_USE_H */
