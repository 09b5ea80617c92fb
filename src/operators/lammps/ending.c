/* SPDX-License-Identifier: BSD-3-Clause */
/* ending.c - how did a LAMMPS run end, going by what it printed? */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "base/strbuf.h"
#include "operators/lammps/ending.h"

/* What LAMMPS says when the motion, not the input, is at fault. */
static const char *const explosions[] = {
    "Lost atoms",
    "Non-numeric",         /* atom coords, box dimensions, pressure */
    "simulation unstable", /* as newer releases put it */
    "Out of range atoms",  /* long-range solvers */
    "Neighbor list overflow",
    "Too many neighbor bins",
    "Domain too large for neighbor bins",
    "Cannot use neighbor bins - box size << cutoff",
    "missing on proc", /* bond, angle, dihedral, improper, shake */
    "atom missing in", /* image flags, box size check, delete */
    "Bond extent",
    "tilted box too far", /* fix npt and nph */
    "Shake determinant",
    "Particle on or inside",
    "Atoms too close",
    "Pair distance <", /* tabulated potentials */
    "Pair distance >",
    "KIM Compute returned error",
};

static bool is_explosion (const char *line, size_t len)
{
    for (size_t i = 0; i < ARRAY_SIZE (explosions); i++) {
        if (memmem (line, len, explosions[i], strlen (explosions[i])))
            return true;
    }
    return false;
}

static bool starts_with (const char *line, size_t len, const char *prefix)
{
    return len >= strlen (prefix)
           && memcmp (line, prefix, strlen (prefix)) == 0;
}

static size_t line_length (const char *at, size_t left)
{
    const char *end = memchr (at, '\n', left);

    return end ? (size_t)(end - at) : left;
}

/* The first line that starts with 'prefix', or NULL. */
static const char *find_line (const char *text,
                              size_t len,
                              const char *prefix,
                              size_t *line_len)
{
    for (size_t at = 0; at < len; at += *line_len + 1) {
        *line_len = line_length (text + at, len - at);
        if (starts_with (text + at, *line_len, prefix))
            return text + at;
    }
    return NULL;
}

static void add_line (struct strbuf *message, const char *line, size_t len)
{
    if (len > 0 && line[len - 1] == '\r')
        len--;
    strbuf_add (message, line, len);
}

enum lammps_ending lammps_ending_of (const char *printed,
                                     size_t len,
                                     bool whole,
                                     struct strbuf *message)
{
    size_t error_len, last_len;
    const char *error = find_line (printed, len, "ERROR", &error_len);
    const char *last;

    if (!error && whole && !memmem (printed, len, "LAMMPS (", 8))
        return LAMMPS_SILENT;
    if (!error)
        return LAMMPS_NO_ERROR;
    add_line (message, error, error_len);
    last = find_line (error, len - (size_t)(error - printed),
                      "Last command: ", &last_len);
    if (last) {
        strbuf_add_str (message, "; ");
        add_line (message, last, last_len);
    }
    return is_explosion (error, error_len) ? LAMMPS_BLOWN_UP : LAMMPS_BAD_INPUT;
}
