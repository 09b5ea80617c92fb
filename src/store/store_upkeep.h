/* SPDX-License-Identifier: BSD-3-Clause */
/* store_upkeep.h - what a person does with a store */
#ifndef STORE_STORE_UPKEEP_H
#define STORE_STORE_UPKEEP_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct findings;
struct store;
struct store_census;

/* What was removed, or would be. */
struct store_gc_counts {
    int64_t files, trees, temporaries;
    int64_t bytes; /* of files that have no other name */
};

/* Remove what the store does not keep (store.h), and what was left half
 * written; with 'dry_run' count it only.  'census', which is filled, says how
 * long to keep what is not referred to; the caller releases it in any case.
 * Waits for those who are putting something in, a minute at most: then -1 with
 * EBUSY. Killed, it may be run again.
 */
int store_gc (struct store *store, bool dry_run, struct store_census *census,
              struct store_gc_counts *counts, struct error *err);

/* What was looked at, and how much of it. */
struct store_verify_counts {
    int64_t files, trees, documents, bytes, damaged;
};

/* Read every file, list and document.  What is damaged, or a tree of which a
 * file is not there, is a bad finding each and moves to `damaged/` in the
 * store, so that it is used no more; documents stay where they are.
 */
int store_verify (struct store *store, struct findings *findings,
                  struct store_verify_counts *counts, struct error *err);

#endif /* !STORE_STORE_UPKEEP_H */
