/* SPDX-License-Identifier: BSD-3-Clause */
/* input_check.c - what of an INPUT and a KPT ABACUS would stop at, and what of
 * them looks wrong (ABACUS manual, "Full List of INPUT Keywords")
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/element.h"
#include "formats/lines.h"
#include "operators/abacus/label.h"

/* Those that everybody writes; others may be of another release, but not those
 * one letter off.
 */
static const char known[] =
    "ecutwfc ecutrho scf_thr scf_nmax scf_thr_type basis_type ks_solver "
    "smearing_method smearing_sigma mixing_type mixing_beta mixing_ndim "
    "mixing_gg0 mixing_beta_mag mixing_tau mixing_dftu mixing_restart "
    "gamma_only kspacing nspin symmetry symmetry_prec nbands nbands_sto "
    "nelec dft_functional vdw_method vdw_s6 vdw_s8 cal_stress calculation "
    "suffix ntype nupdown noncolin lspinorb dft_plus_u init_chg init_wfc "
    "out_chg out_pot out_band out_dos esolver_type pw_diag_thr pw_diag_nmax "
    "pw_diag_ndim device precision kpar bndpar min_dist_coef pseudo_rcut "
    "lcao_ecut lcao_dk lcao_dr lcao_rmax search_radius exx_hybrid_alpha "
    "exx_hse_omega latname cal_force test_force force_thr force_thr_ev "
    "stress_thr relax_nmax dip_cor_flag efield_flag assume_isolated imp_sol "
    "of_kinetic out_level pseudo_dir orbital_dir stru_file kpoint_file";

static int check_spelling (const char *key, const struct lines *lines,
                           struct error *err)
{
    _cleanup_free_ char *meant = template_meant (key, known, 4, 1);
    int rc = 0;

    if (meant)
        rc = lines_error (lines, err,
                          "ABACUS has no key '%s'; did you mean '%s'?", key,
                          meant);
    return rc;
}

static int check_line (struct lines *lines, struct error *err)
{
    const char *word, *value;
    size_t len, value_len;
    _cleanup_free_ char *key = NULL;
    int rc = 0;

    if (!lines_take_word (lines, &word, &len) || strchr ("#/!", *word))
        return 0;
    key = xstrndup (word, len);
    for (char *c = key; *c; c++)
        *c = (char)tolower ((unsigned char)*c);
    if (memchr (word, '=', len)
        || (lines_take_word (lines, &value, &value_len) && *value == '='))
        rc = lines_error (lines, err,
                          "ABACUS reads no '='; write the key, a blank and the "
                          "value");
    else
        rc = check_spelling (key, lines, err);
    return rc;
}

int abacus_check_lines (const char *text, size_t len, const char *name,
                        struct error *err)
{
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, name, 1);
    while ((rc = lines_next (&lines, err)) > 0) {
        if ((rc = check_line (&lines, err)) < 0)
            break;
    }
    lines_close (&lines);
    return rc < 0 ? -1 : 0;
}

bool abacus_setting (const char *text, size_t len, const char *key,
                     struct strbuf *value)
{
    const char *word, *rest;
    struct lines lines;
    bool found = false;
    size_t n;

    lines_of_text (&lines, text, len, "", 1);
    while (!found && lines_next (&lines, NULL) > 0) {
        if (!lines_take_word (&lines, &word, &n) || n != strlen (key)
            || strncmp (word, key, n) != 0)
            continue;
        found = true;
        if (lines_take_word (&lines, &rest, &n))
            strbuf_add (value, rest, n);
    }
    lines_close (&lines);
    return found;
}

const char *const abacus_same[] = {
    "ecutwfc",
    "ecutrho",
    "dft_functional",
    "smearing_method",
    "smearing_sigma",
    "basis_type",
    "kspacing",
    "gamma_only",
    "nspin",
    "vdw_method",
    "dft_plus_u",
    "noncolin",
    NULL,
};

static const struct {
    const char *key;
    double most;
    const char *says;
} usual[] = {
    { "ecutwfc", 250,
      "is in Ry, where 50 to 120 are usual; divide eV by 13.6" },
    { "smearing_sigma", 0.2,
      "is in Ry, where 0.002 to 0.02 are usual; divide eV by 13.6" },
    { "scf_thr", 1e-4,
      "is of the density, and forces are rough then; write 1e-7 or less" },
    { "mixing_beta", 1, "is a share of the new density; write 0.1 to 0.8" },
    { "kspacing", 0.7,
      "is in 1/bohr, where 0.08 to 0.25 are usual; divide "
      "1/angstrom by 1.89" },
    { "nbands", 0,
      "is that of one number of atoms, and frames have others; "
      "remove it" },
    { "nelec", 0,
      "is that of one number of atoms, and frames have others; "
      "remove it" },
};

/* Is the key set to something else than 'none'? */
static bool is_other (const char *text, size_t len, const char *key,
                      const char *none)
{
    _cleanup_ (strbuf_release) struct strbuf value = STRBUF_INIT;

    return abacus_setting (text, len, key, &value) && value.len > 0
           && strncmp (value.buf, none, strlen (none)) != 0;
}

static void doubt_elements (const char *text, size_t len, const char *name,
                            const char *const *elements, struct strbuf *says)
{
    const char *magnetic = elements_magnetic (elements);
    _cleanup_ (strbuf_release) struct strbuf nspin = STRBUF_INIT;

    if (magnetic && !abacus_setting (text, len, "nspin", &nspin))
        template_doubt (says, name, 0,
                        "%s is magnetic, and there is no nspin: without spin "
                        "energies and forces are of another state; write nspin "
                        "2 and magnetization: {%s: 3}, or nspin 1 if that is "
                        "meant",
                        magnetic, magnetic);
    if (elements_are_metals (elements)
        && !is_other (text, len, "smearing_method", "fixed"))
        template_doubt (says, name, 0,
                        "all elements are metals, and there is no smearing; "
                        "write smearing_method mp and smearing_sigma 0.01");
    if (elements_are_metals (elements)
        && is_other (text, len, "gamma_only", "0"))
        template_doubt (says, name, 0,
                        "gamma_only is one k-point, which is rough for metals "
                        "in cells below some 15 A; remove it, and write "
                        "kspacing 0.1");
}

void abacus_doubt_input (const char *text, size_t len, const char *name,
                         const struct known_input *input, struct strbuf *says)
{
    for (size_t i = 0; i < ARRAY_SIZE (usual); i++) {
        _cleanup_ (strbuf_release) struct strbuf value = STRBUF_INIT;

        if (abacus_setting (text, len, usual[i].key, &value) && value.len > 0
            && strtod (value.buf, NULL) > usual[i].most)
            template_doubt (says, name, 0, "%s %s %s", usual[i].key, value.buf,
                            usual[i].says);
    }
    doubt_elements (text, len, name, input->elements, says);
}

/* "K_POINTS", how many (0: a mesh), how, and the mesh: six numbers. */
static int check_mesh (struct lines *lines, struct error *err)
{
    int64_t n;
    double mesh[6];
    size_t i = 0;

    if (lines_next (lines, err) != 1 || !lines_take_integer (lines, &n))
        return lines_error (lines, err,
                            "expected the number of k-points; write 0, for a "
                            "mesh");
    if (lines_next (lines, err) != 1 || lines_at_end (lines))
        return lines_error (lines, err,
                            "expected how k-points are chosen; write Gamma");
    if (lines_take_prefix (lines, "Line"))
        return lines_error (lines, err,
                            "points along lines are for bands; write a mesh");
    if (n > 0)
        return 0;
    if (lines_next (lines, err) == 1) {
        while (i < 6 && lines_take_number (lines, &mesh[i]))
            i++;
    }
    if (i < 6)
        return lines_error (lines, err,
                            "expected six numbers; write 4 4 4 0 0 0 or the "
                            "like");
    return 0;
}

int abacus_check_kpt (const struct known_input *input, struct error *err)
{
    const char *path = json_as_string (input->value);
    struct strbuf text = STRBUF_INIT;
    struct lines lines;
    int rc = file_read (path, TEMPLATE_MAX_BYTES, &text, err);

    if (rc < 0)
        return error_prefix (err, "kpt");
    lines_of_text (&lines, text.buf, text.len, path, 1);
    if (lines_next (&lines, err) != 1
        || !lines_take_prefix (&lines, "K_POINTS"))
        rc = lines_error (&lines, err,
                          "expected K_POINTS, with which a KPT begins; add it");
    else
        rc = check_mesh (&lines, err);
    lines_close (&lines);
    strbuf_release (&text);
    return rc < 0 ? error_prefix (err, "kpt") : 0;
}
