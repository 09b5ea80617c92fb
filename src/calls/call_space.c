/* SPDX-License-Identifier: BSD-3-Clause */
/* call_space.c - the calls of a campaign's functions: calls/NAME/NUMBER */
#include "base/base.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "calls/call_space.h"
#include "engine/history/engine.h"
#include "space/layout.h"

/* None takes so long to make: what is older was left by a command that was
 * killed.
 */
static const double left_s = 3600;

char *call_dir (const char *dir, const char *function, int number)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    char *path;

    layout_call_dir (function, number, &relative);
    path = path_join (dir, relative.buf);
    return path;
}

static char *calls_dir (const char *dir, const char *function)
{
    return xasprintf ("%s/" LAYOUT_CALLS_DIR "/%s", dir, function);
}

/* --- which there are --- */

int calls_list (const char *dir, const char *function, struct strvec *numbers,
                struct error *err)
{
    _cleanup_free_ char *path = calls_dir (dir, function);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_look (path, err);

    if (rc > 0)
        rc = file_list_dir (path, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        if (strlen (names.v[i]) == 6 && strspn (names.v[i], "0123456789") == 6)
            strvec_push (numbers, names.v[i]);
    }
    return rc;
}

int calls_newest (const char *dir, const char *function, int *number,
                  struct error *err)
{
    _cleanup_ (strvec_release) struct strvec numbers = STRVEC_INIT;
    int rc = calls_list (dir, function, &numbers, err);

    if (rc == 0)
        *number = numbers.n > 0 ? atoi (numbers.v[numbers.n - 1]) : -1;
    return rc;
}

/* --- making one --- */

/* Remove what a command that was killed left in 'path'. */
static void remove_left (const char *path)
{
    DIR *dir = opendir (path);
    struct dirent *entry;
    struct stat now, st;

    if (!dir)
        return;
    while (fstat (dirfd (dir), &now) == 0 && (entry = readdir (dir))) {
        _cleanup_free_ char *name = path_join (path, entry->d_name);

        if (strncmp (entry->d_name, FILE_TEMPORARY, strlen (FILE_TEMPORARY))
                == 0
            && lstat (name, &st) == 0
            && difftime (now.st_mtime, st.st_mtime) >= left_s)
            file_remove_tree (name, NULL, NULL);
    }
    closedir (dir);
}

char *call_begin (const char *dir, const char *function, struct error *err)
{
    _cleanup_free_ char *path = calls_dir (dir, function);
    char *made = NULL;
    int rc = file_make_lasting_dirs (path, err);

    if (rc == 0)
        remove_left (path);
    for (int i = 0; rc == 0; i++) {
        made =
            xasprintf ("%s/" FILE_TEMPORARY "%ld-%d", path, (long)getpid (), i);
        if (mkdir (made, 0777) == 0)
            break;
        if (errno != EEXIST)
            rc = error_errno (err, "cannot make '%s'", made);
        free (made);
        made = NULL;
    }
    return made;
}

int call_claim (const char *made, const char *dir, const char *function,
                int number, struct error *err)
{
    _cleanup_free_ char *path = call_dir (dir, function, number);
    _cleanup_free_ char *parent = calls_dir (dir, function);
    int rc = -1;

    if (file_sync_dir (made, err) < 0)
        return -1;
    if (rename (made, path) == 0)
        rc = file_sync_dir (parent, err);
    else if (errno == ENOTEMPTY || errno == EEXIST)
        rc = 1;
    else
        error_errno (err, "cannot rename '%s' to '%s'", made, path);
    return rc;
}

void call_drop (const char *made, const char *dir, const char *function)
{
    _cleanup_free_ char *path = calls_dir (dir, function);
    _cleanup_free_ char *parent = path_join (dir, LAYOUT_CALLS_DIR);

    file_remove_tree (made, NULL, NULL);
    if (rmdir (path) == 0) /* it was empty */
        rmdir (parent);
}

/* --- how they stand --- */

int call_look (const char *dir, const char *function, int number,
               const char *program, struct call_standing *standing,
               struct error *err)
{
    _cleanup_free_ char *path = call_dir (dir, function, number);
    struct engine engine = { 0 };
    int rc = engine_open (&engine, path, program, err);

    if (rc == 0)
        *standing = (struct call_standing){
            .status = engine.state.status,
            .has_begun = engine.state.id != NULL,
            .then_failed = engine.state.then.status == THEN_FAILED,
        };
    engine_close (&engine);
    return rc;
}
