/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_description.h - a stage with its inputs bound: what stage.json says */
#ifndef ENGINE_STAGE_DESCRIPTION_H
#define ENGINE_STAGE_DESCRIPTION_H

#include "engine/act/identity.h"
#include "handover/stage_manifest.h"

struct engine;
struct stage;
struct state;

struct stage_description {
    struct json *values; /* everything bound */
    struct json *same;   /* what is the same for all tasks */
    struct port *ports;  /* as one task sees them */
    struct json *parts;  /* of its identity */
    struct json *witness;
    struct strbuf programs; /* the copy that it runs from; empty: none */
    struct contents contents;
    struct stage_manifest manifest; /* lends all that; without `tasks` */
    char identity[DIGEST_HEX_SIZE];
    char definition[DIGEST_HEX_SIZE];
};

/* What the stage was called first: by the history; in the beginning by the
 * file.  Lent.
 */
const char *stage_first_name (const struct stage *stage,
                              const struct state *state);

/* Bind and check the inputs that 'stage' has now; 'copy': those that a user may
 * edit are copied (input_copies.h), and so is what the operator runs from
 * (programs_copy.h), for who holds the lease.  0; -1 with 'err',
 * a machine error where it cannot be known.  To be released in any case.
 */
int stage_describe (struct engine *engine, const struct stage *stage,
                    int iteration, bool copy,
                    struct stage_description *description, struct error *err);
/* The same of what can be known now: of inputs whose values stages have to make
 * first the names are pushed on 'waits_for'.  Parts and identity are those of
 * the others; there is no definition.
 */
int stage_describe_known (struct engine *engine, const struct stage *stage,
                          int iteration, struct stage_description *description,
                          struct json *waits_for, struct error *err);

/* Add to the parts what tasks are cut from: values, and the lists 'made' that
 * prepare made, or NULL.
 */
int stage_description_add_sliced (struct stage_description *description,
                                  const struct operator_spec *op,
                                  const struct json *made, struct error *err);

void stage_description_release (struct stage_description *description);

#endif /* !ENGINE_STAGE_DESCRIPTION_H */
