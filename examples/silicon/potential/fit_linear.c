/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_linear.c - train one committee member and leave it as a KIM model
 *
 * Exit status: 0 done; 1 the results could not be written; 2 the arguments or
 * the frames are no good.  Either failure says one line on stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problem.h"
#include "training.h"

#define MODEL_LIBRARY "libkim-api-portable-model.so"

enum exit_status { DONE = 0, NOT_WRITTEN = 1, BAD_INPUT = 2 };

static const char usage[] =
    "Usage: fit_linear --member K --members M --seed S --out DIR\n"
    "                  --params FILE [OPTION]... TRAINING.extxyz...\n"
    "\n"
    "Fits member K (0 ... M-1) of a committee of linear potentials to a\n"
    "bootstrap resample of the frames decided by S and K (a committee of one\n"
    "sees every frame once), makes DIR a KIM portable model and writes to\n"
    "FILE, as JSON, how many frames there were and how far the model is off.\n"
    "\n"
    "  --held-out FILE      judge by these frames (may be given often;\n"
    "                       default: the training frames)\n"
    "  --species NAME       the one element (Si)\n"
    "  --cutoff A           reach of an atom (4.8)\n"
    "  --core A             reach of the fixed repulsion, 0 for none (1.9)\n"
    "  --radial2 N          two-body radial functions (8)\n"
    "  --radial3 N          three-body radial functions (4)\n"
    "  --rank P             highest tensor rank (4)\n"
    "  --ridge X            relative ridge (1e-7)\n"
    "  --energy-weight X    of an energy per atom against a force (1)\n"
    "  --model-library PATH the compiled model to copy\n"
    "                       (" MODEL_LIBRARY " next to fit_linear)\n"
    "  --help               this text\n";

struct options {
    uint64_t member;
    uint64_t members;
    uint64_t seed;
    const char *out;
    const char *params;
    const char *species;
    const char *model_library; /* NULL: next to the program */
    struct descriptor_settings descriptor;
    struct training_settings training;
    const char **held_out; /* paths, NULL-terminated, owned */
    char **training_paths; /* the same, inside argv */
};

static const struct options option_defaults = {
    .species = "Si",
    .descriptor = { .cutoff_A = 4.8,
                    .core_A = 1.9,
                    .radial2 = 8,
                    .radial3 = 4,
                    .rank = 4 },
    .training = { .ridge = 1e-7, .energy_weight = 1 },
};

enum option_kind { WHOLE, SMALL, NUMBER, TEXT, PATHS };

/* One row per option: where its value goes. */
static const struct option_row {
    const char *name;
    enum option_kind kind;
    bool required;
    size_t offset; /* in struct options */
} option_rows[] = {
    { "member", WHOLE, true, offsetof (struct options, member) },
    { "members", WHOLE, true, offsetof (struct options, members) },
    { "seed", WHOLE, true, offsetof (struct options, seed) },
    { "out", TEXT, true, offsetof (struct options, out) },
    { "params", TEXT, true, offsetof (struct options, params) },
    { "held-out", PATHS, false, offsetof (struct options, held_out) },
    { "species", TEXT, false, offsetof (struct options, species) },
    { "cutoff", NUMBER, false, offsetof (struct options, descriptor.cutoff_A) },
    { "core", NUMBER, false, offsetof (struct options, descriptor.core_A) },
    { "radial2", SMALL, false, offsetof (struct options, descriptor.radial2) },
    { "radial3", SMALL, false, offsetof (struct options, descriptor.radial3) },
    { "rank", SMALL, false, offsetof (struct options, descriptor.rank) },
    { "ridge", NUMBER, false, offsetof (struct options, training.ridge) },
    { "energy-weight", NUMBER, false,
      offsetof (struct options, training.energy_weight) },
    { "model-library", TEXT, false, offsetof (struct options, model_library) },
};

#define OPTION_COUNT (sizeof option_rows / sizeof option_rows[0])

/* getopt_long's answers: the row's number plus this, or HELP. */
enum { FIRST_ROW = 256, HELP = 'h' };

static int parse_whole (const char *text, uint64_t most, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull (text, &end, 10);
    /* strtoull would take "-1" and " 1" */
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return -1;
    return *number <= most ? 0 : -1;
}

static int parse_number (const char *text, double *number)
{
    char *end;

    *number = strtod (text, &end);
    if (end == text || *end != '\0' || !isfinite (*number) || *number < 0)
        return -1;
    return 0;
}

static void paths_append (const char **paths, const char *path)
{
    while (*paths)
        paths++;
    *paths = path;
}

static int option_store (struct options *options, const struct option_row *row,
                         const char *text, struct problem *problem)
{
    char *field = (char *)options + row->offset;
    uint64_t whole = 0;
    int rc = 0;

    switch (row->kind) {
    case WHOLE:
        rc = parse_whole (text, UINT64_MAX, (uint64_t *)field);
        break;
    case SMALL:
        rc = parse_whole (text, 1000, &whole);
        *(int *)field = (int)whole;
        break;
    case NUMBER:
        rc = parse_number (text, (double *)field);
        break;
    case TEXT:
        *(const char **)field = text;
        break;
    case PATHS:
        paths_append (*(const char ***)field, text);
        break;
    }
    if (rc < 0)
        return problem_set (
            problem, "--%s: '%s' is not a %s; see fit_linear --help", row->name,
            text,
            row->kind == NUMBER ? "number from 0" : "whole number from 0");
    return 0;
}

/* What the values must be together. */
static int options_check (const struct options *options,
                          const bool given[OPTION_COUNT],
                          struct problem *problem)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_rows[i].required && !given[i])
            return problem_set (problem,
                                "--%s is missing; see fit_linear --help",
                                option_rows[i].name);
    }
    if (options->member >= options->members)
        return problem_set (
            problem,
            "--member must lie in 0 ... %" PRIu64 " when --members is %" PRIu64,
            options->members ? options->members - 1 : 0, options->members);
    if (!options->training_paths[0])
        return problem_set (problem,
                            "no training frames; name .extxyz files after "
                            "the options");
    return 0;
}

/* 0, HELP when that was asked for, or -1. */
static int options_parse (int argc, char **argv, struct options *options,
                          struct problem *problem)
{
    struct option longs[OPTION_COUNT + 2] = { 0 };
    bool given[OPTION_COUNT] = { false };
    int answer;

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        longs[i].name = option_rows[i].name;
        longs[i].has_arg = required_argument;
        longs[i].val = FIRST_ROW + (int)i;
    }
    longs[OPTION_COUNT] = (struct option){ "help", no_argument, NULL, HELP };
    opterr = 0; /* we say it ourselves, in one line */
    while ((answer = getopt_long (argc, argv, ":h", longs, NULL)) != -1) {
        if (answer == HELP)
            return HELP;
        if (answer < FIRST_ROW)
            return problem_set (
                problem, "%s: %s; see fit_linear --help", argv[optind - 1],
                answer == ':' ? "a value is missing" : "no such option");
        given[answer - FIRST_ROW] = true;
        if (option_store (options, &option_rows[answer - FIRST_ROW], optarg,
                          problem)
            < 0)
            return -1;
    }
    options->training_paths = argv + optind;
    return options_check (options, given, problem);
}

static int frames_read_all (struct frames *frames, const char *const *paths,
                            const char *species, struct problem *problem)
{
    for (; *paths; paths++) {
        if (frames_read (frames, *paths, species, problem) < 0)
            return -1;
    }
    return 0;
}

static int train (const struct options *options, const struct frames *frames,
                  struct linear_model *model, struct problem *problem)
{
    unsigned *draws = calloc (frames->count, sizeof *draws);
    int rc;

    if (!draws)
        return problem_set (problem, "out of memory");
    if (options->members > 1)
        bootstrap_draw (frames->count, options->seed, options->member, draws);
    for (size_t f = 0; options->members == 1 && f < frames->count; f++)
        draws[f] = 1;
    rc = train_linear (model, frames, draws, &options->training, problem);
    free (draws);
    return rc;
}

/* "DIR/name"; the caller frees it.  NULL when memory ran out. */
static char *path_join (const char *directory, const char *name)
{
    char *path;

    return asprintf (&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* The compiled model next to this program, wherever that was started from.
 * The caller frees it.
 */
static char *library_beside_program (void)
{
    char *program = realpath ("/proc/self/exe", NULL);
    char *slash = program ? strrchr (program, '/') : NULL;
    char *path = NULL;

    if (slash) {
        *slash = '\0';
        path = path_join (program, MODEL_LIBRARY);
    }
    free (program);
    return path;
}

static int copy_stream (FILE *from, FILE *to)
{
    char block[1 << 16];
    size_t length;

    while ((length = fread (block, 1, sizeof block, from)) > 0) {
        if (fwrite (block, 1, length, to) != length)
            return -1;
    }
    return ferror (from) ? -1 : 0;
}

static int copy_file (const char *source, const char *target,
                      struct problem *problem)
{
    FILE *from = fopen (source, "rb"), *to;
    int rc = -1;

    if (!from)
        return problem_set (problem,
                            "%s: %s; build it, or give --model-library", source,
                            strerror (errno));
    to = fopen (target, "wb");
    if (to) {
        rc = copy_stream (from, to);
        if (fclose (to) != 0)
            rc = -1;
    }
    if (rc < 0)
        problem_set (problem, "%s: %s", target, strerror (errno));
    fclose (from);
    return rc;
}

/* A copy, not a link: models that share an inode are one to the loader. */
static int write_kim_model (const struct options *options,
                            const struct linear_model *model,
                            struct problem *problem)
{
    char *source = options->model_library ? strdup (options->model_library)
                                          : library_beside_program ();
    char *library = path_join (options->out, MODEL_LIBRARY);
    char *numbers = path_join (options->out, LINEAR_MODEL_FILE);
    int rc = -1;

    if (!source || !library || !numbers)
        problem_set (problem, "out of memory");
    else if (mkdir (options->out, 0777) < 0 && errno != EEXIST)
        problem_set (problem, "%s: %s", options->out, strerror (errno));
    else if (copy_file (source, library, problem) == 0)
        rc = linear_model_write (model, numbers, problem);
    free (source);
    free (library);
    free (numbers);
    return rc;
}

static int write_params (const char *path, size_t frame_count,
                         const struct score *score, struct problem *problem)
{
    FILE *stream = fopen (path, "w");
    bool written;

    if (!stream)
        return problem_set (problem, "%s: %s", path, strerror (errno));
    fprintf (stream,
             "{\"frames\": %zu, \"energy_rmse\": %.17g, "
             "\"force_rmse\": %.17g, \"force_rms\": %.17g}\n",
             frame_count, score->energy_rmse, score->force_rmse,
             score->force_rms);
    written = !ferror (stream);
    if (fclose (stream) != 0 || !written)
        return problem_set (problem, "%s: %s", path, strerror (errno));
    return 0;
}

static enum exit_status run (const struct options *options,
                             struct problem *problem)
{
    const char *const *training = (const char *const *)options->training_paths;
    struct frames frames = FRAMES_INIT, held_out = FRAMES_INIT;
    enum exit_status status = BAD_INPUT;
    struct linear_model model;
    struct score score;

    if (linear_model_init (&model, options->species, &options->descriptor,
                           problem)
        < 0)
        return BAD_INPUT;
    if (frames_read_all (&frames, training, options->species, problem) < 0
        || frames_read_all (&held_out, options->held_out, options->species,
                            problem)
               < 0
        || train (options, &frames, &model, problem) < 0
        || score_model (&model, held_out.count > 0 ? &held_out : &frames,
                        &score, problem)
               < 0)
        goto done;
    status = NOT_WRITTEN;
    if (write_kim_model (options, &model, problem) == 0
        && write_params (options->params, frames.count, &score, problem) == 0)
        status = DONE;
done:
    linear_model_release (&model);
    frames_release (&frames);
    frames_release (&held_out);
    return status;
}

int main (int argc, char **argv)
{
    struct options options = option_defaults;
    struct problem problem = { "" };
    enum exit_status status = BAD_INPUT;
    int answer;

    options.held_out = calloc ((size_t)argc + 1, sizeof *options.held_out);
    if (!options.held_out)
        return NOT_WRITTEN;
    answer = options_parse (argc, argv, &options, &problem);
    if (answer == HELP) {
        fputs (usage, stdout);
        status = DONE;
    } else if (answer == 0) {
        status = run (&options, &problem);
    }
    if (status != DONE)
        fprintf (stderr, "fit_linear: %s\n", problem.text);
    free (options.held_out);
    return (int)status;
}
