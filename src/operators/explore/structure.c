/* SPDX-License-Identifier: BSD-3-Clause */
/* structure.c - what an MD starts from: the first frame of any file */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "formats/frame_reader.h"
#include "formats/lammps/lammps_data.h"
#include "operators/explore/explore.h"

/* What is no file, or shows no other format, is taken for a LAMMPS data file,
 * whose errors are those to be told.
 */
static bool is_lammps_data (const char *path,
                            const struct frame_options *options)
{
    struct frame_reader *reader = NULL;
    struct stat st;
    bool is;

    if (stat (path, &st) == 0 && (S_ISREG (st.st_mode) || S_ISDIR (st.st_mode)))
        reader = frame_reader_open (path, options, NULL);
    is = !reader || strcmp (frame_reader_format (reader), "lammps-data") == 0;

    frame_reader_close (reader);
    return is;
}

static int read_lammps_data (const char *path, const struct strvec *elements,
                             struct frame *frame, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_read (path, EXPLORE_STRUCTURE_MAX_BYTES, &text, err);

    if (rc == 0)
        rc = lammps_data_parse (text.buf, text.len, path, elements->v,
                                elements->n, frame, err);
    return rc;
}

static int read_first (const char *path, const struct frame_options *options,
                       struct frame *frame, struct error *err)
{
    struct frame_reader *reader = frame_reader_open (path, options, err);
    int rc = reader ? frame_reader_next (reader, frame, err) : -1;

    if (rc == 0)
        error_set (err, "'%s' has no frame", path);
    frame_reader_close (reader);
    return rc == 1 ? 0 : -1;
}

/* An MD runs in a cell that is repeated in all directions, with atoms that the
 * potentials know.
 */
static int check_frame (const char *path, const struct strvec *elements,
                        const struct frame *frame, struct error *err)
{
    bool periodic =
        frame->periodic[0] && frame->periodic[1] && frame->periodic[2];

    if (!(fabs (frame_volume (frame)) > 0) || !periodic)
        return error_set (err,
                          "'%s': its first frame is not periodic in all "
                          "directions; give it a cell, with room around what "
                          "is none",
                          path);
    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (!strvec_contains (elements, frame->symbols[i]))
            return error_set (err,
                              "'%s': atom %zu is %s, which is none of the "
                              "elements",
                              path, i + 1, frame->symbols[i]);
    }
    return 0;
}

int explore_read_structure (const char *path, const struct strvec *elements,
                            struct frame *frame, bool *is_data,
                            struct error *err)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct frame read = FRAME_INIT;
    bool data;
    int rc;

    options.elements = elements->v;
    options.n_elements = elements->n;
    data = is_lammps_data (path, &options);
    rc = data ? read_lammps_data (path, elements, &read, err)
              : read_first (path, &options, &read, err);
    if (rc == 0 && !data)
        rc = check_frame (path, elements, &read, err);
    if (rc < 0) {
        frame_release (&read);
        return -1;
    }
    frame_release (frame);
    *frame = read;
    if (is_data)
        *is_data = data;
    return 0;
}
