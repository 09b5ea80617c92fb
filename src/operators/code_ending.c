/* SPDX-License-Identifier: BSD-3-Clause */
/* code_ending.c - how did a code's run end, going by what it printed? */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "base/strbuf.h"
#include "operators/code_ending.h"

/* Where 'needle' ends in [from, end), or NULL. */
static const char *find_after (const char *from,
                               const char *end,
                               const char *needle)
{
    const char *at =
        memmem (from, (size_t)(end - from), needle, strlen (needle));

    return at ? at + strlen (needle) : NULL;
}

static const char *end_of_line (const char *at, const char *end)
{
    const char *newline =
        at < end ? memchr (at, '\n', (size_t)(end - at)) : NULL;

    return newline ? newline : end;
}

/* Append the line at 'at' and return its end. */
static const char *add_line (struct strbuf *message,
                             const char *at,
                             const char *end)
{
    const char *stop = end_of_line (at, end);

    strbuf_add (message, at, (size_t)(stop - at));
    if (stop > at && stop[-1] == '\r')
        strbuf_truncate (message, message->len - 1);
    return stop;
}

/* --- LAMMPS --- */

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

/* The first line that starts with 'prefix', or NULL. */
static const char *find_line (const char *at,
                              const char *end,
                              const char *prefix)
{
    size_t len = strlen (prefix);

    for (; at < end; at = end_of_line (at, end) + 1) {
        if ((size_t)(end - at) >= len && memcmp (at, prefix, len) == 0)
            return at;
    }
    return NULL;
}

enum code_ending lammps_ending_of (const char *printed,
                                   size_t len,
                                   bool whole,
                                   struct strbuf *message)
{
    const char *end = printed + len, *stop, *last;
    const char *error = find_line (printed, end, "ERROR");

    if (!error && whole && !find_after (printed, end, "LAMMPS ("))
        return ENDING_SILENT;
    if (!error)
        return ENDING_NO_ERROR;
    stop = add_line (message, error, end);
    last = find_line (error, end, "Last command: ");
    if (last) {
        strbuf_add_str (message, "; ");
        add_line (message, last, end);
    }
    for (size_t i = 0; i < ARRAY_SIZE (explosions); i++) {
        if (find_after (error, stop, explosions[i]))
            return ENDING_DIVERGED;
    }
    return ENDING_ERROR;
}

/* --- pw.x --- */

static const char *skip_blanks (const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* "convergence NOT achieved after   3 iterations: stopping" */
static bool find_unconverged (const char *printed,
                              const char *end,
                              struct strbuf *message)
{
    const char *at =
        find_after (printed, end, "convergence NOT achieved after");
    int steps = 0;

    if (!at)
        return false;
    for (at = skip_blanks (at, end); at < end && *at >= '0' && *at <= '9'; at++)
        steps = steps < 1000000 ? 10 * steps + (*at - '0') : steps;
    strbuf_addf (message, "SCF not converged after %d steps", steps);
    return true;
}

/* "     Error in routine readpp (1):\n     file x not found" */
static bool find_error (const char *printed,
                        const char *end,
                        struct strbuf *message)
{
    const char *at = find_after (printed, end, "Error in routine ");
    const char *stop;

    if (!at)
        return false;
    stop = add_line (message, at, end);
    if (stop < end) {
        strbuf_add_char (message, ' ');
        add_line (message, skip_blanks (stop + 1, end), end);
    }
    return true;
}

enum code_ending pw_ending_of (const char *printed,
                               size_t len,
                               bool whole,
                               struct strbuf *message)
{
    const char *end = printed + len;

    if (find_error (printed, end, message))
        return ENDING_ERROR;
    if (find_unconverged (printed, end, message))
        return ENDING_DIVERGED;
    if (whole && !find_after (printed, end, "Program PWSCF"))
        return ENDING_SILENT;
    return ENDING_NO_ERROR;
}
