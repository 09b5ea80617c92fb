/* SPDX-License-Identifier: BSD-3-Clause */
/* modules_check.h - does `files:` name what the programs of an operator import?
 */
#ifndef CAMPAIGN_MODULES_CHECK_H
#define CAMPAIGN_MODULES_CHECK_H

struct compilation;

/* Warn, at the line of the script, of files of the campaign that a script of a
 * declared operator imports or sources by name (imports.h), or a file that it
 * imports does, and that neither a command nor `files:` names: an edit of one
 * would not be seen.  Scripts are read on this host; one that cannot be read is
 * passed over.
 */
void modules_check (const struct compilation *c);

#endif /* !CAMPAIGN_MODULES_CHECK_H */
