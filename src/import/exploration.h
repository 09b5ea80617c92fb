/* SPDX-License-Identifier: BSD-3-Clause */
/* exploration.h - what lammps.explore runs, of a job of DP-GEN or a task group
 * of DPGEN2: systems, an MD or a template, and the values of its variables
 */
#ifndef IMPORT_EXPLORATION_H
#define IMPORT_EXPLORATION_H

#include "import/recipe.h"

/* A job or a task group. */
struct exploration {
    struct recipe *recipe;
    const struct section *keys; /* its own */
    const struct section *all;  /* those of all: mass_map and type_map */
    const char *origin;         /* "DPGEN2's lmp-md" */
};

/* The numbers of systems, of which there are 'n', that a key says: integers,
 * and texts "a", "a-b" or "a-b:step", whose end is not in it.  NULL with 'err'.
 */
struct json *system_numbers (const struct section *s, const char *names,
                             size_t n, struct error *err);

/* What Fanfold calls system 'number': "007". */
char *system_name (int64_t number);

/* Write the lines of an MD with the settings 'md' {timestep, tau_t, tau_p,
 * delay, neighbors} as a file; 'run' gets it as input, and for_each.
 * 'ensemble' is what holds where none is given; NULL: there must be one.
 */
int exploration_add_md (const struct exploration *e, const char *ensemble,
                        const struct json *md, struct json *run,
                        struct error *err);

/* Files of a template. */
struct template_files {
    char *name; /* of the LAMMPS input, as the input calls it */
    struct strbuf lammps, plumed, plumed_path; /* empty: there is none */
    bool absent;                               /* a file is not there */
};

#define TEMPLATE_FILES_INIT                                                    \
    {                                                                          \
        NULL, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, false                     \
    }

void template_files_release (struct template_files *files);

/* Read the file that a key names into 'text', one of those of 'files'; of one
 * that is not there a remark says what to do.
 */
int template_files_read (const struct exploration *e, const struct section *s,
                         const char *names, struct template_files *files,
                         struct strbuf *text, struct error *err);

/* Add {WORD: [value, ...]} of 'from', a mapping of lists and values; a word
 * that is there has its values already.  'path' is what messages call it.
 */
int template_add_words (const struct json *from, const char *path,
                        struct json *words, struct error *err);

/* Append to 'runs' what the template and the words come to for these systems;
 * of one that is not there what can be said without it.  'path' is what
 * messages call the words.
 */
int template_add_runs (const struct exploration *e,
                       const struct template_files *files, const char *path,
                       const struct json *words, struct json *systems,
                       struct json *runs, struct error *err);

#endif /* !IMPORT_EXPLORATION_H */
