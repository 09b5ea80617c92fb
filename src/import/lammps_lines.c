/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_lines.c - the user's part of an MD input, written by an importer */
#include "base/base.h"

#include "base/json.h"
#include "import/lammps_lines.h"

static const struct {
    const char *name;
    const char *coupling; /* of the cell; NULL: none */
    const char *fix;
} ensembles[] = {
    { "nve", NULL, "nve" },          { "nvt", NULL, "nvt" },
    { "npt", "iso", "npt" },         { "npt-i", "iso", "npt" },
    { "npt-iso", "iso", "npt" },     { "npt-a", "aniso", "npt" },
    { "npt-aniso", "aniso", "npt" }, { "npt-t", "tri", "npt" },
    { "npt-tri", "tri", "npt" },
};

int md_needs_pressure (const char *ensemble)
{
    return strncmp (ensemble, "npt", 3) == 0;
}

static void add_masses (const struct md_settings *md, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (md->masses); i++) {
        strbuf_addf (out, "mass            %zu ", i + 1);
        json_dump (json_at (md->masses, i), JSON_COMPACT, out);
        if (i < json_count (md->symbols))
            strbuf_addf (out, "  # %s",
                         json_as_string (json_at (md->symbols, i)));
        strbuf_add_char (out, '\n');
    }
}

static void add_neighbors (const struct md_settings *md, struct strbuf *out)
{
    strbuf_add_str (out, "neighbor        1.0 bin\n");
    if (md->delay >= 0 || md->neighbors >= 0)
        strbuf_add_str (out, "neigh_modify   ");
    if (md->delay >= 0)
        strbuf_addf (out, " delay %lld", (long long)md->delay);
    if (md->neighbors >= 0)
        strbuf_addf (out, " one %lld", (long long)md->neighbors);
    if (md->delay >= 0 || md->neighbors >= 0)
        strbuf_add_char (out, '\n');
}

static void add_fix (const struct md_settings *md, size_t e, struct strbuf *out)
{
    strbuf_addf (out, "fix             1 all %s", ensembles[e].fix);
    if (strcmp (ensembles[e].fix, "nve") != 0) {
        strbuf_add_str (out, " temp ${temperature} ${temperature} ");
        strbuf_add_double (out, md->tau_t_ps);
    }
    if (ensembles[e].coupling) {
        strbuf_addf (out, " %s ${pressure} ${pressure} ",
                     ensembles[e].coupling);
        strbuf_add_double (out, md->tau_p_ps);
    }
    strbuf_add_char (out, '\n');
}

int lammps_lines_write (const struct md_settings *md, const char *origin,
                        struct strbuf *out, struct error *err)
{
    for (size_t e = 0; e < ARRAY_SIZE (ensembles); e++) {
        if (strcmp (ensembles[e].name, md->ensemble) != 0)
            continue;
        strbuf_addf (out,
                     "# %s: an MD in the %s ensemble.  Fanfold writes units, "
                     "the\n# configuration, the potential, its dump and the "
                     "variables before these lines.\n",
                     origin, md->ensemble);
        add_masses (md, out);
        add_neighbors (md, out);
        if (ensembles[e].coupling && strcmp (ensembles[e].coupling, "tri") == 0)
            strbuf_add_str (out, "change_box      all triclinic\n");
        strbuf_add_str (out,
                        "thermo_style    custom step temp pe ke etotal press "
                        "vol lx ly lz xy xz yz\n"
                        "thermo          100\n"
                        "velocity        all create ${temperature} ${seed}\n");
        add_fix (md, e, out);
        strbuf_add_str (out, "timestep        ");
        strbuf_add_double (out, md->timestep_ps);
        strbuf_add_str (out, "\nrun             ${steps}\n");
        return 0;
    }
    return error_set (err,
                      "the ensemble '%s' is not known; there is nve, nvt, npt "
                      "(npt-i, npt-iso), npt-a (npt-aniso), npt-t (npt-tri)",
                      md->ensemble);
}
