/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - a model of DeePMD-kit, as programs that load it name it */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "operators/deepmd/model.h"

/* By which DeePMD-kit tells the backend (get_backend). */
static const char *const model_endings[] = {
    ".pb", ".pth", ".pt2", ".savedmodel", ".savedmodeltf", ".json", ".pdmodel"
};

bool deepmd_is_model (const char *path)
{
    const char *dot = strrchr (path_base (path), '.');

    for (size_t i = 0; dot && i < ARRAY_SIZE (model_endings); i++) {
        if (strcmp (dot, model_endings[i]) == 0)
            return true;
    }
    return false;
}

char *deepmd_only_file (const char *dir, const char *preferred,
                        deepmd_file_test *is_wanted, const char *arg, size_t *n)
{
    struct strvec names = STRVEC_INIT;
    char *found = NULL;
    bool is_preferred = false;

    *n = 0;
    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n && !is_preferred; i++) {
        if (!is_wanted (dir, names.v[i], arg))
            continue;
        ++*n;
        is_preferred = preferred && strcmp (names.v[i], preferred) == 0;
        if (*n == 1 || is_preferred) {
            free (found);
            found = xstrdup (names.v[i]);
        }
    }
    strvec_release (&names);
    if (*n > 1 && !is_preferred) {
        free (found);
        found = NULL;
    }
    return found;
}

/* Paddle has a model in two files.  Other files in JSON are none: input.json
 * lies beside many a model.
 */
static bool is_paddle (const char *path)
{
    const char *dot = strrchr (path_base (path), '.');

    return dot && strcmp (dot, ".json") == 0;
}

static bool is_model_in (const char *dir, const char *name, const char *arg)
{
    const char *dot = strrchr (name, '.');
    _cleanup_free_ char *path =
        xasprintf ("%s/%.*s.pdiparams", dir, dot ? (int)(dot - name) : 0, name);
    bool is_model =
        deepmd_is_model (name) && (!is_paddle (name) || file_exists (path));

    (void)arg;
    return is_model;
}

/* The one model in directory 'path'; caller frees. */
static char *model_within (const char *path, struct error *err)
{
    size_t n;
    char *model = deepmd_only_file (path, NULL, is_model_in, NULL, &n);

    if (!model)
        error_set (err,
                   "'%s' has %s model (a file that ends in .pb, .pth, .pt2 and "
                   "the like, or .json with a .pdiparams); %s",
                   path, n == 0 ? "no" : "more than one",
                   n == 0 ? "name another directory" : "name the file itself");
    return model;
}

char *deepmd_find_model (const char *path, const char *link, struct error *err)
{
    char *within, *model = NULL;
    struct stat st;

    if (is_paddle (path)) {
        error_set (err,
                   "'%s' is one of two files that are the model; name the "
                   "directory that has it and its .pdiparams",
                   path);
        return NULL;
    }
    if (deepmd_is_model (path))
        return xstrdup (link);
    if (stat (path, &st) < 0)
        error_errno (err, "cannot look at '%s'", path);
    else if (!S_ISDIR (st.st_mode))
        error_set (err,
                   "'%s' is no model: DeePMD-kit tells the backend by the "
                   "ending, .pb, .pth, .pt2, .savedmodel or .pdmodel",
                   path);
    else if ((within = model_within (path, err))) {
        model = path_join (link, within);
        free (within);
    }
    return model;
}
