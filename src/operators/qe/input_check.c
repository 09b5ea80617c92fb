/* SPDX-License-Identifier: BSD-3-Clause */
/* input_check.c - what of a pw.x input pw.x would stop at, what makes no label,
 * and what looks wrong (INPUT_PW of Quantum ESPRESSO)
 */
#include "base/base.h"

#include <strings.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/element.h"
#include "formats/pseudo_element.h"
#include "formats/qe/pw_scan.h"
#include "operators/qe/qe.h"

/* --- what there may be --- */

static const char namelists[] = "control system electrons ions cell fcp rism";
static const char *const namelist_names[] = { "control", "system", "electrons",
                                              "ions",    "cell",   "fcp",
                                              "rism",    NULL };

/* Keys of these namelists, of releases 6 and 7. */
static const char known[] =
    "calculation title verbosity restart_mode wf_collect nstep iprint tstress "
    "tprnfor dt outdir wfcdir prefix lkpoint_dir max_seconds etot_conv_thr "
    "forc_conv_thr disk_io pseudo_dir tefield dipfield lelfield nberrycyc "
    "lorbm lberry gdir nppstr gate twochem lfcp trism lecrpa "
    "ibrav celldm nat ntyp nbnd nbnd_cond tot_charge starting_charge "
    "tot_magnetization starting_magnetization ecutwfc ecutrho ecutfock nr1 "
    "nr2 nr3 nr1s nr2s nr3s nosym nosym_evc noinv no_t_rev force_symmorphic "
    "use_all_frac occupations one_atom_occupations starting_spin_angle "
    "degauss_cond nelec_cond degauss smearing nspin sic_gamma pol_type "
    "sic_energy sci_vb sci_cb noncolin ecfixed qcutz q2sigma input_dft ace "
    "exx_fraction screening_parameter exxdiv_treatment x_gamma_extrapolation "
    "ecutvcut nqx1 nqx2 nqx3 localization_thr hubbard_occ hubbard_alpha "
    "hubbard_beta hubbard_u hubbard_j0 hubbard_j hubbard_v lda_plus_u "
    "lda_plus_u_kind starting_ns_eigenvalue u_projection_type dmft "
    "dmft_prefix ensemble_energies edir emaxpos eopreg eamp angle1 angle2 "
    "lforcet constrained_magnetization fixed_magnetization lambda report "
    "lspinorb assume_isolated esm_bc esm_w esm_efield esm_nfit lgcscf "
    "gcscf_mu gcscf_conv_thr gcscf_beta vdw_corr london london_s6 london_c6 "
    "london_rvdw london_rcut dftd3_version dftd3_threebody ts_vdw_econv_thr "
    "ts_vdw_isolated xdm xdm_a1 xdm_a2 space_group uniqueb origin_choice "
    "rhombohedral zgate relaxz block block_1 block_2 block_height nextffield "
    "electron_maxstep exx_maxstep scf_must_converge conv_thr adaptive_thr "
    "conv_thr_init conv_thr_multi mixing_mode mixing_beta mixing_ndim "
    "mixing_fixed_ns diagonalization diago_thr_init diago_cg_maxiter "
    "diago_ppcg_maxiter diago_david_ndim diago_rmm_ndim diago_rmm_conv "
    "diago_gs_nblock diago_full_acc efield efield_cart efield_phase "
    "startingpot startingwfc tqr real_space "
    "ion_positions ion_velocities ion_dynamics pot_extrapolation "
    "wfc_extrapolation remove_rigid_rot ion_temperature tempw tolp delta_t "
    "nraise refold_pos upscale bfgs_ndim trust_radius_max trust_radius_min "
    "trust_radius_ini w_1 w_2 cell_dynamics press wmass cell_factor "
    "press_conv_thr cell_dofree";

/* --- values --- */

/* A key with what it is set to. */
struct setting {
    const char *key;
    const char *value; /* as it stands, of 'len' bytes */
    size_t len;
    size_t line;
};

/* Behind the key that ends at 'at': "(1) = 0.5 ! comment". */
static void find_value (const char *text, size_t len, size_t at,
                        struct setting *s)
{
    while (at < len && text[at] != '=' && text[at] != '\n')
        at++;
    at += at < len && text[at] == '=';
    while (at < len && strchr (" \t", text[at]))
        at++;
    s->value = text + at;
    s->len = 0;
    if (at < len && strchr ("'\"", text[at]))
        for (s->len = 1; at + s->len < len && text[at + s->len] != text[at]
                         && text[at + s->len] != '\n';)
            s->len++;
    while (at + s->len < len && !strchr (" \t\r\n,!/", text[at + s->len]))
        s->len++;
}

static bool is_text (const struct setting *s)
{
    return s->len > 0 && strchr ("'\"", *s->value);
}

/* In any case, without the quotes. */
static bool says (const struct setting *s, const char *word)
{
    return s->len == strlen (word) + 2
           && strncasecmp (s->value + 1, word, s->len - 2) == 0;
}

/* Fortran's 1.0d-7; -1: it is none. */
static double number_of (const struct setting *s, bool *good)
{
    _cleanup_free_ char *text = xstrndup (s->value, s->len);
    char *end;
    double value;

    for (char *c = text; *c; c++)
        *c = *c == 'd' || *c == 'D' ? 'e' : *c;
    value = strtod (text, &end);
    *good = s->len > 0 && *end == '\0';
    return value;
}

static bool is_false (const struct setting *s)
{
    const char *at = s->value + (s->len > 0 && *s->value == '.');

    return s->len > 0 && tolower ((unsigned char)*at) == 'f';
}

/* --- what is refused --- */

struct checking {
    const char *text;
    size_t len;
    const char *name;
    bool cutoff;
};

static bool is_among (const char *key, const char *const *words)
{
    while (*words && strcmp (*words, key) != 0)
        words++;
    return *words != NULL;
}

static int refuse (const struct checking *k, const struct setting *s,
                   const char *remedy, struct error *err)
{
    return error_set (err, "%s:%zu: %s = %.*s; %s", k->name, s->line, s->key,
                      (int)s->len, s->value, remedy);
}

static int check_kind (const struct checking *k, const struct setting *s,
                       struct error *err)
{
    static const char *const texts[] = {
        "calculation",     "occupations", "smearing",        "input_dft",
        "vdw_corr",        "mixing_mode", "diagonalization", "disk_io",
        "startingwfc",     "startingpot", "verbosity",       "restart_mode",
        "assume_isolated", NULL
    };
    static const char *const numbers[] = {
        "ecutwfc",          "ecutrho", "degauss",    "conv_thr", "mixing_beta",
        "electron_maxstep", "nspin",   "tot_charge", "nbnd",     NULL
    };
    bool good = true;

    if (is_among (s->key, texts) && !is_text (s))
        return refuse (k, s, "write it in quotes", err);
    if (is_among (s->key, numbers))
        number_of (s, &good);
    return good ? 0 : refuse (k, s, "write a number", err);
}

/* Cells and atoms are those of frames, at rest. */
static int check_meaning (const struct checking *k, const struct setting *s,
                          struct error *err)
{
    static const char *const cell[] = { "celldm", "a",     "b",     "c",
                                        "cosab",  "cosac", "cosbc", NULL };
    bool good;

    if (strcmp (s->key, "calculation") == 0 && !says (s, "scf"))
        return refuse (k, s,
                       "write 'scf', or remove it: a label is of the atoms "
                       "where they are",
                       err);
    if (strcmp (s->key, "tprnfor") == 0 && is_false (s))
        return refuse (k, s, "remove it: labels have forces", err);
    if (strcmp (s->key, "scf_must_converge") == 0 && is_false (s))
        return refuse (k, s,
                       "remove it: forces of a density that did not converge "
                       "are no label",
                       err);
    if (is_among (s->key, cell)
        || (strcmp (s->key, "ibrav") == 0 && number_of (s, &good) != 0))
        return refuse (k, s, "remove it: the cell is that of a frame", err);
    return 0;
}

static int check_key (const struct checking *k, const char *word, size_t line,
                      size_t end, struct error *err)
{
    struct setting s = { .key = word, .line = line };
    char *meant = template_meant (word, known, 4, 1);

    if (meant) {
        error_set (err, "%s:%zu: pw.x has no key '%s'; did you mean '%s'?",
                   k->name, line, word, meant);
        free (meant);
        return -1;
    }
    find_value (k->text, k->len, end, &s);
    return check_kind (k, &s, err) < 0 ? -1 : check_meaning (k, &s, err);
}

/* "K_POINTS automatic": three numbers of points and three shifts. */
static int check_mesh (const struct checking *k, size_t line, size_t end,
                       struct error *err)
{
    const char *at = k->text + end;
    const char *eol = memchr (at, '\n', k->len - end);
    int n = 0;

    while (at < k->text + k->len && strchr (" \t{(", *at))
        at++;
    if (strncasecmp (at, "automatic", strlen ("automatic")) != 0 || !eol)
        return 0;
    for (char *next; n < 6; n++, eol = next) {
        strtol (eol, &next, 10);
        if (next == eol || memchr (eol + 1, '\n', (size_t)(next - eol - 1)))
            break;
    }
    if (n == 6)
        return 0;
    return error_set (err,
                      "%s:%zu: K_POINTS automatic is followed by %d whole "
                      "numbers; write six on one line, 4 4 4 0 0 0 or the like",
                      k->name, line, n);
}

static int check_list (const struct checking *k, const char *word, size_t line,
                       struct error *err)
{
    _cleanup_free_ char *meant =
        template_meant (word, namelists, 1, PW_WORD_SIZE);
    int rc = 0;

    if (meant)
        rc = error_set (err,
                        "%s:%zu: pw.x has no namelist &%s; did you mean &%s?",
                        k->name, line, word, meant);
    else if (!is_among (word, namelist_names))
        rc = error_set (err, "%s:%zu: pw.x has no namelist &%s; remove it",
                        k->name, line, word);
    return rc;
}

static int check_item (enum pw_item item, const char *word, size_t line,
                       size_t end, void *arg, struct error *err)
{
    struct checking *k = arg;

    if (item == PW_CARD)
        return strcmp (word, "k_points") == 0 ? check_mesh (k, line, end, err)
                                              : 0;
    if (item == PW_NAMELIST)
        return check_list (k, word, line, err);
    k->cutoff = k->cutoff || strcmp (word, "ecutwfc") == 0;
    return check_key (k, word, line, end, err);
}

int pw_check_settings (const char *text, size_t len, const char *name,
                       struct error *err)
{
    struct checking k = { text, len, name, false };
    int rc = pw_scan (text, len, check_item, &k, err);

    if (rc == 0 && !k.cutoff)
        rc = error_set (err,
                        "%s: there is no ecutwfc, which pw.x needs; write "
                        "it into &SYSTEM, in Ry",
                        name);
    return rc;
}

/* --- what only looks wrong --- */

struct doubting {
    const char *text;
    size_t len;
    const char *name;
    const struct known_input *input;
    struct strbuf *says;
    bool magnetized;
    size_t polarized; /* the line of nspin = 2 */
    bool spin, occupied;
    double ecutwfc, ecutrho; /* 0: not set */
    size_t cutoff_line, density_line;
};

static const struct {
    const char *key;
    double most;
    const char *unit;
} usual[] = {
    { "ecutwfc", 250,
      "is in Ry, where 30 to 120 are usual; divide eV by 13.6" },
    { "degauss", 0.1,
      "is in Ry, where 0.005 to 0.05 are usual; divide eV by "
      "13.6" },
    { "conv_thr", 1e-4,
      "is in Ry, and forces are rough then; write 1d-7 or "
      "less" },
    { "mixing_beta", 1, "is a share of the new density; write 0.1 to 0.7" },
    { "tot_charge", 0,
      "is that of every frame, and a cell with a charge has an energy that "
      "depends on its size; remove it, unless all frames are such" },
};

/* Told of the path of each pseudopotential. */
typedef void each_pseudo (const char *path, void *arg);

static void walk_pseudos (const struct known_input *input, each_pseudo *each,
                          void *arg)
{
    _cleanup_free_ char *all =
        path_join (input->dir, json_get_string (input->others, "pseudo_dir"));

    JSON_FOREACH (json_get (input->others, "pseudopotentials"), it) {
        _cleanup_free_ char *path =
            path_join (all, json_as_string (json_iter_value (it)));

        each (path, arg);
    }
}

static void note_functional (const char *path, void *arg)
{
    const char *functional = pseudo_functional (path);

    if (functional)
        *(const char **)arg = functional;
}

/* A hybrid on pseudopotentials of PBE is usual, LDA and others are not. */
static void doubt_functional (const struct doubting *d, const struct setting *s)
{
    bool lda = says (s, "pz") || says (s, "lda") || says (s, "sla+pz");
    const char *functional = NULL;

    walk_pseudos (d->input, note_functional, &functional);
    if (functional && lda != (strcmp (functional, "LDA") == 0))
        template_doubt (d->says, d->name, s->line,
                        "input_dft = %.*s, and the pseudopotentials are of %s; "
                        "name those of one functional, and remove input_dft",
                        (int)s->len, s->value, functional);
}

/* pw.x takes any other text for none. */
static void doubt_dispersion (const struct doubting *d, const struct setting *s)
{
    static const char *const names[] = { "grimme-d2",
                                         "dft-d",
                                         "grimme-d3",
                                         "dft-d3",
                                         "ts",
                                         "ts-vdw",
                                         "tkatchenko-scheffler",
                                         "mbd",
                                         "many-body dispersion",
                                         "mbd_vdw",
                                         "xdm",
                                         "none" };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (says (s, names[i]))
            return;
    }
    template_doubt (d->says, d->name, s->line,
                    "vdw_corr = %.*s is none that pw.x knows, and it computes "
                    "without dispersion; write such as 'grimme-d3'",
                    (int)s->len, s->value);
}

/* Molecules alone in their cells have the gamma point. */
static void doubt_isolated (const struct doubting *d, const struct setting *s)
{
    static const char *const alone[] = { "makov-payne",       "m-p", "mp",
                                         "martyna-tuckerman", "m-t", "mt" };
    _cleanup_ (strbuf_release) struct strbuf card = STRBUF_INIT;
    bool points = json_as_double (json_get (d->input->others, "kspacing")) > 0
                  || (pw_setting (d->text, d->len, "k_points", &card)
                      && !strcasestr (card.buf, "gamma"));

    for (size_t i = 0; points && i < ARRAY_SIZE (alone); i++) {
        if (says (s, alone[i]))
            template_doubt (d->says, d->name, s->line,
                            "assume_isolated = %.*s is for molecules that do "
                            "not see each other, and K_POINTS are those of a "
                            "crystal; remove it, or write K_POINTS gamma",
                            (int)s->len, s->value);
    }
}

static void doubt_key (struct doubting *d, const struct setting *s)
{
    static const char *const grid[] = { "nr1",  "nr2",  "nr3", "nr1s",
                                        "nr2s", "nr3s", NULL };
    bool good;
    double value = number_of (s, &good);

    for (size_t i = 0; good && i < ARRAY_SIZE (usual); i++) {
        if (strcmp (s->key, usual[i].key) == 0 && value > usual[i].most)
            template_doubt (d->says, d->name, s->line, "%s = %g %s", s->key,
                            value, usual[i].unit);
    }
    if (strcmp (s->key, "nbnd") == 0)
        template_doubt (d->says, d->name, s->line,
                        "nbnd is that of one number of atoms, and frames have "
                        "others; remove it");
    if (is_among (s->key, grid))
        template_doubt (d->says, d->name, s->line,
                        "%s is the grid of one cell, and frames have others; "
                        "remove it",
                        s->key);
    if (strcmp (s->key, "assume_isolated") == 0)
        doubt_isolated (d, s);
    if (strcmp (s->key, "nspin") == 0 && good && value == 2)
        d->polarized = s->line;
    d->spin = d->spin || strcmp (s->key, "nspin") == 0
              || strcmp (s->key, "noncolin") == 0;
    if (strcmp (s->key, "occupations") == 0 && !says (s, "fixed"))
        d->occupied = true;
    if (strcmp (s->key, "ecutwfc") == 0) {
        d->ecutwfc = value;
        d->cutoff_line = s->line;
    }
    if (strcmp (s->key, "ecutrho") == 0) {
        d->ecutrho = value;
        d->density_line = s->line;
    }
    if (strcmp (s->key, "input_dft") == 0)
        doubt_functional (d, s);
    if (strcmp (s->key, "vdw_corr") == 0)
        doubt_dispersion (d, s);
    if (strcmp (s->key, "tot_magnetization") == 0)
        d->magnetized = true;
}

static int doubt_item (enum pw_item item, const char *word, size_t line,
                       size_t end, void *arg, struct error *err)
{
    struct doubting *d = arg;
    struct setting s = { .key = word, .line = line };

    (void)err;
    if (item != PW_KEY)
        return 0;
    find_value (d->text, d->len, end, &s);
    doubt_key (d, &s);
    return 0;
}

static void note_augmented (const char *path, void *arg)
{
    if (pseudo_is_augmented (path))
        snprintf (arg, PATH_MAX, "%s", path_base (path));
}

static void note_cutoff (const char *path, void *arg)
{
    double *most = arg;

    *most = fmax (*most, pseudo_cutoff (path));
}

/* Four times ecutwfc, which pw.x takes without ecutrho, is for others than
 * augmented ones, and the least there is for all.
 */
static void doubt_cutoffs (const struct doubting *d)
{
    char augmented[PATH_MAX] = "";
    double suggested = 0;

    walk_pseudos (d->input, note_augmented, augmented);
    walk_pseudos (d->input, note_cutoff, &suggested);
    if (*augmented && d->density_line == 0)
        template_doubt (
            d->says, d->name, 0,
            "there is no ecutrho, and %s is ultrasoft or PAW, which "
            "needs 8 to 12 times ecutwfc; write it",
            augmented);
    if (d->density_line > 0 && d->ecutrho < 4 * d->ecutwfc)
        template_doubt (d->says, d->name, d->density_line,
                        "ecutrho = %g is less than 4 times ecutwfc, %g, and "
                        "cuts the density; write %g, or remove it",
                        d->ecutrho, d->ecutwfc, 4 * d->ecutwfc);
    if (d->ecutwfc < 0.9 * suggested)
        template_doubt (d->says, d->name, d->cutoff_line,
                        "ecutwfc = %g Ry is below what a pseudopotential "
                        "suggests, %g; write that or more",
                        d->ecutwfc, suggested);
}

/* What metals need, and magnets. */
static void doubt_elements (const struct doubting *d)
{
    const char *const *elements = d->input->elements;
    const char *magnetic = elements_magnetic (elements);

    if (magnetic && !d->spin)
        template_doubt (d->says, d->name, 0,
                        "%s is magnetic, and there is no nspin: without spin "
                        "energies and forces are of another state; write nspin "
                        "= 2 and by_element: {starting_magnetization: {%s: "
                        "0.5}}, or nspin = 1 if that is meant",
                        magnetic, magnetic);
    if (!d->occupied && elements_are_metals (elements))
        template_doubt (d->says, d->name, 0,
                        "all elements are metals, and occupations are fixed; "
                        "write occupations = 'smearing', smearing = 'mv' and "
                        "degauss = 0.02");
}

/* "gamma", or "automatic" with "1 1 1 0 0 0". */
static void doubt_points (const struct doubting *d)
{
    _cleanup_ (strbuf_release) struct strbuf card = STRBUF_INIT;
    int n[3] = { 0, 0, 0 };

    if (elements_are_metals (d->input->elements)
        && pw_setting (d->text, d->len, "k_points", &card)
        && (strcasestr (card.buf, "gamma")
            || (sscanf (card.buf + strcspn (card.buf, "\n"), "%d %d %d", &n[0],
                        &n[1], &n[2])
                    == 3
                && strcasestr (card.buf, "automatic") && n[0] == 1 && n[1] == 1
                && n[2] == 1)))
        template_doubt (d->says, d->name, 0,
                        "K_POINTS is one point, which is rough for metals in "
                        "cells below some 15 A; write kspacing: 0.2 of the "
                        "stage in its place, or more points");
}

/* nspin = 2, from a magnetization of 0. */
static void doubt_polarized (const struct doubting *d)
{
    const struct json *start = json_get (
        json_get (d->input->others, "by_element"), "starting_magnetization");
    bool any = d->magnetized;

    JSON_FOREACH (start, it) {
        any = any || json_as_double (json_iter_value (it)) != 0;
    }
    if (d->polarized > 0 && !any)
        template_doubt (d->says, d->name, d->polarized,
                        "nspin = 2 begins without magnetization, and stays so, "
                        "or pw.x stops; write by_element: "
                        "{starting_magnetization: {Fe: 0.5}}");
}

void pw_doubt_input (const char *text, size_t len, const char *name,
                     const struct known_input *input, struct strbuf *says)
{
    struct doubting d = {
        .text = text, .len = len, .name = name, .input = input, .says = says
    };

    pw_scan (text, len, doubt_item, &d, NULL);
    doubt_cutoffs (&d);
    doubt_elements (&d);
    doubt_points (&d);
    doubt_polarized (&d);
}

/* --- what two templates must have in common --- */

const char *const pw_same[] = { "ecutwfc",         "ecutrho",    "input_dft",
                                "vdw_corr",        "nspin",      "noncolin",
                                "lspinorb",        "lda_plus_u", "tot_charge",
                                "assume_isolated", "k_points",   NULL };

struct search {
    const char *text;
    size_t len;
    const char *key;
    struct strbuf *value;
};

static int find_setting (enum pw_item item, const char *word, size_t line,
                         size_t end, void *arg, struct error *err)
{
    struct search *find = arg;
    struct setting s = { .key = word, .line = line };

    (void)err;
    if (item == PW_NAMELIST || strcmp (word, find->key) != 0)
        return 0;
    find_value (find->text, find->len, end, &s);
    if (item == PW_CARD) { /* and its lines, up to the next card */
        s.value = find->text + end;
        s.len = 0;
        while (end + s.len < find->len
               && !(s.value[s.len] == '\n' && end + s.len + 1 < find->len
                    && isalpha ((unsigned char)s.value[s.len + 1])))
            s.len++;
    }
    strbuf_add (find->value, s.value, s.len);
    return 1;
}

bool pw_setting (const char *text, size_t len, const char *key,
                 struct strbuf *value)
{
    struct search find = { text, len, key, value };

    return pw_scan (text, len, find_setting, &find, NULL) == 1;
}
