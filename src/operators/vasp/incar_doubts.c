/* SPDX-License-Identifier: BSD-3-Clause */
/* incar_doubts.c - what of an INCAR only looks wrong */
#include "base/base.h"

#include <strings.h>

#include "base/json.h"
#include "formats/element.h"
#include "formats/vasp/incar.h"
#include "formats/vasp/potcar.h"
#include "operators/vasp/vasp.h"

struct doubts {
    const char *name;
    const struct known_input *input;
    struct strbuf *says;
};

static int whole_of (const struct incar_tag *tag)
{
    return (int)strtol (tag->value, NULL, 10);
}

/* Tags whose value fits one number of atoms, and frames have others. */
static void doubt_size (const struct doubts *d, const struct incar_tag *tag)
{
    static const char *const tags[] = { "NELECT", "NBANDS", "NGX",
                                        "NGY",    "NGZ",    "NUPDOWN" };

    for (size_t i = 0; i < ARRAY_SIZE (tags); i++) {
        if (strcmp (tag->name, tags[i]) == 0)
            template_doubt (d->says, d->name, tag->line,
                            "%s is that of one cell, and frames have others; "
                            "remove it",
                            tag->name);
    }
}

static void doubt_ranks (const struct doubts *d, const struct incar_tag *tag)
{
    int ranks = d->input->ranks, n = whole_of (tag);

    if ((strcmp (tag->name, "NCORE") == 0 || strcmp (tag->name, "NPAR") == 0
         || strcmp (tag->name, "KPAR") == 0)
        && ranks > 0 && n > 0 && ranks % n != 0)
        template_doubt (d->says, d->name, tag->line,
                        "%s = %d does not divide the %d ranks of a task; write "
                        "one that does",
                        tag->name, n, ranks);
}

static const struct {
    const char *tag;
    double most;
    const char *says;
} usual[] = {
    { "ENCUT", 1500, "is in eV, where 300 to 700 are usual; write that" },
    { "EDIFF", 2e-4,
      "is in eV, and forces are rough then; write 1E-6 or less" },
    { "SIGMA", 0.5,
      "is in eV, where 0.05 to 0.2 are usual, and forces are those of very hot "
      "electrons; write that" },
    { "KSPACING", 1,
      "is in 1/angstrom (2 pi included), where 0.15 to 0.5 are usual; write "
      "that" },
};

static void doubt_number (const struct doubts *d, const struct incar_tag *tag)
{
    double value = strtod (tag->value, NULL);

    for (size_t i = 0; i < ARRAY_SIZE (usual); i++) {
        if (strcmp (usual[i].tag, tag->name) == 0 && value > usual[i].most)
            template_doubt (d->says, d->name, tag->line, "%s = %g %s",
                            tag->name, value, usual[i].says);
    }
}

/* What finds no ground state: response, excitations, and nothing at all. */
static void doubt_algorithm (const struct doubts *d,
                             const struct incar_tag *tag)
{
    static const char *const others[] = {
        "NON", "NOT", "EIGEN", "SUB", "TD",   "TIME", "GW",   "CHI", "BSE",
        "ACF", "RPA", "2E",    "QP",  "SCGW", "EVGW", "CRPA", "G0W"
    };

    for (size_t i = 0;
         strcmp (tag->name, "ALGO") == 0 && i < ARRAY_SIZE (others); i++) {
        if (strncasecmp (tag->value, others[i], strlen (others[i])) == 0)
            template_doubt (d->says, d->name, tag->line,
                            "ALGO = %.*s finds no ground state, of which a "
                            "label is; write Normal, Fast or All",
                            (int)(tag->end - tag->value), tag->value);
    }
}

static void doubt_tag (const struct doubts *d, const struct incar_tag *tag)
{
    doubt_size (d, tag);
    doubt_ranks (d, tag);
    doubt_number (d, tag);
    doubt_algorithm (d, tag);
    if (strcmp (tag->name, "PREC") == 0 && toupper (*tag->value) == 'L')
        template_doubt (d->says, d->name, tag->line,
                        "PREC = Low has rough forces; write Accurate");
    if (strcmp (tag->name, "NELM") == 0 && whole_of (tag) < 10)
        template_doubt (d->says, d->name, tag->line,
                        "NELM = %d steps are too few to converge, so no frame "
                        "gets a label; write 60 or more",
                        whole_of (tag));
    if (strcmp (tag->name, "LDAU") == 0 && incar_is_true (tag)
        && !json_get (json_get (d->input->others, "by_element"), "LDAUU"))
        template_doubt (d->says, d->name, tag->line,
                        "LDAU is on, and no U is given; write by_element: "
                        "{LDAUL: {...}, LDAUU: {...}, LDAUJ: {...}}");
    if ((strcmp (tag->name, "LSORBIT") == 0
         || strcmp (tag->name, "LNONCOLLINEAR") == 0)
        && incar_is_true (tag)
        && json_array_has_string (json_get (d->input->others, "vasp"),
                                  "vasp_std"))
        template_doubt (d->says, d->name, tag->line,
                        "%s needs vasp_ncl; write vasp: [vasp_ncl]", tag->name);
}

/* VASP takes a tag where it first occurs. */
static void doubt_twice (const struct doubts *d, const char *text, size_t len)
{
    struct incar s = INCAR_OF (text, len);
    _cleanup_ (strvec_release) struct strvec seen = STRVEC_INIT;
    struct incar_tag tag;

    while (incar_next (&s, &tag)) {
        if (strvec_contains (&seen, tag.name))
            template_doubt (d->says, d->name, tag.line,
                            "%s is set above, too, and VASP takes that; remove "
                            "one of them",
                            tag.name);
        strvec_push (&seen, tag.name);
    }
}

/* The first of that name; false: there is none. */
static bool find_tag (const char *text, size_t len, const char *name,
                      struct incar_tag *tag)
{
    struct incar s = INCAR_OF (text, len);

    while (incar_next (&s, tag)) {
        if (strcmp (tag->name, name) == 0)
            return true;
    }
    return false;
}

static void doubt_smearing (const struct doubts *d, const char *text,
                            size_t len)
{
    struct incar_tag tag = { .line = 0 };
    bool set = find_tag (text, len, "ISMEAR", &tag);
    int smearing = set ? whole_of (&tag) : 1;

    if (smearing == -5 && elements_are_metals (d->input->elements))
        template_doubt (d->says, d->name, tag.line,
                        "ISMEAR = -5 has forces and stress that are wrong by "
                        "some per cent in metals; write ISMEAR = 1 and SIGMA = "
                        "0.2");
    if (smearing > 0 && d->input->elements
        && !elements_have_metal (d->input->elements))
        template_doubt (d->says, d->name, set ? tag.line : 0,
                        "ISMEAR = %d%s is for metals, and no element is one; "
                        "write ISMEAR = 0 and SIGMA = 0.05",
                        smearing,
                        set ? ""
                            : ", which VASP takes where none is "
                              "set,");
}

static void doubt_spin (const struct doubts *d, const char *text, size_t len)
{
    const char *magnetic = elements_magnetic (d->input->elements);
    struct incar_tag tag;

    if (magnetic && !find_tag (text, len, "ISPIN", &tag)
        && !find_tag (text, len, "LNONCOLLINEAR", &tag)
        && !find_tag (text, len, "LSORBIT", &tag))
        template_doubt (d->says, d->name, 0,
                        "%s is magnetic, and there is no ISPIN: without spin "
                        "energies and forces are of another state; write ISPIN "
                        "= 2 and by_element: {MAGMOM: {%s: 3}}, or ISPIN = 1 "
                        "if that is meant",
                        magnetic, magnetic);
}

/* Of the first potential that is here; "" if none is. */
static void potential_functional (const struct known_input *input,
                                  struct strbuf *value)
{
    const char *dir = json_get_string (input->others, "potcar_dir");

    JSON_FOREACH (json_get (input->others, "potcars"), it) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
        _cleanup_free_ char *path = potcar_path (
            input->dir, dir, json_as_string (json_iter_value (it)));

        if (value->len == 0
            && potcar_append (path, json_iter_key (it), &text, NULL) == 0)
            potcar_setting (text.buf, text.len, "LEXCH", value);
    }
}

/* GGA = RP with potentials of PBE is usual, one of LDA is not. */
static void doubt_functional (const struct doubts *d, const char *text,
                              size_t len)
{
    _cleanup_ (strbuf_release) struct strbuf potential = STRBUF_INIT;
    struct incar_tag tag, aspherical;
    bool gga = find_tag (text, len, "GGA", &tag);

    potential_functional (d->input, &potential);
    if (gga && strncasecmp (tag.value, "CA", 2) != 0 && potential.buf
        && strncmp (potential.buf, "CA", 2) == 0)
        template_doubt (d->says, d->name, tag.line,
                        "GGA = %.*s, and the potentials are of LDA (LEXCH = "
                        "CA); name those of PBE",
                        (int)(tag.end - tag.value), tag.value);
    if (find_tag (text, len, "METAGGA", &tag)
        && (!find_tag (text, len, "LASPH", &aspherical)
            || !incar_is_true (&aspherical)))
        template_doubt (d->says, d->name, tag.line,
                        "METAGGA needs what is not spherical within the "
                        "spheres, too; write LASPH = .TRUE.");
}

static bool is_on (const char *text, size_t len, const char *name)
{
    struct incar_tag tag;

    return find_tag (text, len, name, &tag) && incar_is_true (&tag);
}

/* Tags that mean nothing without another one, and one that counts twice. */
static void doubt_halves (const struct doubts *d, const char *text, size_t len)
{
    static const char *const of_exchange[] = { "HFSCREEN", "AEXX" };
    struct incar_tag tag, other;

    for (size_t i = 0; i < ARRAY_SIZE (of_exchange); i++) {
        if (find_tag (text, len, of_exchange[i], &tag)
            && strtod (tag.value, NULL) > 0 && !is_on (text, len, "LHFCALC"))
            template_doubt (d->says, d->name, tag.line,
                            "%s is of a hybrid functional, and VASP passes "
                            "over it without LHFCALC; write LHFCALC = .TRUE., "
                            "or remove it",
                            tag.name);
    }
    if (find_tag (text, len, "LUSE_VDW", &tag) && incar_is_true (&tag)
        && !find_tag (text, len, "AGGAC", &other)
        && !find_tag (text, len, "METAGGA", &other))
        template_doubt (d->says, d->name, tag.line,
                        "LUSE_VDW adds a correlation that is not local to that "
                        "of the GGA, which counts in part twice then; write "
                        "AGGAC = 0.0");
}

/* The gamma point is all that it has. */
static void doubt_program (const struct doubts *d)
{
    const struct json *spacing = json_get (d->input->others, "kspacing");
    double value = json_as_double (spacing);

    if (value > 0
        && json_array_has_string (json_get (d->input->others, "vasp"),
                                  "vasp_gam"))
        template_doubt (d->says, d->name, 0,
                        "vasp_gam has the gamma point alone, and by kspacing: "
                        "%g a cell below %.3g A has more, at which it stops; "
                        "write vasp: [vasp_std], or kpoints: of gamma",
                        value, 2 * M_PI / value);
}

/* The largest ENMAX of the potentials that are here; 0: none is known. */
static double largest_enmax (const struct known_input *input)
{
    const struct json *dir = json_get (input->others, "potcar_dir");
    double largest = 0;

    JSON_FOREACH (json_get (input->others, "potcars"), it) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
        _cleanup_ (strbuf_release) struct strbuf value = STRBUF_INIT;
        _cleanup_free_ char *path =
            potcar_path (input->dir, json_as_string (dir),
                         json_as_string (json_iter_value (it)));

        if (potcar_append (path, json_iter_key (it), &text, NULL) == 0
            && potcar_setting (text.buf, text.len, "ENMAX", &value))
            largest = fmax (largest, strtod (value.buf, NULL));
    }
    return largest;
}

static void doubt_cutoff (const struct doubts *d, const char *text, size_t len)
{
    struct incar s = INCAR_OF (text, len);
    double enmax = largest_enmax (d->input);
    struct incar_tag tag;
    size_t n = 0;

    while (d->input->elements && d->input->elements[n])
        n++;
    while (incar_next (&s, &tag)) {
        double encut = strtod (tag.value, NULL);

        if (strcmp (tag.name, "ENCUT") != 0)
            continue;
        if (encut < enmax)
            template_doubt (d->says, d->name, tag.line,
                            "ENCUT = %g eV is below the ENMAX of a potential, "
                            "%g; write that or more",
                            encut, enmax);
        return;
    }
    if (n > 1)
        template_doubt (d->says, d->name, 0,
                        "there is no ENCUT, and VASP takes the largest ENMAX "
                        "of a frame's elements: labels of frames of other "
                        "elements would be of another cutoff; write ENCUT");
}

void vasp_doubt_incar (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct strbuf *says)
{
    struct doubts d = { name, input, says };
    struct incar s = INCAR_OF (text, len);
    struct incar_tag tag;

    while (incar_next (&s, &tag))
        doubt_tag (&d, &tag);
    doubt_twice (&d, text, len);
    doubt_cutoff (&d, text, len);
    doubt_smearing (&d, text, len);
    doubt_spin (&d, text, len);
    doubt_functional (&d, text, len);
    doubt_halves (&d, text, len);
    doubt_program (&d);
}
