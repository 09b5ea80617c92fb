/* SPDX-License-Identifier: BSD-3-Clause */
/* result_table.h - what the tasks of a stage made, found by identity
 *
 * Two files, however many tasks: `lines` has a JSON object a line for each
 * task, `index` says by identity which, in lines of one length,
 *   IDENTITY TASK OFFSET\n
 * in ascending order of identity, then task.  So a task is found by reading a
 * few lines, and looking up needs no memory that grows with the tasks but a
 * byte for each that was taken.
 */
#ifndef ENGINE_RESULT_TABLE_H
#define ENGINE_RESULT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/strbuf.h"

struct error;
struct json;

/* --- writing --- */

struct table_entry {
    char identity[DIGEST_HEX_SIZE];
    int32_t task;
    uint64_t offset;
};

struct table_writer {
    struct file_writer lines, index;
    struct strbuf line;
    uint64_t offset;
    struct table_entry *entries;
    size_t n, alloc;
};

#define TABLE_WRITER_INIT                                                      \
    {                                                                          \
        .lines = FILE_WRITER_INIT, .index = FILE_WRITER_INIT,                  \
        .line = STRBUF_INIT                                                    \
    }

int table_writer_open (struct table_writer *writer, const char *lines_path,
                       const char *index_path, struct error *err);
int table_writer_add (struct table_writer *writer, const char *identity,
                      int32_t task, const struct json *result,
                      struct error *err);
/* Both files are there, and are read-only. */
int table_writer_commit (struct table_writer *writer, struct error *err);
void table_writer_release (struct table_writer *writer);

/* --- reading --- */

struct result_table {
    int lines_fd, index_fd;
    int64_t n;   /* tasks */
    bool *taken; /* by entry: stands for a task of the stage at hand */
};

#define RESULT_TABLE_INIT                                                      \
    {                                                                          \
        .lines_fd = -1, .index_fd = -1                                         \
    }

/* The files need not stay where they are. */
int result_table_open (struct result_table *table, const char *lines_path,
                       const char *index_path, struct error *err);
void result_table_release (struct result_table *table);

/* Take the first result with 'identity' that was not taken: two equal tasks of
 * one stage are two results.  The number of its entry; -1: there is none, or
 * that cannot be read.
 */
int64_t result_table_take (struct result_table *table, const char *identity);
int result_table_entry (const struct result_table *table, int64_t number,
                        struct table_entry *entry, struct error *err);

/* The object at 'offset' of the lines.  Caller unrefs; NULL with 'err'. */
struct json *result_table_read (const struct result_table *table,
                                uint64_t offset, struct error *err);

#endif /* !ENGINE_RESULT_TABLE_H */
