/* SPDX-License-Identifier: BSD-3-Clause */
/* result_table.c - what the tasks of a stage made, found by identity */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "engine/act/result_table.h"

/* 64 digits, a blank, 10 digits, a blank, 19 digits, the end of the line. */
enum { ENTRY_BYTES = 96, READ_BYTES = 1 << 14, LINE_MAX_BYTES = 1 << 30 };

/* --- writing --- */

int table_writer_open (struct table_writer *writer, const char *lines_path,
                       const char *index_path, struct error *err)
{
    return file_writer_open (&writer->lines, lines_path, err) < 0
                   || file_writer_open (&writer->index, index_path, err) < 0
               ? -1
               : 0;
}

int table_writer_add (struct table_writer *writer, const char *identity,
                      int32_t task, const struct json *result,
                      struct error *err)
{
    struct table_entry *entry;

    writer->entries = grow_array (writer->entries, writer->n, &writer->alloc,
                                  sizeof (*writer->entries));
    entry = &writer->entries[writer->n++];
    snprintf (entry->identity, sizeof (entry->identity), "%s", identity);
    entry->task = task;
    entry->offset = writer->offset;
    strbuf_reset (&writer->line);
    json_dump (result, JSON_COMPACT, &writer->line);
    strbuf_add_char (&writer->line, '\n');
    writer->offset += writer->line.len;
    return file_writer_add (&writer->lines, writer->line.buf, writer->line.len,
                            err);
}

static int compare_entries (const void *a, const void *b)
{
    const struct table_entry *left = a, *right = b;
    int rc = strcmp (left->identity, right->identity);

    return rc != 0 ? rc
                   : (left->task > right->task) - (left->task < right->task);
}

int table_writer_commit (struct table_writer *writer, struct error *err)
{
    int rc = 0;

    if (writer->n > 0)
        qsort (writer->entries, writer->n, sizeof (*writer->entries),
               compare_entries);
    for (size_t i = 0; rc == 0 && i < writer->n; i++) {
        const struct table_entry *entry = &writer->entries[i];

        strbuf_reset (&writer->line);
        strbuf_addf (&writer->line, "%s %010" PRId32 " %019" PRIu64 "\n",
                     entry->identity, entry->task, entry->offset);
        rc = file_writer_add (&writer->index, writer->line.buf,
                              writer->line.len, err);
    }
    if (rc == 0)
        rc = file_writer_commit (&writer->lines, err);
    if (rc == 0)
        rc = file_writer_commit (&writer->index, err);
    if (rc == 0)
        rc = file_seal_tree (writer->lines.path, NULL, err);
    return rc == 0 ? file_seal_tree (writer->index.path, NULL, err) : -1;
}

void table_writer_release (struct table_writer *writer)
{
    file_writer_release (&writer->lines);
    file_writer_release (&writer->index);
    strbuf_release (&writer->line);
    free (writer->entries);
}

/* --- reading --- */

int result_table_open (struct result_table *table, const char *lines_path,
                       const char *index_path, struct error *err)
{
    struct result_table opened = RESULT_TABLE_INIT;
    struct stat st;
    int rc = -1;

    opened.lines_fd = file_open (lines_path, O_RDONLY, 0);
    opened.index_fd = file_open (index_path, O_RDONLY, 0);
    if (opened.lines_fd < 0 || opened.index_fd < 0
        || fstat (opened.index_fd, &st) < 0)
        error_errno (err, "cannot read '%s'", index_path);
    else if (st.st_size % ENTRY_BYTES != 0)
        error_set (err, "'%s' is no list of results", index_path);
    else
        rc = 0;
    if (rc < 0) {
        result_table_release (&opened);
        return -1;
    }
    opened.n = st.st_size / ENTRY_BYTES;
    opened.taken = xcalloc ((size_t)opened.n + 1, sizeof (*opened.taken));
    *table = opened;
    return 0;
}

void result_table_release (struct result_table *table)
{
    file_close (table->lines_fd);
    file_close (table->index_fd);
    free (table->taken);
    *table = (struct result_table)RESULT_TABLE_INIT;
}

int result_table_entry (const struct result_table *table, int64_t number,
                        struct table_entry *entry, struct error *err)
{
    char text[ENTRY_BYTES + 1] = "";
    ssize_t got = pread (table->index_fd, text, ENTRY_BYTES,
                         (off_t)(number * ENTRY_BYTES));

    if (got < 0)
        return error_errno (err, "cannot read a list of results");
    if (got != ENTRY_BYTES
        || sscanf (text, "%64[0-9a-f] %" SCNd32 " %" SCNu64, entry->identity,
                   &entry->task, &entry->offset)
               != 3)
        return error_set (err, "a list of results is damaged");
    return 0;
}

/* The number of the first entry whose identity is not below 'identity'. */
static int64_t find_first (const struct result_table *table,
                           const char *identity)
{
    int64_t low = 0, high = table->n;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        struct table_entry entry;

        if (result_table_entry (table, middle, &entry, NULL) < 0)
            return table->n;
        if (strcmp (entry.identity, identity) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t result_table_take (struct result_table *table, const char *identity)
{
    for (int64_t i = find_first (table, identity); i < table->n; i++) {
        struct table_entry entry;

        if (result_table_entry (table, i, &entry, NULL) < 0
            || strcmp (entry.identity, identity) != 0)
            return -1;
        if (!table->taken[i]) {
            table->taken[i] = true;
            return i;
        }
    }
    return -1;
}

struct json *result_table_read (const struct result_table *table,
                                uint64_t offset, struct error *err)
{
    struct strbuf line = STRBUF_INIT;
    struct json *v = NULL;
    char *end = NULL;

    while (!end && line.len < LINE_MAX_BYTES) {
        char piece[READ_BYTES];
        ssize_t got = pread (table->lines_fd, piece, sizeof (piece),
                             (off_t)(offset + line.len));

        if (got <= 0) {
            error_set (err, "a list of results is damaged");
            goto done;
        }
        strbuf_add (&line, piece, (size_t)got);
        end = memchr (line.buf, '\n', line.len);
    }
    if (end)
        v = json_parse (line.buf, (size_t)(end - line.buf), "results", err);
done:
    strbuf_release (&line);
    return v;
}
