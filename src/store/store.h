/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - contents by their SHA-256, kept for `fanfold quick`
 *
 * The store is a directory that hosts and users of a group share.  Contents are
 * files and trees, known by the digest that base/digest.h has.  Each lies
 * there as it was put, read-only, by a name that says how it looked: one that
 * looks otherwise is read, and used only if its bytes are still the same.
 * (Bytes that changed without size and time are found by `fanfold store
 * verify`.)
 *
 * The digest counts neither empty directories nor who may execute a file.  Of
 * contents that differ in these alone each is kept, and the one that was put
 * last is used, by the clock of the file system.
 *
 * Files are linked into the store, and from there, where they are read-only and
 * the file system allows it; else they are copied, sharing their blocks where
 * that can be (a reflink).  So whoever owns a file that may be written to does
 * not change what is kept.
 *
 * `fanfold store gc` keeps every digest that is in a document, and what was put
 * or asked for (store_put, store_has) within the last STORE_KEPT_AT_LEAST_S.
 * So put first, then write the document.  In any document every string of 64
 * hex digits, at any depth, counts as the digest of contents.
 *
 * No function has a part of its effect when it fails or is killed, but for
 * temporary files, which gc removes.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/digest.h"

struct store;

/* How long gc keeps what is not referred to. */
enum { STORE_KEPT_AT_LEAST_S = 3600 };

/* Where it is: 'site_store' (site.yaml's `store`, absolute) or, when that is
 * NULL, FANFOLD_STORE, else $XDG_DATA_HOME/fanfold, else
 * ~/.local/share/fanfold.  Caller frees; NULL: `none`, or there is no home.
 */
char *store_dir (const char *site_store);

/* Is there a store in this directory?  1, 0, or -1. */
int store_there (const char *dir, struct error *err);

/* It is made where there is none.  A directory that has other things in it is
 * refused, and so is a store of another format.  Where the group may write to
 * the directory, what this process makes from then on the group may read: its
 * umask is changed.
 */
struct store *store_open (const char *dir, struct error *err);
void store_close (struct store *store); /* NULL is legal */

/* The directory, lent. */
const char *store_path (const struct store *store);

/* A folder of it for other things, which the group may write to where it may
 * write to the store.
 */
int store_make_folder (const struct store *store, const char *folder,
                       struct error *err);

/* Keep the file or the tree at 'path' (a link there is followed).  Links in a
 * tree are kept as links; special files, and line breaks in names and in links
 * are errors, and so is what changes meanwhile.
 */
int store_put (const struct store *store, const char *path,
               char hex[DIGEST_HEX_SIZE], struct error *err);

/* Two contents can have one digest: a file that lists the digests of a tree
 * (sha256sum * | sort), and that tree.
 */
enum store_kind { STORE_FILE, STORE_TREE };

/* Is it there, and whole?  1; 0, with 'err' set when it is damaged (else its
 * text is empty); -1.
 */
int store_has (const struct store *store, enum store_kind kind, const char *hex,
               struct error *err);

/* Make 'to', which must not be there, of it, whole or not at all; a call that
 * is killed may leave a name that begins with FILE_TEMPORARY beside it.  Files
 * are read-only, and may be the store's own by another name: who wants to write
 * to them copies.  1; 0: not there, or damaged, which 'err' then tells (else
 * its text is empty); -1.
 */
int store_place (const struct store *store, enum store_kind kind,
                 const char *hex, const char *to, struct error *err);

/* Small documents KIND/NAME, JSON objects that are written whole and replace
 * the one before.  Both words are [A-Za-z0-9][A-Za-z0-9_.-]*, at most 200 long.
 * Reading: 1; 0: there is none; -1.  Names are appended, sorted.
 */
int store_record_write (const struct store *store, const char *kind,
                        const char *name, const struct json *record,
                        struct error *err);
/* The same of one that is not there yet: 1 when it is, which is not touched; of
 * several who create one, one gets 0.
 */
int store_record_create (const struct store *store, const char *kind,
                         const char *name, const struct json *record,
                         struct error *err);
int store_record_read (const struct store *store, const char *kind,
                       const char *name, struct json **record,
                       struct error *err);
int store_record_names (const struct store *store, const char *kind,
                        struct strvec *names, struct error *err);

#endif /* !STORE_STORE_H */
