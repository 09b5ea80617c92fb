/* SPDX-License-Identifier: BSD-3-Clause */
/* qe_xml.c - results of Quantum ESPRESSO's pw.x from data-file-schema.xml
 *
 * The sign of <stress>, found by a finite difference of the total energy: its
 * diagonal is positive under compression, and trace/3 is the pressure that
 * pw.x prints as P=.  So the virial, which has DeePMD-kit's sign, is stress
 * times volume.
 */
#include "base/base.h"

#include "formats/atomic_units.h"
#include "formats/lines.h"
#include "formats/qe/qe_xml.h"
#include "formats/xml_reader.h"

enum place {
    ROOT = XML_PLACES,
    OUTPUT,
    CONVERGENCE,
    SCF,
    CONVERGED,
    STRUCTURE,
    POSITIONS,
    CELL,
    ENERGY,
};

static const struct xml_place places[] = {
    XML_PLACE (XML_DOCUMENT, NULL, NULL, ROOT),
    XML_PLACE (ROOT, "output", NULL, OUTPUT),
    XML_PLACE (OUTPUT, "convergence_info", NULL, CONVERGENCE),
    XML_PLACE (CONVERGENCE, "scf_conv", NULL, SCF),
    XML_TEXT (SCF, "convergence_achieved", NULL, CONVERGED),
    XML_PLACE (OUTPUT, "atomic_structure", NULL, STRUCTURE),
    XML_PLACE (STRUCTURE, "atomic_positions", NULL, POSITIONS),
    XML_N_NUMBERS (POSITIONS, "atom", NULL, 3, positions),
    XML_PLACE (STRUCTURE, "cell", NULL, CELL),
    XML_N_NUMBERS (CELL, NULL, NULL, 3, cell), /* <a1>, <a2>, <a3> */
    XML_PLACE (OUTPUT, "total_energy", NULL, ENERGY),
    XML_N_NUMBERS (ENERGY, "etot", NULL, 1, energy),
    XML_N_NUMBERS (OUTPUT, "forces", NULL, 0, forces),
    XML_N_NUMBERS (OUTPUT, "stress", NULL, 0, stress),
    { 0 },
};

static const struct single_point_advice advice = {
    .structure = "let pw.x finish",
    .labels = "set tprnfor=.true. in the input",
};

struct qe_file {
    struct xml_reader *reader;
    struct single_point point; /* in hartree and bohr */
};

static void begin (void *arg, int place, const char *tag, const char *name)
{
    struct qe_file *file = arg;

    if (place == XML_NUMBERS && strcmp (tag, "atom") == 0
        && single_point_add_atom (&file->point, name, strlen (name)) < 0)
        xml_fail (file->reader,
                  "expected an atom with a name of at most 7 characters");
}

static void end (void *arg, int place, const char *text)
{
    struct qe_file *file = arg;
    struct single_point *point = &file->point;

    if (place != CONVERGED)
        return;
    point->converged = strcmp (text, "true") == 0;
    point->not_converged = strcmp (text, "false") == 0;
    if (!point->converged && !point->not_converged)
        xml_fail (file->reader, "convergence_achieved: expected true or false");
}

static void to_our_units (struct single_point *point)
{
    numbers_scale (&point->positions, BOHR_A);
    numbers_scale (&point->cell, BOHR_A);
    numbers_scale (&point->energy, HARTREE_EV);
    numbers_scale (&point->forces, HARTREE_EV / BOHR_A);
    numbers_scale (&point->stress, HARTREE_EV / BOHR_A / BOHR_A / BOHR_A);
}

int qe_xml_read (struct lines *lines, struct frame *frame, bool *converged,
                 struct error *err)
{
    static const struct xml_handler handler = { places, begin, end };
    struct qe_file file = { .point = SINGLE_POINT_INIT };
    bool truncated = false;
    int rc;

    file.reader = xml_reader_create (lines, &handler, &file, &file.point);
    rc = xml_read_on (file.reader, &truncated, err);
    if (rc == 0 && truncated)
        rc = error_set (err, "%s: the document has no end; let pw.x finish",
                        lines->file.name);
    to_our_units (&file.point);
    if (rc == 0)
        rc = single_point_finish (&file.point, &advice, lines, frame, converged,
                                  err);
    xml_reader_destroy (file.reader);
    single_point_release (&file.point);
    return rc;
}

int qe_xml_parse (const char *text, size_t len, const char *name,
                  struct frame *frame, bool *converged, struct error *err)
{
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, name, 1);
    rc = qe_xml_read (&lines, frame, converged, err);
    lines_close (&lines);
    return rc;
}
