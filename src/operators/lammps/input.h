/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h - the LAMMPS inputs of lammps.explore: the MD and its rerun */
#ifndef OPERATORS_LAMMPS_INPUT_H
#define OPERATORS_LAMMPS_INPUT_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct json;
struct strbuf;
struct strvec;

/* Names in a task's directory. */
#define LAMMPS_START_FILE "conf.data"
#define LAMMPS_MD_DUMP "md.dump"

/* No user's input is longer. */
enum { LAMMPS_INPUT_MAX_BYTES = 1 << 20 };

struct lammps_setup {
    const char *pair_style; /* templates with {potential} and {elements} */
    const char *pair_coeff;
    const struct strvec *elements;
    size_t members;               /* of the committee */
    const struct json *variables; /* {NAME: number}, from for_each */
    int64_t seed;                 /* of the task, any positive number */
    int64_t steps;
    int64_t dump_every;
};

/* The name committee member 'k' is linked under: "potential_0". */
void lammps_potential_link (size_t k, struct strbuf *name);

/* Where the forces of member 'k' go below 'dir': "DIR/000.dump", so that the
 * order of names is the order of members.
 */
void lammps_forces_path (const char *dir, size_t k, struct strbuf *path);

/* May a for_each variable have this name?  What LAMMPS allows (letters,
 * digits, underscores), without `seed` and `steps`, which are ours.
 */
int lammps_check_variable (const char *name, struct error *err);

/* Append the MD's input: our lines, then the user's as they stand. */
int lammps_format_md (const struct lammps_setup *setup,
                      const char *lines,
                      size_t len,
                      struct strbuf *out,
                      struct error *err);

/* Append the input that computes the forces of every member along the
 * trajectory at 'trajectory_path', in one LAMMPS run.
 */
int lammps_format_rerun (const struct lammps_setup *setup,
                         const char *trajectory_path,
                         const char *forces_dir,
                         struct strbuf *out,
                         struct error *err);

#endif /* !OPERATORS_LAMMPS_INPUT_H */
