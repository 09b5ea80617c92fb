/* SPDX-License-Identifier: BSD-3-Clause */
/* imports.h - which files the text of a script imports or sources by name
 *
 * What is computed, or may be another file where the script runs, is left out.
 */
#ifndef CAMPAIGN_IMPORTS_H
#define CAMPAIGN_IMPORTS_H

enum script_language {
    LANGUAGE_UNKNOWN,
    LANGUAGE_PYTHON,
    LANGUAGE_SHELL,
    LANGUAGE_JULIA,
    LANGUAGE_R,
};

enum import_from {
    IMPORT_MODULE,   /* of Python: "a/b" of "a.b", which a file or a directory
                        may be */
    IMPORT_BESIDE,   /* a path, seen from where the script is */
    IMPORT_CAMPAIGN, /* seen from the campaign's directory */
    IMPORT_PATH,     /* absolute, or seen from where the script is run */
};

struct import {
    char *path;
    enum import_from from;
    int up;           /* of a module: 1 of ".a", 2 of "..a", 0 of "a" */
    int line, column; /* from 0 */
};

struct imports {
    struct import *v;
    size_t n, alloc;
    const char *counted, *line_begin; /* where the last one stands in the text,
                                         and the line that it is in */
    int line;
};

/* What the script is in: by the name of its file (NULL: it has none), else by
 * its `#!`, else 'otherwise'.
 */
enum script_language script_language (const char *path, const char *text,
                                      enum script_language otherwise);

/* The language that a program of this name reads: "python3", "/bin/sh". */
enum script_language program_language (const char *program);

/* Append what 'text' names, in its order. */
void imports_read (enum script_language language, const char *text,
                   struct imports *imports);
void imports_release (struct imports *imports);

/* --- one for each family of languages --- */

void imports_of_python (const char *text, struct imports *imports);
void imports_of_shell (const char *text, struct imports *imports);

/* include ("FILE") and using .NAME; source ("FILE"). */
void imports_of_julia (const char *text, struct imports *imports);
void imports_of_r (const char *text, struct imports *imports);

/* Append one that stands at 'at' in 'text', behind those before it; the path is
 * copied.
 */
void imports_add (struct imports *imports, const char *text, const char *at,
                  enum import_from from, int up, const char *path);

#endif /* !CAMPAIGN_IMPORTS_H */
