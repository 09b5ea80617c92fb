/* SPDX-License-Identifier: BSD-3-Clause */
/* listed_files.h - the files that `files:` of an operator stands for */
#ifndef CAMPAIGN_LISTED_FILES_H
#define CAMPAIGN_LISTED_FILES_H

/* Append the files that 'item', a path or a pattern seen from 'dir', stands
 * for, as it spells them and sorted: of a directory all below it, but for
 * hidden ones and __pycache__, which programs and editors write.  -1 with 'err'
 * where there is none, and of a link to a directory below one.
 */
int listed_files (const char *dir, const char *item, struct strvec *paths,
                  struct error *err);

#endif /* !CAMPAIGN_LISTED_FILES_H */
