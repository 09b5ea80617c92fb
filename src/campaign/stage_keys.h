/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_keys.h - the keys of a stage, wherever one may stand
 *
 * One table has them all: what a stage, a function, a step, a phase and
 * `defaults:` may say, what a stage with steps says for each of them, and which
 * values one layer merges with another.  A key that is added there is known in
 * all these places, or refused in them.
 */
#ifndef CAMPAIGN_STAGE_KEYS_H
#define CAMPAIGN_STAGE_KEYS_H

#include "campaign/field_reader.h"

struct stage;

enum stage_key_place {
    IN_STAGE = 1 << 0,
    IN_FUNCTION = 1 << 1,
    IN_PHASE = 1 << 2,    /* `stages:` of a phase */
    IN_DEFAULTS = 1 << 3, /* `defaults:` */
    IN_STEP = 1 << 4,     /* `steps:` of an operator */
    IN_STEPS = 1 << 5,    /* `steps:` of a stage, which changes steps */
};

/* What becomes of a key of a stage whose operator has steps. */
enum stage_key_steps {
    STEPS_SAY_IT,  /* refused: each step says it itself */
    STEPS_HAVE_IT, /* it holds for each step that does not say it itself */
    STEPS_MAKE_IT, /* it is the stage's own, which the steps are made from */
};

struct stage_key {
    struct field field; /* into a struct stage; `task`, `uses` and the like,
                           which lean on the operator, are read elsewhere */
    unsigned int places;
    enum stage_key_steps steps;
    bool is_merged; /* key by key where both layers have a mapping */
};

/* Ends with a row whose field has no key. */
extern const struct stage_key stage_keys[];

/* The row of 'key'; NULL: there is none. */
const struct stage_key *stage_key_find (const char *key);

/* Read what the mapping 'node' in 'place', which messages call 'name', says
 * into 'stage', over what that has.  -1: it is no mapping.
 */
int stage_keys_read (const struct yaml_node *node, const char *name,
                     enum stage_key_place place, struct stage *stage);

/* The same where no stage comes of it: only what is wrong is recorded. */
int stage_keys_check (const struct yaml_node *node, const char *name,
                      enum stage_key_place place);

#endif /* !CAMPAIGN_STAGE_KEYS_H */
