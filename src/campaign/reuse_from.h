/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_from.h - campaigns whose results are taken: `reuse_from`
 *
 * A directory, or a pattern of glob(7) that stands for some.  What a pattern
 * finds besides campaigns, and the campaign itself, is passed over.
 */
#ifndef CAMPAIGN_REUSE_FROM_H
#define CAMPAIGN_REUSE_FROM_H

#include "base/problems.h"

struct yaml_node;

struct reuse_source {
    const char *pattern; /* absolute */
    struct mark mark;
};

struct reuse_from {
    struct reuse_source *v;
    size_t n;
};

/* Add those of a list, in the reader's arena; 'dir': what they are relative
 * to.
 */
void reuse_from_read (const struct yaml_node *list, const char *dir,
                      struct reuse_from *from);

/* What is wrong with a directory that was named as that of a campaign, and what
 * to do; NULL: nothing.  'real' is what realpath has just made of it, NULL
 * where it failed.
 */
const char *reuse_from_what_is_wrong (const char *real, const char **advice);

/* Append the absolute directories that 'pattern' stands for, other than 'dir',
 * that of the campaign itself.  'wrong' (unless NULL) is told each thing that
 * is wrong, "what; what to do"; it is passed over.
 */
void reuse_from_find (const char *pattern, const char *dir, struct strvec *dirs,
                      void (*wrong) (const char *text, void *arg), void *arg);

/* Record what is wrong with all of them. */
void reuse_from_check (const struct reuse_from *from, const char *dir,
                       struct problems *problems);

#endif /* !CAMPAIGN_REUSE_FROM_H */
