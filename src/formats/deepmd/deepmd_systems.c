/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_systems.c - which systems a directory of DeePMD data holds */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "formats/deepmd/deepmd_systems.h"
#include "formats/deepmd/deepmd_types.h"
#include "formats/npy/npy.h"

enum { LEVELS_MAX = 16 }; /* of directories above a system */

/* A directory on the way to the one at hand. */
struct level {
    const struct level *above; /* NULL: it is the first */
    int n_above;
    dev_t device;
    ino_t inode;
};

/* Is it a directory, and none that it is in itself, as a link may be? */
static bool goes_down (const char *path, const struct level *above,
                       struct level *level)
{
    struct stat st;

    if (stat (path, &st) < 0 || !S_ISDIR (st.st_mode))
        return false;
    for (const struct level *l = above; l; l = l->above) {
        if (l->device == st.st_dev && l->inode == st.st_ino)
            return false;
    }
    *level = (struct level){ above, above ? above->n_above + 1 : 0, st.st_dev,
                             st.st_ino };
    return true;
}

static int find_below (const char *dir, const struct level *level, size_t max,
                       struct strvec *systems, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_free_ char *types = path_join (dir, "type.raw");
    int rc = 0;

    if (file_exists (types))
        strvec_push (systems, dir);
    else if (!level || level->n_above < LEVELS_MAX)
        rc = file_list_dir (dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n && (max == 0 || systems->n < max);
         i++) {
        _cleanup_free_ char *path = path_join (dir, names.v[i]);

        struct level below;

        if (goes_down (path, level, &below))
            rc = find_below (path, &below, max, systems, err);
    }
    return rc;
}

int deepmd_systems_find (const char *dir, size_t max, struct strvec *systems,
                         struct error *err)
{
    struct level top;

    return find_below (dir, goes_down (dir, NULL, &top) ? &top : NULL, max,
                       systems, err);
}

bool deepmd_has_system (const char *dir)
{
    _cleanup_ (strvec_release) struct strvec systems = STRVEC_INIT;
    bool has;

    deepmd_systems_find (dir, 1, &systems, NULL);
    has = systems.n > 0;
    return has;
}

enum deepmd_form deepmd_system_form (const char *dir)
{
    enum deepmd_form form = DEEPMD_FORM_NO_SETS;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n && form == DEEPMD_FORM_NO_SETS; i++) {
        _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

        strbuf_addf (&path, "%s/%s/real_atom_types.npy", dir, names.v[i]);
        if (strncmp (names.v[i], "set.", strlen ("set.")) == 0)
            form = file_exists (path.buf) ? DEEPMD_FORM_MIXED : DEEPMD_FORM_NPY;
    }
    return form;
}

int deepmd_system_count (const char *dir, uint64_t *n_frames, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    struct npy_header header;
    uint64_t n = 0;
    int rc = file_list_dir (dir, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

        strbuf_addf (&path, "%s/%s/coord.npy", dir, names.v[i]);
        if (strncmp (names.v[i], "set.", strlen ("set.")) == 0) {
            rc = npy_check_file (path.buf, &header, err);
            n += rc == 0 && header.n_dims > 0 ? header.shape[0] : 0;
        }
    }
    strvec_release (&names);
    if (rc == 0)
        *n_frames = n;
    return rc;
}

/* --- types --- */

static int check_names (const struct deepmd_types *types, const char *dir,
                        char *const *elements, size_t n_elements,
                        struct error *err)
{
    for (size_t i = 0; i < types->n_atoms; i++) {
        if (words_index (elements, n_elements, types->symbols[i]) == n_elements)
            return error_set (err,
                              "%s: atom %zu is '%s', which is none of the "
                              "elements",
                              dir, i + 1, types->symbols[i]);
    }
    return 0;
}

static int check_numbers (const struct deepmd_types *types, const char *dir,
                          size_t n_elements, struct error *err)
{
    for (size_t i = 0; i < types->n_atoms; i++) {
        if (types->types[i] > (double)n_elements)
            return error_set (err,
                              "%s: atom %zu has type %g, and there are %zu "
                              "elements; name the types in type_map.raw",
                              dir, i + 1, types->types[i] - 1, n_elements);
    }
    return 0;
}

int deepmd_system_check_types (const char *dir, char *const *elements,
                               size_t n_elements, struct error *err)
{
    _cleanup_ (deepmd_types_release) struct deepmd_types types = { 0 };
    int rc = deepmd_types_read_system (&types, dir, err);

    if (rc == 0 && types.symbols)
        rc = check_names (&types, dir, elements, n_elements, err);
    else if (rc == 0)
        rc = check_numbers (&types, dir, n_elements, err);
    return rc;
}
