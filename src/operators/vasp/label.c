/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the kit of vasp.label: VASP 5 and 6
 *
 * Labels are read from vasprun.xml, not from OUTCAR, which has fewer digits and
 * no more than ten kinds of atoms.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "formats/element.h"
#include "formats/frame.h"
#include "formats/number.h"
#include "formats/vasp/incar.h"
#include "formats/vasp/potcar.h"
#include "formats/vasp/vasprun.h"
#include "operators/label/by_element.h"
#include "operators/label/element_files.h"
#include "operators/vasp/vasp.h"

/* --- the template --- */

/* Tags with a value for each atom or kind of atoms, whose order a frame has. */
static const struct template_key keys[] = {
    { "MAGMOM", BY_ELEMENT },
    { "LDAUL", BY_ELEMENT },
    { "LDAUU", BY_ELEMENT },
    { "LDAUJ", BY_ELEMENT },
    { "ROPT", BY_ELEMENT },
    { "RWIGS", BY_ELEMENT },
    { "VDW_C6", BY_ELEMENT },
    { "VDW_R0", BY_ELEMENT },
    { "VDW_ALPHA", BY_ELEMENT },
    { "VCA", BY_ELEMENT },
    { "CMBJ", BY_ELEMENT },
    { "QUAD_EFG", BY_ELEMENT },
    { "M_CONSTR", NULL }, /* three for each atom */
    { 0 },
};

static int incar_tags (const char *text, size_t len, template_each_key *each,
                       void *arg, struct error *err)
{
    struct incar s = INCAR_OF (text, len);
    struct incar_tag tag;
    int rc = 0;

    while (rc == 0 && incar_next (&s, &tag))
        rc = each (tag.name, tag.line, arg, err);
    return rc;
}

/* --- what is known before anything runs --- */

/* What energies and forces depend on. */
static const char *const same[] = {
    "ENCUT",    "PREC",     "ISMEAR", "SIGMA",   "GGA",      "METAGGA",
    "IVDW",     "LUSE_VDW", "ISPIN",  "LHFCALC", "HFSCREEN", "AEXX",
    "KSPACING", "LASPH",    "LDAU",   "AGGAC",   "LSORBIT",  NULL,
};

static bool setting (const char *text, size_t len, const char *key,
                     struct strbuf *value)
{
    struct incar s = INCAR_OF (text, len);
    struct incar_tag tag;

    while (incar_next (&s, &tag)) {
        if (strcmp (tag.name, key) != 0)
            continue;
        strbuf_add (value, tag.value, (size_t)(tag.end - tag.value));
        while (value->len > 0 && strchr (" \t\r", value->buf[value->len - 1]))
            strbuf_truncate (value, value->len - 1);
        return true;
    }
    return false;
}

LABEL_CHECK (vasp_label)

/* All potentials are of one functional. */
static int check_functional (const struct strbuf *potcar, const char *symbol,
                             struct strbuf *first, const char **of,
                             struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf functional = STRBUF_INIT;
    int rc = 0;

    potcar_setting (potcar->buf, potcar->len, "LEXCH", &functional);
    if (functional.len > 0 && !*of) {
        strbuf_add (first, functional.buf, functional.len);
        *of = symbol;
    } else if (functional.len > 0 && strcmp (functional.buf, first->buf) != 0)
        rc = error_set (err,
                        "that of %s is of the functional %s, and that of %s of "
                        "%s (LEXCH); name potentials of one functional",
                        symbol, functional.buf, *of, first->buf);
    return rc;
}

static int check_potcars (const struct known_input *input, struct error *err)
{
    const struct json *dir = json_get (input->others, "potcar_dir");
    _cleanup_free_ char *all = path_join (input->dir, json_as_string (dir));
    struct strbuf first = STRBUF_INIT; /* the functional, */
    const char *of = NULL;             /* and the element that had it first */
    int rc = 0;

    JSON_FOREACH (input->value, it) {
        const char *symbol = json_iter_key (it);
        struct strbuf text = STRBUF_INIT;
        char *path;

        if (rc == 0 && !(element_mass (symbol) > 0))
            rc = error_set (err, "'%s' is no element; write {Si: Si_GW}",
                            symbol);
        if (rc < 0 || json_kind (dir) != JSON_KIND_STRING || !file_exists (all))
            continue;
        path = potcar_path (input->dir, json_as_string (dir),
                            json_as_string (json_iter_value (it)));
        rc = potcar_append (path, symbol, &text, err);
        if (rc == 0)
            rc = check_functional (&text, symbol, &first, &of, err);
        strbuf_release (&text);
        free (path);
    }
    strbuf_release (&first);
    return rc < 0 ? error_prefix (err, "potcars") : 0;
}

static int check_by_element (const struct known_input *input, struct error *err)
{
    return by_element_check (keys, input, err);
}

static int check_kspacing (const struct known_input *input, struct error *err)
{
    double spacing = json_as_double (input->value);

    if (spacing > 0)
        return 0;
    return error_set (
        err, "kspacing: %g; write a positive number, in 1/angstrom", spacing);
}

/* Where k-points come from: exactly one of the stage's two and the template. */
static int check_with (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct error *err)
{
    bool kpoints = !json_is_null (json_get (input->others, "kpoints"));
    bool kspacing = !json_is_null (json_get (input->others, "kspacing"));
    bool theirs = incar_sets (text, len, "KSPACING");

    if (kpoints && kspacing)
        return error_set (err, "kpoints and kspacing are both there; remove "
                               "one of them");
    if ((kpoints || kspacing) && theirs)
        return error_set (err,
                          "%s sets KSPACING; remove that, or %s of the stage",
                          name, kpoints ? "kpoints" : "kspacing");
    if (!kpoints && !kspacing && !theirs)
        return error_set (err,
                          "there are no k-points; write kpoints: FILE or "
                          "kspacing: NUMBER, or KSPACING in %s",
                          name);
    return 0;
}

/* --- its results --- */

/* There must be one calculation, and the whole of it. */
static int read_labels (const struct frame *sent, struct frame *labels,
                        bool *converged, struct error *err)
{
    struct vasprun *run = vasprun_open ("vasprun.xml", err);
    struct vasprun_left_out left_out;
    bool truncated = false;
    int rc;

    (void)sent;
    if (!run)
        return error_prefix (err, "VASP left no results");
    rc = vasprun_next (run, labels, &truncated, err);
    left_out = vasprun_left_out (run);
    *converged = left_out.unconverged == 0;
    if (rc == 0 && *converged)
        rc = error_set (err,
                        "vasprun.xml: there is no calculation with energy and "
                        "forces%s",
                        truncated ? "; the file is cut" : "");
    vasprun_close (run);
    return rc < 0 ? -1 : 0;
}

/* --- the kit --- */

static const struct port inputs[] = {
    LABEL_INPUTS ("vasp", "[\"vasp_std\"]"),
    { "potcar_dir", .type = ONE (STRING) },
    { "potcars", MAP_OF (element_file_name), .check = check_potcars,
      .doubt = element_files_doubt },
    { "kpoints", ONE (FILE), .optional = true, .check = vasp_check_kpoints },
    { "kspacing", ONE (FLOAT), .optional = true, .check = check_kspacing,
      .doubt = label_doubt_kspacing },
    { "kgamma", ONE (BOOL), .default_json = "true" },
    BY_ELEMENT_PORT (check_by_element),
    { 0 },
};

/* DP-GEN's. */
static const struct other_name other_names[] = {
    { "fp_incar", "input: FILE, an INCAR" },
    { "incar", "input: FILE, an INCAR" },
    { "fp_pp_path", "potcar_dir: DIRECTORY" },
    { "fp_pp_files", "potcars: {ELEMENT: NAME}" },
    { "magmom", "by_element: {MAGMOM: {ELEMENT: NUMBER}}" },
    { NULL, NULL },
};

static const char *const arguments[] = { NULL };
static const char *const results[] = { "vasprun.xml", "OUTCAR", "KPOINTS",
                                       NULL };
static const char *const scratch[] = { "WAVECAR", "CHGCAR", "CHG",
                                       "vaspwave.h5", NULL };

static const char *const raw[] = { "vasp.out", "OUTCAR", "vasprun.xml", NULL };

static const char *const input_files[] = { "INCAR", "POSCAR", "KPOINTS", NULL };

const struct label_kit vasp_label = {
    .spec = LABEL_OPERATOR ("vasp.label", "vasp", inputs, other_names,
                            input_files, "vasp."),
    .code = &vasp_code,
    .program = "vasp",
    .arguments = arguments,
    .output = "vasp.out",
    .raw = raw,
    .results = results,
    .scratch = scratch,
    .scan = incar_tags,
    .keys = keys,
    .check_template = vasp_check_incar,
    .doubt_template = vasp_doubt_incar,
    .same = same,
    .setting = setting,
    .check_with = check_with,
    .needs_cell = true,
    .needs_periods = true,
    .by_element = true,
    .write_inputs = vasp_write_inputs,
    .read_labels = read_labels,
    /* VASP moves atoms by less than SYMPREC (1e-5) to where symmetry has them
     */
    .same_place_A = 1e-4,
    .for_forces = "remove NWRITE",
    .for_place = "set ISYM = 0",
    .for_cell = "set ISYM = 0",
};
