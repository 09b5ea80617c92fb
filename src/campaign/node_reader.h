/* SPDX-License-Identifier: BSD-3-Clause */
/* node_reader.h - YAML nodes -> checked values, every complaint recorded
 *
 * The readers of campaign.yaml and site.yaml go on after a complaint, so each
 * function records what is wrong with its node ("what; what to do") and says
 * whether there was anything.  'name' is what messages call the value: "cores",
 * "stage 'train'".  Outputs are untouched when there was a complaint.
 */
#ifndef CAMPAIGN_NODE_READER_H
#define CAMPAIGN_NODE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/problems.h"
#include "base/yaml_tree.h"

struct arena;
struct strvec;

struct node_reader {
    struct arena *arena;       /* everything returned lives here */
    struct problems *problems; /* never NULL: readers look whether it grew */
    const char *dir; /* the campaign's: paths in its file are relative to it */
};

/* The value of 'key' in a mapping; NULL when it is absent or null. */
const struct yaml_node *node_field (const struct yaml_node *node,
                                    const char *key);

/* Record that 'word' is not known: 'fmt', and as the remedy the candidate
 * nearest to it or all of them.  Returns -1.
 */
int node_unknown (const struct node_reader *reader,
                  struct mark mark,
                  const char *word,
                  const struct strvec *candidates,
                  const char *fmt,
                  ...) PRINTF_LIKE (5, 6);

/* A mapping whose keys are all in the NULL-terminated list 'keys'?  -1 when it
 * is no mapping; unknown keys are recorded and the answer is 0: what they
 * stand beside can still be read.
 */
int node_mapping (const struct node_reader *reader,
                  const struct yaml_node *node,
                  const char *name,
                  const char *const *keys);

/* Any mapping, any list: 0 or -1. */
int node_any_mapping (const struct node_reader *reader,
                      const struct yaml_node *node,
                      const char *name);
int node_list (const struct node_reader *reader,
               const struct yaml_node *node,
               const char *name);

/* Scalars.  Text is one line and not empty; a count is a whole number within
 * [least, most]; durations and sizes are more than 0.
 */
int node_text (const struct node_reader *reader,
               const struct yaml_node *node,
               const char *name,
               const char **out);
int node_bool (const struct node_reader *reader,
               const struct yaml_node *node,
               const char *name,
               bool *out);
int node_count (const struct node_reader *reader,
                const struct yaml_node *node,
                const char *name,
                int least,
                int most,
                int *out);
int node_int64 (const struct node_reader *reader,
                const struct yaml_node *node,
                const char *name,
                int64_t least,
                int64_t *out);
int node_fraction (const struct node_reader *reader,
                   const struct yaml_node *node,
                   const char *name,
                   double *out);
int node_duration (const struct node_reader *reader,
                   const struct yaml_node *node,
                   const char *name,
                   double *out_s);
int node_bytes (const struct node_reader *reader,
                const struct yaml_node *node,
                const char *name,
                int64_t *out_bytes);

/* A list of text: NULL-terminated. */
int node_strings (const struct node_reader *reader,
                  const struct yaml_node *node,
                  const char *name,
                  const char *const **out);

/* [program, argument, ...], and one such or a list of them. */
int node_argv (const struct node_reader *reader,
               const struct yaml_node *node,
               const char *name,
               const char *const **out);
int node_argvs (const struct node_reader *reader,
                const struct yaml_node *node,
                const char *name,
                const char *const *const **out);

/* A name made of [a-z][a-z0-9_]* ? */
bool word_is_name (const char *word);

#endif /* !CAMPAIGN_NODE_READER_H */
