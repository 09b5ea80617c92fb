/* SPDX-License-Identifier: BSD-3-Clause */
/* temp_dir.h - a directory of its own for a test that needs files
 *
 *     char *dir = temp_dir_make ();
 *
 *     ... files by names below it ...
 *     temp_dir_remove (dir);
 *
 * or, for what is done in the working directory:
 *
 *     struct temp_dir dir;
 *
 *     temp_dir_enter (&dir);
 *     ... files by relative names ...
 *     temp_dir_leave (&dir);
 */
#ifndef TESTS_TEMP_DIR_H
#define TESTS_TEMP_DIR_H

#include <unistd.h>

#include "base/file.h"

struct temp_dir {
    char before[PATH_MAX];
    char *path;
};

/* Make an empty directory; its path, which the caller gives to temp_dir_remove.
 */
static inline char *temp_dir_make (void)
{
    const char *parent = getenv ("TMPDIR");
    char *path = xasprintf ("%s/fanfold-test-XXXXXX",
                            parent && parent[0] ? parent : "/tmp");

    assert_non_null (mkdtemp (path));
    return path;
}

/* Remove it with all that is in it. */
static inline void temp_dir_remove (char *path)
{
    assert_int_equal (file_remove_tree (path, NULL, NULL), 0);
    free (path);
}

/* The same around a test of cmocka, whose state is the path. */
static inline int temp_dir_setup (void **state)
{
    *state = temp_dir_make ();
    return 0;
}

static inline int temp_dir_teardown (void **state)
{
    temp_dir_remove (*state);
    return 0;
}

/* Make 'name' below it a file of this text. */
static inline void temp_dir_put (const char *dir, const char *name,
                                 const char *text)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

/* Make an empty directory and go there. */
static inline void temp_dir_enter (struct temp_dir *dir)
{
    assert_non_null (getcwd (dir->before, sizeof (dir->before)));
    dir->path = temp_dir_make ();
    assert_int_equal (chdir (dir->path), 0);
}

/* Go back and remove it with all that is in it. */
static inline void temp_dir_leave (struct temp_dir *dir)
{
    assert_int_equal (chdir (dir->before), 0);
    temp_dir_remove (dir->path);
}

/* Make 'path' a file of this text. */
static inline void write_text (const char *path, const char *text)
{
    FILE *f = fopen (path, "w");

    assert_non_null (f);
    assert_true (fputs (text, f) >= 0);
    assert_int_equal (fclose (f), 0);
}

/* Assert that 'path' is a file of this text. */
static inline void assert_file_text (const char *path, const char *text)
{
    struct strbuf found = STRBUF_INIT;
    struct error err = ERROR_INIT;

    if (file_read (path, 1 << 20, &found, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (found.buf, text);
    strbuf_release (&found);
}

#endif /* !TESTS_TEMP_DIR_H */
