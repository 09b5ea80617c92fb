/* SPDX-License-Identifier: BSD-3-Clause */
/* store_private.h - what the files of the store share
 *
 *     store.json                               {"format": 2}
 *     contents/KIND-HEX-SHAPE-LOOK-TOKEN/content   a file or a tree
 *     records/KIND/NAME.json                   documents
 *     damaged/                                 contents that are not used
 *     tmp/TOKEN                                being made, or being removed
 *
 * The directory around a content was last changed when that was put or asked
 * for: its owner's group can say so, too, and what is below it is not touched.
 */
#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include "base/tree_look.h"
#include "store/store.h"

#define STORE_CONTENTS "contents"
#define STORE_RECORDS "records"
#define STORE_DAMAGED "damaged"
#define STORE_TMP "tmp"

struct store {
    char *dir;
    bool shared; /* the group may write to it */
};

/* --- store.c --- */

/* The names in a folder of the store, sorted; none where there is no folder. */
int store_list_folder (const struct store *store, const char *folder,
                       struct strvec *names, struct error *err);

/* Let the group write to every directory below 'path' where it may write to the
 * store.
 */
int store_share (const struct store *store, const char *path,
                 struct error *err);

/* A name in tmp/, which is there then.  Caller frees; NULL with 'err'. */
char *store_temporary (const struct store *store, struct error *err);

/* --- store_content.c --- */

/* What a content's name says. */
struct content_name {
    enum store_kind kind;
    char hex[DIGEST_HEX_SIZE];
    char shape[TREE_LOOK_SIZE]; /* directories, and who may be executed */
    char look[TREE_LOOK_SIZE];  /* base/tree_look.h */
};

/* "file" and "tree". */
const char *content_kind_word (enum store_kind kind);

/* false: it is no name of a content. */
bool content_parse (const char *text, struct content_name *name);

/* The content in the directory 'path'.  Caller frees. */
char *content_in (const char *path);

struct content_shape {
    char hex[TREE_LOOK_SIZE];
    int64_t files, bytes;
    int64_t own_bytes; /* of files that have no other name */
};

int content_measure (const char *content, struct content_shape *shape,
                     struct error *err);

/* --- store_record.c --- */

/* All documents: KIND/NAME, appended. */
int store_documents (const struct store *store, struct strvec *documents,
                     struct error *err);

/* The file of such a one.  Caller frees. */
char *store_document_path (const struct store *store, const char *document);

#endif /* !STORE_STORE_PRIVATE_H */
