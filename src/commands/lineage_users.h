/* SPDX-License-Identifier: BSD-3-Clause */
/* lineage_users.h - all stages that a campaign has, and what they say of a file
 * that none of them made
 */
#ifndef COMMANDS_LINEAGE_USERS_H
#define COMMANDS_LINEAGE_USERS_H

struct lineage;
struct state;

/* Add every stage that has anything: by what lies there, and by the journal,
 * whether it lies there or not.
 */
void lineage_add_all (struct lineage *lineage, const struct state *state);

/* What a stage read last as the file at 'path', or as a copy of it: a SHA-256,
 * which the caller frees; NULL: no stage read it.
 */
char *lineage_read_digest (const char *dir, const struct state *state,
                           const char *path);

#endif /* !COMMANDS_LINEAGE_USERS_H */
