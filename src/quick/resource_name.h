/* SPDX-License-Identifier: BSD-3-Clause */
/* resource_name.h - what algorithms, datasets and models are called (pure)
 *
 * A resource has a name, and each content that is registered under the name a
 * version, from 1; NAME.VERSION is its ID.
 */
#ifndef QUICK_RESOURCE_NAME_H
#define QUICK_RESOURCE_NAME_H

enum { RESOURCE_NAME_MAX = 100 };

/* [A-Za-z0-9][A-Za-z0-9_.-]*, at most RESOURCE_NAME_MAX long. */
bool resource_name_ok (const char *name);

/* The name that follows from an absolute path: its last part, without what says
 * that it is an archive, other characters as '-'.  Caller frees.
 */
char *resource_name_of_path (const char *path);

/* Is it the name of an archive, by its end?  Then the length without that, else
 * 0.
 */
size_t archive_name_length (const char *path);

/* The version of an ID of the resource 'name'; 0: it is the ID of another. */
int resource_id_version (const char *id, const char *name);

/* Has it the form of an ID? */
bool resource_id_ok (const char *id);

/* One more than the highest version that 'name' has among these IDs. */
int resource_next_version (const struct strvec *ids, const char *name);

#endif /* !QUICK_RESOURCE_NAME_H */
