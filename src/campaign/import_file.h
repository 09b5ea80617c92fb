/* SPDX-License-Identifier: BSD-3-Clause */
/* import_file.h - which file of the campaign an import of a script is */
#ifndef CAMPAIGN_IMPORT_FILE_H
#define CAMPAIGN_IMPORT_FILE_H

struct import;

/* Where an import stands; all paths absolute. */
struct import_place {
    const char *campaign; /* its directory */
    const char *script;   /* the file that has the import; of a text that is no
                             file the campaign's directory and '/' */
    const char *main_dir; /* of the script that was started, where Python looks
                             first, and then in the campaign's directory */
};

/* The file below the campaign that it is, absolute; NULL: there is none.
 * Caller frees.
 */
char *import_file (const struct import_place *place,
                   const struct import *import);

/* 'path', seen from 'dir', absolute, where it is a file below 'campaign'; else
 * NULL.  Caller frees.
 */
char *campaign_file (const char *campaign, const char *dir, const char *path);

/* The directory that 'path' is in; 'follow': of what it leads to, if it is a
 * link.  Caller frees.
 */
char *directory_of (const char *path, bool follow);

#endif /* !CAMPAIGN_IMPORT_FILE_H */
