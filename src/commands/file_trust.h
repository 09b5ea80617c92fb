/* SPDX-License-Identifier: BSD-3-Clause */
/* file_trust.h - who else decides what the files of a campaign run as us?
 *
 * Whoever can write campaign.yaml, site.yaml, the directories they are in or
 * .fanfold runs programs as the driver (doc/security.md).
 */
#ifndef COMMANDS_FILE_TRUST_H
#define COMMANDS_FILE_TRUST_H

struct invocation;

/* Told of a 'path' that others own or can write: how that is, and what to do.
 */
typedef void file_trust_each_fn (const char *path, const char *how,
                                 const char *advice, void *arg);

/* Tell 'each' of these files and directories of a campaign, where they are
 * there. Files of root are anybody's; a group that is the user's alone is the
 * user.
 */
void file_trust_each (const struct invocation *invocation,
                      file_trust_each_fn *each, void *arg);

#endif /* !COMMANDS_FILE_TRUST_H */
