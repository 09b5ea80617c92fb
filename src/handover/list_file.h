/* SPDX-License-Identifier: BSD-3-Clause */
/* list_file.h - {@NAME}: a list as a file, for those that no argv has room for
 */
#ifndef HANDOVER_LIST_FILE_H
#define HANDOVER_LIST_FILE_H

struct stage_manifest;

/* The texts in which placeholders of a stage's tasks stand, in any form; NULL:
 * none of them has a {@NAME}.  Caller unrefs.
 */
struct json *list_file_templates (const struct stage_manifest *stage);

/* For each {@NAME} in the texts of 'templates' (NULL: none) write NAME.list in
 * 'dir', which is made: the arguments that {NAME} stands for by 'values', one a
 * line.  values["@NAME"] becomes its absolute path; 'dir' must be absolute. -1:
 * also where an argument has a line break.
 */
int list_files_write (const struct json *templates, const char *dir,
                      struct json *values, struct error *err);

#endif /* !HANDOVER_LIST_FILE_H */
