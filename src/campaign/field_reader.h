/* SPDX-License-Identifier: BSD-3-Clause */
/* field_reader.h - YAML nodes -> checked values, every complaint recorded
 *
 * The readers of campaign.yaml and site.yaml go on after a complaint, so each
 * function records what is wrong with its node ("what; what to do") and says
 * whether there was anything.  'name' is what messages call the value: "cores",
 * "stage 'train'".  Outputs are untouched when there was a complaint.
 */
#ifndef CAMPAIGN_FIELD_READER_H
#define CAMPAIGN_FIELD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/problems.h"
#include "base/yaml_tree.h"

struct arena;
struct strvec;

struct field_reader {
    struct arena *arena;       /* everything returned lives here */
    struct problems *problems; /* never NULL: readers look whether it grew */
    const char *dir; /* the campaign's: paths in its file are relative to it */
};

/* The value of 'key' in a mapping; NULL when it is absent or null. */
const struct yaml_node *field_find (const struct yaml_node *node,
                                    const char *key);

/* Record that 'word' is not known: 'fmt', and as the remedy the candidate
 * nearest to it or all of them.  Returns -1.
 */
int field_unknown (const struct field_reader *reader,
                   struct mark mark,
                   const char *word,
                   const struct strvec *candidates,
                   const char *fmt,
                   ...) PRINTF_LIKE (5, 6);

/* A mapping whose keys are all in the NULL-terminated list 'keys'?  -1 when it
 * is no mapping; unknown keys are recorded and the answer is 0: what they
 * stand beside can still be read.
 */
int field_mapping (const struct field_reader *reader,
                   const struct yaml_node *node,
                   const char *name,
                   const char *const *keys);

/* Any mapping, any list: 0 or -1. */
int field_any_mapping (const struct field_reader *reader,
                       const struct yaml_node *node,
                       const char *name);
int field_list (const struct field_reader *reader,
                const struct yaml_node *node,
                const char *name);

/* Scalars.  Text is one line and not empty; a count is a whole number within
 * [least, most]; durations and sizes are more than 0.
 */
int field_text (const struct field_reader *reader,
                const struct yaml_node *node,
                const char *name,
                const char **out);
int field_bool (const struct field_reader *reader,
                const struct yaml_node *node,
                const char *name,
                bool *out);
int field_count (const struct field_reader *reader,
                 const struct yaml_node *node,
                 const char *name,
                 int least,
                 int most,
                 int *out);
int field_int64 (const struct field_reader *reader,
                 const struct yaml_node *node,
                 const char *name,
                 int64_t least,
                 int64_t *out);
int field_fraction (const struct field_reader *reader,
                    const struct yaml_node *node,
                    const char *name,
                    double *out);
int field_duration (const struct field_reader *reader,
                    const struct yaml_node *node,
                    const char *name,
                    double *out_s);
int field_bytes (const struct field_reader *reader,
                 const struct yaml_node *node,
                 const char *name,
                 int64_t *out_bytes);

/* A list of text: NULL-terminated. */
int field_strings (const struct field_reader *reader,
                   const struct yaml_node *node,
                   const char *name,
                   const char *const **out);

/* [program, argument, ...], and one such or a list of them. */
int field_argv (const struct field_reader *reader,
                const struct yaml_node *node,
                const char *name,
                const char *const **out);
int field_argvs (const struct field_reader *reader,
                 const struct yaml_node *node,
                 const char *name,
                 const char *const *const **out);

/* A name made of [a-z][a-z0-9_]* ? */
bool word_is_name (const char *word);

#endif /* !CAMPAIGN_FIELD_READER_H */
