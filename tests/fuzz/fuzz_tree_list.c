/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_tree_list.c - the list of a tree in the store */
#include "config.h"

#include <string.h>

#include "base/file.h"
#include "fuzz.h"
#include "store/tree_list.h"

static void check (const struct tree *tree)
{
    for (size_t i = 0; i < tree->dirs.n; i++)
        must_hold (path_is_inside (tree->dirs.v[i]), "a directory is inside");
    for (size_t i = 0; i < tree->n; i++) {
        const struct leaf *leaf = &tree->leaves[i];

        must_hold (path_is_inside (leaf->path), "a file is inside");
        must_hold (leaf->target ? leaf->target[0] != '\0'
                                : digest_is_hex (leaf->hex),
                   "a link leads somewhere, a file has a digest");
    }
}

/* What is read and written is read again, and of the same digest. */
static void write_and_read (const struct tree *tree)
{
    struct strbuf text = STRBUF_INIT;
    struct tree again = TREE_INIT;
    char before[DIGEST_HEX_SIZE], after[DIGEST_HEX_SIZE];

    tree_format (tree, &text);
    must_hold (tree_parse (&text, &again), "a list of ours is a list");
    tree_digest (tree, before);
    tree_digest (&again, after);
    must_hold (strcmp (before, after) == 0, "it is of the same tree");
    tree_release (&again);
    strbuf_release (&text);
}

static void read_list (const void *data, size_t size, bool whole)
{
    struct strbuf text = STRBUF_INIT;
    struct tree tree = TREE_INIT;
    char hex[DIGEST_HEX_SIZE];

    strbuf_add (&text, data, size);
    digest_bytes (text.buf, text.len, hex);
    if (whole)
        strbuf_addf (&text, "end %s\n", hex);
    if (tree_parse (&text, &tree)) {
        check (&tree);
        write_and_read (&tree);
    }
    tree_release (&tree);
    strbuf_release (&text);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    read_list (data, size, false);
    read_list (data, size, true);
    return 0;
}
