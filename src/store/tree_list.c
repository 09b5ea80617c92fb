/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_list.c - the list of a tree's files */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "store/tree_list.h"

void tree_release (struct tree *tree)
{
    for (size_t i = 0; i < tree->n; i++) {
        free (tree->leaves[i].path);
        free (tree->leaves[i].target);
    }
    free (tree->leaves);
    strvec_release (&tree->dirs);
}

struct leaf *tree_add (struct tree *tree, const char *path)
{
    tree->leaves = grow_array (tree->leaves, tree->n, &tree->alloc,
                               sizeof (*tree->leaves));
    tree->leaves[tree->n] = (struct leaf){ .path = xstrdup (path) };
    return &tree->leaves[tree->n++];
}

static int by_path (const void *a, const void *b)
{
    const struct leaf *left = a, *right = b;

    return strcmp (left->path, right->path);
}

void tree_sort (struct tree *tree)
{
    strvec_sort (&tree->dirs);
    if (tree->n > 0)
        qsort (tree->leaves, tree->n, sizeof (*tree->leaves), by_path);
}

void tree_digest (const struct tree *tree, char hex[DIGEST_HEX_SIZE])
{
    struct strvec lines = STRVEC_INIT;

    for (size_t i = 0; i < tree->n; i++) {
        const struct leaf *leaf = &tree->leaves[i];

        if (leaf->target)
            digest_list_link (&lines, leaf->target, leaf->path);
        else
            digest_list_file (&lines, leaf->hex, leaf->path);
    }
    digest_lines (&lines, hex);
    strvec_release (&lines);
}

/* --- as text --- */

void tree_format (const struct tree *tree, struct strbuf *text)
{
    char hex[DIGEST_HEX_SIZE];

    for (size_t i = 0; i < tree->dirs.n; i++)
        strbuf_addf (text, "dir %s\n", tree->dirs.v[i]);
    for (size_t i = 0; i < tree->n; i++) {
        const struct leaf *leaf = &tree->leaves[i];

        if (leaf->target)
            strbuf_addf (text, "link %s\nto %s\n", leaf->path, leaf->target);
        else
            strbuf_addf (text, "%s %s %s\n", leaf->executable ? "exec" : "file",
                         leaf->hex, leaf->path);
    }
    digest_bytes (text->buf, text->len, hex);
    strbuf_addf (text, "end %s\n", hex);
}

/* "WORD rest": the rest; else NULL. */
static char *after (char *line, const char *word)
{
    size_t len = strlen (word);

    return strncmp (line, word, len) == 0 && line[len] == ' ' ? line + len + 1
                                                              : NULL;
}

/* "SHA256 PATH" of a file. */
static bool parse_file (char *rest, bool executable, struct tree *tree)
{
    char hex[DIGEST_HEX_SIZE];
    struct leaf *leaf;

    snprintf (hex, sizeof (hex), "%s", rest);
    if (!digest_is_hex (hex) || rest[DIGEST_HEX_SIZE - 1] != ' '
        || !path_is_inside (rest + DIGEST_HEX_SIZE))
        return false;
    leaf = tree_add (tree, rest + DIGEST_HEX_SIZE);
    memcpy (leaf->hex, hex, sizeof (hex));
    leaf->executable = executable;
    return true;
}

static bool parse_line (char *line, struct tree *tree, bool *in_link)
{
    bool had_link = *in_link;
    char *rest;

    *in_link = false;
    if (had_link != ((rest = after (line, "to")) != NULL))
        return false;
    if (had_link) {
        tree->leaves[tree->n - 1].target = xstrdup (rest);
        return *rest != '\0';
    }
    if ((rest = after (line, "file")))
        return parse_file (rest, false, tree);
    if ((rest = after (line, "exec")))
        return parse_file (rest, true, tree);
    if ((rest = after (line, "dir")) && path_is_inside (rest)) {
        strvec_push (&tree->dirs, rest);
        return true;
    }
    if ((rest = after (line, "link")) && path_is_inside (rest)) {
        tree_add (tree, rest);
        *in_link = true;
        return true;
    }
    return false;
}

/* Is every file in a directory of the list?  Then none is written through a
 * link, wherever that leads.
 */
static bool is_sound (const struct tree *tree)
{
    struct json *dirs = json_object ();
    bool sound = true;

    for (size_t i = 0; i < tree->dirs.n; i++)
        json_set (dirs, tree->dirs.v[i], json_bool (true));
    for (size_t i = 0; sound && i < tree->n; i++) {
        const char *path = tree->leaves[i].path;
        const char *name = path_base (path);
        char *dir =
            name == path ? NULL : xstrndup (path, (size_t)(name - path) - 1);

        sound = !dir || json_get (dirs, dir);
        free (dir);
    }
    json_unref (dirs);
    return sound;
}

bool tree_parse (struct strbuf *text, struct tree *tree)
{
    enum { END_BYTES = sizeof ("end \n") - 1 + DIGEST_HEX_SIZE - 1 };
    size_t len = text->len < END_BYTES ? 0 : text->len - END_BYTES;
    char found[DIGEST_HEX_SIZE], end[END_BYTES + 1];
    char *line = text->buf, *next;
    bool in_link = false, good;

    digest_bytes (text->buf, len, found);
    snprintf (end, sizeof (end), "end %s\n", found);
    good = strcmp (text->buf + len, end) == 0
           && (len == 0 || text->buf[len - 1] == '\n')
           && memchr (text->buf, '\0', len) == NULL;
    for (; good && line < text->buf + len; line = next + 1) {
        next = strchr (line, '\n');
        *next = '\0';
        good = parse_line (line, tree, &in_link);
    }
    return good && !in_link && is_sound (tree);
}
