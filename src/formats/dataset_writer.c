/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_writer.c - the forms in which labelled frames are published */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "formats/dataset_writer.h"
#include "formats/deepmd/deepmd_dataset.h"

/* The file itself is the data: another name of it.  What its frames must have
 * was checked by the forms before.
 */
static int write_extxyz (const char *extxyz_path, char *const *elements,
                         size_t n_elements, const char *dir,
                         const struct heartbeat *heartbeat, struct error *err)
{
    _cleanup_free_ char *file = path_join (dir, "dataset.extxyz");
    int rc = file_make_dirs (dir, err);

    (void)elements;
    (void)n_elements;
    (void)heartbeat;
    if (rc == 0 && link (extxyz_path, file) < 0
        && !file_was_linked (extxyz_path)) {
        rc = error_errno (err, "cannot create '%s'", file);
        file_remove_tree (dir, NULL, NULL);
    }
    return rc;
}

const struct dataset_writer dataset_writers[] = {
    { "deepmd", true, deepmd_dataset_write, deepmd_dataset_check },
    { "extxyz", true, write_extxyz, NULL },
    { "deepmd-mixed", false, deepmd_mixed_write, deepmd_dataset_check },
    { "deepmd-raw", false, deepmd_raw_write, deepmd_dataset_check },
    { NULL, false, NULL, NULL },
};
