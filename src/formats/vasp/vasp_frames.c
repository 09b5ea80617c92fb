/* SPDX-License-Identifier: BSD-3-Clause */
/* vasp_frames.c - whole frames out of OUTCAR and vasprun.xml */
#include "base/base.h"

#include "formats/frame_reader.h"
#include "formats/lines.h"
#include "formats/vasp/outcar.h"
#include "formats/vasp/vasp_frames.h"
#include "formats/vasp/vasprun.h"

static void note_left_out (struct strvec *notes, size_t n, const char *why)
{
    if (n > 0)
        frame_note (notes, "%zu step%s left out: %s", n,
                    n > 1 ? "s are" : " is", why);
}

/* At the end of the file. */
static void note_all (struct strvec *notes, size_t unconverged,
                      size_t unlabelled, bool truncated)
{
    note_left_out (notes, unconverged, "the SCF did not converge");
    note_left_out (notes, unlabelled,
                   "there are no positions, forces and cell (NWRITE)");
    if (truncated)
        frame_note (notes, "the file ends within a step, which is left out");
}

/* --- OUTCAR --- */

struct outcar_frames {
    struct outcar outcar;
    struct lines lines;
};

void *outcar_frames_open (const char *path, const struct frame_options *options,
                          struct error *err)
{
    struct outcar_frames *frames = xcalloc (1, sizeof (*frames));

    (void)options;
    frames->outcar = (struct outcar)OUTCAR_INIT;
    frames->lines = (struct lines)LINES_INIT;
    if (lines_open (&frames->lines, path, 0, err) == 0)
        return frames;
    free (frames);
    return NULL;
}

int outcar_frames_next (void *source, struct frame *frame, struct strvec *notes,
                        struct error *err)
{
    struct outcar_frames *frames = source;
    bool truncated = false;
    int rc =
        outcar_next (&frames->outcar, &frames->lines, frame, &truncated, err);

    if (rc == 0)
        note_all (notes, frames->outcar.n_unconverged,
                  frames->outcar.n_unlabelled, truncated);
    return rc;
}

void outcar_frames_close (void *source)
{
    _cleanup_free_ struct outcar_frames *frames = source;

    outcar_release (&frames->outcar);
    lines_close (&frames->lines);
}

/* --- vasprun.xml --- */

void *vasprun_frames_open (const char *path,
                           const struct frame_options *options,
                           struct error *err)
{
    (void)options;
    return vasprun_open (path, err);
}

int vasprun_frames_next (void *source, struct frame *frame,
                         struct strvec *notes, struct error *err)
{
    bool truncated = false;
    int rc = vasprun_next (source, frame, &truncated, err);
    struct vasprun_left_out left_out = vasprun_left_out (source);

    if (rc == 0) {
        note_all (notes, left_out.unconverged, left_out.unlabelled, truncated);
        note_left_out (notes, left_out.predicted,
                       "a force field of VASP predicted them");
    }
    return rc;
}

void vasprun_frames_close (void *source)
{
    vasprun_close (source);
}
