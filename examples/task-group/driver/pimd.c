/* SPDX-License-Identifier: BSD-3-Clause */
/* pimd.c - path-integral molecular dynamics, with forces from clients
 *
 * A driver that is of no use alone: LAMMPS computes the forces, in as many
 * processes as there are instances, each for an equal part of the beads.  A
 * word says what is done, the rest is NAME=VALUE:
 *
 *   prepare   once, before all clients: what they and the driver must know
 *   wait      until the driver listens
 *   run       the driver
 *   clean     after the clients
 *
 * Exit status: 0 done; 1 something went wrong, said in one line on stderr.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ipi_server.h"
#include "lammps_data.h"
#include "ring_polymer.h"
#include "units.h"

enum { CLIENTS_MAX = 1000, PATH_LENGTH = 1000, PROGRESS_STEPS = 20 };

static const double wait_limit_s = 120;

/* --- arguments --- */

struct settings {
    const char *workspace, *start, *params, *element;
    double clients, beads, steps, seed; /* whole numbers */
    double temperature_K, timestep_fs;
    double relaxation_fs; /* of the thermostat; 0: there is none */
};

static const struct option {
    const char *name;
    size_t offset;
    double least; /* of a number; NAN: it is text */
} options[] = {
    { "workspace", offsetof (struct settings, workspace), NAN },
    { "start", offsetof (struct settings, start), NAN },
    { "params", offsetof (struct settings, params), NAN },
    { "element", offsetof (struct settings, element), NAN },
    { "clients", offsetof (struct settings, clients), 1 },
    { "beads", offsetof (struct settings, beads), 1 },
    { "steps", offsetof (struct settings, steps), 1 },
    { "seed", offsetof (struct settings, seed), 0 },
    { "temperature_K", offsetof (struct settings, temperature_K), 1 },
    { "timestep_fs", offsetof (struct settings, timestep_fs), 1e-6 },
    { "relaxation_fs", offsetof (struct settings, relaxation_fs), 0 },
};

enum { OPTIONS = sizeof options / sizeof *options };

static void set_option (struct settings *settings, const char *argument)
{
    size_t len = strcspn (argument, "=");
    const struct option *option = options;
    void *member;
    char *end;

    while (option < options + OPTIONS
           && (strlen (option->name) != len
               || strncmp (option->name, argument, len) != 0))
        option++;
    if (option == options + OPTIONS || argument[len] != '=')
        errx (1, "'%s' is no NAME=VALUE that is known here", argument);
    member = (char *)settings + option->offset;
    if (isnan (option->least)) {
        *(const char **)member = argument + len + 1;
        return;
    }
    *(double *)member = strtod (argument + len + 1, &end);
    if (end == argument + len + 1 || *end
        || !(*(double *)member >= option->least && *(double *)member <= 1e9))
        errx (1, "'%s': expected a number of %g or more", argument,
              option->least);
}

/* --- files of the workspace --- */

static void path_of (const struct settings *settings, const char *name,
                     char path[PATH_LENGTH])
{
    if (!settings->workspace)
        errx (1, "workspace= is missing");
    if (snprintf (path, PATH_LENGTH, "%s/%s", settings->workspace, name)
        >= PATH_LENGTH)
        errx (1, "%s: the path is too long", settings->workspace);
}

static FILE *create (const char *path)
{
    FILE *f = fopen (path, "w");

    if (!f)
        err (1, "%s", path);
    return f;
}

static void finish (FILE *f, const char *path)
{
    int failed = ferror (f);

    if (fclose (f) != 0 || failed)
        err (1, "%s", path);
}

/* A reader finds the old text or the new one. */
static void write_progress (const struct settings *settings, size_t step,
                            double conserved_eV)
{
    char path[PATH_LENGTH], new[PATH_LENGTH];
    FILE *f;

    path_of (settings, "progress.json", path);
    path_of (settings, "progress.json.new", new);
    f = create (new);
    fprintf (f, "{\"step\": %zu, \"of\": %.0f, \"conserved_eV\": %.9g}\n", step,
             settings->steps, conserved_eV);
    finish (f, new);
    if (rename (new, path) < 0)
        err (1, "%s", path);
}

/* --- the clients --- */

/* LAMMPS looks for its socket at /tmp/ipi_NAME and nowhere else, so a link is
 * left there: NAME is the path of the workspace, as a word.
 */
static void link_of (const struct settings *settings, char link[PATH_LENGTH])
{
    char path[PATH_LENGTH];

    path_of (settings, "socket", path);
    if (strlen (path) > 90)
        errx (1, "%s: LAMMPS takes no path this long for a socket", path);
    for (char *at = path; *at; at++) {
        if (*at == '/')
            *at = '_';
    }
    snprintf (link, PATH_LENGTH, "/tmp/ipi_%.90s", path);
}

static void prepare (const struct settings *settings)
{
    double evaluations = (settings->steps + 1) * settings->beads;
    char link[PATH_LENGTH], target[PATH_LENGTH], path[PATH_LENGTH];
    FILE *f;

    if (fmod (settings->beads, settings->clients) != 0)
        errx (1,
              "%g beads cannot be shared by %g clients; make beads a "
              "multiple of them",
              settings->beads, settings->clients);
    link_of (settings, link);
    path_of (settings, "socket", target);
    if ((unlink (link) < 0 && errno != ENOENT) || symlink (target, link) < 0)
        err (1, "%s", link);
    path_of (settings, "clients", path);
    f = create (path);
    fprintf (f, "%.0f\n", settings->clients);
    finish (f, path);
    path_of (settings, "settings.in", path);
    f = create (path);
    fprintf (f, "variable socket string %s\nvariable evaluations equal %.0f\n",
             link + strlen ("/tmp/ipi_"), evaluations / settings->clients);
    finish (f, path);
    write_progress (settings, 0, 0);
}

static void clean (const struct settings *settings)
{
    char link[PATH_LENGTH];

    link_of (settings, link);
    if (unlink (link) < 0 && errno != ENOENT)
        err (1, "%s", link);
}

static void wait_for_driver (const struct settings *settings)
{
    const struct timespec pause = { .tv_nsec = 20000000 };
    char path[PATH_LENGTH];

    path_of (settings, "socket", path);
    for (int i = 0; access (path, F_OK) < 0; i++) {
        if (i * 0.02 > wait_limit_s)
            errx (1, "%s: no driver listens", path);
        nanosleep (&pause, NULL);
    }
}

/* --- the driver --- */

struct simulation {
    const struct settings *settings;
    struct atoms atoms;
    struct ring_polymer polymer;
    int clients[CLIENTS_MAX];
    size_t n_clients;
    double potential_eV; /* of all beads */
    double heat_eV;      /* that the thermostat gave */
};

static size_t count_clients (const struct settings *settings)
{
    char path[PATH_LENGTH];
    size_t n = 0;
    FILE *f;

    path_of (settings, "clients", path);
    f = fopen (path, "r");
    if (!f || fscanf (f, "%zu", &n) != 1 || n < 1 || n > CLIENTS_MAX)
        errx (1, "%s: expected 1 to %d clients", path, CLIENTS_MAX);
    fclose (f);
    return n;
}

static void begin (struct simulation *s)
{
    const struct settings *settings = s->settings;
    size_t beads = (size_t)settings->beads, n;
    char path[PATH_LENGTH];
    int listener;

    if (!settings->start || !settings->params || !settings->element)
        errx (1, "start=, params= or element= is missing");
    atoms_read (settings->start, &s->atoms);
    n = 3 * s->atoms.n;
    ring_polymer_init (&s->polymer, beads, n, settings->temperature_K,
                       (uint64_t)settings->seed);
    for (size_t i = 0; i < n; i++)
        s->polymer.mass[i] = s->atoms.mass[i / 3];
    for (size_t j = 0; j < beads; j++) {
        memcpy (s->polymer.q + j * n, s->atoms.positions, n * sizeof (double));
        memcpy (s->polymer.v + j * n, s->atoms.velocities, n * sizeof (double));
    }
    s->n_clients = count_clients (settings);
    path_of (settings, "socket", path);
    listener = ipi_listen (path);
    ipi_accept (listener, s->clients, s->n_clients, wait_limit_s);
    close (listener);
}

/* All clients at the same time, each for its beads one after the other. */
static void compute_forces (struct simulation *s)
{
    size_t n = s->polymer.n;

    s->potential_eV = 0;
    for (size_t first = 0; first < s->polymer.beads; first += s->n_clients) {
        for (size_t i = 0; i < s->n_clients; i++)
            ipi_send (s->clients[i], s->polymer.q + (first + i) * n, s->atoms.n,
                      s->atoms.box_A);
        for (size_t i = 0; i < s->n_clients; i++)
            s->potential_eV += ipi_receive (
                s->clients[i], s->polymer.f + (first + i) * n, s->atoms.n);
    }
}

static void half_thermostat (struct simulation *s, double dt_ps)
{
    double tau_ps = s->settings->relaxation_fs * PS_PER_FS;

    if (tau_ps > 0)
        s->heat_eV += ring_polymer_thermostat (&s->polymer, dt_ps / 2, tau_ps);
}

static void make_step (struct simulation *s)
{
    double dt_ps = s->settings->timestep_fs * PS_PER_FS;

    half_thermostat (s, dt_ps);
    ring_polymer_kick (&s->polymer, dt_ps / 2);
    ring_polymer_drift (&s->polymer, dt_ps);
    compute_forces (s);
    ring_polymer_kick (&s->polymer, dt_ps / 2);
    half_thermostat (s, dt_ps);
}

static double conserved_eV (const struct simulation *s)
{
    return ring_polymer_kinetic (&s->polymer)
           + ring_polymer_springs (&s->polymer) + s->potential_eV - s->heat_eV;
}

/* --- its results --- */

/* One frame of extended XYZ for each bead. */
static void write_beads (const struct simulation *s)
{
    const double *box = s->atoms.box_A;
    char dir[PATH_LENGTH], path[PATH_LENGTH + 40];

    path_of (s->settings, "beads", dir);
    if (mkdir (dir, 0777) < 0 && errno != EEXIST)
        err (1, "%s", dir);
    for (size_t j = 0; j < s->polymer.beads; j++) {
        const double *q = s->polymer.q + j * s->polymer.n;
        FILE *f;

        snprintf (path, sizeof path, "%s/%04zu.extxyz", dir, j);
        f = create (path);
        fprintf (f,
                 "%zu\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" "
                 "Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n",
                 s->atoms.n, box[0], box[1], box[2]);
        for (size_t i = 0; i < s->atoms.n; i++)
            fprintf (f, "%s %.17g %.17g %.17g\n", s->settings->element,
                     q[3 * i], q[3 * i + 1], q[3 * i + 2]);
        finish (f, path);
    }
}

static void write_params (const struct simulation *s, double drift_eV,
                          double quantum_kinetic_eV)
{
    double classical_eV = (double)s->polymer.n / 2 * BOLTZMANN_EV_PER_K
                          * s->settings->temperature_K;
    FILE *f = create (s->settings->params);

    fprintf (f,
             "{\"steps\": %.0f, \"potential\": %.17g, \"drift\": %.17g, "
             "\"kinetic_ratio\": %.17g}\n",
             s->settings->steps, s->potential_eV / s->settings->beads,
             drift_eV / (s->settings->beads * (double)s->atoms.n),
             quantum_kinetic_eV / classical_eV);
    finish (f, s->settings->params);
}

static void run (const struct settings *settings)
{
    struct simulation s = { .settings = settings };
    size_t steps = (size_t)settings->steps;
    double first_eV, drift_eV = 0, kinetic_eV = 0;

    begin (&s);
    compute_forces (&s);
    first_eV = conserved_eV (&s);
    for (size_t step = 1; step <= steps; step++) {
        make_step (&s);
        drift_eV = fmax (drift_eV, fabs (conserved_eV (&s) - first_eV));
        if (2 * step > steps) /* the first half is for getting there */
            kinetic_eV += ring_polymer_quantum_kinetic (&s.polymer);
        if (step % PROGRESS_STEPS == 0 || step == steps)
            write_progress (settings, step, conserved_eV (&s));
    }
    for (size_t i = 0; i < s.n_clients; i++)
        ipi_close (s.clients[i]);
    write_beads (&s);
    write_params (&s, drift_eV, kinetic_eV / (double)(steps - steps / 2));
    printf ("%zu steps of %zu beads by %zu clients\n", steps, s.polymer.beads,
            s.n_clients);
    ring_polymer_release (&s.polymer);
    atoms_release (&s.atoms);
}

int main (int argc, char **argv)
{
    static const struct {
        const char *word;
        void (*what) (const struct settings *settings);
    } commands[] = {
        { "prepare", prepare },
        { "wait", wait_for_driver },
        { "run", run },
        { "clean", clean },
    };
    struct settings settings = { .clients = 1,
                                 .beads = 1,
                                 .steps = 1,
                                 .seed = 1,
                                 .temperature_K = 300,
                                 .timestep_fs = 1 };

    for (int i = 2; i < argc; i++)
        set_option (&settings, argv[i]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (argc > 1 && strcmp (argv[1], commands[i].word) == 0) {
            commands[i].what (&settings);
            return 0;
        }
    }
    errx (1, "say prepare, wait, run or clean, and NAME=VALUE ...");
}
