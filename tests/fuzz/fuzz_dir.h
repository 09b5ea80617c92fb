/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_dir.h - a directory for targets that read files by name */
#ifndef TESTS_FUZZ_DIR_H
#define TESTS_FUZZ_DIR_H

#include <unistd.h>

#include "base/file.h"
#include "fuzz.h"

static char fuzz_dir_path[PATH_MAX];

static void remove_fuzz_dir (void)
{
    file_remove_tree (fuzz_dir_path, NULL, NULL);
}

/* In memory where that can be: a target syncs its files thousands of times. */
static inline const char *fuzz_dir_parent (void)
{
    const char *parent = getenv ("TMPDIR");

    if (access ("/dev/shm", W_OK | X_OK) == 0)
        return "/dev/shm";
    return parent && parent[0] ? parent : "/tmp";
}

/* Made at the first call, removed with all that is in it when the program
 * ends.
 */
static inline const char *fuzz_dir (void)
{
    if (fuzz_dir_path[0])
        return fuzz_dir_path;
    snprintf (fuzz_dir_path, sizeof (fuzz_dir_path), "%s/fanfold-fuzz-XXXXXX",
              fuzz_dir_parent ());
    must_hold (mkdtemp (fuzz_dir_path) != NULL, "there is room for files");
    atexit (remove_fuzz_dir);
    return fuzz_dir_path;
}

/* Make DIR/'name' a file of these bytes. */
static inline void fuzz_file (const char *name, const void *bytes, size_t len)
{
    char *path = path_join (fuzz_dir (), name);
    FILE *f = fopen (path, "w");

    must_hold (f && fwrite (bytes, 1, len, f) == len && fclose (f) == 0,
               "a file can be written");
    free (path);
}

#endif /* !TESTS_FUZZ_DIR_H */
