/* SPDX-License-Identifier: BSD-3-Clause */
/* train_systems.c - the systems of the data sets that a model is trained on */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/deepmd/deepmd_systems.h"
#include "operators/deepmd/train_input.h"

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
