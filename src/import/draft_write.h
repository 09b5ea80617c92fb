/* SPDX-License-Identifier: BSD-3-Clause */
/* draft_write.h - a drafted campaign put on the disk, and files it is made of
 */
#ifndef IMPORT_DRAFT_WRITE_H
#define IMPORT_DRAFT_WRITE_H

#include "import/draft.h"

/* The files of this host, seen from 'dir'; the campaign's directory is to be in
 * 'around' (both absolute, borrowed).
 */
struct import_files import_files_of (const char *dir, const char *around);

/* Make the directory 'dir', which is not there or empty, of all that is
 * drafted: campaign.yaml, site.yaml, import.txt and the further files.  It is
 * there whole, or not at all.  'origin' says in comments what it was made from.
 */
int draft_write (const struct draft *draft, const char *origin, const char *dir,
                 struct error *err);

/* Append the report for people: files that are missing, remarks, keys. */
void draft_report (const struct draft *draft, struct strbuf *out);

/* The same without the keys of which nothing is to be done. */
void draft_summary (const struct draft *draft, struct strbuf *out);

#endif /* !IMPORT_DRAFT_WRITE_H */
