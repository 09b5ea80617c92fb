/* SPDX-License-Identifier: BSD-3-Clause */
/* data_files.c - `data:`, the files and directories of labelled frames */
#include "base/base.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/file_glob.h"
#include "base/hash.h"
#include "base/json.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "formats/deepmd/deepmd_systems.h"
#include "signature/value.h"
#include "space/layout.h"

/* One list being read. */
struct listing {
    struct plan *plan;
    const char *dir;
    const char *name;     /* "data.initial" */
    struct json *sources; /* as the campaign names them */
    struct strvec paths;  /* what stages read */
};

static const struct type frames_type = { .kind = TYPE_FRAMES };

static bool is_dir (const char *dir, const char *name)
{
    _cleanup_free_ char *path = path_join (dir, name);
    struct stat st;

    return stat (path, &st) == 0 && S_ISDIR (st.st_mode);
}

static bool is_there (const char *dir, const char *name)
{
    _cleanup_free_ char *path = path_join (dir, name);

    return file_exists (path);
}

/* Where a directory's frames are put: one name for one path. */
static const char *imported_path (struct arena *arena, const char *path)
{
    return arena_printf (arena, "%s/%08x.extxyz", LAYOUT_IMPORTED_DIR,
                         (unsigned)hash_string (0, path));
}

static void take_import (struct listing *l, const char *from, const char *to)
{
    struct plan *plan = l->plan;
    struct data_import *more =
        arena_array (plan->arena, plan->n_imports + 1, sizeof (*more));

    if (plan->n_imports > 0)
        memcpy (more, plan->imports, plan->n_imports * sizeof (*more));
    more[plan->n_imports++] =
        (struct data_import){ arena_strdup (plan->arena, from), to };
    plan->imports = more;
    strvec_push (&l->paths, to);
}

/* A directory may be gone, whose frames were taken before. */
static void take_path (struct listing *l, const char *path)
{
    const char *to = imported_path (l->plan->arena, path);

    json_push (l->sources, json_string (path));
    if (is_dir (l->dir, path)
        || (!is_there (l->dir, path) && is_there (l->dir, to)))
        take_import (l, path, to);
    else
        strvec_push (&l->paths, path);
}

static int check_dir (const struct listing *l, const char *path,
                      struct error *err)
{
    _cleanup_free_ char *dir = path_join (l->dir, path);
    bool good = deepmd_has_system (dir);

    return good ? 0
                : error_set (err,
                             "'%s' has no type.raw, nor has a directory "
                             "in it",
                             path);
}

/* A directory, or what a pattern found. */
static void check_and_take (struct listing *l, const struct yaml_node *node,
                            const char *path)
{
    _cleanup_json_ struct json *v = json_string (path);
    struct error err = ERROR_INIT;
    int rc =
        is_dir (l->dir, path)
            ? check_dir (l, path, &err)
            : value_check (&frames_type, v, VALUE_ON_DISK, l->dir, NULL, &err);

    if (rc == 0)
        take_path (l, path);
    else
        field_problem (node,
                       "%s: %s; name extended XYZ files or directories of "
                       "DeePMD data",
                       l->name, err.text);
}

static void take_item (struct listing *l, const struct yaml_node *node)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    struct error err = ERROR_INIT;
    const char *text;
    struct json *v;

    if (field_text (node, &text) < 0)
        return;
    if (field_reader_of (node)->recorded) {
        take_path (l, text);
    } else if (is_dir (l->dir, text)) {
        check_and_take (l, node, text);
    } else if (!path_is_pattern (text) || is_there (l->dir, text)) {
        v = literal_read (node, &frames_type, literal_flags (node), l->name);
        if (v)
            take_path (l, text);
        json_unref (v);
    } else if (file_glob (l->dir, text, &found, &err) < 0) {
        field_problem (node, "%s: %s", l->name, err.text);
    }
    for (size_t i = 0; i < found.n; i++)
        check_and_take (l, node, found.v[i]);
}

static const char *const *keep_paths (struct arena *arena,
                                      const struct strvec *paths)
{
    const char **list = arena_array (arena, paths->n + 1, sizeof (*list));

    for (size_t i = 0; i < paths->n; i++)
        list[i] = arena_strdup (arena, paths->v[i]);
    return list;
}

static void read_list (const struct yaml_node *node, struct plan *plan,
                       const char *const **member)
{
    struct listing l = {
        .plan = plan,
        .dir = field_reader_of (node)->dir,
        .name = arena_printf (plan->arena, "data.%s", yaml_name (node)),
        .sources = json_array (),
        .paths = STRVEC_INIT,
    };

    if (field_list (node) == 0) {
        for (size_t i = 0; i < node->n; i++)
            take_item (&l, node->items[i]);
        *member = keep_paths (plan->arena, &l.paths);
    }
    json_set (plan->data, yaml_name (node), l.sources);
    strvec_release (&l.paths);
}

static void read_initial (const struct yaml_node *node, void *plan)
{
    read_list (node, plan, &((struct plan *)plan)->initial);
}

static void read_held_out (const struct yaml_node *node, void *plan)
{
    read_list (node, plan, &((struct plan *)plan)->held_out);
}

/* --- what is in both lists --- */

/* The same file or directory, or a copy of the file. */
static bool are_same (const char *a, const char *b)
{
    char of_a[DIGEST_HEX_SIZE], of_b[DIGEST_HEX_SIZE];
    struct stat st_a, st_b;

    if (stat (a, &st_a) < 0 || stat (b, &st_b) < 0)
        return false;
    if (st_a.st_dev == st_b.st_dev && st_a.st_ino == st_b.st_ino)
        return true;
    return S_ISREG (st_a.st_mode) && S_ISREG (st_b.st_mode)
           && st_a.st_size == st_b.st_size
           && digest_tree (a, of_a, NULL, NULL, NULL) == 0
           && digest_tree (b, of_b, NULL, NULL, NULL) == 0
           && strcmp (of_a, of_b) == 0;
}

/* Held-out frames are never trained on. */
static void check_held_out (const struct yaml_node *node,
                            const struct plan *plan, const char *held_out)
{
    const struct json *initial = json_get (plan->data, "initial");
    _cleanup_free_ char *path = path_join (plan->dir, held_out);

    for (size_t i = 0; i < json_count (initial); i++) {
        const char *other = json_as_string (json_at (initial, i));
        char *to = path_join (plan->dir, other);
        bool same = are_same (path, to);

        free (to);
        if (!same)
            continue;
        field_problem (node,
                       "data.held_out: '%s' has the frames of '%s' of initial, "
                       "so a model is judged by what it was trained on; keep "
                       "them in one of the two",
                       held_out, other);
        break;
    }
}

static void check_both (const struct yaml_node *data, const struct plan *plan)
{
    const struct yaml_node *node = field_find (data, "held_out");
    const struct json *held_out = json_get (plan->data, "held_out");

    for (size_t i = 0; i < json_count (held_out); i++)
        check_held_out (node, plan, json_as_string (json_at (held_out, i)));
}

/* --- what resets kept --- */

/* All that is below kept/<name>. */
static void add_kept (struct plan *plan, const char *name, struct strvec *paths)
{
    _cleanup_free_ char *dir =
        xasprintf ("%s/" LAYOUT_KEPT_DIR "/%s", plan->dir, name);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (dir, &names, NULL);
    strvec_sort (&names);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *path = xasprintf (
            LAYOUT_KEPT_DIR "/%s/%s/" LAYOUT_DATASET_FILE, name, names.v[i]);

        if (is_there (plan->dir, path))
            strvec_push (paths, path);
    }
    if (atoi (name) > plan->kept)
        plan->kept = atoi (name);
}

static struct json *sources_of (struct plan *plan)
{
    struct json *sources;

    if (!plan->data)
        plan->data = json_object ();
    if (!(sources = json_get (plan->data, "initial"))) {
        sources = json_array ();
        json_set (plan->data, "initial", sources);
    }
    return sources;
}

void data_files_add_kept (const struct yaml_node *root, struct plan *plan)
{
    _cleanup_free_ char *dir = path_join (plan->dir, LAYOUT_KEPT_DIR);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    size_t n;

    if (!field_reader_of (root)->recorded)
        file_list_dir (dir, &names, NULL);
    strvec_sort (&names);
    for (size_t i = 0; plan->initial && plan->initial[i]; i++)
        strvec_push (&paths, plan->initial[i]);
    n = paths.n;
    for (size_t i = 0; i < names.n; i++) {
        if (strspn (names.v[i], "0123456789") == strlen (names.v[i]))
            add_kept (plan, names.v[i], &paths);
    }
    for (size_t i = n; i < paths.n; i++)
        json_push (sources_of (plan), json_string (paths.v[i]));
    if (paths.n > n)
        plan->initial = keep_paths (plan->arena, &paths);
}

void data_files_read (const struct yaml_node *node, void *plan)
{
    static const struct field fields[] = {
        FIELD_BY_RECORD ("initial", read_initial),
        FIELD_BY_RECORD ("held_out", read_held_out),
        FIELDS_END,
    };

    ((struct plan *)plan)->data = json_object ();
    field_record (node, yaml_name (node), fields, plan);
    if (!field_reader_of (node)->recorded)
        check_both (node, plan);
}
