/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_dataset.c - labelled frames published as DeePMD-kit's systems */
#include "base/base.h"

#include "base/file.h"
#include "base/heartbeat.h"
#include "formats/deepmd/deepmd_dataset.h"
#include "formats/deepmd/deepmd_writer.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"

struct publishing {
    struct deepmd_writing writing;
    struct deepmd_writer *writer; /* NULL: frames are checked only */
    const char *source;           /* for messages */
    size_t n_frames;
    const struct heartbeat *heartbeat;
};

static int take_frame (const struct frame *frame, void *arg, struct error *err)
{
    struct publishing *p = arg;

    heartbeat_send (p->heartbeat);
    if (deepmd_frame_check (frame, &p->writing, true, err) < 0)
        return error_prefix (err, "%s: frame %zu", p->source, p->n_frames);
    p->n_frames++;
    return p->writer ? deepmd_writer_add (p->writer, frame, err) : 0;
}

static int publish (enum deepmd_form form, const char *extxyz_path,
                    char *const *elements, size_t n_elements, const char *dir,
                    const struct heartbeat *heartbeat, struct error *err)
{
    struct publishing p = { .writing = { .form = form,
                                         .elements = elements,
                                         .n_elements = n_elements },
                            .source = extxyz_path,
                            .heartbeat = heartbeat };
    int rc;

    p.writer = deepmd_writer_create (dir, &p.writing, err);
    if (!p.writer)
        return -1;
    rc = extxyz_read_file (extxyz_path, take_frame, &p, err);
    if (rc == 0)
        rc = deepmd_writer_finish (p.writer, err);
    if (rc < 0)
        file_remove_tree (dir, NULL, NULL);
    deepmd_writer_destroy (p.writer);
    return rc;
}

int deepmd_dataset_write (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const char *dir,
                          const struct heartbeat *heartbeat, struct error *err)
{
    return publish (DEEPMD_NPY, extxyz_path, elements, n_elements, dir,
                    heartbeat, err);
}

int deepmd_mixed_write (const char *extxyz_path, char *const *elements,
                        size_t n_elements, const char *dir,
                        const struct heartbeat *heartbeat, struct error *err)
{
    return publish (DEEPMD_MIXED, extxyz_path, elements, n_elements, dir,
                    heartbeat, err);
}

int deepmd_raw_write (const char *extxyz_path, char *const *elements,
                      size_t n_elements, const char *dir,
                      const struct heartbeat *heartbeat, struct error *err)
{
    return publish (DEEPMD_RAW, extxyz_path, elements, n_elements, dir,
                    heartbeat, err);
}

int deepmd_dataset_check (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const struct heartbeat *heartbeat,
                          struct error *err)
{
    struct publishing p = { .writing = { .elements = elements,
                                         .n_elements = n_elements },
                            .source = extxyz_path,
                            .heartbeat = heartbeat };

    return extxyz_read_file (extxyz_path, take_frame, &p, err);
}
