/* SPDX-License-Identifier: BSD-3-Clause */
/* slice_file.h - slices.jsonl and slices.index: what each task is given
 *
 * Line k of slices.jsonl is {NAME: value} of task k, and its identity, the
 * SHA-256 of what its result depends on.  slices.index holds where
 * each line begins, and where the last one ends: numbers of 8 bytes, least
 * significant first, that of task k at 8 * k.  So an agent reads no more than
 * the lines of its own tasks.
 */
#ifndef HANDOVER_SLICE_FILE_H
#define HANDOVER_SLICE_FILE_H

#include "base/file.h"

struct task_range;

#define SLICE_IDENTITY "@identity" /* no name of an input */

struct slice_writer {
    struct file_writer lines, index;
    uint64_t offset;
    struct strbuf line;
};

#define SLICE_WRITER_INIT                                                      \
    {                                                                          \
        .lines = FILE_WRITER_INIT, .index = FILE_WRITER_INIT,                  \
        .line = STRBUF_INIT                                                    \
    }

/* Write both files in 'dir'; a million slices need no memory.  They are there
 * when slice_writer_commit returns 0, and not before.
 */
int slice_writer_open (struct slice_writer *writer, const char *dir,
                       struct error *err);
/* 'identity' is that of the task; NULL: not known. */
int slice_writer_add (struct slice_writer *writer, const struct json *slice,
                      const char *identity, struct error *err);
int slice_writer_commit (struct slice_writer *writer, struct error *err);
void slice_writer_release (struct slice_writer *writer);

/* The identity of the task with 'slice' (NULL: the stage is not sliced), where
 * the stage's is 'stage_identity' (NULL: not known).  Lent; NULL: not known.
 */
const char *slice_identity (const struct json *slice,
                            const char *stage_identity);

/* slices[i]: that of the i-th of 'tasks' (a new reference each; on failure too,
 * where there is one).  A task that the files do not have is an error.
 */
int slice_file_read (const char *dir, const struct task_range *tasks,
                     struct json **slices, struct error *err);

#endif /* !HANDOVER_SLICE_FILE_H */
