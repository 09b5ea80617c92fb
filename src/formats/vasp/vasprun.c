/* SPDX-License-Identifier: BSD-3-Clause */
/* vasprun.c - energies, forces and stresses from VASP's vasprun.xml */
#include "base/base.h"

#include "formats/lines.h"
#include "formats/number.h"
#include "formats/vasp/outcar.h"
#include "formats/vasp/potcar.h"
#include "formats/vasp/vasprun.h"
#include "formats/xml_reader.h"

enum { MAX_ATOMS = 10000000 };

enum place {
    MODELING = XML_PLACES,
    ATOMINFO,
    ATOMS,
    ATOMS_SET,
    ATOM,
    ATOM_WORD,
    PARAMETERS,
    NELM,
    CALCULATION,
    SCSTEP,
    STRUCTURE,
    CRYSTAL,
    BASIS,
    POSITIONS,
    FORCES,
    STRESS,
    ENERGY,
};

static const struct xml_place places[] = {
    XML_PLACE (XML_DOCUMENT, "modeling", NULL, MODELING),
    XML_PLACE (MODELING, "atominfo", NULL, ATOMINFO),
    XML_PLACE (ATOMINFO, "array", "atoms", ATOMS),
    XML_PLACE (ATOMS, "set", NULL, ATOMS_SET),
    XML_PLACE (ATOMS_SET, "rc", NULL, ATOM),
    XML_TEXT (ATOM, "c", NULL, ATOM_WORD),
    XML_PLACE (MODELING, "parameters", NULL, PARAMETERS),
    XML_PLACE (PARAMETERS, "separator", NULL, PARAMETERS),
    XML_TEXT (PARAMETERS, "i", "NELM", NELM),
    XML_PLACE (MODELING, "calculation", NULL, CALCULATION),
    XML_PLACE (CALCULATION, "scstep", NULL, SCSTEP),
    XML_PLACE (CALCULATION, "structure", NULL, STRUCTURE),
    XML_PLACE (STRUCTURE, "crystal", NULL, CRYSTAL),
    XML_PLACE (CRYSTAL, "varray", "basis", BASIS),
    XML_N_NUMBERS (BASIS, "v", NULL, 3, cell),
    XML_PLACE (STRUCTURE, "varray", "positions", POSITIONS),
    XML_N_NUMBERS (POSITIONS, "v", NULL, 3, positions),
    XML_PLACE (CALCULATION, "varray", "forces", FORCES),
    XML_N_NUMBERS (FORCES, "v", NULL, 3, forces),
    XML_PLACE (CALCULATION, "varray", "stress", STRESS),
    XML_N_NUMBERS (STRESS, "v", NULL, 3, stress),
    XML_PLACE (CALCULATION, "energy", NULL, ENERGY),
    XML_N_NUMBERS (ENERGY, "i", "e_fr_energy", 1, energy),
    { 0 },
};

struct vasprun {
    struct lines lines;
    struct xml_reader *reader;
    struct single_point point; /* the calculation at hand; its atoms stay */
    bool atom_is_named;        /* the first of an atom's words was read */
    double scf_limit;          /* NELM; 0: not told */
    size_t scf_steps;
    struct vasprun_left_out left_out;
};

/* --- what the document says --- */

static void on_begin (void *arg, int place, const char *tag, const char *name)
{
    struct vasprun *run = arg;

    (void)tag;
    (void)name;
    if (place == CALCULATION) {
        single_point_begin (&run->point);
        run->scf_steps = 0;
    } else if (place == SCSTEP) {
        run->scf_steps++;
    } else if (place == ATOM) {
        run->atom_is_named = false;
    }
}

/* "Si", padded.  VASP cuts what old potentials call themselves: "r" is Zr, "X"
 * is Xe.
 */
static void read_symbol (struct vasprun *run, const char *text)
{
    char symbol[SYMBOL_SIZE];
    size_t len;

    text += strspn (text, " ");
    len = strcspn (text, " ");
    if (run->atom_is_named)
        return;
    run->atom_is_named = true;
    if (len == 1 && (*text == 'r' || *text == 'X')) {
        text = *text == 'r' ? "Zr" : "Xe";
        len = 2;
    }
    if (run->point.n_atoms >= MAX_ATOMS)
        xml_fail (run->reader, "there are more atoms than VASP can treat");
    else if (potcar_element (symbol, text, len) < 0
             || single_point_add_atom (&run->point, symbol, strlen (symbol))
                    < 0)
        xml_fail (run->reader, "expected an element");
}

static void read_scf_limit (struct vasprun *run, const char *text)
{
    double limit;

    text += strspn (text, " ");
    if (!number_read (text, text + strcspn (text, " "), &limit))
        xml_fail (run->reader, "expected a number");
    else if (run->scf_limit == 0)
        run->scf_limit = limit;
}

static void on_end (void *arg, int place, const char *text)
{
    struct vasprun *run = arg;

    if (place == ATOM_WORD)
        read_symbol (run, text);
    else if (place == NELM)
        read_scf_limit (run, text);
    else if (place == CALCULATION)
        xml_pause (run->reader);
}

/* --- reading on --- */

static struct vasprun *new_run (void)
{
    static const struct xml_handler handler = { places, on_begin, on_end };
    struct vasprun *run = xcalloc (1, sizeof (*run));

    run->lines = (struct lines)LINES_INIT;
    run->point = (struct single_point)SINGLE_POINT_INIT;
    run->reader = xml_reader_create (&run->lines, &handler, run, &run->point);
    return run;
}

struct vasprun *vasprun_open (const char *path, struct error *err)
{
    struct vasprun *run = new_run ();

    if (lines_open (&run->lines, path, 0, err) < 0) {
        vasprun_close (run);
        return NULL;
    }
    return run;
}

struct vasprun *vasprun_of_text (const char *text, size_t len, const char *name)
{
    struct vasprun *run = new_run ();

    lines_of_text (&run->lines, text, len, name, 1);
    return run;
}

void vasprun_close (struct vasprun *run)
{
    if (!run)
        return;
    xml_reader_destroy (run->reader);
    lines_close (&run->lines);
    single_point_release (&run->point);
    free (run);
}

/* --- frames --- */

/* The calculation has come to its end: is it a frame? */
static bool is_frame (struct vasprun *run)
{
    bool converged =
        !(run->scf_limit > 0) || (double)run->scf_steps < run->scf_limit;

    if (run->scf_steps == 0)
        run->left_out.predicted++;
    else if (!converged)
        run->left_out.unconverged++;
    else if (!single_point_is_labelled (&run->point))
        run->left_out.unlabelled++;
    else
        return true;
    return false;
}

int vasprun_next (struct vasprun *run, struct frame *frame, bool *truncated,
                  struct error *err)
{
    int rc;

    while ((rc = xml_read_on (run->reader, truncated, err)) == 1) {
        if (!is_frame (run))
            continue;
        single_point_place (&run->point);
        numbers_scale (&run->point.stress, 1 / VASP_KILOBAR_PER_EV_A3);
        return single_point_frame (&run->point, frame, err) < 0 ? -1 : 1;
    }
    return rc;
}

struct vasprun_left_out vasprun_left_out (const struct vasprun *run)
{
    return run->left_out;
}
