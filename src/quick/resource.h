/* SPDX-License-Identifier: BSD-3-Clause */
/* resource.h - which algorithm, dataset or model is meant, and that it is kept
 */
#ifndef QUICK_RESOURCE_H
#define QUICK_RESOURCE_H

#include "quick/registry.h"

struct heartbeat;

/* What was asked for. */
struct resource_request {
    enum resource_kind kind;
    const char *given;       /* an ID, or the path of a directory or archive; of
                                datasets and models also of another file */
    const char *name;        /* to register it under; NULL: that of the path */
    const char *description; /* or NULL */
    /* Algorithms in git: */
    const char *git_ref; /* NULL: what is checked out */
    bool commit;         /* what was changed, first */
};

/* What is known of it, and what follows (pure). */
struct resource_facts {
    bool registered; /* 'given' is the ID of one */
    bool kept;       /* and its content is in the store */
    bool at_source;  /* or where it was made from, as it was */
    bool local;      /* there is something at the path 'given' */
};

enum resource_action {
    RESOURCE_USE,      /* the one with the ID */
    RESOURCE_RESTORE,  /* its content is registered anew */
    RESOURCE_REGISTER, /* what is at the path, or what is equal to it */
    RESOURCE_GONE,     /* its content is gone */
    RESOURCE_UNKNOWN,
};

enum resource_action resource_decide (const struct resource_facts *facts);

/* Find or register it.  'scratch' names a directory that is not there, on the
 * file system of the store; something may be left there.  Sentences for a
 * person are appended to 'warnings'.  '*revision' is the commit that was taken,
 * or the digest; the caller frees.  -1 with 'err'.
 */
int resource_resolve (struct store *store,
                      const struct resource_request *request,
                      const char *scratch, const struct heartbeat *heartbeat,
                      struct resource *resource, char **revision,
                      struct strvec *warnings, struct error *err);

#endif /* !QUICK_RESOURCE_H */
