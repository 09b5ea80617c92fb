/* SPDX-License-Identifier: BSD-3-Clause */
/* recipe.h - a campaign that trains, explores, selects and labels, as both
 * front ends fill it
 */
#ifndef IMPORT_RECIPE_H
#define IMPORT_RECIPE_H

#include "import/draft.h"
#include "import/machine.h"
#include "import/settings.h"

struct recipe {
    struct draft *draft;
    struct json *elements; /* type_map; lent */
    struct stage_machine stages[IMPORT_STAGES];
};

void recipe_release (struct recipe *recipe);

/* Put 'v', whose reference is taken over, below stages: of the campaign
 * ("train.with.input"); 'note' (NULL: none) is the key it came from.
 */
void recipe_set (struct recipe *recipe, const char *path, struct json *v,
                 const char *note);

/* The same of every {NAME: value} below `with:` of a stage; 'notes' (NULL:
 * none) has their keys by their paths.
 */
void recipe_set_inputs (struct recipe *recipe, const char *stage,
                        const struct json *inputs, const struct json *notes);

/* What every campaign begins with: its name, type_map, how many models. */
int recipe_add_head (struct recipe *recipe, const char *name,
                     const char *name_key, const struct section *elements_of,
                     const struct section *models_of, struct error *err);

/* Begin a stage: what it uses, its profile and its task, which 'task_key'
 * says.
 */
void recipe_add_stage (struct recipe *recipe, enum import_stage stage,
                       const char *uses, const char *uses_key,
                       const char *task_key);

/* The stage select, on this host. */
void recipe_add_select (struct recipe *recipe, const struct json *inputs,
                        const char *host_note, const char *levels_note,
                        const char *pick_note);

/* The words of a program as 'port' of a stage's `with:`, where there are any;
 * they are taken over.
 */
void recipe_add_program (struct recipe *recipe, const char *port,
                         struct json *words, const char *key);

/* [path] of a list of paths, or of one, which are seen from 'below' (NULL or
 * "": the input), as the campaign names them; 'name' is what messages call it.
 * NULL with 'err'.
 */
struct json *recipe_locate (struct recipe *recipe, const struct json *given,
                            const char *name, const char *below,
                            struct error *err);

/* The same of a key; [] where it is not given. */
struct json *recipe_paths (struct recipe *recipe, const struct section *s,
                           const char *key, const char *below,
                           struct error *err);

/* [directory below the campaign] of copies of models that a key names; NULL in
 * 'out': none are given.  -1 with 'err'.
 */
int recipe_models (struct recipe *recipe, const struct section *s,
                   const char *key, struct json **out, struct error *err);

/* data.held_out as validation of the stage train; takes over 'paths'. */
void recipe_add_held_out (struct recipe *recipe, struct json *paths,
                          const char *key);

/* {from: WHAT, default: 'otherwise'}, which is taken over. */
struct json *recipe_binding (const char *from, struct json *otherwise);

#endif /* !IMPORT_RECIPE_H */
