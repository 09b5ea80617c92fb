/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_slice.c - one frame of a file as the input of a task */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/json_record.h"
#include "signature/frame_slice.h"

int frame_file_open (struct frame_file *file, const char *path, const char *dir,
                     struct error *err)
{
    struct frame_file opened = { .path = path, .index = EXTXYZ_INDEX_INIT };
    char *full = path_join (dir, path);
    int rc = extxyz_index_file (full, &opened.index, err);

    free (full);
    if (rc == 0)
        *file = opened;
    return rc;
}

void frame_file_release (struct frame_file *file)
{
    extxyz_index_release (&file->index);
}

struct json *frame_slice (const struct frame_file *file, size_t frame)
{
    const uint64_t *offset = file->index.offset;
    struct json *v = json_object ();

    json_set (v, "path", json_string (file->path));
    json_set (v, "frame", json_int ((int64_t)frame));
    json_set (v, "offset", json_int ((int64_t)offset[frame]));
    json_set (v, "bytes",
              json_int ((int64_t)(offset[frame + 1] - offset[frame])));
    return v;
}

int frame_slice_check (const struct json *slice, struct error *err)
{
    int64_t n;

    if (json_want_in (slice, "frame", 0, JSON_INT_MAX, &n, err) < 0
        || json_want_in (slice, "offset", 0, JSON_INT_MAX, &n, err) < 0)
        return -1;
    return json_want_in (slice, "bytes", 1, JSON_INT_MAX, &n, err);
}

enum frame_cut frame_slice_cut (const struct json *slice, const char *dir,
                                const char *target, struct error *err)
{
    _cleanup_free_ char *source =
        path_join (dir, json_as_string (json_get (slice, "path")));
    uint64_t offset = (uint64_t)json_as_int (json_get (slice, "offset"));
    size_t bytes = (size_t)json_as_int (json_get (slice, "bytes"));
    enum frame_cut rc = FRAME_CUT_BAD_SOURCE;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int to = -1;

    if (file_read_range (source, offset, bytes, &text, err) < 0) {
        error_prefix (err, "cutting out frame %" PRId64,
                      json_as_int (json_get (slice, "frame")));
        return rc;
    }
    rc = FRAME_CUT_FAILED;
    to = file_open (target, O_WRONLY | O_CREAT | O_EXCL, 0444);
    if (to < 0)
        error_errno (err, "cannot create '%s'", target);
    else if (file_write_all (to, text.buf, text.len, err) < 0)
        error_prefix (err, "'%s'", target);
    else
        rc = FRAME_CUT_OK;
    if (to >= 0 && close (to) < 0 && errno != EINTR && rc == FRAME_CUT_OK) {
        error_errno (err, "cannot write '%s'", target);
        rc = FRAME_CUT_FAILED;
    }
    return rc;
}
