/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_writer.h - the forms in which labelled frames are published or
 * exported
 *
 * A form of data that trainers read is a line of the table: a name, which is
 * that of its directory below dataset/ where it is published, and a function.
 */
#ifndef FORMATS_DATASET_WRITER_H
#define FORMATS_DATASET_WRITER_H

struct heartbeat;

struct dataset_writer {
    const char *name;
    bool is_published; /* by every campaign; else for `export` alone */

    /* Write the labelled frames of an extxyz file to the directory 'dir', which
     * must not exist, and does not exist after a failure; on the same file
     * system.  'elements' is the type map.  Frames that cannot be trained on
     * (without energy or forces, of other elements, ...) are an error that
     * names the frame.  Beats at every frame.
     */
    int (*write) (const char *extxyz_path, char *const *elements,
                  size_t n_elements, const char *dir,
                  const struct heartbeat *heartbeat, struct error *err);

    /* Could the file be written so?  NULL: any can. */
    int (*check) (const char *extxyz_path, char *const *elements,
                  size_t n_elements, const struct heartbeat *heartbeat,
                  struct error *err);
};

/* All of them; the last has no name. */
extern const struct dataset_writer dataset_writers[];

#endif /* !FORMATS_DATASET_WRITER_H */
