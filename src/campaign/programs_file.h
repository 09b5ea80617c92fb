/* SPDX-License-Identifier: BSD-3-Clause */
/* programs_file.h - `programs:` of an operator: the directory of a copy of
 * which it runs
 */
#ifndef CAMPAIGN_PROGRAMS_FILE_H
#define CAMPAIGN_PROGRAMS_FILE_H

struct compilation;
struct operator_spec;
struct yaml_node;

/* What a copy may hold: programs, and not data. */
enum { PROGRAMS_FILES_MAX = 10000 };
#define PROGRAMS_BYTES_MAX ((int64_t)64 << 20)

/* 'op' has been read: add the directory to its files, and let its commands name
 * the copy.  'node' is that of `programs:`; what is wrong is recorded.
 */
void programs_read (const struct yaml_node *node, struct operator_spec *op);

/* Append the files that a copy of 'items' has, seen from 'dir' (the
 * campaign's), each once; '*bytes' is what they hold.  Too much, and a link
 * that leaves the campaign, is an error.
 */
int programs_list (const char *dir, const char *const *items,
                   struct strvec *paths, int64_t *bytes, struct error *err);

/* Record where results lie below what an operator runs from. */
void programs_check_places (const struct compilation *c);

#endif /* !CAMPAIGN_PROGRAMS_FILE_H */
