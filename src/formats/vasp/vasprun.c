/* SPDX-License-Identifier: BSD-3-Clause */
/* vasprun.c - energies, forces and stresses from VASP's vasprun.xml */
#include "config.h"

#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "formats/vasp/outcar.h"
#include "formats/vasp/potcar.h"
#include "formats/vasp/vasprun.h"

enum {
    MAX_DEPTH = 64,
    MAX_TEXT_BYTES = 4096, /* of an element that is read */
    MAX_ATOMS = 10000000,
    FEED_BYTES = 64 * 1024,
    MAX_TOKEN_BYTES = 8 * 1024 * 1024, /* the parser keeps all of one */
};

/* Where in the document an element is. */
enum place {
    ELSEWHERE, /* and all within it */
    DOCUMENT,
    MODELING,
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
    BASIS_ROW,
    POSITIONS,
    POSITION,
    FORCES,
    FORCE,
    STRESS,
    STRESS_ROW,
    ENERGY,
    FREE_ENERGY,
};

static const struct step {
    enum place within;
    const char *tag;
    const char *name; /* what its attribute says; NULL: whatever */
    enum place place;
} steps[] = {
    { DOCUMENT, "modeling", NULL, MODELING },
    { MODELING, "atominfo", NULL, ATOMINFO },
    { ATOMINFO, "array", "atoms", ATOMS },
    { ATOMS, "set", NULL, ATOMS_SET },
    { ATOMS_SET, "rc", NULL, ATOM },
    { ATOM, "c", NULL, ATOM_WORD },
    { MODELING, "parameters", NULL, PARAMETERS },
    { PARAMETERS, "separator", NULL, PARAMETERS },
    { PARAMETERS, "i", "NELM", NELM },
    { MODELING, "calculation", NULL, CALCULATION },
    { CALCULATION, "scstep", NULL, SCSTEP },
    { CALCULATION, "structure", NULL, STRUCTURE },
    { STRUCTURE, "crystal", NULL, CRYSTAL },
    { CRYSTAL, "varray", "basis", BASIS },
    { BASIS, "v", NULL, BASIS_ROW },
    { STRUCTURE, "varray", "positions", POSITIONS },
    { POSITIONS, "v", NULL, POSITION },
    { CALCULATION, "varray", "forces", FORCES },
    { FORCES, "v", NULL, FORCE },
    { CALCULATION, "varray", "stress", STRESS },
    { STRESS, "v", NULL, STRESS_ROW },
    { CALCULATION, "energy", NULL, ENERGY },
    { ENERGY, "i", "e_fr_energy", FREE_ENERGY },
};

/* Rows of three numbers. */
struct rows {
    double *v;
    size_t n; /* numbers */
    size_t alloc;
};

struct vasprun {
    XML_Parser parser;
    struct lines lines; /* only its file, or the text, is used */
    bool fed;           /* the parser has all of the file */
    bool ended;         /* the document, not only the file */
    bool broken;        /* the error is told by 'failure' */
    size_t token_bytes; /* given to the parser since it last told anything */
    struct error failure;

    enum place places[MAX_DEPTH + 1];
    int depth;
    struct strbuf text; /* of the element at hand, where it is read */

    char (*symbols)[SYMBOL_SIZE];
    size_t n_symbols;
    size_t symbols_alloc;
    bool atom_is_named; /* the first of an atom's words was read */
    double scf_limit;   /* NELM; 0: not told */

    /* the calculation at hand */
    struct rows basis, positions, forces, stress, energy;
    size_t scf_steps;
    bool complete; /* one was read to its end */
    struct vasprun_left_out left_out;
};

/* --- what the document says --- */

/* Stop reading; only the first sentence counts. */
static void fail (struct vasprun *run, const char *what)
{
    if (run->broken)
        return;
    run->broken = true;
    error_set (&run->failure, "%s:%lu: %s", run->lines.file.name,
               (unsigned long)XML_GetCurrentLineNumber (run->parser), what);
    XML_StopParser (run->parser, XML_FALSE);
}

static const char *name_of (const char **attributes)
{
    for (; *attributes; attributes += 2) {
        if (strcmp (attributes[0], "name") == 0)
            return attributes[1];
    }
    return "";
}

static enum place find_place (enum place within, const char *tag,
                              const char **attributes)
{
    if (within == ELSEWHERE)
        return ELSEWHERE;
    for (size_t i = 0; i < ARRAY_SIZE (steps); i++) {
        if (steps[i].within == within && strcmp (steps[i].tag, tag) == 0
            && (!steps[i].name
                || strcmp (steps[i].name, name_of (attributes)) == 0))
            return steps[i].place;
    }
    return ELSEWHERE;
}

static void begin_calculation (struct vasprun *run)
{
    run->basis.n = run->positions.n = run->forces.n = 0;
    run->stress.n = run->energy.n = 0;
    run->scf_steps = 0;
}

static void XMLCALL on_start (void *arg, const XML_Char *tag,
                              const XML_Char **attributes)
{
    struct vasprun *run = arg;
    enum place place;

    run->token_bytes = 0;
    if (run->depth == MAX_DEPTH) {
        fail (run, "elements are nested too deeply");
        return;
    }
    place = find_place (run->places[run->depth], tag, attributes);
    run->places[++run->depth] = place;
    strbuf_reset (&run->text);
    if (place == CALCULATION)
        begin_calculation (run);
    else if (place == SCSTEP)
        run->scf_steps++;
    else if (place == ATOM)
        run->atom_is_named = false;
}

/* Is the text of the element read? */
static bool has_text (enum place place)
{
    return place == ATOM_WORD || place == NELM || place == BASIS_ROW
           || place == POSITION || place == FORCE || place == STRESS_ROW
           || place == FREE_ENERGY;
}

static void XMLCALL on_text (void *arg, const XML_Char *text, int len)
{
    struct vasprun *run = arg;

    run->token_bytes = 0;
    if (!has_text (run->places[run->depth]))
        return;
    if (run->text.len + (size_t)len > MAX_TEXT_BYTES)
        fail (run, "this is longer than three numbers");
    else
        strbuf_add (&run->text, text, (size_t)len);
}

/* Append the n numbers that the element's text is. */
static void read_numbers (struct vasprun *run, struct rows *rows, size_t n)
{
    struct lines line;
    double v[3];

    lines_of_text (&line, run->text.buf, run->text.len, "", 1);
    if (rows->n >= 3 * MAX_ATOMS || lines_next (&line, NULL) != 1
        || !lines_take_numbers (&line, v, n))
        fail (run, n == 1 ? "expected a number" : "expected three numbers");
    lines_close (&line);
    for (size_t i = 0; !run->broken && i < n; i++) {
        if (!isfinite (v[i]))
            fail (run, "expected finite numbers");
        rows->v = grow_array (rows->v, rows->n, &rows->alloc, sizeof (double));
        rows->v[rows->n++] = v[i];
    }
}

/* "Si", padded.  VASP cuts what old potentials call themselves: "r" is Zr, "X"
 * is Xe.
 */
static void read_symbol (struct vasprun *run)
{
    const char *text = run->text.buf + strspn (run->text.buf, " ");
    size_t len = strcspn (text, " ");

    if (run->atom_is_named)
        return;
    run->atom_is_named = true;
    if (run->n_symbols >= MAX_ATOMS) {
        fail (run, "there are more atoms than VASP can treat");
        return;
    }
    if (len == 1 && (*text == 'r' || *text == 'X')) {
        text = *text == 'r' ? "Zr" : "Xe";
        len = 2;
    }
    run->symbols = grow_array (run->symbols, run->n_symbols,
                               &run->symbols_alloc, SYMBOL_SIZE);
    if (potcar_element (run->symbols[run->n_symbols], text, len) < 0)
        fail (run, "expected an element");
    else
        run->n_symbols++;
}

static void read_scf_limit (struct vasprun *run)
{
    struct rows number = { 0 };

    read_numbers (run, &number, 1);
    if (!run->broken && run->scf_limit == 0)
        run->scf_limit = number.v[0];
    free (number.v);
}

static void XMLCALL on_end (void *arg, const XML_Char *tag)
{
    struct vasprun *run = arg;

    (void)tag;
    run->token_bytes = 0;
    if (run->broken)
        return;
    switch (run->places[run->depth--]) {
    case ATOM_WORD:
        read_symbol (run);
        break;
    case NELM:
        read_scf_limit (run);
        break;
    case BASIS_ROW:
        read_numbers (run, &run->basis, 3);
        break;
    case POSITION:
        read_numbers (run, &run->positions, 3);
        break;
    case FORCE:
        read_numbers (run, &run->forces, 3);
        break;
    case STRESS_ROW:
        read_numbers (run, &run->stress, 3);
        break;
    case FREE_ENERGY:
        read_numbers (run, &run->energy, 1);
        break;
    case CALCULATION:
        run->complete = true;
        XML_StopParser (run->parser, XML_TRUE);
        break;
    case MODELING:
        run->ended = true;
        break;
    default:
        break;
    }
}

/* VASP writes none, and entities are how XML is made to explode. */
static void XMLCALL on_doctype (void *arg, const XML_Char *name,
                                const XML_Char *system_id,
                                const XML_Char *public_id, int has_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_subset;
    fail (arg, "a document type is not expected here");
}

/* --- reading on --- */

static struct vasprun *new_run (void)
{
    struct vasprun *run = xcalloc (1, sizeof (*run));

    run->lines = (struct lines)LINES_INIT;
    run->failure = (struct error)ERROR_INIT;
    strbuf_init (&run->text);
    run->places[0] = DOCUMENT;
    run->parser = XML_ParserCreate (NULL);
    if (!run->parser)
        alloc_failed (0);
    XML_SetUserData (run->parser, run);
    XML_SetElementHandler (run->parser, on_start, on_end);
    XML_SetCharacterDataHandler (run->parser, on_text);
    XML_SetStartDoctypeDeclHandler (run->parser, on_doctype);
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
    XML_ParserFree (run->parser);
    lines_close (&run->lines);
    strbuf_release (&run->text);
    free (run->symbols);
    free (run->basis.v);
    free (run->positions.v);
    free (run->forces.v);
    free (run->stress.v);
    free (run->energy.v);
    free (run);
}

/* Give the parser a block: 1, 0 when the file has no more, or -1. */
static int feed (struct vasprun *run, enum XML_Status *status,
                 struct error *err)
{
    struct packed_file *file = &run->lines.file;
    size_t len = (size_t)(file->stop - file->next);

    if (len == 0) {
        int rc = packed_more (file, err);

        if (rc < 0 || run->fed)
            return rc;
        run->fed = rc == 0;
        len = (size_t)(file->stop - file->next);
    }
    if (len > FEED_BYTES)
        len = FEED_BYTES;
    *status = XML_Parse (run->parser, file->next, (int)len, run->fed);
    packed_take (file, len);
    run->token_bytes += len;
    if (run->token_bytes > MAX_TOKEN_BYTES)
        fail (run, "a comment or tag of more than 8 MiB; VASP writes none");
    return 1;
}

/* Parse on, to the end of a calculation or of the document: 1, 0 when the file
 * ends before, or -1.
 */
static int parse_on (struct vasprun *run, struct error *err)
{
    XML_ParsingStatus parsing;
    enum XML_Status status = XML_STATUS_OK;
    int rc = 1;

    run->complete = false;
    while (rc == 1 && !run->complete && !run->ended) {
        XML_GetParsingStatus (run->parser, &parsing);
        if (parsing.parsing == XML_SUSPENDED)
            status = XML_ResumeParser (run->parser);
        else
            rc = feed (run, &status, err);
        if (rc == 1 && status == XML_STATUS_ERROR && !run->broken) {
            if (run->fed)
                return 0;
            fail (run, XML_ErrorString (XML_GetErrorCode (run->parser)));
        }
        if (run->broken)
            return error_copy (err, &run->failure);
    }
    return rc;
}

/* --- frames --- */

static bool is_labelled (const struct vasprun *run)
{
    size_t n = 3 * run->n_symbols;

    return n > 0 && run->basis.n == 9 && run->positions.n == n
           && run->forces.n == n && run->energy.n == 1;
}

/* The calculation has come to its end: is it a frame? */
static bool is_frame (struct vasprun *run)
{
    bool converged =
        !(run->scf_limit > 0) || (double)run->scf_steps < run->scf_limit;

    if (run->scf_steps == 0)
        run->left_out.predicted++;
    else if (!converged)
        run->left_out.unconverged++;
    else if (!is_labelled (run))
        run->left_out.unlabelled++;
    else
        return true;
    return false;
}

static void set_position (struct frame *frame, size_t atom,
                          const double *fraction)
{
    for (int i = 0; i < 3; i++)
        frame->positions[3 * atom + (size_t)i] =
            fraction[0] * frame->cell[i] + fraction[1] * frame->cell[3 + i]
            + fraction[2] * frame->cell[6 + i];
}

static int make_frame (const struct vasprun *run, struct frame *frame,
                       struct error *err)
{
    struct frame made = FRAME_INIT;
    size_t n = run->n_symbols;
    double unit;

    if (frame_resize (&made, n, true, err) < 0)
        return -1;
    memcpy (made.symbols, run->symbols, n * SYMBOL_SIZE);
    memcpy (made.cell, run->basis.v, sizeof (made.cell));
    memset (made.periodic, true, sizeof (made.periodic));
    for (size_t i = 0; i < n; i++)
        set_position (&made, i, run->positions.v + 3 * i);
    memcpy (made.forces, run->forces.v, 3 * n * sizeof (double));
    made.energy = run->energy.v[0];
    made.has_energy = true;
    made.has_virial = run->stress.n == 9;
    unit = fabs (frame_volume (&made)) / VASP_KILOBAR_PER_EV_A3;
    for (int i = 0; made.has_virial && i < 9; i++)
        made.virial[i] = run->stress.v[i] * unit;
    frame_release (frame);
    *frame = made;
    return 1;
}

int vasprun_next (struct vasprun *run, struct frame *frame, bool *truncated,
                  struct error *err)
{
    int rc = 0;

    while (!run->ended && (rc = parse_on (run, err)) == 1) {
        if (run->complete && is_frame (run))
            return make_frame (run, frame, err);
    }
    if (rc == 0 && !run->ended)
        *truncated = true;
    return rc < 0 ? -1 : 0;
}

struct vasprun_left_out vasprun_left_out (const struct vasprun *run)
{
    return run->left_out;
}
