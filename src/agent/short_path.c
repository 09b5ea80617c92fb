/* SPDX-License-Identifier: BSD-3-Clause */
/* short_path.c - a short name for the directory in which tasks work */
#include "base/base.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/short_path.h"
#include "base/file.h"
#include "base/hash.h"

/* What programs append to TMPDIR for a socket, with a task's number: 34 bytes
 * of torch_shm_manager, some 60 of Open MPI's session directories.
 */
enum {
    APPENDED_BYTES = 64,
    LONGEST_BYTES =
        sizeof (((struct sockaddr_un *)NULL)->sun_path) - APPENDED_BYTES
};

/* Only of this user may there be links that its programs follow. */
static bool is_private_dir (const char *path)
{
    struct stat st;

    return (mkdir (path, 0700) == 0 || errno == EEXIST)
           && lstat (path, &st) == 0 && S_ISDIR (st.st_mode)
           && st.st_uid == geteuid () && (st.st_mode & 077) == 0;
}

static void remove_dangling (const char *path)
{
    DIR *dir = opendir (path);
    struct dirent *entry;
    struct stat st;

    while (dir && (entry = readdir (dir)) != NULL) {
        if (entry->d_name[0] != '.'
            && fstatat (dirfd (dir), entry->d_name, &st, 0) < 0
            && errno == ENOENT)
            unlinkat (dirfd (dir), entry->d_name, 0);
    }
    if (dir)
        closedir (dir);
}

static bool leads_to (const char *path, const char *dir)
{
    char target[PATH_MAX];
    ssize_t n = readlink (path, target, sizeof (target));

    return n >= 0 && (size_t)n == strlen (dir)
           && memcmp (target, dir, (size_t)n) == 0;
}

char *short_path_make (const char *dir)
{
    _cleanup_free_ char *base = NULL;
    char *path = NULL;

    if (strlen (dir) <= LONGEST_BYTES)
        return NULL;
    base = xasprintf ("/tmp/fanfold-%u", (unsigned)geteuid ());
    if (is_private_dir (base) && file_make_dirs (dir, NULL) == 0) {
        remove_dangling (base);
        path = xasprintf ("%s/%016" PRIx64, base, hash_string (0, dir));
        if (symlink (dir, path) < 0 && !leads_to (path, dir)) {
            free (path);
            path = NULL;
        }
    }
    return path;
}

void short_path_remove (char *path)
{
    if (path)
        unlink (path);
    free (path);
}
