/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_slice.c - one frame of a file as the input of a task */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "signature/frame_slice.h"

int frame_file_open (struct frame_file *file,
                     const char *path,
                     const char *dir,
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
    static const struct {
        const char *key;
        int64_t least;
    } counts[] = { { "frame", 0 }, { "offset", 0 }, { "bytes", 1 } };
    int64_t n;

    for (size_t i = 0; i < ARRAY_SIZE (counts); i++) {
        if (json_want_int (slice, counts[i].key, &n, err) < 0)
            return -1;
        if (n < counts[i].least)
            return error_set (err, "key '%s': less than %d", counts[i].key,
                              (int)counts[i].least);
    }
    return 0;
}

/* Copy 'bytes' bytes at 'offset' of one open file to another. */
static enum frame_cut copy_range (int from,
                                  int64_t offset,
                                  int64_t bytes,
                                  int to,
                                  struct error *err)
{
    char chunk[1 << 16];

    while (bytes > 0) {
        size_t want =
            bytes < (int64_t)sizeof (chunk) ? (size_t)bytes : sizeof (chunk);
        ssize_t n = pread (from, chunk, want, offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            error_errno (err, "cannot read it");
            return FRAME_CUT_BAD_SOURCE;
        }
        if (n == 0) {
            error_set (err, "it is shorter than it was");
            return FRAME_CUT_BAD_SOURCE;
        }
        if (file_write_all (to, chunk, (size_t)n, err) < 0)
            return FRAME_CUT_FAILED;
        offset += n;
        bytes -= n;
    }
    return FRAME_CUT_OK;
}

enum frame_cut frame_slice_cut (const struct json *slice,
                                const char *dir,
                                const char *target,
                                struct error *err)
{
    char *source = path_join (dir, json_as_string (json_get (slice, "path")));
    enum frame_cut rc = FRAME_CUT_BAD_SOURCE;
    int from = file_open (source, O_RDONLY, 0), to = -1;

    if (from < 0) {
        error_errno (err, "cannot open '%s'", source);
        goto done;
    }
    rc = FRAME_CUT_FAILED;
    to = file_open (target, O_WRONLY | O_CREAT | O_EXCL, 0444);
    if (to < 0) {
        error_errno (err, "cannot create '%s'", target);
        goto done;
    }
    rc = copy_range (from, json_as_int (json_get (slice, "offset")),
                     json_as_int (json_get (slice, "bytes")), to, err);
    if (rc != FRAME_CUT_OK)
        error_prefix (err, "cutting a frame out of '%s'", source);
    if (close (to) < 0 && errno != EINTR && rc == FRAME_CUT_OK) {
        error_errno (err, "cannot write '%s'", target);
        rc = FRAME_CUT_FAILED;
    }
done:
    if (from >= 0)
        close (from);
    free (source);
    return rc;
}
