/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_lines.h - the user's part of an MD input, written by an importer
 *
 * lammps.explore writes units, the configuration, the potential, the variables
 * and its dump itself; these are the lines behind that.
 */
#ifndef IMPORT_LAMMPS_LINES_H
#define IMPORT_LAMMPS_LINES_H

/* An MD as DP-GEN and DPGEN2 describe it. */
struct md_settings {
    const char *ensemble; /* nvt, nve, npt, npt-iso, npt-aniso, npt-tri ... */
    double timestep_ps, tau_t_ps, tau_p_ps;
    const struct json *masses;  /* [number], by type; NULL: those of the file */
    const struct json *symbols; /* of the types, for comments */
    int64_t delay;              /* neigh_modify; -1: not given */
    int64_t neighbors;          /* neigh_modify one; -1: not given */
};

/* Does the ensemble need a pressure? */
int md_needs_pressure (const char *ensemble);

/* Append the lines.  -1 with 'err' for an ensemble that is not known. */
int lammps_lines_write (const struct md_settings *md, const char *origin,
                        struct strbuf *out, struct error *err);

#endif /* !IMPORT_LAMMPS_LINES_H */
