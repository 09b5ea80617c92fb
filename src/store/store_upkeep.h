/* SPDX-License-Identifier: BSD-3-Clause */
/* store_upkeep.h - what a person does with a store */
#ifndef STORE_STORE_UPKEEP_H
#define STORE_STORE_UPKEEP_H

#include "store/store.h"

struct findings;
struct store;

/* A content that is there. */
struct store_content {
    char *path; /* of the directory that it lies in */
    enum store_kind kind;
    char hex[DIGEST_HEX_SIZE];
    int64_t files, bytes;
    int64_t own_bytes;     /* of files that have no other name */
    const struct json *by; /* the documents that refer to it; NULL: none */
    bool kept;             /* by gc */
};

struct store_survey {
    struct store_content *v; /* by kind and digest */
    size_t n, alloc;
    int64_t documents;
    struct json *references; /* {DIGEST: [DOCUMENT, ...]} */
    double now_s;            /* by the clock of the file system */
};

/* Fill 'survey', which the caller releases in any case.  'kept_s': how long
 * what is not referred to is kept.  -1 also where a document cannot be read:
 * then what it refers to is not known.
 */
int store_survey_take (const struct store *store, double kept_s,
                       struct store_survey *survey, struct error *err);
void store_survey_release (struct store_survey *survey);

/* What was removed, or would be. */
struct store_gc_counts {
    int64_t files, trees, temporaries;
    int64_t bytes; /* of files that have no other name */
};

/* Remove what is not referred to and was neither put nor asked for within
 * 'kept_s', and what was left half made; with 'dry_run' count it only.  Killed,
 * it may be run again.
 */
int store_gc (const struct store *store, double kept_s, bool dry_run,
              struct store_gc_counts *counts, struct error *err);

/* What was looked at, and how much of it. */
struct store_verify_counts {
    int64_t files, trees, documents, bytes, damaged;
};

/* Read every content and document.  What is damaged is a bad finding each;
 * contents move to `damaged/` in the store, so that they are used no more,
 * documents stay where they are.
 */
int store_verify (const struct store *store, struct findings *findings,
                  struct store_verify_counts *counts, struct error *err);

#endif /* !STORE_STORE_UPKEEP_H */
