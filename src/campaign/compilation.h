/* SPDX-License-Identifier: BSD-3-Clause */
/* compilation.h - what the passes of campaign_compile share
 *
 * Until the last pass plan->stages are in the order of the file: stage i is
 * what stages->keys[i] and stages->items[i] declare.
 */
#ifndef CAMPAIGN_COMPILATION_H
#define CAMPAIGN_COMPILATION_H

#include "campaign/field_reader.h"
#include "campaign/operator_file.h"
#include "campaign/plan.h"
#include "campaign/site_file.h"

/* Where a family is declared. */
struct family_nodes {
    const struct yaml_node *key;
    const struct yaml_node *node; /* as that of a stage */
    bool broken;                  /* what it binds does not fit */
};

struct compilation {
    struct field_reader reader;
    const char *file;    /* campaign.yaml as messages call it; in the arena */
    const char *program; /* what {fanfold} stands for, or NULL */
    bool notices;        /* the programs of `notify:` are looked for */
    struct plan *plan;
    struct operator_set operators;
    struct site site;
    const struct yaml_node *root;   /* of campaign.yaml */
    size_t phase;                   /* the one that is compiled */
    size_t n_phases;                /* how many there are; 0: none */
    const struct yaml_node *stages; /* `stages:`, or NULL */
    struct family_nodes *families;  /* of plan->families */
    bool *waits; /* n_stages x n_stages: does the row wait, in the same
                    iteration, for the column? */
};

/* Read name, elements, seed, models and data of the document 'root' and check
 * its keys.  -1 when there is no sense in reading on.
 */
int campaign_file_read (const struct yaml_node *root, struct plan *plan);

/* Read `data:` into a struct plan; for a struct field. */
void data_files_read (const struct yaml_node *node, void *plan);

/* Read `call:` into a struct plan; for a struct field. */
void call_read (const struct yaml_node *node, void *plan);

/* Add to the initial data what resets kept (LAYOUT_KEPT_DIR). */
void data_files_add_kept (const struct yaml_node *root, struct plan *plan);

/* Read `stop:` and `history:`, whose expressions speak of plan->stages. */
void campaign_file_read_ends (const struct yaml_node *root, struct plan *plan);

/* The mapping of a stage 'over' and what 'under' has beside its keys; `with:`,
 * `task:`, `retry:` and `keep:` key by key, and each of `steps:` as a stage.  A
 * key is one thing for a person: an input, also in a section of
 * `with:`, whose sections are merged; the value of an input is taken whole,
 * since half of a value is none.
 */
struct yaml_node *stage_overlay (struct compilation *c,
                                 const struct yaml_node *over,
                                 const struct yaml_node *under);

/* What 'op' is with the value that with: of the mapping of a stage gives the
 * input that it is chosen by (operator_variant_for); NULL is legal.
 */
const struct operator_spec *stage_variant (const struct operator_spec *op,
                                           const struct yaml_node *stage);

/* The operator that the mapping of a stage says it uses; NULL: none is known.
 */
const struct operator_spec *stage_operator (const struct compilation *c,
                                            const struct yaml_node *stage);

/* The mapping `stages:` as it is in the phase c->phase of `phases:` (NULL:
 * none), and how many of them there are.
 */
const struct yaml_node *stages_in_phase (struct compilation *c,
                                         const struct yaml_node *stages,
                                         const struct yaml_node *phases);

/* Read `phases:`, whose expressions speak of plan->stages. */
void phases_read (const struct yaml_node *phases, struct plan *plan);

/* The mapping `stages:` with what `defaults:` (NULL: none) says where a stage
 * does not say it itself; the default itself is checked.
 */
const struct yaml_node *stages_with_defaults (struct compilation *c,
                                              const struct yaml_node *stages,
                                              const struct yaml_node *defaults);

/* What several stages say, 'layer', as 'stage' takes it: programs that run
 * together find their walltime alone in its `task:`.
 */
const struct yaml_node *stage_layer (const struct compilation *c,
                                     const struct yaml_node *stage,
                                     const struct yaml_node *layer);

/* The mapping `stages:` with the steps of super-operators as stages TRAIN.RUN
 * in place of the stage that uses one, which becomes a family of the plan and
 * of 'c'.  What the steps bind is written out: references in it name stages of
 * this mapping, or families, and are 'made'.
 */
const struct yaml_node *stages_flattened (struct compilation *c,
                                          const struct yaml_node *stages);

/* Everything of the stages but what they say of each other: operators,
 * profiles, resources, retry rules.
 */
void stages_declare (struct compilation *c);

/* One of them, or that of a function (stage->function is set). */
void stage_declare (struct compilation *c, const struct yaml_node *key,
                    const struct yaml_node *node, struct stage *stage);

/* Their bindings and `when:`, and so c->waits. */
void stages_bind (struct compilation *c);

/* The bindings of a function's stage, which are among all that c->plan has;
 * what is bound to nothing is left for whoever calls.
 */
void function_bind (struct compilation *c, const struct yaml_node *key,
                    const struct yaml_node *node, struct stage *stage);

/* The names of `functions:` (before stages are bound), and the rest (when they
 * are in their order).
 */
void functions_name (struct compilation *c);
void functions_read (struct compilation *c);

/* What a node of the profile has for such tasks; 0 cores: that is known later.
 */
struct node_capacity compilation_node (const struct compilation *c,
                                       const struct profile *profile,
                                       const struct resources *task);

/* Warn of stages whose tasks take very many submissions, or run a code for GPUs
 * where there are some and ask for none.
 */
void tasks_check (const struct compilation *c);

/* How many tasks the stage has, where that does not depend on others; -1. */
int64_t stage_tasks_known (const struct compilation *c,
                           const struct stage *stage);

/* Read `keep:`, and check `raw:`, of the stage that 'node' declares: its
 * operator is known, or has problems (NULL).
 */
void stage_keep_read (const struct yaml_node *node, struct stage *stage);

/* Warn where `keep:` cannot remove anything. */
void keep_check (const struct compilation *c);

/* Warn of lists that may become too long for the arguments of a command. */
void lists_check (const struct compilation *c);

/* Warn of a campaign that selects frames that no stage labels, labels what no
 * stage is trained on or what is not published, or waits for a convergence that
 * nothing defines.
 */
void loop_check (const struct compilation *c);

/* Warn of a `stop:` that holds at once, of phases that are never reached, and
 * of stages whose failed tasks hardly count, or are tried without end.
 */
void limits_check (const struct compilation *c);

/* Does any stage bind the output? */
bool plan_binds (const struct plan *plan, const struct stage *stage,
                 const char *output);

/* Record arrays whose named sizes are known to differ (signature/sizes.h), by
 * files that are there and by the shapes that outputs of other stages declare.
 */
void sizes_check (const struct compilation *c);

/* Record committees that are known to have less than two members. */
void committee_check (const struct compilation *c);

/* Put the stages into an order in which each comes after those it waits for,
 * otherwise that of the file, and fill in `after`.  Cycles are recorded.
 */
void stages_order (struct compilation *c);

#endif /* !CAMPAIGN_COMPILATION_H */
