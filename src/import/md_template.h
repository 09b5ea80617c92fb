/* SPDX-License-Identifier: BSD-3-Clause */
/* md_template.h - a LAMMPS input template with words to be replaced, as the
 * user's lines of lammps.explore
 *
 * DP-GEN and DPGEN2 replace words of a template (V_TEMP) by values, textually.
 * Numbers become LAMMPS variables (${V_TEMP}), which for_each sets; other
 * values are written into a file of their own.  Lines that lammps.explore
 * writes itself become comments.
 */
#ifndef IMPORT_MD_TEMPLATE_H
#define IMPORT_MD_TEMPLATE_H

struct md_template {
    const char *name;             /* of the file, for messages */
    const char *lammps;           /* its text */
    const char *plumed;           /* of the PLUMED file; NULL: there is none */
    const char *plumed_path;      /* text of a further file (a reference path of
                                     PLUMED, plmpath.pdb); NULL: none */
    const struct json *variables; /* {WORD: number or text}, of one
                                     combination: numbers that are in
                                     'for_each' are written as variables */
    const struct json *for_each;  /* {WORD: [number, ...]} */
};

/* How many steps the MD has: the argument of its `run`, when that is a number,
 * a word with a value in 'variables', or a LAMMPS variable that is defined as
 * one of these.  -1 with 'err'.
 */
int md_template_steps (const struct md_template *t, int64_t *steps,
                       struct error *err);

/* The word (of 'words') that the `run` depends on; NULL: none. */
const char *md_template_steps_word (const struct md_template *t,
                                    const struct json *words);

/* Append the lines. */
int md_template_write (const struct md_template *t, struct strbuf *out,
                       struct error *err);

#endif /* !IMPORT_MD_TEMPLATE_H */
