/* SPDX-License-Identifier: BSD-3-Clause */
/* store_private.h - what the files of the store share
 *
 *     store.json                     {"format": 1}
 *     lock                           shared: whoever changes anything; alone:
 * gc files/abc/HEX-SIZE-TIME        a file's bytes; TIME: of its change, s.ns
 *     trees/abc/HEX                  the list of a tree's files
 *     records/KIND/NAME.json         documents
 *     fresh/HEX                      a file of another user's was put again
 *     damaged/                       what was found damaged
 *     tmp/TOKEN                      being written
 */
#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/heartbeat.h"
#include "base/strvec.h"
#include "store/store.h"

#define STORE_FILES "files"
#define STORE_TREES "trees"
#define STORE_RECORDS "records"
#define STORE_FRESH "fresh"
#define STORE_DAMAGED "damaged"
#define STORE_TMP "tmp"

/* Files below tmp/, and where they are to go. */
struct store_moves {
    struct strvec from, to;
    size_t n_done; /* so many were renamed */
};

struct store_batch {
    struct store_moves files, lists;
    struct json *contents; /* {DIGEST, and "x" or "tree": true}; NULL: none */
};

struct store {
    char *dir;
    bool shared;    /* the group may write to it */
    int lock_fd;    /* -1: this file system has no locks */
    int lock_depth; /* calls that hold it now */
    char token[17]; /* names of temporary files begin with it */
    unsigned n_temporary;
    struct store_batch batch;
    struct heartbeat heartbeat;
};

/* --- store.c --- */

/* Keep gc out, or ('alone') everybody.  Waits for ten minutes, or one: then -1
 * with EBUSY.  Where there are no locks it is as if it were had: then age alone
 * protects.
 */
int store_lock (struct store *store, bool alone, struct error *err);
void store_unlock (struct store *store);

/* DIR/FOLDER/NAME and, by digest, DIR/FOLDER/abc[/NAME].  Caller frees. */
char *store_file (const struct store *store, const char *folder,
                  const char *name);
char *store_shelf (const struct store *store, const char *folder,
                   const char *hex);

/* The names in a folder of the store, sorted; none where there is no folder. */
int store_list_folder (const struct store *store, const char *folder,
                       struct strvec *names, struct error *err);

/* A name for a temporary file; the directory it is in is there.  Caller frees.
 */
char *store_temporary (struct store *store, struct error *err);

/* mkdir -p below the store, durable; the group may write to what is made where
 * it may write to the store.
 */
int store_make_dirs (const struct store *store, const char *path,
                     struct error *err);

/* The same of a directory in files/, not durable. */
int store_make_shelf (const struct store *store, const char *shelf,
                      struct error *err);

/* --- store_batch.c --- */

/* In the batch of what was put and is not in its place yet: a file, with or
 * without the right to be executed, or ('st' NULL) the list of a tree?
 */
bool store_batch_has (const struct store *store, const char *hex,
                      const struct stat *st);

/* 'from' is below tmp/, and belongs to the batch from now on. */
void store_batch_add (struct store *store, const char *hex,
                      const struct stat *st, const char *from, const char *to);
bool store_batch_is_full (const struct store *store);

/* All are in their places, durably, lists after files; or -1.  The batch is
 * empty in any case.  The caller has the lock.
 */
int store_batch_commit (struct store *store, struct error *err);

/* What is in the batch is removed. */
void store_batch_drop (struct store *store);

/* --- store_file.c --- */

/* A file that is kept and is good. */
struct store_entry {
    char *path; /* caller frees */
    struct stat st;
};

enum store_right { RIGHT_ANY, RIGHT_PLAIN, RIGHT_EXECUTE };

/* 1; 0: none, with 'err' set when one is damaged; -1.  One with another right
 * than asked for will do where there is no better one.
 */
int store_file_find (struct store *store, const char *hex,
                     enum store_right right, struct store_entry *entry,
                     struct error *err);

/* Keep a regular file, from when the batch is committed on. */
int store_file_put (struct store *store, const char *path,
                    char hex[DIGEST_HEX_SIZE], bool *executable,
                    struct error *err);

/* Make 'to', which no other has seen yet; 'own': a copy that its owner may
 * write to.  Neither its bytes nor its name are synced; where it was
 * copied it is appended to 'copies'.  As store_place.
 */
int store_file_place (struct store *store, const char *hex,
                      enum store_right right, bool own, const char *to,
                      struct strvec *copies, struct error *err);

/* Its bytes are good: give the file at 'path' the name that it should have,
 * where we may.  The path it has then; the caller frees.
 */
char *store_file_rename (const struct store *store, const char *hex,
                         const char *path, const struct stat *st);

/* It is put again, so its age begins anew (its ctime, by which gc goes). */
int store_refresh (const struct store *store, const char *hex, const char *path,
                   const struct stat *st, struct error *err);

/* --- store_tree.c --- */

int store_tree_put (struct store *store, const char *path,
                    char hex[DIGEST_HEX_SIZE], struct error *err);
int store_tree_has (struct store *store, const char *hex, struct error *err);

/* Make the directory 'to', as store_file_place. */
int store_tree_place (struct store *store, const char *hex, bool own,
                      const char *to, struct error *err);

/* Call 'each' for the digest of every file of the tree; 1, 0 as store_has, -1.
 */
int store_tree_leaves (struct store *store, const char *hex,
                       void (*each) (const char *hex, void *arg), void *arg,
                       struct error *err);

/* --- store_record.c --- */

/* Caller frees; NULL with 'err': not to be used as names. */
char *store_record_path (const struct store *store, const char *kind,
                         const char *name, struct error *err);

/* --- store_referrers.c --- */

struct store_census;

/* Add who refers to what, in no order. */
int store_referrers_read (struct store *store, struct store_census *census,
                          struct error *err);

#endif /* !STORE_STORE_PRIVATE_H */
