/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_frames.c - the part of a trajectory that can be computed again */
#include "base/base.h"

#include "base/file.h"
#include "formats/lammps/whole_frames.h"
#include "formats/lines.h"
#include "formats/vector_reader.h"

/* LAMMPS folds an atom back by subtracting one box length at a time
 * (Domain::remap): from here that takes it forever, and no trajectory is this
 * wide.
 */
static const double farthest_A = 1e6;

/* What the first pass found. */
struct verdict {
    struct strbuf frames; /* of each whole frame, 'k'ept or 'd'ropped */
    int64_t kept;
    bool truncated;
};

static bool is_configuration (const struct vector_frame *frame, size_t n_atoms)
{
    bool is = frame->n_atoms == n_atoms;

    for (size_t i = 0; is && i < 3 * n_atoms; i++)
        is = fabs (frame->vectors[i]) < farthest_A; /* false for NaN too */
    return is;
}

static int judge_frames (const char *path, size_t n_atoms,
                         struct verdict *verdict, struct error *err)
{
    static const struct vector_options positions = { .kind = VECTOR_POSITIONS };
    struct vector_reader *reader = vector_reader_open (path, &positions, err);
    struct vector_frame frame;
    int rc;

    if (!reader)
        return -1;
    while ((rc = vector_reader_next (reader, &frame, err)) == 1) {
        bool is = is_configuration (&frame, n_atoms);

        strbuf_add_char (&verdict->frames, is ? 'k' : 'd');
        verdict->kept += is;
    }
    verdict->truncated = vector_reader_truncated (reader);
    vector_reader_close (reader);
    return rc;
}

/* A line that begins a frame, or is cut, ends the frame before it: the last
 * line of a whole frame is never cut.
 */
static int copy_kept_lines (struct lines *lines, const struct verdict *verdict,
                            FILE *to, struct error *err)
{
    size_t next = 0; /* the frame after the one at hand */
    int rc;

    while ((rc = lines_next (lines, err)) == 1 && lines->complete) {
        const char *line = lines->at;

        if (lines_take_prefix (lines, "ITEM: TIMESTEP")
            && next++ == verdict->frames.len)
            break;
        if (next > 0 && verdict->frames.buf[next - 1] == 'k') {
            fwrite (line, 1, (size_t)(lines->end - line), to);
            fputc ('\n', to);
        }
    }
    return rc < 0 ? -1 : 0;
}

static int write_kept (const char *from, const char *to,
                       const struct verdict *verdict, struct error *err)
{
    struct lines lines = LINES_INIT;
    FILE *stream = fopen (to, "we");
    int rc;

    if (!stream)
        return error_errno (err, "cannot write '%s'", to);
    rc = lines_open (&lines, from, 0, err);
    if (rc == 0)
        rc = copy_kept_lines (&lines, verdict, stream, err);
    lines_close (&lines);
    if ((ferror (stream) | fclose (stream)) && rc == 0)
        rc = error_errno (err, "cannot write '%s'", to);
    return rc;
}

int whole_frames_keep (const char *from, const char *to, size_t n_atoms,
                       struct whole_frames *frames, struct error *err)
{
    struct verdict verdict = { .frames = STRBUF_INIT };
    int64_t seen;
    int rc;

    if (!file_exists (from)) {
        *frames = (struct whole_frames){ 0 };
        return file_write_atomic (to, "", 0, err);
    }
    rc = judge_frames (from, n_atoms, &verdict, err);
    seen = (int64_t)verdict.frames.len;
    if (rc == 0 && verdict.kept == seen && !verdict.truncated)
        rc = file_rename (from, to, err);
    else if (rc == 0)
        rc = write_kept (from, to, &verdict, err);
    if (rc == 0)
        *frames = (struct whole_frames){ seen, verdict.kept };
    strbuf_release (&verdict.frames);
    return rc;
}
