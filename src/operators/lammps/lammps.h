/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps.h - what lammps.explore does with LAMMPS: its tasks, what it is given,
 * and what of its trajectory is kept
 */
#ifndef OPERATORS_LAMMPS_LAMMPS_H
#define OPERATORS_LAMMPS_LAMMPS_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct frame;
struct json;
struct step_task;
struct strbuf;
struct strvec;

/* --- the inputs of the MD and its rerun --- */

/* Names in a task's directory. */
#define LAMMPS_START_FILE "conf.data"
#define LAMMPS_MD_DUMP "md.dump"

/* No user's input is longer. */
enum { LAMMPS_INPUT_MAX_BYTES = 1 << 20 };

struct lammps_setup {
    const char *pair_style; /* templates with {potential} and {elements} */
    const char *pair_coeff;
    const struct strvec *elements;
    size_t members;         /* of the committee */
    struct json *variables; /* {NAME: number}, from for_each */
    int64_t seed;           /* of the task, any positive number */
    int64_t steps;
    int64_t dump_every;
};

/* Check the placeholders of a pair_style or pair_coeff. */
int lammps_check_line (const char *line_template, struct error *err);

/* The name committee member 'k' is linked under: "potential_0".  Caller frees,
 * as below.
 */
char *lammps_potential_link (size_t k);

/* Where the forces of member 'k' go below 'dir': "DIR/000.dump", so that the
 * order of names is the order of members.
 */
char *lammps_forces_path (const char *dir, size_t k);

/* May a for_each variable have this name?  What LAMMPS allows (letters,
 * digits, underscores), without `seed` and `steps`, which are ours.
 */
int lammps_check_variable (const char *name, struct error *err);

/* Append the MD's input: our lines, then the user's as they stand. */
int lammps_format_md (const struct lammps_setup *setup, const char *lines,
                      size_t len, struct strbuf *out, struct error *err);

/* Append the input that computes the forces of every member along the
 * trajectory at 'trajectory_path', in one LAMMPS run.
 */
int lammps_format_rerun (const struct lammps_setup *setup,
                         const char *trajectory_path, const char *forces_dir,
                         struct strbuf *out, struct error *err);

/* --- the configuration an MD starts from --- */

/* About ten million atoms. */
enum { LAMMPS_STRUCTURE_MAX_BYTES = 1 << 30 };

/* Read the data file at 'path', whose type t is elements->v[t-1].  'frame' must
 * be initialised.
 */
int lammps_read_structure (const char *path, const struct strvec *elements,
                           struct frame *frame, struct error *err);

/* Write inputs.structure, scaled by the variable `scale` (if there is one) in
 * cell and positions, to LAMMPS_START_FILE.
 */
int lammps_write_start (const struct step_task *task,
                        const struct strvec *elements, size_t *n_atoms,
                        struct error *err);

/* --- the part of a trajectory that can be computed again --- */

struct whole_frames {
    int64_t seen; /* frames that were written to the end */
    int64_t kept; /* those that are configurations */
};

/* Copy the frames of the LAMMPS dump 'from' (columns x y z) to 'to', byte for
 * byte, without a last one that was cut short and without those that are no
 * configuration of 'n_atoms' atoms: atoms missing, coordinates that are not
 * finite or farther out than LAMMPS can fold back into the box.  'from' that
 * does not exist is an empty trajectory.  When all is kept 'from' is renamed.
 */
int lammps_keep_whole_frames (const char *from, const char *to, size_t n_atoms,
                              struct whole_frames *frames, struct error *err);

#endif /* !OPERATORS_LAMMPS_LAMMPS_H */
