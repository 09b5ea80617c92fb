/* SPDX-License-Identifier: BSD-3-Clause */
/* called_imports.c - include ("FILE") of Julia, source ("FILE") of R */
#include "base/base.h"

#include "campaign/imports.h"

struct scan {
    const char *text, *at;
    struct imports *imports;
    bool julia;
    bool moved; /* the script is run elsewhere from here on */
};

/* --- what both have --- */

static bool is_letter (char c)
{
    return c == '_' || c == '!' || (c >= 'a' && c <= 'z')
           || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || (unsigned char)c >= 0x80;
}

static size_t name_length (const char *at)
{
    size_t len = 0;

    while (is_letter (at[len]) || (at[len] == '.' && is_letter (at[len + 1])))
        len++;
    return len;
}

static void skip_blanks (struct scan *scan)
{
    scan->at += strspn (scan->at, " \t\r\n");
}

static bool take (struct scan *scan, const char *text)
{
    size_t len = strlen (text);

    skip_blanks (scan);
    if (strncmp (scan->at, text, len) != 0)
        return false;
    scan->at += len;
    return true;
}

/* From its first quote to behind its last one. */
static const char *string_end (const struct scan *scan)
{
    const char *at = scan->at;
    char quote = at[0];
    bool triple = scan->julia && at[1] == quote && at[2] == quote;

    for (at += triple ? 3 : 1; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == quote && !triple)
            return at + 1;
        else if (triple && at[0] == quote && at[1] == quote && at[2] == quote)
            return at + 3;
    }
    return at;
}

/* A literal, without what a backslash or '$' makes of it; appended to 'path'
 * as the next part of it.
 */
static bool take_string (struct scan *scan, struct strbuf *path)
{
    const char *end;
    size_t len;

    skip_blanks (scan);
    if (*scan->at != '"' && (scan->julia || *scan->at != '\''))
        return false;
    end = string_end (scan);
    len = (size_t)(end - scan->at);
    if (len < 3 || end[-1] != scan->at[0])
        return false;
    for (const char *p = scan->at + 1; p < end - 1; p++) {
        if (*p == '\\' || *p == '\n' || (scan->julia && strchr ("$\"", *p)))
            return false;
    }
    strbuf_add (path, scan->at + 1, len - 2);
    scan->at = end;
    return true;
}

/* The call ends, or has more arguments. */
static bool call_goes_on (struct scan *scan)
{
    skip_blanks (scan);
    return *scan->at == ')' || *scan->at == ',';
}

/* --- Julia --- */

/* "#= ... =#", which may hold others. */
static void skip_block_comment (struct scan *scan)
{
    int depth = 0;

    do {
        if (strncmp (scan->at, "#=", 2) == 0
            || strncmp (scan->at, "=#", 2) == 0) {
            depth += scan->at[0] == '#' ? 1 : -1;
            scan->at++;
        }
        scan->at++;
    } while (*scan->at && depth > 0);
}

/* 'x' and '\n', where it is no transposed matrix. */
static void skip_character (struct scan *scan)
{
    char before = scan->at > scan->text ? scan->at[-1] : ' ';
    const char *at = scan->at + 1;

    if (!is_letter (before) && !strchr (")]}'.", before) && *at
        && *at != '\n') {
        at += *at == '\\' && at[1] ? 2 : 1;
        at += strcspn (at, "'\n");
        scan->at = at + (*at == '\'');
    } else {
        scan->at++;
    }
}

/* joinpath(@__DIR__, "a", "b.jl") */
static bool take_joined (struct scan *scan, struct strbuf *path)
{
    if (!take (scan, "joinpath") || !take (scan, "(")
        || !take (scan, "@__DIR__"))
        return false;
    while (take (scan, ",")) {
        strbuf_add_str (path, path->len > 0 ? "/" : "");
        if (!take_string (scan, path))
            return false;
    }
    return take (scan, ")") && path->len > 0;
}

/* Behind "include(". */
static void read_include (struct scan *scan)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    const char *at;
    bool sure;

    skip_blanks (scan);
    at = scan->at;
    sure = *at == '"' ? take_string (scan, &path) : take_joined (scan, &path);
    if (sure && take (scan, ")"))
        imports_add (scan->imports, scan->text, at, IMPORT_BESIDE, 0, path.buf);
}

/* Behind "using" or "import": .A, .B: the files A.jl and B.jl, if such are
 * there.
 */
static void read_using (struct scan *scan)
{
    do {
        struct strbuf path = STRBUF_INIT;
        const char *at;
        size_t len;

        scan->at += strspn (scan->at, " \t");
        at = scan->at;
        len = *at == '.' ? name_length (at + 1) : 0;
        len = len > 0 ? strcspn (at + 1, ".:, \t\r\n;#") : 0;
        strbuf_addf (&path, "%.*s.jl", (int)len, at + 1);
        if (len > 0)
            imports_add (scan->imports, scan->text, at, IMPORT_BESIDE, 0,
                         path.buf);
        scan->at += len > 0 ? len + 1 : name_length (at);
        strbuf_release (&path);
        scan->at += strspn (scan->at, " \t");
    } while (*scan->at == ',' && scan->at++);
}

/* --- R --- */

/* Behind "source(". */
static void read_source (struct scan *scan)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    const char *at;

    skip_blanks (scan);
    at = scan->at;
    if (take (scan, "file") && !take (scan, "=")) {
        return; /* file.path (...) */
    }
    if (take_string (scan, &path) && call_goes_on (scan)
        && (path.buf[0] == '/' || !scan->moved) && !strstr (path.buf, "://"))
        imports_add (scan->imports, scan->text, at, IMPORT_PATH, 0, path.buf);
}

/* --- the text --- */

static bool is_word (const char *at, size_t len, const char *word)
{
    return strlen (word) == len && strncmp (at, word, len) == 0;
}

static void read_name (struct scan *scan)
{
    const char *at = scan->at;
    size_t len = name_length (at);
    bool part = at > scan->text && at[-1] == '.';

    scan->at += len;
    if (part)
        return;
    if (scan->julia
        && (is_word (at, len, "using") || is_word (at, len, "import")))
        read_using (scan);
    else if (scan->julia && is_word (at, len, "include") && take (scan, "("))
        read_include (scan);
    else if (!scan->julia && is_word (at, len, "setwd"))
        scan->moved = true;
    else if (!scan->julia
             && (is_word (at, len, "source") || is_word (at, len, "sys.source"))
             && take (scan, "("))
        read_source (scan);
}

static void read_text (struct scan *scan)
{
    while (*scan->at) {
        if (scan->julia && strncmp (scan->at, "#=", 2) == 0)
            skip_block_comment (scan);
        else if (*scan->at == '#')
            scan->at += strcspn (scan->at, "\n");
        else if (scan->julia && *scan->at == '\'')
            skip_character (scan);
        else if (strchr ("\"'`", *scan->at))
            scan->at = string_end (scan);
        else if (is_letter (*scan->at))
            read_name (scan);
        else
            scan->at++;
    }
}

void imports_of_julia (const char *text, struct imports *imports)
{
    struct scan scan = { text, text, imports, true, false };

    read_text (&scan);
}

void imports_of_r (const char *text, struct imports *imports)
{
    struct scan scan = { text, text, imports, false, false };

    read_text (&scan);
}
