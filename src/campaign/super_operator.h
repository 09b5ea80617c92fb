/* SPDX-License-Identifier: BSD-3-Clause */
/* super_operator.h - operators that are made of operators
 *
 *     steps:
 *       prep: {uses: dp.prep, with: {config: inputs.config}}
 *       run: {uses: dp.run, with: {name: prep.names, init: inputs.init}}
 *     outputs: {models: run.model}
 *
 * What `with:` of a step binds are values, inputs.NAME, and outputs of the
 * steps beside it.  A super-operator is checked by itself, whether a stage uses
 * it or not: its steps are compiled as the stages of a little campaign, in
 * which a stage called `inputs` has an output for each input.
 */
#ifndef CAMPAIGN_SUPER_OPERATOR_H
#define CAMPAIGN_SUPER_OPERATOR_H

#include "campaign/stage_keys.h"

struct compilation;
struct operator_spec;
struct yaml_node;

/* Operators within operators, at most so deep. */
enum { SUPER_OPERATORS_NESTED_MAX = 16 };

/* The name of the stage that has the inputs. */
#define STEP_INPUTS "inputs"

/* Read what 'node', which has `steps:`, declares into op->steps; their types
 * come later.
 */
void super_operator_read (const struct yaml_node *node,
                          struct operator_spec *op);

/* Record what is wrong with keys of steps, `steps: {NAME: ...}`: IN_STEP those
 * of an operator, IN_STEPS of a stage.  'steps' is a mapping; 'of' is whose
 * they are ("operator 'dp.train'").
 */
void steps_keys_check (const struct yaml_node *steps, const char *of,
                       enum stage_key_place place);

/* Check all super-operators of c->operators against those that their steps use,
 * and fill in the types of their outputs.  One with a problem is left out, as
 * operator_file_read does.
 */
void super_operators_complete (struct compilation *c);

/* What declares the operator 'name', NULL for a built-in one. */
const struct yaml_node *super_operator_node (const struct compilation *c,
                                             const char *name);

#endif /* !CAMPAIGN_SUPER_OPERATOR_H */
