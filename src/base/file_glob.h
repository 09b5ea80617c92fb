/* SPDX-License-Identifier: BSD-3-Clause */
/* file_glob.h - paths that match a pattern of glob(7) */
#ifndef BASE_FILE_GLOB_H
#define BASE_FILE_GLOB_H

/* Has it any of * ? [ ? */
bool path_is_pattern (const char *path);

/* Append the paths that 'pattern', seen from 'dir', stands for, as it spells
 * them and in the order of their bytes: the path itself where it is no pattern,
 * or where a file has that very name.  -1 with 'err' where a pattern matches
 * nothing, or a directory cannot be read.
 */
int file_glob (const char *dir, const char *pattern, struct strvec *paths,
               struct error *err);

#endif /* !BASE_FILE_GLOB_H */
