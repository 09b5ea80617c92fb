/* SPDX-License-Identifier: BSD-3-Clause */
/* input_doubts.c - keywords of CP2K that are misspelt, what looks wrong, and
 * what labels depend on
 */
#include "base/base.h"

#include <strings.h>

#include "formats/element.h"
#include "operators/cp2k/input.h"
#include "signature/operator.h"

/* --- spelling --- */

/* Keywords and sections of the sections that everybody writes (CP2K manual,
 * releases 7 to 2025).  Others may be of another release; not those that are
 * one letter off.
 */
static const struct {
    const char *path;
    const char *known;
} sections[] = {
    { "GLOBAL", "PROJECT PROJECT_NAME RUN_TYPE PRINT_LEVEL SEED WALLTIME "
                "EXTENDED_FFT_LENGTHS PREFERRED_DIAG_LIBRARY FFTW_PLAN_TYPE "
                "PREFERRED_FFT_LIBRARY TRACE SAVE_MEM FLUSH_SHOULD_FLUSH" },
    { "FORCE_EVAL", "METHOD STRESS_TENSOR DFT SUBSYS PRINT MM QMMM PROPERTIES "
                    "MIXED EIP NNP EMBED BSSE RESCALE_FORCES" },
    { "FORCE_EVAL/DFT",
      "BASIS_SET_FILE_NAME POTENTIAL_FILE_NAME CHARGE MULTIPLICITY UKS LSD "
      "ROKS RKS WFN_RESTART_FILE_NAME SURFACE_DIPOLE_CORRECTION RELAX_"
      "MULTIPLICITY PLUS_U_METHOD AUTO_BASIS MGRID QS SCF XC POISSON KPOINTS "
      "LS_SCF PRINT LOCALIZE EFIELD EXTERNAL_POTENTIAL" },
    { "FORCE_EVAL/DFT/MGRID", "CUTOFF REL_CUTOFF NGRIDS PROGRESSION_FACTOR "
                              "COMMENSURATE SKIP_LOAD_BALANCE_DISTRIBUTED "
                              "MULTIGRID_SET MULTIGRID_CUTOFF" },
    { "FORCE_EVAL/DFT/QS", "METHOD EPS_DEFAULT EXTRAPOLATION EPS_RHO "
                           "EXTRAPOLATION_ORDER EPS_PGF_ORB EPS_FILTER_MATRIX "
                           "MAP_CONSISTENT EPS_CORE_CHARGE EPS_GVG_RSPACE "
                           "PW_GRID_BLOCKED STO_NG FORCE_PAW XTB DFTB SE" },
    { "FORCE_EVAL/DFT/SCF",
      "MAX_SCF EPS_SCF SCF_GUESS ADDED_MOS CHOLESKY EPS_DIIS EPS_EIGVAL "
      "EPS_LUMO LEVEL_SHIFT MAX_DIIS MAX_SCF_HISTORY EPS_SCF_HISTORY "
      "NCOL_BLOCK "
      "NROW_BLOCK MAX_ITER_LUMO IGNORE_CONVERGENCE_FAILURE OT OUTER_SCF MIXING "
      "DIAGONALIZATION SMEAR PRINT" },
    { "FORCE_EVAL/DFT/SCF/OUTER_SCF",
      "MAX_SCF EPS_SCF TYPE OPTIMIZER BISECT_"
      "TRUST_COUNT DIIS_BUFFER_LENGTH STEP_SIZE" },
    { "FORCE_EVAL/DFT/SCF/OT",
      "MINIMIZER PRECONDITIONER ENERGY_GAP ALGORITHM LINESEARCH STEPSIZE "
      "SAFE_DIIS N_HISTORY_VEC ROTATION EPS_IRAC" },
    { "FORCE_EVAL/SUBSYS/KIND",
      "BASIS_SET POTENTIAL ELEMENT MASS MAGNETIZATION GHOST COVALENT_RADIUS "
      "VDW_RADIUS CORE_CORRECTION DFTB3_PARAM GPW_TYPE LMAX_DFTB "
      "POTENTIAL_TYPE "
      "POTENTIAL_FILE_NAME BASIS_SET_FILE_NAME NO_OPTIMIZE DFT_PLUS_U BS" },
};

int cp2k_check_spelling (const struct cp2k_line *line, const char *name,
                         struct error *err)
{
    _cleanup_free_ char *meant = NULL;
    int rc = 0;

    for (size_t i = 0; !meant && i < ARRAY_SIZE (sections); i++) {
        if (strcmp (sections[i].path, line->path) == 0)
            meant = template_meant (line->word, sections[i].known, 4, 1);
    }
    if (meant)
        rc =
            error_set (err, "%s:%zu: CP2K has no %s in &%s; did you mean '%s'?",
                       name, line->number, line->word, line->path, meant);
    return rc;
}

/* --- what looks wrong --- */

struct doubting {
    const char *name;
    struct strbuf *says;
    const char *const *elements; /* the campaign's, or NULL */
    char *functional;            /* of &XC_FUNCTIONAL; owned */
    bool functionals;            /* there is such a section */
    bool dft; /* the method is of Gaussians, as without METHOD of QS */
    bool spin;
};

static double number_of (const char *text)
{
    return strtod (text, NULL);
}

static bool is_key (const struct cp2k_line *line, const char *path,
                    const char *word)
{
    return strcmp (line->path, path) == 0 && strcmp (line->word, word) == 0;
}

static void doubt_grid (struct doubting *d, const struct cp2k_line *line)
{
    static const double least = 100, most = 3000; /* Ry */
    double cutoff = number_of (line->value);

    if (strcmp (line->path, "FORCE_EVAL/DFT/MGRID") != 0
        || strcmp (line->word, "CUTOFF") != 0 || strchr (line->value, '['))
        return;
    if (cutoff < least || cutoff > most)
        template_doubt (d->says, d->name, line->number,
                        "CUTOFF %g is in Ry, where 300 to 800 are usual, and "
                        "forces are wrong on a coarse grid; write that",
                        cutoff);
}

/* A grid of few planes for each Gaussian is coarse whatever CUTOFF is. */
static void doubt_fine_grid (struct doubting *d, const struct cp2k_line *line)
{
    static const double least = 30; /* Ry */

    if (is_key (line, "FORCE_EVAL/DFT/MGRID", "REL_CUTOFF")
        && !strchr (line->value, '[') && number_of (line->value) < least)
        template_doubt (d->says, d->name, line->number,
                        "REL_CUTOFF %s is in Ry, where 40 to 60 are usual, and "
                        "forces are wrong on a coarse grid; write that",
                        line->value);
}

/* Dispersion has parameters for each functional. */
static void doubt_dispersion (struct doubting *d, const struct cp2k_line *line)
{
    static const char *const known[] = { "PBE",  "BLYP", "B3LYP", "PBE0",
                                         "OLYP", "TPSS", "BP" };
    static const char *const other_names[] = { "b-lyp", "b3-lyp", "o-lyp",
                                               "b-p" };
    bool same = !d->functional || strcasecmp (d->functional, line->value) == 0;

    if (!is_key (line, "FORCE_EVAL/DFT/XC/VDW_POTENTIAL/PAIR_POTENTIAL",
                 "REFERENCE_FUNCTIONAL"))
        return;
    for (size_t i = 0; i < ARRAY_SIZE (other_names); i++)
        same = same || strcasecmp (line->value, other_names[i]) == 0;
    for (size_t i = 0; !same && i < ARRAY_SIZE (known); i++) {
        if (strcasecmp (known[i], d->functional) == 0)
            template_doubt (d->says, d->name, line->number,
                            "REFERENCE_FUNCTIONAL %s: the dispersion is of "
                            "another functional than &XC_FUNCTIONAL %s; write "
                            "that",
                            line->value, d->functional);
    }
}

static void doubt_periodic (struct doubting *d, const struct cp2k_line *line)
{
    if (strcmp (line->path, "FORCE_EVAL/DFT/POISSON") == 0
        && strcmp (line->word, "PERIODIC") == 0
        && strcasecmp (line->value, "XYZ") != 0)
        template_doubt (d->says, d->name, line->number,
                        "PERIODIC %s: charges do not see those beyond the "
                        "cell, where frames repeat; remove it, unless all "
                        "frames are clusters",
                        line->value);
}

/* "GTH-BLYP-q4" is of BLYP. */
static void doubt_potential (struct doubting *d, const struct cp2k_line *line)
{
    static const char *const known[] = { "PBE",  "BLYP",    "PADE", "LDA",
                                         "OLYP", "HCTH120", "BP" };
    const char *of = line->value + strlen ("GTH-");
    bool known_one = false;

    if (strcmp (line->path, "FORCE_EVAL/SUBSYS/KIND") != 0
        || strcmp (line->word, "POTENTIAL") != 0 || !d->functional
        || strncasecmp (line->value, "GTH-", strlen ("GTH-")) != 0)
        return;
    for (size_t i = 0; i < ARRAY_SIZE (known); i++)
        known_one = known_one || strcasecmp (known[i], d->functional) == 0;
    if (strcasecmp (d->functional, "LDA") == 0
        && strncasecmp (of, "PADE", strlen ("PADE")) == 0)
        return;
    if (known_one
        && (strcspn (of, "- ") != strlen (d->functional)
            || strncasecmp (of, d->functional, strlen (d->functional)) != 0))
        template_doubt (d->says, d->name, line->number,
                        "POTENTIAL %s is of another functional than "
                        "&XC_FUNCTIONAL %s; name one of GTH-%s",
                        line->value, d->functional, d->functional);
}

static void doubt_scf (struct doubting *d, const struct cp2k_line *line)
{
    static const double most = 1e-4;

    if (is_key (line, "FORCE_EVAL/DFT/SCF", "EPS_SCF")
        && number_of (line->value) > most)
        template_doubt (d->says, d->name, line->number,
                        "EPS_SCF %s: forces are rough then; write 1.0E-6 or "
                        "less",
                        line->value);
    if (is_key (line, "FORCE_EVAL/DFT", "CHARGE")
        && number_of (line->value) != 0)
        template_doubt (d->says, d->name, line->number,
                        "CHARGE %s is that of every frame, and a cell with a "
                        "charge has an energy that depends on its size; remove "
                        "it, unless all frames are such",
                        line->value);
    if (is_key (line, "FORCE_EVAL/DFT", "MULTIPLICITY")
        && number_of (line->value) > 2)
        template_doubt (d->says, d->name, line->number,
                        "MULTIPLICITY %s is that of every frame, whatever "
                        "atoms it has; remove it, and write MAGNETIZATION into "
                        "&KIND, unless all frames are such",
                        line->value);
}

/* Orbital transformation has no smearing. */
static void doubt_transformation (struct doubting *d,
                                  const struct cp2k_line *line)
{
    if (line->item == CP2K_SECTION && is_key (line, "FORCE_EVAL/DFT/SCF", "OT")
        && elements_are_metals (d->elements))
        template_doubt (d->says, d->name, line->number,
                        "all elements are metals, and &OT needs a gap; write "
                        "&DIAGONALIZATION, &SMEAR and ADDED_MOS");
}

static void note_method (struct doubting *d, const struct cp2k_line *line)
{
    static const char *const others[] = { "XTB",  "DFTB", "PM6", "AM1",
                                          "MNDO", "PM3",  "RM1" };

    if (line->item == CP2K_SECTION
        && is_key (line, "FORCE_EVAL/DFT/XC", "XC_FUNCTIONAL"))
        d->functionals = true;
    if (line->item == CP2K_SECTION && is_key (line, "FORCE_EVAL/DFT", "SCF"))
        d->dft = true;
    if (line->item != CP2K_KEY)
        return;
    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        if (is_key (line, "FORCE_EVAL/DFT/QS", "METHOD")
            && strcasecmp (line->value, others[i]) == 0)
            d->functionals = d->spin = true;
    }
    if (is_key (line, "FORCE_EVAL", "METHOD")
        && strcasecmp (line->value, "Quickstep") != 0
        && strcasecmp (line->value, "QS") != 0)
        d->functionals = d->spin = true;
    d->spin = d->spin || is_key (line, "FORCE_EVAL/DFT", "UKS")
              || is_key (line, "FORCE_EVAL/DFT", "LSD")
              || is_key (line, "FORCE_EVAL/DFT", "ROKS")
              || is_key (line, "FORCE_EVAL/DFT", "RKS");
}

static void doubt_whole (const struct doubting *d)
{
    const char *magnetic = elements_magnetic (d->elements);

    if (d->dft && !d->functionals)
        template_doubt (d->says, d->name, 0,
                        "there is no &XC_FUNCTIONAL, and without one electrons "
                        "neither exchange nor correlate; write &XC and "
                        "&XC_FUNCTIONAL PBE, or which is meant");
    if (d->dft && magnetic && !d->spin)
        template_doubt (d->says, d->name, 0,
                        "%s is magnetic, and there is no UKS: without spin "
                        "energies and forces are of another state; write UKS T "
                        "into &DFT and MAGNETIZATION into &KIND %s, or UKS F "
                        "if that is meant",
                        magnetic, magnetic);
}

static int find_functional (const struct cp2k_line *line, void *arg,
                            struct error *err)
{
    struct doubting *d = arg;

    (void)err;
    note_method (d, line);
    if (line->item == CP2K_SECTION && strcmp (line->word, "XC_FUNCTIONAL") == 0
        && *line->value && !d->functional)
        d->functional = xstrdup (line->value);
    return 0;
}

static int doubt_line (const struct cp2k_line *line, void *arg,
                       struct error *err)
{
    struct doubting *d = arg;

    (void)err;
    doubt_transformation (d, line);
    if (line->item != CP2K_KEY)
        return 0;
    doubt_grid (d, line);
    doubt_fine_grid (d, line);
    doubt_dispersion (d, line);
    doubt_scf (d, line);
    doubt_periodic (d, line);
    doubt_potential (d, line);
    return 0;
}

void cp2k_doubt_input (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct strbuf *says)
{
    struct doubting d = { .name = name,
                          .says = says,
                          .elements = input->elements };

    cp2k_scan (text, len, name, find_functional, &d, NULL);
    cp2k_scan (text, len, name, doubt_line, &d, NULL);
    doubt_whole (&d);
    free (d.functional);
}

/* --- what two templates must have in common --- */

const char *const cp2k_same[] = {
    "FORCE_EVAL/METHOD",
    "FORCE_EVAL/DFT/CHARGE",
    "FORCE_EVAL/DFT/MULTIPLICITY",
    "FORCE_EVAL/DFT/UKS",
    "FORCE_EVAL/DFT/LSD",
    "FORCE_EVAL/DFT/QS/METHOD",
    "FORCE_EVAL/DFT/MGRID/CUTOFF",
    "FORCE_EVAL/DFT/MGRID/REL_CUTOFF",
    "FORCE_EVAL/DFT/XC/&XC_FUNCTIONAL",
    "FORCE_EVAL/DFT/XC/VDW_POTENTIAL/PAIR_POTENTIAL/TYPE",
    "FORCE_EVAL/DFT/XC/VDW_POTENTIAL/PAIR_POTENTIAL/REFERENCE_FUNCTIONAL",
    "FORCE_EVAL/DFT/POISSON/PERIODIC",
    "FORCE_EVAL/SUBSYS/KIND/BASIS_SET",
    "FORCE_EVAL/SUBSYS/KIND/POTENTIAL",
    NULL,
};

struct search {
    const char *key;
    struct strbuf *value;
    bool found;
};

static int find_setting (const struct cp2k_line *line, void *arg,
                         struct error *err)
{
    struct search *find = arg;
    size_t len = strlen (line->path);
    const char *word = find->key + len + 1;

    (void)err;
    if ((line->item != CP2K_KEY && line->item != CP2K_SECTION)
        || strncmp (find->key, line->path, len) != 0 || find->key[len] != '/')
        return 0;
    word += line->item == CP2K_SECTION && *word == '&';
    if (strcmp (word, line->word) != 0
        || (line->item == CP2K_SECTION) != (word[-1] == '&'))
        return 0;
    strbuf_addf (find->value, "%s%s", find->found ? ", " : "", line->value);
    find->found = true;
    return 0;
}

bool cp2k_setting (const char *text, size_t len, const char *key,
                   struct strbuf *value)
{
    struct search find = { key, value, false };

    cp2k_scan (text, len, "", find_setting, &find, NULL);
    return find.found;
}
