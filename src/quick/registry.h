/* SPDX-License-Identifier: BSD-3-Clause */
/* registry.h - algorithms, datasets and models that the store has by name
 *
 * A resource is a document NAME.VERSION of its kind, which is its ID, and the
 * contents in the store that the document names.  A version is made by
 * exclusive creation and never changes its content, so several processes may
 * register under one name at once.
 */
#ifndef QUICK_REGISTRY_H
#define QUICK_REGISTRY_H

#include "base/digest.h"
#include "store/store.h"

enum resource_kind { RESOURCE_ALGORITHM, RESOURCE_DATASET, RESOURCE_MODEL };

/* "algorithm" and, of documents, "algorithms". */
const char *resource_kind_word (enum resource_kind kind);
const char *resource_kind_folder (enum resource_kind kind);

/* What is kept of one. */
struct resource {
    char *id, *name;
    int version;
    char sha256[DIGEST_HEX_SIZE];
    bool file;         /* it is a file; else a tree */
    char *source;      /* the path it was made from, absolute */
    char *revision;    /* the commit of an algorithm in git, else its digest */
    char *description; /* or NULL */
};

#define RESOURCE_INIT                                                          \
    {                                                                          \
        .id = NULL                                                             \
    }

void resource_release (struct resource *resource);
enum store_kind resource_store_kind (const struct resource *resource);

/* The resource with that ID.  1; 0; -1. */
int registry_find (struct store *store, enum resource_kind kind, const char *id,
                   struct resource *found, struct error *err);

/* Register what 'new' says under its name: 'id' and 'version' are set here.  1:
 * its content is registered already, and 'new' has become that; 0; -1.
 */
int registry_add (struct store *store, enum resource_kind kind,
                  struct resource *new, struct error *err);

/* The IDs of a kind, appended. */
int registry_ids (struct store *store, enum resource_kind kind,
                  struct strvec *ids, struct error *err);

/* A model is tied to the algorithms it was used with, each once. */
int registry_tie (struct store *store, const char *model, const char *algorithm,
                  struct error *err);

/* The ID of the algorithm that a model was tied to last.  Caller frees; NULL
 * without 'err' set where there is none.
 */
char *registry_algorithm_of (struct store *store, const char *model,
                             struct error *err);

/* A project is made once. */
int registry_project (struct store *store, const char *name, struct error *err);

#endif /* !QUICK_REGISTRY_H */
