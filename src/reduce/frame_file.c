/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_file.c - the files that drawn frames are in */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/trajectory_file.h"
#include "reduce/frame_file.h"
#include "reduce/selection_input.h"
#include "selection/sampling/top_k.h"

char *frame_file_path (const struct trajectory *trajectory, int64_t step)
{
    const char *star = strchr (trajectory->path, '*');

    if (!star)
        return xstrdup (trajectory->path);
    return xasprintf ("%.*s%lld%s", (int)(star - trajectory->path),
                      trajectory->path, (long long)step, star + 1);
}

void frame_file_close (struct frame_file *file)
{
    trajectory_file_close (file->file);
    free (file->path);
    *file = (struct frame_file)FRAME_FILE_INIT;
}

int frame_file_read (struct frame_file *file,
                     const struct selection_input *input,
                     const struct trajectory *trajectory,
                     const struct sampled *sampled,
                     struct dump_frame *frame,
                     struct error *err)
{
    char *path = frame_file_path (trajectory, sampled->step);

    if (file->file && strcmp (path, file->path) == 0) {
        free (path);
    } else {
        frame_file_close (file);
        file->path = path;
        file->file =
            trajectory_file_open (path, input->committee.position_columns, err);
        if (!file->file)
            return -1;
    }
    return trajectory_file_read (file->file, sampled->place, sampled->step,
                                 frame, err);
}
