/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - the lines of a text or a file, and the words of a line */
#include "base/base.h"

#include "formats/lines.h"
#include "formats/number.h"

void lines_of_text (struct lines *lines, const char *text, size_t len,
                    const char *name, size_t first)
{
    *lines = (struct lines){
        .at = text,
        .end = text,
        .number = first - 1,
        .text = text,
        .file = { .next = text,
                  .stop = text + len,
                  .name = xstrdup (name),
                  .fd = -1 },
        .file_bytes = len,
    };
}

int lines_open (struct lines *lines, const char *path, uint64_t offset,
                struct error *err)
{
    struct lines made = LINES_INIT;

    if (packed_open (&made.file, path, UINT64_MAX, err) < 0)
        return -1;
    if (packed_go_to (&made.file, offset, err) < 0) {
        packed_close (&made.file);
        return -1;
    }
    made.file_bytes = packed_bytes (&made.file);
    made.at = made.end = made.file.next;
    made.counted_from = offset;
    *lines = made;
    return 0;
}

int lines_go_to (struct lines *lines, uint64_t offset, struct error *err)
{
    if (packed_go_to (&lines->file, offset, err) < 0)
        return -1;
    lines->at = lines->end = lines->file.next;
    lines->number = 0;
    lines->counted_from = offset;
    return 0;
}

void lines_close (struct lines *lines)
{
    packed_close (&lines->file);
    *lines = (struct lines)LINES_INIT;
}

int lines_error (const struct lines *lines, struct error *err, const char *fmt,
                 ...)
{
    char what[512];
    va_list ap;

    va_start (ap, fmt);
    vsnprintf (what, sizeof (what), fmt, ap);
    va_end (ap);
    error_set (err, "%s", what);
    return lines_prefix (lines, err);
}

int lines_prefix (const struct lines *lines, struct error *err)
{
    if (lines->counted_from == 0)
        return error_prefix (err, "%s:%zu", lines->file.name, lines->number);
    return error_prefix (err, "%s: line %zu from byte %llu on",
                         lines->file.name, lines->number,
                         (unsigned long long)lines->counted_from);
}

/* Hand out 'len' bytes and, when it is complete, the line break after them. */
static int take_line (struct lines *lines, size_t len, bool complete)
{
    lines->at = lines->file.next;
    lines->end = lines->at + len;
    lines->complete = complete;
    lines->start = lines->file.offset;
    packed_take (&lines->file, len + complete);
    lines->number++;
    if (lines->end > lines->at && lines->end[-1] == '\r')
        lines->end--;
    return 1;
}

int lines_next (struct lines *lines, struct error *err)
{
    struct packed_file *file = &lines->file;
    size_t searched = 0;
    int rc;

    for (;;) {
        size_t len = (size_t)(file->stop - file->next);
        const char *found = NULL;

        if (len > searched)
            found = memchr (file->next + searched, '\n', len - searched);
        if (found)
            return take_line (lines, (size_t)(found - file->next), true);
        searched = len;
        rc = packed_more (file, err);
        if (rc < 0)
            return -1;
        if (rc == 0 && len > 0)
            return take_line (lines, len, false);
        if (rc == 0) {
            lines->at = lines->end = file->next;
            lines->start = file->offset;
            return 0;
        }
    }
}

struct lines_memory lines_in_memory (const struct lines *lines)
{
    const struct packed_file *file = &lines->file;

    return (struct lines_memory){ file->block ? file->block : lines->text,
                                  file->next, file->stop };
}

void lines_skip (struct lines *lines, const char *after, size_t n)
{
    packed_take (&lines->file, (size_t)(after - lines->file.next));
    lines->number += n;
}

int lines_check_end (const struct lines *lines, struct error *err)
{
    if (lines->complete)
        return 0;
    return lines_error (lines, err,
                        "the file ends here without a line break, so its last "
                        "number may be cut; write it again or, if it is whole, "
                        "run `echo >>%s`",
                        lines->file.name);
}

int lines_next_of (struct lines *lines, const char *table, struct error *err)
{
    int rc = lines_next (lines, err);

    if (rc == 0)
        return lines_error (lines, err, "the file ends within the %s", table);
    return rc < 0 ? -1 : lines_check_end (lines, err);
}

/* Only once the first line was read it is known that a file is compressed. */
uint64_t lines_bytes_left (const struct lines *lines)
{
    if (lines->file_bytes == UINT64_MAX || lines->file.packing)
        return UINT64_MAX;
    return lines->file_bytes > lines->file.offset
               ? lines->file_bytes - lines->file.offset
               : 0;
}

static bool is_space (char c)
{
    return c == ' ' || c == '\t';
}

static void skip_spaces (struct lines *lines)
{
    while (lines->at < lines->end && is_space (*lines->at))
        lines->at++;
}

bool lines_take_word (struct lines *lines, const char **word, size_t *len)
{
    skip_spaces (lines);
    *word = lines->at;
    while (lines->at < lines->end && !is_space (*lines->at))
        lines->at++;
    *len = (size_t)(lines->at - *word);
    return *len > 0;
}

/* The number that was read up to 'after' must have been a whole word. */
static bool take_up_to (struct lines *lines, const char *after)
{
    if (!after || (after < lines->end && !is_space (*after)))
        return false;
    lines->at = after;
    return true;
}

bool lines_take_number (struct lines *lines, double *value)
{
    skip_spaces (lines);
    return take_up_to (lines, number_read (lines->at, lines->end, value));
}

bool lines_take_integer (struct lines *lines, int64_t *value)
{
    skip_spaces (lines);
    return take_up_to (lines, integer_read (lines->at, lines->end, value));
}

bool lines_take_finite (struct lines *lines, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!lines_take_number (lines, &values[i]) || !isfinite (values[i]))
            return false;
    }
    return true;
}

bool lines_take_numbers (struct lines *lines, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!lines_take_number (lines, &values[i]))
            return false;
    }
    return lines_at_end (lines);
}

bool lines_at_end (struct lines *lines)
{
    skip_spaces (lines);
    return lines->at == lines->end;
}

bool lines_take_prefix (struct lines *lines, const char *prefix)
{
    size_t len = strlen (prefix);

    if ((size_t)(lines->end - lines->at) < len
        || memcmp (lines->at, prefix, len) != 0)
        return false;
    lines->at += len;
    return true;
}

bool lines_contain (const struct lines *lines, const char *words)
{
    return memmem (lines->at, (size_t)(lines->end - lines->at), words,
                   strlen (words))
           != NULL;
}
