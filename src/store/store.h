/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - contents by their SHA-256, kept for `fanfold quick`
 *
 * The store is a directory that hosts and users of a group share.
 * Contents are files and trees, named by the digest that base/digest.h and
 * outputs.json have; of a tree each file is kept, and once if several trees
 * have it.  What is kept is read-only, and its name has its size and its time
 * of change: a file that is no longer as its name says is read, and used only
 * if its bytes are still the same.  (Bytes that changed without the time are
 * found by `fanfold store verify`.)
 *
 * The digest does not count whether a file may be executed; the store does: of
 * the same bytes it keeps one file with and one without that right, where both
 * were put, and a tree gets back what it had.  Empty directories are kept, too.
 *
 * A file is linked into the store, and from there, where it is read-only
 * and the file system allows it; else the copy shares its blocks where that can
 * be (a reflink).  A file that may be written to is always copied, since its
 * owner would change what is kept.
 *
 * What is kept until when: `fanfold store gc` keeps every digest that is in a
 * document, or that was put within the last STORE_KEPT_AT_LEAST_S.  So put
 * first, then write the document.  In any document every string of 64 hex
 * digits, at any depth, counts as the digest of contents.
 *
 * No function has a part of its effect when it fails or is killed, but for
 * temporary files, which gc removes.  Calls may wait while gc runs.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stddef.h>

#include "base/digest.h"

struct error;
struct heartbeat;
struct json;
struct store;
struct strvec;

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
 * refused.  Where the group may write to the directory, what this process makes
 * from then on the group may read: its umask is changed.
 */
struct store *store_open (const char *dir, struct error *err);
void store_close (struct store *store); /* NULL is legal */

/* The directory, lent. */
const char *store_path (const struct store *store);

/* A folder of it for other things, which the group may write to where it may
 * write to the store.
 */
int store_make_folder (const struct store *store, const char *name,
                       struct error *err);

/* Whom to tell that a long call goes on.  'heartbeat' is copied; what its 'arg'
 * points to must outlive the store.
 */
void store_beat (struct store *store, const struct heartbeat *heartbeat);

/* Keep the file or the tree at 'path' (a link there is followed).  Of a tree
 * links are kept as links; special files, and line breaks in names and in links
 * are errors.  What changes while it is read is kept as it was read.
 */
int store_put (struct store *store, const char *path, char hex[DIGEST_HEX_SIZE],
               struct error *err);

/* Two contents can have one digest: a file that lists the digests of a tree
 * (sha256sum * | sort), and that tree.
 */
enum store_kind { STORE_ANY, STORE_FILE, STORE_TREE };

/* Is it there, and whole?  1; 0, with 'err' set when it is damaged (else its
 * text is empty); -1.
 */
int store_has (struct store *store, const char *hex, struct error *err);
int store_has_kind (struct store *store, enum store_kind kind, const char *hex,
                    struct error *err);

/* Make 'to', which must not be there, of it, whole or not at all; a call that
 * is killed may leave a name that begins with FILE_TEMPORARY beside it.  Files
 * are read-only, and may be the store's own by another name: who wants to write
 * to them copies (store_copy).  Of a digest that both kinds have the file is
 * taken; say which it is where that is known.  1; 0: not there, or damaged,
 * which 'err' then tells (else its text is empty); -1.
 */
int store_place (struct store *store, const char *hex, const char *to,
                 struct error *err);
int store_place_kind (struct store *store, enum store_kind kind,
                      const char *hex, const char *to, struct error *err);

/* The same of files that are copies, and that their owner may write to. */
int store_copy (struct store *store, enum store_kind kind, const char *hex,
                const char *to, struct error *err);

/* Small documents KIND/NAME, JSON objects that are written whole and replace
 * the one before.  Both words are [A-Za-z0-9][A-Za-z0-9_.-]*, at most 200 long.
 * Reading: 1; 0: there is none; -1.  Names are appended, sorted.
 */
int store_record_write (struct store *store, const char *kind, const char *name,
                        const struct json *record, struct error *err);
/* The same of one that is not there yet: 1 when it is, which is not touched; of
 * several who create one, one is told 0.
 */
int store_record_create (struct store *store, const char *kind,
                         const char *name, const struct json *record,
                         struct error *err);
int store_record_read (struct store *store, const char *kind, const char *name,
                       struct json **record, struct error *err);
int store_record_names (struct store *store, const char *kind,
                        struct strvec *names, struct error *err);

#endif /* !STORE_STORE_H */
