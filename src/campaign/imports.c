/* SPDX-License-Identifier: BSD-3-Clause */
/* imports.c - which files the text of a script imports or sources by name */
#include "base/base.h"

#include "base/file.h"
#include "campaign/imports.h"

/* --- languages --- */

static const struct {
    const char *begins; /* the name of what reads it: "python3.11" */
    const char *ends;   /* the name of a file */
    enum script_language language;
} languages[] = {
    { "python", ".py", LANGUAGE_PYTHON }, { "pypy", ".pyw", LANGUAGE_PYTHON },
    { "sh", ".sh", LANGUAGE_SHELL },      { "bash", ".bash", LANGUAGE_SHELL },
    { "dash", ".dash", LANGUAGE_SHELL },  { "ksh", ".ksh", LANGUAGE_SHELL },
    { "zsh", ".zsh", LANGUAGE_SHELL },    { "julia", ".jl", LANGUAGE_JULIA },
    { "Rscript", ".R", LANGUAGE_R },      { "R", ".r", LANGUAGE_R },
};

/* "python3.11" begins so, "shuf" and "Rust" do not. */
static bool is_program (const char *name, const char *begins)
{
    size_t len = strlen (begins);

    return strncmp (name, begins, len) == 0
           && name[len + strspn (name + len, "0123456789.-")] == '\0';
}

enum script_language program_language (const char *program)
{
    const char *name = path_base (program);

    for (size_t i = 0; i < ARRAY_SIZE (languages); i++) {
        if (is_program (name, languages[i].begins))
            return languages[i].language;
    }
    return LANGUAGE_UNKNOWN;
}

/* "#!/usr/bin/env -S python3 -u" */
static enum script_language first_line_language (const char *text)
{
    enum script_language language = LANGUAGE_UNKNOWN;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_free_ char *line = xstrndup (text, strcspn (text, "\n"));

    if (strncmp (line, "#!", 2) == 0)
        strvec_split (&words, line + 2, " \t\r");
    for (size_t i = 0; i < words.n && language == LANGUAGE_UNKNOWN; i++)
        language = program_language (words.v[i]);
    return language;
}

enum script_language script_language (const char *path, const char *text,
                                      enum script_language otherwise)
{
    const char *name = path ? path_base (path) : "";
    const char *end = strrchr (name, '.');
    enum script_language language;

    for (size_t i = 0; end && i < ARRAY_SIZE (languages); i++) {
        if (strcmp (end, languages[i].ends) == 0)
            return languages[i].language;
    }
    language = first_line_language (text);
    return language == LANGUAGE_UNKNOWN ? otherwise : language;
}

/* --- imports --- */

void imports_add (struct imports *imports, const char *text, const char *at,
                  enum import_from from, int up, const char *path)
{
    const char *p = imports->counted ? imports->counted : text;

    imports->line_begin = imports->counted ? imports->line_begin : text;
    for (; p < at; p++) {
        if (*p == '\n') {
            imports->line_begin = p + 1;
            imports->line++;
        }
    }
    imports->counted = at;
    imports->v = grow_array (imports->v, imports->n, &imports->alloc,
                             sizeof (*imports->v));
    imports->v[imports->n++] =
        (struct import){ xstrdup (path), from, up, imports->line,
                         (int)(at - imports->line_begin) };
}

void imports_read (enum script_language language, const char *text,
                   struct imports *imports)
{
    imports->counted = NULL;
    imports->line = 0;
    switch (language) {
    case LANGUAGE_UNKNOWN:
        break;
    case LANGUAGE_PYTHON:
        imports_of_python (text, imports);
        break;
    case LANGUAGE_SHELL:
        imports_of_shell (text, imports);
        break;
    case LANGUAGE_JULIA:
        imports_of_julia (text, imports);
        break;
    case LANGUAGE_R:
        imports_of_r (text, imports);
        break;
    }
}

void imports_release (struct imports *imports)
{
    for (size_t i = 0; i < imports->n; i++)
        free (imports->v[i].path);
    free (imports->v);
    *imports = (struct imports){ 0 };
}
