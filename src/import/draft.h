/* SPDX-License-Identifier: BSD-3-Clause */
/* draft.h - a campaign directory that is being written in memory
 *
 * Translation takes texts and makes texts: what it reads of other files it asks
 * for (struct import_files), and nothing is written before all is known.
 */
#ifndef IMPORT_DRAFT_H
#define IMPORT_DRAFT_H

#include "import/key_report.h"
#include "import/outline.h"

/* How a translation looks at files that its input names. */
struct import_files {
    const char *dir; /* absolute: what relative paths are seen from */

    /* Append the text: 0, 1 when there is no such file, or -1. */
    int (*read) (const char *path, struct strbuf *out, struct error *err);

    /* Is there anything at the path, or that the pattern matches? */
    int (*look) (const char *pattern);

    const char *around; /* absolute: what the campaign's directory is to be in;
                           NULL: nothing that is known */
};

struct draft {
    const struct import_files *files;
    struct outline campaign, site;
    struct strvec paths, texts; /* further files, below the directory */
    struct json *copies;        /* {directory below it: file to be copied to it}
                                 */
    struct strvec absent;       /* files that are named and not there */
    struct strvec remarks;      /* what a person is to know, one line each */
    struct key_report report;
};

void draft_init (struct draft *draft, const struct import_files *files);
void draft_release (struct draft *draft);

/* Add a file.  Where one of that name has another text already, the name gets
 * a number ("md-2.in").  Returns the name it has (lent).
 */
const char *draft_add_file (struct draft *draft, const char *path,
                            const char *text);

/* Have the file 'from', an absolute path, copied into the directory 'to'. */
void draft_add_copy (struct draft *draft, const char *to, const char *from);

/* The absolute path of what the input calls 'path', seen from 'prefix' (NULL or
 * "": none); noted as absent where it is not there.  Caller frees.
 */
char *draft_locate (struct draft *draft, const char *prefix, const char *path);

/* The same, without a look at whether it is there. */
char *draft_path (const struct draft *draft, const char *prefix,
                  const char *path);

/* How the campaign names the file at an absolute path: relative to itself, as
 * ../PATH, where the file is in the directory that it is to be in.  Caller
 * unrefs.
 */
struct json *draft_named (const struct draft *draft, const char *absolute);

void draft_remark (struct draft *draft, const char *fmt, ...)
    PRINTF_LIKE (2, 3);

#endif /* !IMPORT_DRAFT_H */
