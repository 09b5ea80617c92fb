/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_list.h - the list of a tree's files, as the store has it
 *
 *     dir PATH          each directory, before what is in it
 *     file SHA256 PATH
 *     exec SHA256 PATH  the same of a file that may be executed
 *     link PATH
 *     to TARGET         of the link before
 *     end SHA256        of all lines before
 *
 * Not JSON, since names need not be UTF-8.  The digest of the tree follows from
 * the list (digest_list_file), so who reads it knows that it is whole.
 */
#ifndef STORE_TREE_LIST_H
#define STORE_TREE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/digest.h"
#include "base/strvec.h"

struct strbuf;

struct leaf {
    char *path;                /* relative */
    char *target;              /* of a link; NULL: a file */
    char hex[DIGEST_HEX_SIZE]; /* of a file */
    bool executable;
};

struct tree {
    struct strvec dirs; /* without the topmost */
    struct leaf *leaves;
    size_t n, alloc;
};

#define TREE_INIT                                                              \
    {                                                                          \
        .dirs = STRVEC_INIT                                                    \
    }

void tree_release (struct tree *tree);

/* A new leaf, lent until the next one is added. */
struct leaf *tree_add (struct tree *tree, const char *path);

/* By path, as every list is. */
void tree_sort (struct tree *tree);

/* As base/digest.h has it. */
void tree_digest (const struct tree *tree, char hex[DIGEST_HEX_SIZE]);

void tree_format (const struct tree *tree, struct strbuf *text);

/* Read a list that was written whole into an empty 'tree', which the caller
 * releases in any case; false: it is none.  The text is changed.
 */
bool tree_parse (struct strbuf *text, struct tree *tree);

#endif /* !STORE_TREE_LIST_H */
