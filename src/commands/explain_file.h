/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_file.h - the chain of tasks behind a file */
#ifndef COMMANDS_EXPLAIN_FILE_H
#define COMMANDS_EXPLAIN_FILE_H

#include "commands/command.h"

struct campaign;
struct lineage;
struct plan;
struct state;

/* The path of a file or directory as the campaign in 'dir' (absolute) has it:
 * 'name' is seen from here, or from that directory.  Caller frees; NULL: it is
 * not below it.
 */
char *campaign_path (const char *dir, const char *name);

/* Add the stages of 'plan' (NULL: none) that make training data, by all names
 * that they have had.
 */
void lineage_add_publishers (struct lineage *lineage, const struct plan *plan,
                             const struct state *state);

/* The path of the file that 'name', which has a slash, is in the campaign;
 * caller frees.  NULL: there is none, now or in the place of a result.
 */
char *explain_file_path (const struct campaign *campaign, const char *name);

/* Print what the file at 'path' was made from. */
enum exit_status explain_file (const struct campaign *campaign,
                               const char *path, bool json);

/* Print the chain as JSON, piece by piece: there may be very many tasks. */
void explain_file_json (const struct lineage *lineage, const char *path);

#endif /* !COMMANDS_EXPLAIN_FILE_H */
