/* SPDX-License-Identifier: BSD-3-Clause */
/* site_file.h - site.yaml: where and how work runs */
#ifndef CAMPAIGN_SITE_FILE_H
#define CAMPAIGN_SITE_FILE_H

#include "campaign/notify.h"
#include "campaign/reuse_from.h"

struct profile;
struct yaml_node;

struct site {
    struct profile *profiles;       /* in the reader's arena */
    const struct yaml_node **nodes; /* what was written of each */
    size_t n;
    const char *default_profile; /* NULL: the only one, if it is the only one */
    const char *store;           /* absolute; NULL: it does not say */
    struct reuse_from reuse_from;
    struct notify notify;
    bool broken; /* profiles are missing here that the file may have meant */
};

/* The file to read, as compile.h says; NULL: there is none.  Caller frees.
 */
char *site_file_find (const char *campaign_dir);

/* Read the document 'root' of the file 'path' (NULL: of none).  'schedulers'
 * are the known ones, NULL-terminated.
 */
void site_file_read (const struct yaml_node *root, const char *path,
                     const char *const *schedulers, struct site *site);

#endif /* !CAMPAIGN_SITE_FILE_H */
