/* SPDX-License-Identifier: BSD-3-Clause */
/* path_similar.h - the file that was meant by a path that is not there */
#ifndef BASE_PATH_SIMILAR_H
#define BASE_PATH_SIMILAR_H

/* The file in the directory of 'path', which is relative to 'dir' or absolute,
 * whose name is nearest, spelt as 'path' is; NULL: none is near.  Caller frees.
 */
char *path_similar (const char *dir, const char *path);

#endif /* !BASE_PATH_SIMILAR_H */
