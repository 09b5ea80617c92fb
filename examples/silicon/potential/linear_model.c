/* SPDX-License-Identifier: BSD-3-Clause */
/* linear_model.c - a fitted potential and its file */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear_model.h"
#include "problem.h"

#define MODEL_VERSION 1

/* A model file being read, and where we are in it. */
struct model_reader {
    FILE *stream;
    const char *path;
    int line;
    struct problem *problem;
};

static bool species_is_name (const char *species)
{
    size_t length = strlen (species);

    for (size_t i = 0; i < length; i++) {
        if (!isalpha ((unsigned char)species[i]))
            return false;
    }
    return length >= 1 && length <= LINEAR_MODEL_MAX_SPECIES;
}

int linear_model_init (struct linear_model *model, const char *species,
                       const struct descriptor_settings *settings,
                       struct problem *problem)
{
    struct descriptor descriptor;
    double *coefficients;

    if (!species_is_name (species))
        return problem_set (problem, "'%.20s' does not name an element",
                            species);
    if (descriptor_init (&descriptor, settings, problem) < 0)
        return -1;
    coefficients = calloc (descriptor.feature_count, sizeof *coefficients);
    if (!coefficients)
        return problem_set (problem, "out of memory");
    snprintf (model->species, sizeof model->species, "%s", species);
    model->descriptor = descriptor;
    model->coefficients = coefficients;
    return 0;
}

void linear_model_release (struct linear_model *model)
{
    free (model->coefficients);
    model->coefficients = NULL;
}

/* Read the line "key value"; a key of NULL is a line without one. */
static int read_value (struct model_reader *reader, const char *key,
                       char value[64])
{
    char line[128], *text = line;
    size_t length;

    reader->line++;
    if (!fgets (line, sizeof line, reader->stream))
        return problem_set (reader->problem,
                            "%s:%d: the file ends too early; train again",
                            reader->path, reader->line);
    length = strcspn (line, "\n");
    line[length] = '\0';
    if (key) {
        size_t key_length = strlen (key);

        if (strncmp (line, key, key_length) != 0 || line[key_length] != ' ')
            return problem_set (reader->problem,
                                "%s:%d: expected '%s'; train again",
                                reader->path, reader->line, key);
        text += key_length + 1;
    }
    snprintf (value, 64, "%.63s", text);
    return 0;
}

static int read_double (struct model_reader *reader, const char *key,
                        double *number)
{
    char value[64], *end;
    double parsed;

    if (read_value (reader, key, value) < 0)
        return -1;
    parsed = strtod (value, &end);
    if (end == value || *end != '\0' || !isfinite (parsed))
        return problem_set (reader->problem,
                            "%s:%d: '%s' is not a number; train again",
                            reader->path, reader->line, value);
    *number = parsed;
    return 0;
}

static int read_int (struct model_reader *reader, const char *key, int *number)
{
    double parsed;

    if (read_double (reader, key, &parsed) < 0)
        return -1;
    if (!(parsed >= 0 && parsed <= 1e6 && parsed == floor (parsed)))
        return problem_set (reader->problem,
                            "%s:%d: %s must be a small whole number",
                            reader->path, reader->line, key);
    *number = (int)parsed;
    return 0;
}

static int read_header (struct model_reader *reader, struct linear_model *model)
{
    struct descriptor_settings settings;
    char species[64];
    int version, count;

    if (read_int (reader, "linear-model", &version) < 0)
        return -1;
    if (version != MODEL_VERSION)
        return problem_set (reader->problem,
                            "%s:1: version %d is not %d; train again",
                            reader->path, version, MODEL_VERSION);
    if (read_value (reader, "species", species) < 0
        || read_double (reader, "cutoff", &settings.cutoff_A) < 0
        || read_double (reader, "core", &settings.core_A) < 0
        || read_int (reader, "radial2", &settings.radial2) < 0
        || read_int (reader, "radial3", &settings.radial3) < 0
        || read_int (reader, "rank", &settings.rank) < 0
        || read_int (reader, "coefficients", &count) < 0
        || linear_model_init (model, species, &settings, reader->problem) < 0)
        return -1;
    if ((size_t)count == model->descriptor.feature_count)
        return 0;
    linear_model_release (model);
    return problem_set (reader->problem,
                        "%s:%d: these settings do not have %d coefficients",
                        reader->path, reader->line, count);
}

static int read_coefficients (struct model_reader *reader,
                              const struct linear_model *model)
{
    for (size_t k = 0; k < model->descriptor.feature_count; k++) {
        if (read_double (reader, NULL, &model->coefficients[k]) < 0)
            return -1;
    }
    if (fgetc (reader->stream) != EOF)
        return problem_set (reader->problem,
                            "%s:%d: text after the last coefficient",
                            reader->path, reader->line + 1);
    return 0;
}

int linear_model_read (struct linear_model *model, const char *path,
                       struct problem *problem)
{
    struct model_reader reader = { fopen (path, "r"), path, 0, problem };
    struct linear_model fresh;
    int rc = -1;

    if (!reader.stream)
        return problem_set (problem, "%s: %s", path, strerror (errno));
    if (read_header (&reader, &fresh) < 0)
        goto done;
    if (read_coefficients (&reader, &fresh) < 0) {
        linear_model_release (&fresh);
        goto done;
    }
    *model = fresh;
    rc = 0;
done:
    fclose (reader.stream);
    return rc;
}

int linear_model_write (const struct linear_model *model, const char *path,
                        struct problem *problem)
{
    const struct descriptor_settings *settings = &model->descriptor.settings;
    FILE *stream = fopen (path, "w");
    bool written;

    if (!stream)
        return problem_set (problem, "%s: %s", path, strerror (errno));
    fprintf (stream,
             "linear-model %d\nspecies %s\ncutoff %.17g\ncore %.17g\n"
             "radial2 %d\nradial3 %d\nrank %d\ncoefficients %zu\n",
             MODEL_VERSION, model->species, settings->cutoff_A,
             settings->core_A, settings->radial2, settings->radial3,
             settings->rank, model->descriptor.feature_count);
    for (size_t k = 0; k < model->descriptor.feature_count; k++)
        fprintf (stream, "%.17g\n", model->coefficients[k]);
    written = !ferror (stream);
    if (fclose (stream) != 0 || !written)
        return problem_set (problem, "%s: %s", path, strerror (errno));
    return 0;
}
