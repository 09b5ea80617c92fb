/* SPDX-License-Identifier: BSD-3-Clause */
/* python_imports.c - `import a.b`, `from .a import b` in the text of a module
 */
#include "base/base.h"

#include "campaign/imports.h"

struct scan {
    const char *text, *at;
    struct imports *imports;
    bool in_parentheses; /* of a list of names, which may have many lines */
};

/* --- what is no code --- */

/* From its first quote to behind its last one; a string of one line without an
 * end ends there.
 */
static const char *string_end (const char *at)
{
    char quote = at[0];
    bool triple = at[1] == quote && at[2] == quote;

    for (at += triple ? 3 : 1; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (!triple && (*at == quote || *at == '\n'))
            return at + (*at == quote);
        else if (triple && at[0] == quote && at[1] == quote && at[2] == quote)
            return at + 3;
    }
    return at;
}

static bool is_letter (char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static size_t name_length (const char *at)
{
    size_t len = 0;

    while (is_letter (at[len]))
        len++;
    return len;
}

/* Blanks, and what continues the statement on the next line. */
static void skip_blanks (struct scan *scan)
{
    for (;;) {
        const char *at = scan->at;

        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\f')
            scan->at++;
        else if (at[0] == '\\' && at[1] == '\n')
            scan->at += 2;
        else if (at[0] == '\\' && at[1] == '\r' && at[2] == '\n')
            scan->at += 3;
        else if (scan->in_parentheses && *at == '\n')
            scan->at++;
        else if (scan->in_parentheses && *at == '#')
            scan->at += strcspn (at, "\n");
        else
            return;
    }
}

/* --- import statements --- */

/* Is the next word that?  Then it is behind. */
static bool take_word (struct scan *scan, const char *word)
{
    size_t len = strlen (word);

    skip_blanks (scan);
    if (name_length (scan->at) != len || strncmp (scan->at, word, len) != 0)
        return false;
    scan->at += len;
    return true;
}

static bool take_char (struct scan *scan, char c)
{
    skip_blanks (scan);
    if (*scan->at != c)
        return false;
    scan->at++;
    return true;
}

/* Append "/NAME" (or "NAME", where nothing is before it) to 'path'. */
static bool take_name (struct scan *scan, struct strbuf *path)
{
    size_t len;

    skip_blanks (scan);
    len = name_length (scan->at);
    if (len == 0)
        return false;
    strbuf_add_str (path, path->len > 0 ? "/" : "");
    strbuf_add (path, scan->at, len);
    scan->at += len;
    return true;
}

/* "a.b.c": a, a/b and a/b/c are imported, in that order; 'path' is the last. */
static bool take_dotted (struct scan *scan, int up, struct strbuf *path)
{
    bool taken = false;

    do {
        const char *at;

        skip_blanks (scan);
        at = scan->at;
        if (!take_name (scan, path))
            return taken;
        imports_add (scan->imports, scan->text, at, IMPORT_MODULE, up,
                     path->buf);
        taken = true;
    } while (take_char (scan, '.'));
    return taken;
}

static void take_alias (struct scan *scan)
{
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    if (take_word (scan, "as"))
        take_name (scan, &name);
}

/* Behind "import". */
static void read_import (struct scan *scan)
{
    bool taken;

    do {
        struct strbuf path = STRBUF_INIT;

        taken = take_dotted (scan, 0, &path);
        strbuf_release (&path);
        take_alias (scan);
    } while (taken && take_char (scan, ','));
}

/* Names that may be modules of the package 'from'. */
static void read_names (struct scan *scan, int up, const struct strbuf *from)
{
    bool taken;

    scan->in_parentheses = take_char (scan, '(');
    do {
        struct strbuf path = STRBUF_INIT;
        const char *at;

        strbuf_add (&path, from->buf, from->len);
        skip_blanks (scan);
        at = scan->at;
        taken = take_name (scan, &path);
        if (taken)
            imports_add (scan->imports, scan->text, at, IMPORT_MODULE, up,
                         path.buf);
        strbuf_release (&path);
        take_alias (scan);
    } while (taken && take_char (scan, ','));
    scan->in_parentheses = false;
}

/* Behind "from". */
static void read_from (struct scan *scan)
{
    _cleanup_ (strbuf_release) struct strbuf from = STRBUF_INIT;
    int up = 0;

    while (take_char (scan, '.'))
        up++;
    skip_blanks (scan);
    if (up > 0 && name_length (scan->at) == strlen ("import")
        && strncmp (scan->at, "import", strlen ("import")) == 0)
        scan->at += strlen ("import"); /* from . import a */
    else if (!take_dotted (scan, up, &from) || !take_word (scan, "import"))
        return;
    read_names (scan, up, &from);
}

/* --- the text --- */

static void read_statement (struct scan *scan)
{
    if (take_word (scan, "import"))
        read_import (scan);
    else if (take_word (scan, "from"))
        read_from (scan);
}

/* Past one character, string, comment or name; does a statement begin there? */
static bool skip_code (struct scan *scan, int *depth)
{
    const char *at = scan->at;

    if (*at == '#')
        scan->at += strcspn (at, "\n");
    else if (*at == '"' || *at == '\'')
        scan->at = string_end (at);
    else if (at[0] == '\\' && at[1])
        scan->at += 2;
    else
        scan->at += is_letter (*at) ? name_length (at) : 1;
    *depth += *at && strchr ("([{", *at) ? 1 : 0;
    *depth -= *at && strchr (")]}", *at) && *depth > 0 ? 1 : 0;
    return *depth == 0 && (*at == '\n' || *at == ';' || *at == ':');
}

void imports_of_python (const char *text, struct imports *imports)
{
    struct scan scan = { text, text, imports, false };
    bool begins = true;
    int depth = 0;

    while (*scan.at) {
        if (begins) {
            skip_blanks (&scan);
            read_statement (&scan);
        }
        begins = *scan.at && skip_code (&scan, &depth);
    }
}
