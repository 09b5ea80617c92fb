/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_writer.h - DeePMD-kit's systems out of frames
 * (deepmd-kit/doc/data/system.md)
 *
 *   DIR/<system>/type.raw, type_map.raw
 *   DIR/<system>/nopbc                 where frames are not periodic
 *   DIR/<system>/set.000/{coord,box,energy,force,virial,fparam,aparam}.npy
 *
 * One system per list of atom types (frames whose atoms come in the same order
 * of elements share one), and another for such frames that have other labels;
 * named by formula, "Si8", with "-1", "-2" ... for a further one of the same.
 * In the mixed form a system is one number of atoms, and is called by it; types
 * are set.000/real_atom_types.npy.  In the raw form there is coord.raw ... in
 * place of sets, a line for each frame.  Where frames have an origin
 * (frame_origin.h), DIR/<system>/origins.txt has a line for each, through all
 * sets, "-" for none.
 *
 * Memory is that of the frames of a small system, else some blocks for each,
 * and the origins.
 */
#ifndef FORMATS_DEEPMD_WRITER_H
#define FORMATS_DEEPMD_WRITER_H

struct frame;

enum deepmd_form { DEEPMD_NPY, DEEPMD_MIXED, DEEPMD_RAW };

struct deepmd_writing {
    enum deepmd_form form;
    char *const *elements; /* the type map; lent */
    size_t n_elements;
    bool float32;    /* in place of float64; not of the raw form */
    size_t set_size; /* frames of a set at most; 0: one set */
};

struct deepmd_writer;

/* Write below the directory 'dir', which is made and must not exist.  NULL with
 * 'err'.
 */
struct deepmd_writer *deepmd_writer_create (
    const char *dir, const struct deepmd_writing *writing, struct error *err);

/* Could the frame be written?  Errors are without its number: no atoms, numbers
 * that are not finite, fparam or aparam that are no numbers (of each atom),
 * periodic in some directions only, or an element that is not among the
 * elements.  With 'for_training' it has to have an energy and
 * forces.
 */
int deepmd_frame_check (const struct frame *frame,
                        const struct deepmd_writing *writing, bool for_training,
                        struct error *err);

/* Add a frame that deepmd_frame_check allows. */
int deepmd_writer_add (struct deepmd_writer *writer, const struct frame *frame,
                       struct error *err);

/* Write what is left and sync all of it. */
int deepmd_writer_finish (struct deepmd_writer *writer, struct error *err);

/* NULL is legal.  The directory stays as it is. */
void deepmd_writer_destroy (struct deepmd_writer *writer);

#endif /* !FORMATS_DEEPMD_WRITER_H */
