/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_search.c - frames in the middle of an extended XYZ file */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "formats/extxyz_header.h"
#include "formats/extxyz_search.h"
#include "formats/frame.h"
#include "formats/number.h"
#include "formats/packed_file.h"

static const char *skip_blanks (const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

static bool is_count (const char *line, const char *end)
{
    int64_t n;

    line = integer_read (skip_blanks (line, end), end, &n);
    return line && n >= 0 && skip_blanks (line, end) == end;
}

static bool tells_step (const char *line, const char *end, int64_t *step)
{
    struct frame head = FRAME_INIT;
    struct extxyz_columns columns;
    bool tells;

    if (end > line && end[-1] == '\r')
        end--;
    tells = extxyz_header_parse (line, (size_t)(end - line), &head, &columns,
                                 NULL)
                == 0
            && frame_step (&head, step);
    frame_release (&head);
    return tells;
}

static const char *line_end (const char *at, const char *stop)
{
    return at < stop ? memchr (at, '\n', (size_t)(stop - at)) : NULL;
}

/* Look at the lines that are in memory, which start at 'next': true at a frame;
 * else all are taken but what may be the beginning of one.
 */
static bool look (struct packed_file *file, int64_t *step)
{
    const char *end, *second_end;

    while ((end = line_end (file->next, file->stop))) {
        if (is_count (file->next, end)) {
            second_end = line_end (end + 1, file->stop);
            if (!second_end)
                return false;
            if (tells_step (end + 1, second_end, step))
                return true;
        }
        packed_take (file, (size_t)(end + 1 - file->next));
    }
    return false;
}

/* Go to the first line that starts at byte 'from' or later: 1, 0 when there is
 * none, or -1.
 */
static int go_to_line (struct packed_file *file,
                       uint64_t from,
                       struct error *err)
{
    int rc = packed_go_to (file, from > 0 ? from - 1 : 0, err);

    if (rc < 0 || from == 0)
        return rc < 0 ? -1 : 1;
    do {
        const char *end = line_end (file->next, file->stop);

        packed_take (file, (size_t)((end ? end + 1 : file->stop) - file->next));
        if (end)
            return 1;
    } while ((rc = packed_more (file, err)) == 1);
    return rc;
}

int extxyz_find_frame (struct packed_file *file,
                       uint64_t from,
                       uint64_t *place,
                       int64_t *step,
                       struct error *err)
{
    int rc = go_to_line (file, from, err);

    while (rc == 1) {
        if (look (file, step)) {
            *place = file->offset;
            return 1;
        }
        rc = packed_more (file, err);
    }
    return rc;
}
