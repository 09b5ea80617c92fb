/* SPDX-License-Identifier: BSD-3-Clause */
/* store_scene.h - a working directory with a store 's' */
#ifndef TESTS_STORE_SCENE_H
#define TESTS_STORE_SCENE_H

#include <sys/stat.h>

#include "store/store.h"
#include "temp_dir.h"

/* The working directory, with a store 's'. */
struct scene {
    struct temp_dir dir;
    struct store *store;
};

static inline int enter (void **state)
{
    struct scene *scene = malloc (sizeof (*scene));
    struct error err = ERROR_INIT;

    assert_non_null (scene);
    temp_dir_enter (&scene->dir);
    umask (022);
    scene->store = store_open ("s", &err);
    if (!scene->store)
        fail_msg ("%s", err.text);
    *state = scene;
    return 0;
}

static inline int leave (void **state)
{
    struct scene *scene = *state;

    store_close (scene->store);
    temp_dir_leave (&scene->dir);
    free (scene);
    return 0;
}

static inline struct stat look (const char *path)
{
    struct stat st;

    assert_int_equal (lstat (path, &st), 0);
    return st;
}

static inline enum store_kind kind_of (const char *path)
{
    struct stat st;

    assert_int_equal (stat (path, &st), 0);
    return S_ISDIR (st.st_mode) ? STORE_TREE : STORE_FILE;
}

static inline void put (struct store *store, const char *path,
                        char hex[DIGEST_HEX_SIZE])
{
    char expected[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;

    assert_int_equal (digest_tree (path, expected, NULL, NULL, NULL), 0);
    if (store_put (store, path, hex, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (hex, expected);
    assert_int_equal (store_has (store, kind_of (path), hex, &err), 1);
}

static inline void place (struct store *store, enum store_kind kind,
                          const char *hex, const char *to)
{
    struct error err = ERROR_INIT;

    if (store_place (store, kind, hex, to, &err) != 1)
        fail_msg ("%s", err.text);
}

static inline void make_read_only (const char *path)
{
    assert_int_equal (chmod (path, look (path).st_mode & 07555), 0);
}

/* The one content in the store that has this digest, of any kind.  Caller
 * frees.
 */
static inline char *entry_of (const char *hex)
{
    struct strvec names = STRVEC_INIT;
    char *found = NULL;

    assert_int_equal (file_list_dir ("s/contents", &names, NULL), 0);
    for (size_t i = 0; i < names.n; i++) {
        if (!strstr (names.v[i], hex))
            continue;
        assert_null (found);
        found = xasprintf ("s/contents/%s/content", names.v[i]);
    }
    strvec_release (&names);
    assert_non_null (found);
    return found;
}

static inline void make_tree (const char *path)
{
    char *inner = path_join (path, "inner/deep"), *name;

    assert_int_equal (file_make_dirs (inner, NULL), 0);
    free (inner);
    name = path_join (path, "inner/empty");
    assert_int_equal (file_make_dirs (name, NULL), 0);
    free (name);
    name = path_join (path, "inner/deep/a  b");
    write_text (name, "one");
    free (name);
    name = path_join (path, "\xff\xfe"); /* no UTF-8 */
    write_text (name, "one");
    free (name);
    name = path_join (path, "link");
    assert_int_equal (symlink ("inner/deep/a  b", name), 0);
    free (name);
}

#define TEST(name) cmocka_unit_test_setup_teardown (name, enter, leave)

#endif /* !TESTS_STORE_SCENE_H */
