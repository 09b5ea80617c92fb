/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - a model of DeePMD-kit, as programs that load it name it */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strvec.h"
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

/* The one model in directory 'path'; caller frees. */
static char *model_within (const char *path, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    char *model = NULL;
    int n = 0;

    if (file_list_dir (path, &names, err) < 0)
        return NULL;
    for (size_t i = 0; i < names.n; i++) {
        if (deepmd_is_model (names.v[i]) && n++ == 0)
            model = xstrdup (names.v[i]);
    }
    strvec_release (&names);
    if (n == 1)
        return model;
    error_set (err,
               "'%s' has %s model (a file that ends in .pb, .pth, .pt2 and the "
               "like); name the file itself",
               path, n == 0 ? "no" : "more than one");
    free (model);
    return NULL;
}

char *deepmd_find_model (const char *path, const char *link, struct error *err)
{
    char *within, *model = NULL;
    struct stat st;

    if (deepmd_is_model (path))
        return xstrdup (link);
    if (stat (path, &st) < 0)
        error_errno (err, "cannot look at '%s'", path);
    else if (!S_ISDIR (st.st_mode))
        error_set (err,
                   "'%s' is no model: DeePMD-kit tells the backend by the "
                   "ending, .pb, .pth, .pt2, .savedmodel, .json or .pdmodel",
                   path);
    else if ((within = model_within (path, err))) {
        model = path_join (link, within);
        free (within);
    }
    return model;
}
