/* SPDX-License-Identifier: BSD-3-Clause */
/* kim_model.c - the potential as a KIM portable model
 *
 * A KIM model is a directory with this file in it, compiled as
 * libkim-api-portable-model.so; its name is the directory's.  Simulators that
 * know KIM run it as it is; in LAMMPS: "pair_style kim NAME" with the
 * directory in the current one or under KIM_API_PORTABLE_MODELS_DIR.  The
 * fitted numbers are read from "linear.model" next to the library, so that all
 * models share these bytes but must not share one inode, or the loader would
 * hand out the first one for all.
 *
 * API: https://kim-api.readthedocs.io/en/v2.3.0/ and the headers themselves.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <KIM_ModelHeaders.h>

#include "linear_model.h"
#include "problem.h"

/* All that a loaded model keeps; read-only once created. */
struct kim_buffer {
    struct linear_model model;
    double cutoff_A;
    int ignores_ghosts; /* asks for no neighbours of non-contributing atoms */
};

/* What the simulator gives and wants in one call; NULL is "not wanted". */
struct kim_arguments {
    int *atom_count;
    int *contributing;
    double *positions;
    double *energy;
    double *atom_energies;
    double *forces;
};

static void buffer_destroy (struct kim_buffer *buffer)
{
    if (!buffer)
        return;
    linear_model_release (&buffer->model);
    free (buffer);
}

static void buffer_announce (struct kim_buffer *buffer, KIM_ModelCreate *create)
{
    KIM_ModelCreate_SetModelBufferPointer (create, buffer);
    KIM_ModelCreate_SetInfluenceDistancePointer (create, &buffer->cutoff_A);
    KIM_ModelCreate_SetNeighborListPointers (create, 1, &buffer->cutoff_A,
                                             &buffer->ignores_ghosts);
}

static int kim_refresh (KIM_ModelRefresh *refresh)
{
    struct kim_buffer *buffer;

    KIM_ModelRefresh_GetModelBufferPointer (refresh, (void **)&buffer);
    KIM_ModelRefresh_SetInfluenceDistancePointer (refresh, &buffer->cutoff_A);
    KIM_ModelRefresh_SetNeighborListPointers (refresh, 1, &buffer->cutoff_A,
                                              &buffer->ignores_ghosts);
    return 0;
}

static int kim_destroy (KIM_ModelDestroy *destroy)
{
    struct kim_buffer *buffer;

    KIM_ModelDestroy_GetModelBufferPointer (destroy, (void **)&buffer);
    buffer_destroy (buffer);
    return 0;
}

static int kim_arguments_create (const KIM_ModelCompute *compute,
                                 KIM_ModelComputeArgumentsCreate *create)
{
    const KIM_ComputeArgumentName names[] = {
        KIM_COMPUTE_ARGUMENT_NAME_partialEnergy,
        KIM_COMPUTE_ARGUMENT_NAME_partialForces,
        KIM_COMPUTE_ARGUMENT_NAME_partialParticleEnergy,
    };

    (void)compute;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (KIM_ModelComputeArgumentsCreate_SetArgumentSupportStatus (
                create, names[i], KIM_SUPPORT_STATUS_optional))
            return 1;
    }
    return 0;
}

static int kim_arguments_destroy (const KIM_ModelCompute *compute,
                                  KIM_ModelComputeArgumentsDestroy *destroy)
{
    (void)compute;
    (void)destroy;
    return 0;
}

static int arguments_get (const KIM_ModelComputeArguments *from,
                          struct kim_arguments *to)
{
    return KIM_ModelComputeArguments_GetArgumentPointerInteger (
               from, KIM_COMPUTE_ARGUMENT_NAME_numberOfParticles,
               &to->atom_count)
           || KIM_ModelComputeArguments_GetArgumentPointerInteger (
               from, KIM_COMPUTE_ARGUMENT_NAME_particleContributing,
               &to->contributing)
           || KIM_ModelComputeArguments_GetArgumentPointerDouble (
               from, KIM_COMPUTE_ARGUMENT_NAME_coordinates, &to->positions)
           || KIM_ModelComputeArguments_GetArgumentPointerDouble (
               from, KIM_COMPUTE_ARGUMENT_NAME_partialEnergy, &to->energy)
           || KIM_ModelComputeArguments_GetArgumentPointerDouble (
               from, KIM_COMPUTE_ARGUMENT_NAME_partialParticleEnergy,
               &to->atom_energies)
           || KIM_ModelComputeArguments_GetArgumentPointerDouble (
               from, KIM_COMPUTE_ARGUMENT_NAME_partialForces, &to->forces);
}

static void results_clear (const struct kim_arguments *arguments)
{
    size_t count = (size_t)*arguments->atom_count;

    if (arguments->energy)
        *arguments->energy = 0;
    if (arguments->atom_energies)
        memset (arguments->atom_energies, 0, count * sizeof (double));
    if (arguments->forces)
        memset (arguments->forces, 0, 3 * count * sizeof (double));
}

/* Keep what is within the cutoff of atom i: the simulator's list has a skin.
 * Two atoms in one place have no direction between them; that is an error.
 */
static int gather (const KIM_ModelComputeArguments *list,
                   const double *positions, int i, double cutoff_A,
                   struct neighbourhood *around)
{
    const int *neighbours;
    int count;

    around->count = 0;
    if (KIM_ModelComputeArguments_GetNeighborList (list, 0, i, &count,
                                                   &neighbours))
        return -1;
    for (int k = 0; k < count; k++) {
        int j = neighbours[k];
        double vector[3], squared = 0;

        for (int axis = 0; axis < 3; axis++) {
            vector[axis] = positions[3 * j + axis] - positions[3 * i + axis];
            squared += vector[axis] * vector[axis];
        }
        if (!(squared < cutoff_A * cutoff_A))
            continue;
        if (squared <= 0 || neighbourhood_add (around, (size_t)j, vector) < 0)
            return -1;
    }
    return 0;
}

static void scatter (const struct neighbourhood *around, int i, double *forces)
{
    double *mine = forces + 3 * i;

    for (size_t b = 0; b < around->count; b++) {
        const struct bond *bond = &around->bonds[b];
        double *other = forces + 3 * bond->atom;

        for (int axis = 0; axis < 3; axis++) {
            mine[axis] += bond->gradient[axis];
            other[axis] -= bond->gradient[axis];
        }
    }
}

static int kim_compute (const KIM_ModelCompute *compute,
                        const KIM_ModelComputeArguments *given)
{
    struct neighbourhood around = NEIGHBOURHOOD_INIT;
    struct kim_arguments arguments;
    struct kim_buffer *buffer;
    int rc = 1;

    KIM_ModelCompute_GetModelBufferPointer (compute, (void **)&buffer);
    if (arguments_get (given, &arguments))
        return 1;
    results_clear (&arguments);
    for (int i = 0; i < *arguments.atom_count; i++) {
        double energy;

        if (!arguments.contributing[i])
            continue;
        if (gather (given, arguments.positions, i, buffer->cutoff_A, &around)
            < 0)
            goto done;
        energy = descriptor_energy (&buffer->model.descriptor,
                                    buffer->model.coefficients, &around);
        if (arguments.energy)
            *arguments.energy += energy;
        if (arguments.atom_energies)
            arguments.atom_energies[i] = energy;
        if (arguments.forces)
            scatter (&around, i, arguments.forces);
    }
    rc = 0;
done:
    neighbourhood_release (&around);
    return rc;
}

static int routines_set (KIM_ModelCreate *create)
{
    const struct {
        KIM_ModelRoutineName name;
        KIM_Function *routine;
    } routines[] = {
        { KIM_MODEL_ROUTINE_NAME_Compute, (KIM_Function *)kim_compute },
        { KIM_MODEL_ROUTINE_NAME_ComputeArgumentsCreate,
          (KIM_Function *)kim_arguments_create },
        { KIM_MODEL_ROUTINE_NAME_ComputeArgumentsDestroy,
          (KIM_Function *)kim_arguments_destroy },
        { KIM_MODEL_ROUTINE_NAME_Refresh, (KIM_Function *)kim_refresh },
        { KIM_MODEL_ROUTINE_NAME_Destroy, (KIM_Function *)kim_destroy },
    };

    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++) {
        if (KIM_ModelCreate_SetRoutinePointer (create, routines[i].name,
                                               KIM_LANGUAGE_NAME_c, 1,
                                               routines[i].routine))
            return 1;
    }
    return 0;
}

/* The coefficients are published because a model that can be refreshed must
 * publish at least one parameter.
 */
static int model_declare (struct kim_buffer *buffer, KIM_ModelCreate *create)
{
    struct linear_model *model = &buffer->model;

    return KIM_ModelCreate_SetUnits (create, KIM_LENGTH_UNIT_A,
                                     KIM_ENERGY_UNIT_eV, KIM_CHARGE_UNIT_unused,
                                     KIM_TEMPERATURE_UNIT_unused,
                                     KIM_TIME_UNIT_unused)
           || KIM_ModelCreate_SetModelNumbering (create,
                                                 KIM_NUMBERING_zeroBased)
           || KIM_ModelCreate_SetSpeciesCode (
               create, KIM_SpeciesName_FromString (model->species), 0)
           || KIM_ModelCreate_SetParameterPointerDouble (
               create, (int)model->descriptor.feature_count,
               model->coefficients, "coefficients", "linear coefficients, eV")
           || routines_set (create);
}

/* The path of "linear.model" next to this library; the caller frees it. */
static char *model_path (void)
{
    static const char anchor; /* an address in this library and no other */
    const char *slash;
    Dl_info info;
    char *path;

    if (!dladdr (&anchor, &info) || !info.dli_fname)
        return NULL;
    slash = strrchr (info.dli_fname, '/');
    if (asprintf (&path, "%.*s" LINEAR_MODEL_FILE,
                  slash ? (int)(slash + 1 - info.dli_fname) : 0, info.dli_fname)
        < 0)
        return NULL;
    return path;
}

static int kim_create (KIM_ModelCreate *create, KIM_LengthUnit length,
                       KIM_EnergyUnit energy, KIM_ChargeUnit charge,
                       KIM_TemperatureUnit temperature, KIM_TimeUnit time)
{
    struct problem problem = { "out of memory" };
    struct kim_buffer *buffer = calloc (1, sizeof *buffer);
    char *path = model_path ();
    int rc = 1;

    (void)length; /* what the simulator asks for; it checks our answer */
    (void)energy;
    (void)charge;
    (void)temperature;
    (void)time;
    if (!buffer || !path
        || linear_model_read (&buffer->model, path, &problem) < 0) {
        KIM_ModelCreate_LogEntry (create, KIM_LOG_VERBOSITY_error, problem.text,
                                  __LINE__, __FILE__);
        goto done;
    }
    buffer->cutoff_A = buffer->model.descriptor.settings.cutoff_A;
    buffer->ignores_ghosts = 1;
    if (model_declare (buffer, create) == 0) {
        buffer_announce (buffer, create);
        buffer = NULL; /* kim_destroy ends it */
        rc = 0;
    }
done:
    buffer_destroy (buffer);
    free (path);
    return rc;
}

/* What the loader looks for: the C view of KIM_SharedLibrarySchema.hpp. */
struct embedded_file {
    const char *name;
    unsigned int length;
    const unsigned char *bytes;
};

struct library_schema {
    int item_type;
    const char *item_name; /* LAMMPS goes by the directory's name instead */
    int create_language;
    KIM_Function *create;
    const char *driver_name;
    const struct embedded_file *simulator_specification;
    int parameter_file_count;
    const struct embedded_file *parameter_files;
    int metadata_file_count;
    const struct embedded_file *metadata_files;
};

/* The numbers behind KIM_COLLECTION_ITEM_TYPE_portableModel and
 * KIM_LANGUAGE_NAME_c, which are objects of the KIM library and no constants.
 */
enum { ITEM_TYPE_PORTABLE_MODEL = 1, LANGUAGE_C = 1 };

static const struct embedded_file metadata[] = {
    { "kimspec.edn", 2, (const unsigned char *)"{}" },
};

#define EXPORTED __attribute__ ((visibility ("default")))

EXPORTED extern const int kim_shared_library_schema_version;
EXPORTED extern const struct library_schema kim_shared_library_schema;

const int kim_shared_library_schema_version = 2;

const struct library_schema kim_shared_library_schema = {
    .item_type = ITEM_TYPE_PORTABLE_MODEL,
    .item_name = "linear",
    .create_language = LANGUAGE_C,
    .create = (KIM_Function *)kim_create,
    .metadata_file_count = 1,
    .metadata_files = metadata,
};
