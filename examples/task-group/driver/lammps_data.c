/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_data.c - atoms from a data file of LAMMPS (atom style atomic) */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lammps_data.h"

enum { TYPES_MAX = 100 };

struct reading {
    const char *path;
    struct atoms *atoms;
    double mass_of[TYPES_MAX + 1];
    char section[40];
};

static double *numbers (size_t n)
{
    double *v = calloc (n, sizeof *v);

    if (!v)
        err (1, "memory");
    return v;
}

static void bad_line (const struct reading *r, const char *line)
{
    errx (1, "%s: in '%s': cannot read '%.*s'", r->path,
          *r->section ? r->section : "the header", (int)strcspn (line, "\n"),
          line);
}

static void read_header (struct reading *r, const char *line)
{
    static const char *const edges[] = { "xlo xhi", "ylo yhi", "zlo zhi" };
    struct atoms *atoms = r->atoms;
    double lo, hi;

    if (strstr (line, " atoms")) {
        if (sscanf (line, "%zu", &atoms->n) != 1 || atoms->n < 1
            || atoms->n > 1000000)
            bad_line (r, line);
        atoms->mass = numbers (atoms->n);
        atoms->positions = numbers (3 * atoms->n);
        atoms->velocities = numbers (3 * atoms->n);
    }
    for (int i = 0; i < 3; i++) {
        if (!strstr (line, edges[i]))
            continue;
        if (sscanf (line, "%lf %lf", &lo, &hi) != 2 || hi <= lo)
            bad_line (r, line);
        atoms->box_A[i] = hi - lo;
    }
}

static void read_mass (struct reading *r, const char *line)
{
    int type;
    double mass;

    if (sscanf (line, "%d %lf", &type, &mass) != 2 || type < 1
        || type > TYPES_MAX || mass <= 0)
        bad_line (r, line);
    r->mass_of[type] = mass;
}

static void read_atom (struct reading *r, const char *line)
{
    struct atoms *atoms = r->atoms;
    int image[3] = { 0 }, type, n;
    double x[3];
    size_t id;

    n = sscanf (line, "%zu %d %lf %lf %lf %d %d %d", &id, &type, &x[0], &x[1],
                &x[2], &image[0], &image[1], &image[2]);
    if ((n != 5 && n != 8) || id < 1 || id > atoms->n || type < 1
        || type > TYPES_MAX || r->mass_of[type] <= 0)
        bad_line (r, line);
    atoms->mass[id - 1] = r->mass_of[type];
    for (size_t i = 0; i < 3; i++)
        atoms->positions[3 * (id - 1) + i] = x[i] + image[i] * atoms->box_A[i];
}

static void read_velocity (struct reading *r, const char *line)
{
    double v[3];
    size_t id;

    if (sscanf (line, "%zu %lf %lf %lf", &id, &v[0], &v[1], &v[2]) != 4
        || id < 1 || id > r->atoms->n)
        bad_line (r, line);
    memcpy (r->atoms->velocities + 3 * (id - 1), v, sizeof v);
}

static void read_line (struct reading *r, const char *line)
{
    static const struct {
        const char *name;
        void (*read) (struct reading *r, const char *line);
    } sections[] = {
        { "Masses", read_mass },
        { "Atoms", read_atom },
        { "Velocities", read_velocity },
    };

    if (line[strspn (line, " \t\n")] == '\0')
        return;
    if (line[0] >= 'A' && line[0] <= 'Z') {
        snprintf (r->section, sizeof r->section, "%.*s",
                  (int)strcspn (line, " \n"), line);
        return;
    }
    if (!*r->section)
        read_header (r, line);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (strcmp (r->section, sections[i].name) == 0)
            sections[i].read (r, line);
    }
}

void atoms_read (const char *path, struct atoms *atoms)
{
    struct reading r = { .path = path, .atoms = atoms };
    FILE *f = fopen (path, "r");
    char line[1000];

    *atoms = (struct atoms){ 0 };
    if (!f || !fgets (line, sizeof line, f)) /* a title */
        err (1, "%s", path);
    while (fgets (line, sizeof line, f))
        read_line (&r, line);
    fclose (f);
    for (size_t i = 0; i < atoms->n; i++) {
        if (atoms->mass[i] <= 0)
            errx (1, "%s: there is no atom %zu", path, i + 1);
    }
    if (atoms->n == 0 || atoms->box_A[0] <= 0 || atoms->box_A[1] <= 0
        || atoms->box_A[2] <= 0)
        errx (1, "%s: no atoms or no box", path);
}

void atoms_release (struct atoms *atoms)
{
    free (atoms->mass);
    free (atoms->positions);
    free (atoms->velocities);
}
