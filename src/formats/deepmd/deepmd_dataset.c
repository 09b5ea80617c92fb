/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_dataset.c - DeePMD-kit's npy systems */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/deepmd/deepmd_dataset.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/npy/npy.h"

/* One array of a system, frame after frame. */
struct array {
    double *v;
    size_t n;
    size_t alloc;
};

enum { BOX, COORD, ENERGY, FORCE, VIRIAL, ARRAYS };

struct system {
    char *name;
    int *types;
    size_t n_atoms;
    size_t n_frames;
    bool has_virial; /* every frame */
    struct array arrays[ARRAYS];
};

struct dataset {
    char *const *elements;
    size_t n_elements;
    struct system *systems;
    size_t n_systems;
    size_t alloc;
    size_t n_frames;
    const char *source; /* for messages */
    const struct heartbeat *heartbeat;
};

static void append (struct array *array, const double *v, size_t n)
{
    if (array->alloc - array->n < n) {
        array->alloc = 2 * (array->n + n);
        array->v = xreallocarray (array->v, array->alloc, sizeof (*v));
    }
    memcpy (array->v + array->n, v, n * sizeof (*v));
    array->n += n;
}

static bool all_finite (const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite (v[i]))
            return false;
    }
    return true;
}

/* May the frame be training data?  Errors are without its number. */
static int check_frame (const struct frame *frame, struct error *err)
{
    size_t n = 3 * frame->n_atoms;

    if (frame->n_atoms == 0)
        return error_set (err, "no atoms");
    if (!frame->has_energy || !frame->forces)
        return error_set (err, "no %s",
                          frame->has_energy ? "forces" : "energy");
    if (!frame->periodic[0] || !frame->periodic[1] || !frame->periodic[2])
        return error_set (err, "not periodic in all directions");
    if (!isfinite (frame->energy) || !all_finite (frame->cell, 9)
        || !all_finite (frame->positions, n) || !all_finite (frame->forces, n)
        || (frame->has_virial && !all_finite (frame->virial, 9)))
        return error_set (err, "a number is not finite");
    return 0;
}

/* The types of the frame's atoms; NULL with 'err'.  Caller frees. */
static int *frame_types (const struct dataset *dataset,
                         const struct frame *frame, struct error *err)
{
    int *types = xcalloc (frame->n_atoms, sizeof (*types));

    for (size_t i = 0; i < frame->n_atoms; i++) {
        size_t type = words_index (dataset->elements, dataset->n_elements,
                                   frame->symbols[i]);

        if (type == dataset->n_elements) {
            error_set (err, "'%s' is not among the elements",
                       frame->symbols[i]);
            free (types);
            return NULL;
        }
        types[i] = (int)type;
    }
    return types;
}

/* "Si8", "H2O1" (elements in the order of the type map). */
static char *formula (const struct dataset *dataset, const int *types,
                      size_t n_atoms)
{
    struct strbuf name = STRBUF_INIT;

    for (size_t type = 0; type < dataset->n_elements; type++) {
        size_t n = 0;

        for (size_t i = 0; i < n_atoms; i++)
            n += types[i] == (int)type;
        if (n > 0)
            strbuf_addf (&name, "%s%zu", dataset->elements[type], n);
    }
    return strbuf_detach (&name);
}

static struct system *find_system (const struct dataset *dataset,
                                   const int *types, const struct frame *frame)
{
    size_t n_atoms = frame->n_atoms;

    for (size_t i = 0; i < dataset->n_systems; i++) {
        struct system *system = &dataset->systems[i];

        if (system->n_atoms == n_atoms
            && system->has_virial == frame->has_virial
            && memcmp (system->types, types, n_atoms * sizeof (*types)) == 0)
            return system;
    }
    return NULL;
}

/* How many systems have this formula, with whatever suffix. */
static int count_formula (const struct dataset *dataset, const char *name)
{
    size_t len = strlen (name);
    int n = 0;

    for (size_t i = 0; i < dataset->n_systems; i++) {
        const char *other = dataset->systems[i].name;

        n += strncmp (other, name, len) == 0
             && (other[len] == '\0' || other[len] == '-');
    }
    return n;
}

/* Takes over 'types'. */
static struct system *add_system (struct dataset *dataset, int *types,
                                  const struct frame *frame)
{
    char *name = formula (dataset, types, frame->n_atoms);
    int others = count_formula (dataset, name);
    struct system *system;

    dataset->systems = grow_array (dataset->systems, dataset->n_systems,
                                   &dataset->alloc, sizeof (*system));
    system = &dataset->systems[dataset->n_systems++];
    *system = (struct system){ .types = types,
                               .n_atoms = frame->n_atoms,
                               .name = name,
                               .has_virial = frame->has_virial };
    if (others > 0) {
        system->name = xasprintf ("%s-%d", name, others);
        free (name);
    }
    return system;
}

static void add_frame (struct system *system, const struct frame *frame)
{
    append (&system->arrays[BOX], frame->cell, 9);
    append (&system->arrays[COORD], frame->positions, 3 * frame->n_atoms);
    append (&system->arrays[ENERGY], &frame->energy, 1);
    append (&system->arrays[FORCE], frame->forces, 3 * frame->n_atoms);
    append (&system->arrays[VIRIAL], frame->virial, 9);
    system->n_frames++;
}

static int take_frame (const struct frame *frame, void *arg, struct error *err)
{
    struct dataset *dataset = arg;
    struct system *system;
    int *types;

    heartbeat_send (dataset->heartbeat);
    if (check_frame (frame, err) < 0
        || !(types = frame_types (dataset, frame, err)))
        return error_prefix (err, "%s: frame %zu", dataset->source,
                             dataset->n_frames);
    system = find_system (dataset, types, frame);
    if (system)
        free (types);
    else
        system = add_system (dataset, types, frame);
    add_frame (system, frame);
    dataset->n_frames++;
    return 0;
}

static int check_only (const struct frame *frame, void *arg, struct error *err)
{
    struct dataset *dataset = arg;
    int *types = NULL;
    int rc = check_frame (frame, err);

    heartbeat_send (dataset->heartbeat);
    if (rc == 0 && !(types = frame_types (dataset, frame, err)))
        rc = -1;
    free (types);
    if (rc < 0)
        error_prefix (err, "%s: frame %zu", dataset->source, dataset->n_frames);
    dataset->n_frames++;
    return rc;
}

static void dataset_release (struct dataset *dataset)
{
    for (size_t i = 0; i < dataset->n_systems; i++) {
        struct system *system = &dataset->systems[i];

        free (system->name);
        free (system->types);
        for (int array = 0; array < ARRAYS; array++)
            free (system->arrays[array].v);
    }
    free (dataset->systems);
}

/* --- writing --- */

static int write_text (const char *dir, const char *name,
                       const struct strbuf *text, struct error *err)
{
    char *path = path_join (dir, name);
    int rc = file_write_atomic (path, text->buf, text->len, err);

    free (path);
    return rc;
}

static int write_array (const char *dir, const char *name,
                        const struct array *array, size_t n_frames,
                        struct error *err)
{
    struct strbuf bytes = STRBUF_INIT;
    uint64_t shape[2] = { n_frames, array->n / n_frames };
    int rc;

    npy_format_f64 (array->v, shape[1] > 1 ? 2 : 1, shape, &bytes);
    rc = write_text (dir, name, &bytes, err);
    strbuf_release (&bytes);
    return rc;
}

/* The types of the atoms, and what they are called. */
static int write_types (const char *dir, const struct dataset *dataset,
                        const struct system *system, struct error *err)
{
    struct strbuf types = STRBUF_INIT, names = STRBUF_INIT;
    int rc = -1;

    for (size_t i = 0; i < system->n_atoms; i++)
        strbuf_addf (&types, "%d\n", system->types[i]);
    for (size_t i = 0; i < dataset->n_elements; i++)
        strbuf_addf (&names, "%s\n", dataset->elements[i]);
    if (write_text (dir, "type.raw", &types, err) == 0
        && write_text (dir, "type_map.raw", &names, err) == 0)
        rc = 0;
    strbuf_release (&types);
    strbuf_release (&names);
    return rc;
}

static int write_arrays (const char *dir, const struct system *system,
                         struct error *err)
{
    static const char *const names[ARRAYS] = { "box.npy", "coord.npy",
                                               "energy.npy", "force.npy",
                                               "virial.npy" };
    int n = system->has_virial ? ARRAYS : VIRIAL;

    for (int i = 0; i < n; i++) {
        if (write_array (dir, names[i], &system->arrays[i], system->n_frames,
                         err)
            < 0)
            return -1;
    }
    return 0;
}

static int write_system (const struct dataset *dataset,
                         const struct system *system, const char *dir,
                         struct error *err)
{
    char *system_dir = path_join (dir, system->name);
    char *set_dir = path_join (system_dir, "set.000");
    int rc = -1;

    if (file_make_dirs (set_dir, err) == 0
        && write_types (system_dir, dataset, system, err) == 0
        && write_arrays (set_dir, system, err) == 0)
        rc = 0;
    free (set_dir);
    free (system_dir);
    return rc;
}

static int write_dataset (const struct dataset *dataset, const char *dir,
                          struct error *err)
{
    int rc = 0;

    if (mkdir (dir, 0777) < 0)
        return error_errno (err, "cannot create '%s'", dir);
    for (size_t i = 0; rc == 0 && i < dataset->n_systems; i++)
        rc = write_system (dataset, &dataset->systems[i], dir, err);
    if (rc < 0)
        file_remove_tree (dir, NULL, NULL);
    return rc;
}

int deepmd_dataset_write (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const char *dir,
                          const struct heartbeat *heartbeat, struct error *err)
{
    struct dataset dataset = { .elements = elements,
                               .n_elements = n_elements,
                               .source = extxyz_path,
                               .heartbeat = heartbeat };
    int rc = extxyz_read_file (extxyz_path, take_frame, &dataset, err);

    if (rc == 0)
        rc = write_dataset (&dataset, dir, err);
    dataset_release (&dataset);
    return rc;
}

int deepmd_dataset_check (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const struct heartbeat *heartbeat,
                          struct error *err)
{
    struct dataset dataset = { .elements = elements,
                               .n_elements = n_elements,
                               .source = extxyz_path,
                               .heartbeat = heartbeat };

    return extxyz_read_file (extxyz_path, check_only, &dataset, err);
}
