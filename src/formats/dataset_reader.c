/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_reader.c - frames out of whatever people keep their data in */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/heartbeat.h"
#include "formats/dataset_reader.h"
#include "formats/deepmd/deepmd_frames.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"

int dataset_read (const char *path, char *const *elements, size_t n_elements,
                  int (*each) (const struct frame *frame, void *arg,
                               struct error *err),
                  void *arg, const struct heartbeat *heartbeat,
                  struct error *err)
{
    struct deepmd_frames *frames;
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct stat st;
    int rc = -1;

    if (stat (path, &st) < 0 || !S_ISDIR (st.st_mode))
        return extxyz_read_file (path, each, arg, err);
    frames = deepmd_frames_open (path, elements, n_elements, err);
    while (frames
           && (rc = deepmd_frames_next (frames, &frame, NULL, err)) == 1) {
        heartbeat_send (heartbeat);
        rc = each (&frame, arg, err);
        if (rc < 0)
            break;
    }
    deepmd_frames_close (frames);
    return rc;
}

struct converting {
    struct file_writer writer;
    struct strbuf text; /* of a frame */
};

static int write_frame (const struct frame *frame, void *arg, struct error *err)
{
    struct converting *c = arg;

    strbuf_reset (&c->text);
    extxyz_format (frame, &c->text);
    return file_writer_add (&c->writer, c->text.buf, c->text.len, err);
}

int dataset_convert (const char *path, char *const *elements, size_t n_elements,
                     const char *to, const struct heartbeat *heartbeat,
                     struct error *err)
{
    struct converting c = { .writer = FILE_WRITER_INIT, .text = STRBUF_INIT };
    int rc = file_writer_open (&c.writer, to, err);

    if (rc == 0)
        rc = dataset_read (path, elements, n_elements, write_frame, &c,
                           heartbeat, err);
    if (rc == 0)
        rc = file_writer_commit (&c.writer, err);
    file_writer_release (&c.writer);
    strbuf_release (&c.text);
    return rc;
}
