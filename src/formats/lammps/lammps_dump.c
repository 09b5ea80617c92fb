/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_dump.c - LAMMPS text dumps, frame by frame */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "formats/lammps/lammps_dump.h"

static struct vector_reader *open_dump (const char *path,
                                        const struct vector_options *options,
                                        struct error *err)
{
    struct dump_reader *dump;
    int saved;

    if (dump_check_options (path, options, err) < 0)
        return NULL;
    dump = xcalloc (1, sizeof (*dump));
    dump->frame = (struct dump_frame)DUMP_FRAME_INIT;
    if (lines_open (&dump->lines, path, 0, err) == 0)
        return &dump->reader;
    saved = errno;
    free (dump);
    errno = saved;
    return NULL;
}

static void close_dump (struct vector_reader *reader)
{
    struct dump_reader *dump = (struct dump_reader *)reader;

    lines_close (&dump->lines);
    dump_frame_release (&dump->frame);
    free (dump);
}

static int go_to (struct vector_reader *reader,
                  uint64_t place,
                  struct error *err)
{
    return lines_go_to (&((struct dump_reader *)reader)->lines, place, err);
}

int dump_need_line (struct dump_reader *dump, struct error *err)
{
    int rc = lines_next (&dump->lines, err);

    if (rc == 1 && !dump->lines.complete)
        rc = 0;
    if (rc == 0)
        dump->reader.truncated = true;
    return rc;
}

/* The line after its heading, holding one whole number. */
static int read_integer (struct dump_reader *dump,
                         const char *what,
                         int64_t *value,
                         struct error *err)
{
    struct lines *lines = &dump->lines;
    int rc = dump_need_line (dump, err);

    if (rc != 1)
        return rc;
    if (!lines_take_integer (lines, value) || !lines_at_end (lines))
        return lines_error (lines, err, "expected %s, a whole number", what);
    return 1;
}

static int read_step (struct dump_reader *dump, struct error *err)
{
    return read_integer (dump, "the time step", &dump->frame.step, err);
}

static int read_n_atoms (struct dump_reader *dump, struct error *err)
{
    int64_t n = 0;
    int rc = read_integer (dump, "the number of atoms", &n, err);

    if (rc != 1)
        return rc;
    if (n < 0)
        return lines_error (&dump->lines, err, "%lld atoms", (long long)n);
    dump->frame.n_atoms = (size_t)n;
    return 1;
}

/* "xy xz yz" (triclinic), then "pp pp pp" or other flags. */
static int read_box_flags (struct lines *lines,
                           struct dump_frame *frame,
                           bool *triclinic)
{
    const char *word;
    size_t len;

    *triclinic = lines_take_prefix (lines, " xy xz yz");
    memset (frame->periodic, 0, sizeof (frame->periodic));
    for (int i = 0; lines_take_word (lines, &word, &len); i++) {
        if (i == 3 || len != 2 || !strchr ("pfsm", *word))
            return -1;
        frame->periodic[i] = *word == 'p';
    }
    return 0;
}

static int read_box (struct dump_reader *dump, struct error *err)
{
    struct lines *lines = &dump->lines;
    double row[3][3] = { { 0 } };
    bool triclinic;

    if (read_box_flags (lines, &dump->frame, &triclinic) < 0)
        return lines_error (lines, err,
                            "expected [xy xz yz] and three boundary flags "
                            "like pp; other forms of box are not read");
    for (int i = 0; i < 3; i++) {
        int rc = dump_need_line (dump, err);

        if (rc != 1)
            return rc;
        if (!lines_take_numbers (lines, row[i], triclinic ? 3 : 2))
            return lines_error (lines, err, "expected %d numbers of the box",
                                triclinic ? 3 : 2);
    }
    dump_frame_set_box (&dump->frame, row);
    return 1;
}

/* The rows come after the head. */
static int read_heading (struct dump_reader *dump, struct error *err)
{
    struct lines *lines = &dump->lines;

    dump_frame_set_columns (&dump->frame, lines->at,
                            (size_t)(lines->end - lines->at));
    if (dump->frame.columns.n == 0)
        return lines_error (lines, err, "expected names of columns");
    return 1;
}

enum { SEEN_STEP = 1, SEEN_N_ATOMS = 2, SEEN_BOX = 4, SEEN_ATOMS = 8 };

static const struct item {
    const char *name;
    unsigned int seen;
    int (*read) (struct dump_reader *dump, struct error *err);
} items[] = {
    { "TIMESTEP", SEEN_STEP, read_step },
    { "NUMBER OF ATOMS", SEEN_N_ATOMS, read_n_atoms },
    { "BOX BOUNDS", SEEN_BOX, read_box },
    { "ATOMS", SEEN_ATOMS, read_heading },
    { "UNITS", 0, dump_need_line }, /* of dump_modify: we need neither */
    { "TIME", 0, dump_need_line },
};

/* What the heading at hand announces, or NULL; the line is left behind the
 * heading's name.
 */
static const struct item *find_item (struct lines *lines)
{
    const char *name;

    if (!lines_take_prefix (lines, "ITEM: "))
        return NULL;
    name = lines->at;
    for (size_t i = 0; i < ARRAY_SIZE (items); i++) {
        if (lines_take_prefix (lines, items[i].name)
            && (lines->at == lines->end || *lines->at == ' '))
            return &items[i];
        lines->at = name;
    }
    return NULL;
}

/* The heading at hand and what belongs to it. */
static int read_item (struct dump_reader *dump,
                      unsigned int *seen,
                      struct error *err)
{
    const unsigned int all = SEEN_STEP | SEEN_N_ATOMS | SEEN_BOX;
    const struct item *item = find_item (&dump->lines);

    if (!item)
        return lines_error (&dump->lines, err,
                            "expected a heading of a LAMMPS dump like 'ITEM: "
                            "%s'",
                            items[0].name);
    if ((*seen & item->seen) || (item->seen == SEEN_ATOMS && *seen != all))
        return lines_error (&dump->lines, err,
                            "'ITEM: %s' is out of place: a frame has TIMESTEP, "
                            "NUMBER OF ATOMS, BOX BOUNDS and last ATOMS",
                            item->name);
    *seen |= item->seen;
    return item->read (dump, err);
}

/* Read up to the first row of the next frame: 1, 0 at the end of the file, or
 * -1.
 */
static int read_head (struct dump_reader *dump, struct error *err)
{
    struct lines *lines = &dump->lines;
    unsigned int seen = 0;
    bool started = false;
    int rc;

    while (!(seen & SEEN_ATOMS)) {
        rc = lines_next (lines, err);
        if (rc < 0)
            return -1;
        if (rc == 0 || !lines->complete) {
            dump->reader.truncated |= started || rc != 0;
            return 0;
        }
        if (lines_at_end (lines))
            continue;
        if (seen == 0) /* UNITS and TIME stand before a frame */
            dump->frame.offset = lines->start;
        started = true;
        rc = read_item (dump, &seen, err);
        if (rc != 1)
            return rc;
    }
    return 1;
}

/* Memory for the frame's atoms: 1, 0 when the file cannot hold that many (a
 * column takes a digit and a space), or -1.
 */
static int prepare (struct dump_reader *dump, struct error *err)
{
    size_t least = 2 * dump->frame.columns.n;

    if (dump->frame.n_atoms > lines_bytes_left (&dump->lines) / least) {
        dump->reader.truncated = true;
        return 0;
    }
    return dump_frame_prepare (&dump->frame, dump->reader.options, err) < 0
               ? lines_prefix (&dump->lines, err)
               : 1;
}

static int next (struct vector_reader *reader,
                 struct vector_frame *frame,
                 struct error *err)
{
    struct dump_reader *dump = (struct dump_reader *)reader;
    int rc = read_head (dump, err);

    if (rc == 1)
        rc = prepare (dump, err);
    if (rc == 1)
        rc = dump_read_rows (dump, err);
    if (rc == 1 && dump_frame_sort (&dump->frame, err) < 0)
        rc = lines_prefix (&dump->lines, err);
    if (rc == 1)
        dump_frame_lend (&dump->frame, frame);
    return rc;
}

const struct vector_source vector_text_dump = {
    open_dump, close_dump, next, go_to, dump_find_frame,
};
