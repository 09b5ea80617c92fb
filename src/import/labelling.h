/* SPDX-License-Identifier: BSD-3-Clause */
/* labelling.h - the stage label, as both front ends fill it */
#ifndef IMPORT_LABELLING_H
#define IMPORT_LABELLING_H

#include "import/recipe.h"

struct labelling {
    struct recipe *recipe;
    const struct section *keys; /* what says how labels are computed */
};

/* What a code that labels is called, and what its inputs are made of. */
struct label_style {
    const char *style, *uses;
    const char *program; /* the input that names it */
    int (*add) (struct labelling *l, struct error *err);
};

/* Begin the stage by the style that a key has; 'style_key' and 'task_key' are
 * notes.
 */
void label_begin (struct labelling *l, const struct label_style *style,
                  const char *style_key, const char *task_key);

/* The inputs of its style, and its program, which 'program_key' says. */
int label_add_inputs (struct labelling *l, const struct label_style *style,
                      const char *program_key, struct error *err);

/* Bind 'port' to 'v', which is taken over and comes from 'key'; or to the text
 * as a file of the campaign.
 */
void label_set (struct labelling *l, const char *port, struct json *v,
                const char *key);
void label_set_file (struct labelling *l, const char *port, const char *name,
                     const char *text, const char *key);

/* Read the file that 'key' names into 'text', which is empty: 0, or 1 where
 * 'key' is not there.  Where that leaves it empty, since there is no such file,
 * 'port' is bound to where it is looked for.
 */
int label_read (struct labelling *l, const char *key, const char *port,
                struct strbuf *text, struct error *err);

/* {ELEMENT: file}: of a list in the order of type_map, below the directory that
 * 'dir_key' names, or where that is NULL of a mapping.
 */
int label_set_by_element (struct labelling *l, const char *key,
                          const char *dir_key, const char *port,
                          const char *dir_port, struct error *err);

#endif /* !IMPORT_LABELLING_H */
