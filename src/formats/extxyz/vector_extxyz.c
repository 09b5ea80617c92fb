/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_extxyz.c - positions or forces out of extended XYZ */
#include "base/base.h"

#include "formats/extxyz/extxyz.h"
#include "formats/extxyz/extxyz_header.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "formats/packed/packed_file.h"
#include "formats/vector_source.h"

struct extxyz_source {
    struct vector_reader reader;
    struct lines lines;
    struct frame frame;
    int64_t number; /* of the next frame */
};

static void close_source (struct vector_reader *reader)
{
    _cleanup_free_ struct extxyz_source *source =
        (struct extxyz_source *)reader;

    lines_close (&source->lines);
    frame_release (&source->frame);
}

static struct vector_reader *open_source (const char *path,
                                          const struct vector_options *options,
                                          struct error *err)
{
    struct extxyz_source *source = xcalloc (1, sizeof (*source));

    (void)options;
    if (lines_open (&source->lines, path, 0, err) == 0)
        return &source->reader;
    free (source);
    return NULL;
}

/* What is asked for has to be there. */
static int check_labels (const struct extxyz_source *source, uint64_t place,
                         struct error *err)
{
    const struct vector_options *options = source->reader.options;
    const struct frame *frame = &source->frame;
    const char *lacking = NULL;

    if (options->kind == VECTOR_FORCES && frame->n_atoms > 0 && !frame->forces)
        lacking = "forces";
    else if (options->energy && !frame->has_energy)
        lacking = "energy";
    else if (options->virial && !frame->has_virial)
        lacking = "virial";
    if (!lacking)
        return 0;
    return error_set (err, "%s: the frame at byte %llu has no %s",
                      source->lines.file.name, (unsigned long long)place,
                      lacking);
}

static int next (struct vector_reader *reader, struct vector_frame *frame,
                 struct error *err)
{
    struct extxyz_source *source = (struct extxyz_source *)reader;
    const struct frame *found = &source->frame;
    int rc = extxyz_next (&source->lines, &source->frame, &frame->place,
                          &reader->truncated, err);

    if (rc != 1)
        return rc;
    if (check_labels (source, frame->place, err) < 0)
        return -1;
    frame->step = source->number++;
    frame->has_step = frame_step (found, &frame->step);
    frame->n_atoms = found->n_atoms;
    frame->ids = frame->types = NULL;
    frame->units = NULL;
    frame->vectors = reader->options->kind == VECTOR_FORCES ? found->forces
                                                            : found->positions;
    frame->forces = found->forces;
    frame->energy = found->energy;
    memcpy (frame->virial, found->virial, sizeof (frame->virial));
    memcpy (frame->cell, found->cell, sizeof (frame->cell));
    memcpy (frame->periodic, found->periodic, sizeof (frame->periodic));
    frame->symbols = (const char (*)[SYMBOL_SIZE])found->symbols;
    return 1;
}

static int go_to (struct vector_reader *reader, uint64_t place,
                  struct error *err)
{
    return lines_go_to (&((struct extxyz_source *)reader)->lines, place, err);
}

/* --- frames in the middle of a file --- */

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
    _cleanup_ (frame_release) struct frame head = FRAME_INIT;
    struct extxyz_columns columns;
    bool tells;

    if (end > line && end[-1] == '\r')
        end--;
    tells = extxyz_header_parse (line, (size_t)(end - line), NULL, &head,
                                 &columns, NULL)
                == 0
            && frame_step (&head, step);
    return tells;
}

static const char *line_end (const char *at, const char *stop)
{
    return at < stop ? memchr (at, '\n', (size_t)(stop - at)) : NULL;
}

/* Look at the lines that are in memory, which start at 'next': true at a frame;
 * else all are taken but what may be the beginning of one.
 */
static bool find_in_memory (struct packed_file *file, int64_t *step)
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
static int go_to_line (struct packed_file *file, uint64_t from,
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

/* A frame's first line is a number alone, which no atom's is, and the second
 * tells a step, which no number does.
 */
static int find_frame (struct packed_file *file, uint64_t from, uint64_t *place,
                       int64_t *step, struct error *err)
{
    int rc = go_to_line (file, from, err);

    while (rc == 1) {
        if (find_in_memory (file, step)) {
            *place = file->offset;
            return 1;
        }
        rc = packed_more (file, err);
    }
    return rc;
}

const struct vector_source vector_extxyz = {
    open_source, close_source, next, go_to, find_frame,
};
