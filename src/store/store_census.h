/* SPDX-License-Identifier: BSD-3-Clause */
/* store_census.h - all that is in the store, and who refers to it
 *
 * For gc and `store list`.  It is all read into memory: some 300 bytes for each
 * file, and 80 for each reference.
 */
#ifndef STORE_STORE_CENSUS_H
#define STORE_STORE_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"

struct error;
struct store;

/* A file, or the list of a tree. */
struct census_content {
    char hex[DIGEST_HEX_SIZE];
    char *path;
    int64_t bytes; /* of a tree: of its files */
    int64_t files; /* of a tree */
    int64_t links; /* the names of a file, here and elsewhere */
    double age_s;  /* since it was put, or put again */
    bool kept;     /* gc keeps it */
    bool in_tree;  /* a file of a tree that is there */
};

struct census_contents {
    bool are_files;           /* else trees */
    struct census_content *v; /* by digest */
    size_t n, alloc;
};

enum referrer_kind {
    REFERRER_DOCUMENT,
    REFERRER_MARK, /* that a file was put again a moment ago */
};

struct census_referrer {
    enum referrer_kind kind;
    char *name;   /* KIND/NAME */
    char *path;   /* of what says so in the store */
    bool expired; /* a mark that is too old to keep anything */
};

struct census_reference {
    char hex[DIGEST_HEX_SIZE];
    size_t by; /* which referrer */
};

struct store_census {
    struct census_contents files, trees;
    struct census_referrer *referrers;
    size_t n_referrers, referrers_alloc;
    struct census_reference *references; /* by digest, those of one together */
    size_t n_references, references_alloc;
    double now_s; /* by the clock of the file system */
    double age_s; /* how long what is not referred to is kept */
};

/* 'kept_s': how long to keep what is not referred to. */
#define STORE_CENSUS_INIT(kept_s)                                              \
    {                                                                          \
        .files = { .are_files = true }, .age_s = (kept_s)                      \
    }

/* Fill a new census.  The caller holds the lock if nothing is to change
 * meanwhile, and releases 'census' in any case.  -1 also where the list of a
 * tree or a document cannot be read: it is not known what is in use then.
 */
int store_census_take (struct store *store, struct store_census *census,
                       struct error *err);
void store_census_release (struct store_census *census);

/* The references to this digest: the first, and how many there are. */
const struct census_reference *store_census_references (
    const struct store_census *census, const char *hex, size_t *n);

#endif /* !STORE_STORE_CENSUS_H */
