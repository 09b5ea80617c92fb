/* SPDX-License-Identifier: BSD-3-Clause */
/* train_systems.c - the systems of the data sets that a model is trained on */
#include "base/base.h"

#include "formats/deepmd/deepmd_systems.h"
#include "operators/deepmd/train_input.h"

/* How to make of them what dp reads. */
static int refuse_form (const char *path, const char *what,
                        const struct strvec *elements, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf order = STRBUF_INIT;

    for (size_t i = 0; i < elements->n; i++)
        strbuf_addf (&order, "%s%s", i > 0 ? "," : "", elements->v[i]);
    error_set (err,
               "'%s' %s; run `fanfold convert IN DIR --for deepmd --elements "
               "%s` with it, and name DIR",
               path, what, order.buf ? order.buf : "A,B");
    return -1;
}

int deepmd_systems_refuse_mixed (const struct deepmd_systems *systems,
                                 const struct strvec *elements,
                                 struct error *err)
{
    return systems->mixed
               ? refuse_form (systems->paths.v[0],
                              "is of the mixed form, and datasets are written "
                              "in the npy form: dp reads no two forms together",
                              elements, err)
               : 0;
}

/* One that dp reads, and of the form that those before have. */
static int check_form (struct deepmd_systems *systems, const char *path,
                       const struct strvec *elements, struct error *err)
{
    enum deepmd_form form = deepmd_system_form (path);

    if (form == DEEPMD_FORM_NO_SETS)
        return refuse_form (path, "has no set.*, and dp reads no other form",
                            elements, err);
    systems->mixed = systems->mixed || form == DEEPMD_FORM_MIXED;
    systems->plain = systems->plain || form == DEEPMD_FORM_NPY;
    if (!systems->mixed || !systems->plain)
        return 0;
    return refuse_form (path,
                        form == DEEPMD_FORM_MIXED
                            ? "is of the mixed form, and others are not: dp "
                              "reads no two forms together"
                            : "is of the npy form, and others are mixed: dp "
                              "reads no two forms together; the mixed are to "
                              "be converted",
                        elements, err);
}

int deepmd_systems_add (struct deepmd_systems *systems, const char *dir,
                        const struct strvec *elements, struct error *err)
{
    size_t before = systems->paths.n, n = systems->n_sets;
    uint64_t frames = 0;

    if (deepmd_systems_find (dir, 0, &systems->paths, err) < 0)
        return -1;
    if (systems->paths.n == before)
        return error_set (
            err, "'%s' has no type.raw, nor has a directory in it", dir);
    for (size_t i = before; i < systems->paths.n; i++) {
        const char *path = systems->paths.v[i];
        uint64_t of_system;

        if ((elements->n > 0
             && deepmd_system_check_types (path, elements->v, elements->n, err)
                    < 0)
            || check_form (systems, path, elements, err) < 0
            || deepmd_system_count (path, &of_system, err) < 0)
            return -1;
        frames += of_system;
    }
    systems->n_of_set =
        xreallocarray (systems->n_of_set, n + 1, sizeof (size_t));
    systems->frames_of_set =
        xreallocarray (systems->frames_of_set, n + 1, sizeof (uint64_t));
    systems->n_of_set[n] = systems->paths.n - before;
    systems->frames_of_set[n] = frames;
    systems->n_sets++;
    return 0;
}

uint64_t deepmd_systems_frames (const struct deepmd_systems *systems)
{
    uint64_t n = 0;

    for (size_t i = 0; i < systems->n_sets; i++)
        n += systems->frames_of_set[i];
    return n;
}

void deepmd_systems_release (struct deepmd_systems *systems)
{
    strvec_release (&systems->paths);
    free (systems->n_of_set);
    free (systems->frames_of_set);
    *systems = (struct deepmd_systems)DEEPMD_SYSTEMS_INIT;
}
