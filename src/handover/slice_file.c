/* SPDX-License-Identifier: BSD-3-Clause */
/* slice_file.c - slices.jsonl and slices.index: what each task is given */
#include "base/base.h"

#include "handover/slice_file.h"
#include "arrays/task_range.h"
#include "base/file.h"
#include "base/json.h"
#include "space/layout.h"

enum { ENTRY_BYTES = 8 };

/* --- writing --- */

static int open_one (struct file_writer *writer, const char *dir,
                     const char *name, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, name);

    return file_writer_open (writer, path, err);
}

static int add_entry (struct slice_writer *writer, struct error *err)
{
    unsigned char entry[ENTRY_BYTES];

    for (int i = 0; i < ENTRY_BYTES; i++)
        entry[i] = (unsigned char)(writer->offset >> (8 * i));
    return file_writer_add (&writer->index, entry, sizeof (entry), err);
}

int slice_writer_open (struct slice_writer *writer, const char *dir,
                       struct error *err)
{
    return open_one (&writer->lines, dir, LAYOUT_SLICES, err) < 0
                   || open_one (&writer->index, dir, LAYOUT_SLICES_INDEX, err)
                          < 0
               ? -1
               : 0;
}

const char *slice_identity (const struct json *slice,
                            const char *stage_identity)
{
    const struct json *own = json_get (slice, SLICE_IDENTITY);

    if (slice)
        return own ? json_as_string (own) : NULL;
    return stage_identity;
}

int slice_writer_add (struct slice_writer *writer, const struct json *slice,
                      const char *identity, struct error *err)
{
    struct strbuf *line = &writer->line;

    strbuf_reset (line);
    json_dump (slice, JSON_COMPACT, line);
    if (identity) {
        strbuf_truncate (line, line->len - 1);
        strbuf_addf (line, "%s\"" SLICE_IDENTITY "\":\"%s\"}",
                     json_count (slice) > 0 ? "," : "", identity);
    }
    strbuf_add_char (line, '\n');
    if (add_entry (writer, err) < 0
        || file_writer_add (&writer->lines, writer->line.buf, writer->line.len,
                            err)
               < 0)
        return -1;
    writer->offset += writer->line.len;
    return 0;
}

int slice_writer_commit (struct slice_writer *writer, struct error *err)
{
    return add_entry (writer, err) < 0
                   || file_writer_commit (&writer->lines, err) < 0
                   || file_writer_commit (&writer->index, err) < 0
               ? -1
               : 0;
}

void slice_writer_release (struct slice_writer *writer)
{
    file_writer_release (&writer->lines);
    file_writer_release (&writer->index);
    strbuf_release (&writer->line);
}

/* --- reading --- */

static uint64_t entry_at (const struct strbuf *index, size_t i)
{
    const unsigned char *entry =
        (const unsigned char *)index->buf + i * ENTRY_BYTES;
    uint64_t offset = 0;

    for (int k = 0; k < ENTRY_BYTES; k++)
        offset |= (uint64_t)entry[k] << (8 * k);
    return offset;
}

/* The lines between two entries of the index, parsed. */
static int parse_lines (const struct strbuf *index, const struct strbuf *text,
                        const char *path, int32_t first, struct json **slices,
                        struct error *err)
{
    size_t n = index->len / ENTRY_BYTES - 1;
    uint64_t start = entry_at (index, 0);

    for (size_t i = 0; i < n; i++) {
        uint64_t from = entry_at (index, i) - start;
        uint64_t to = entry_at (index, i + 1) - start;

        if (from >= to || to > text->len || text->buf[to - 1] != '\n')
            return error_set (err,
                              "%s: " LAYOUT_SLICES_INDEX
                              " does not point to a line for task %06d",
                              path, (int)first + (int)i);
        slices[i] =
            json_parse (text->buf + from, (size_t)(to - from - 1), path, err);
        if (!slices[i])
            return error_prefix (err, "task %06d", (int)first + (int)i);
    }
    return 0;
}

/* The slices of first .. last. */
static int read_span (const char *lines_path, const char *index_path,
                      const struct task_span *span, struct json **slices,
                      struct error *err)
{
    size_t n = (size_t)(span->last - span->first) + 1;
    _cleanup_ (strbuf_release) struct strbuf index = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    uint64_t from, to;

    if (file_read_range (index_path, (uint64_t)span->first * ENTRY_BYTES,
                         (n + 1) * ENTRY_BYTES, &index, err)
        < 0) {
        error_prefix (err, "task %06d", (int)span->last);
        return -1;
    }
    from = entry_at (&index, 0);
    to = entry_at (&index, n);
    if (to < from) {
        error_set (err, "%s: is damaged", index_path);
        return -1;
    }
    return file_read_range (lines_path, from, (size_t)(to - from), &text, err)
                   == 0
               ? parse_lines (&index, &text, lines_path, span->first, slices,
                              err)
               : -1;
}

int slice_file_read (const char *dir, const struct task_range *tasks,
                     struct json **slices, struct error *err)
{
    _cleanup_free_ char *lines_path = path_join (dir, LAYOUT_SLICES);
    _cleanup_free_ char *index_path = path_join (dir, LAYOUT_SLICES_INDEX);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < tasks->n_spans; i++) {
        const struct task_span *span = &tasks->spans[i];

        rc = read_span (lines_path, index_path, span, slices, err);
        slices += span->last - span->first + 1;
    }
    return rc;
}
