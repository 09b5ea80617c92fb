/* SPDX-License-Identifier: BSD-3-Clause */
/* qe_xml.c - results of Quantum ESPRESSO's pw.x from data-file-schema.xml
 *
 * The sign of <stress>, found by a finite difference of the total energy: its
 * diagonal is positive under compression, and trace/3 is the pressure that
 * pw.x prints as P=.  So the virial, which has DeePMD-kit's sign, is stress
 * times volume.
 */
#include "config.h"

#include <expat.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "formats/frame.h"
#include "formats/number.h"
#include "formats/qe/qe_xml.h"

static const double hartree_ev = 27.211386245988; /* CODATA 2018 */
static const double bohr_angstrom = 0.529177210903;

enum { MAX_DEPTH = 64, MAX_PATH_BYTES = 4096 };

struct numbers {
    double *v;
    size_t n;
    size_t alloc;
};

struct qe_file {
    XML_Parser parser;
    const char *name;
    struct error *err;
    bool failed;

    struct strbuf path; /* "/qes:espresso/output/total_energy/etot" */
    int depth;
    int wanted_depth; /* where the element is whose text is kept; 0: none */
    const struct element *wanted;
    struct strbuf text;

    char (*symbols)[SYMBOL_SIZE];
    size_t n_symbols;
    size_t symbols_alloc;
    struct numbers positions, cell, forces, stress, energy;
    int converged; /* -1: not said */
};

/* An element whose text means something. */
struct element {
    const char *path; /* below the root element */
    size_t numbers;   /* offset of what its numbers are appended to; 0: none */
};

static const struct element elements[] = {
    { "/output/convergence_info/scf_conv/convergence_achieved", 0 },
    { "/output/atomic_structure/atomic_positions/atom",
      offsetof (struct qe_file, positions) },
    { "/output/atomic_structure/cell/a1", offsetof (struct qe_file, cell) },
    { "/output/atomic_structure/cell/a2", offsetof (struct qe_file, cell) },
    { "/output/atomic_structure/cell/a3", offsetof (struct qe_file, cell) },
    { "/output/total_energy/etot", offsetof (struct qe_file, energy) },
    { "/output/forces", offsetof (struct qe_file, forces) },
    { "/output/stress", offsetof (struct qe_file, stress) },
};

/* Stop reading; only the first sentence counts. */
static void fail (struct qe_file *file, const char *what)
{
    if (file->failed)
        return;
    file->failed = true;
    error_set (file->err, "%s:%lu: %s", file->name,
               (unsigned long)XML_GetCurrentLineNumber (file->parser), what);
    XML_StopParser (file->parser, XML_FALSE);
}

static const struct element *find_element (const struct qe_file *file)
{
    const char *below = strchr (file->path.buf + 1, '/');

    for (size_t i = 0; below && i < ARRAY_SIZE (elements); i++) {
        if (strcmp (below, elements[i].path) == 0)
            return &elements[i];
    }
    return NULL;
}

static void note_symbol (struct qe_file *file, const char **attributes)
{
    while (*attributes && strcmp (*attributes, "name") != 0)
        attributes += 2;
    file->symbols = grow_array (file->symbols, file->n_symbols,
                                &file->symbols_alloc, SYMBOL_SIZE);
    if (!*attributes
        || symbol_set (file->symbols[file->n_symbols], attributes[1],
                       strlen (attributes[1]))
               < 0)
        fail (file, "expected an atom with a name of at most 7 characters");
    else
        file->n_symbols++;
}

static void XMLCALL on_start (void *arg, const XML_Char *name,
                              const XML_Char **attributes)
{
    struct qe_file *file = arg;

    file->depth++;
    strbuf_addf (&file->path, "/%s", name);
    if (file->depth > MAX_DEPTH || file->path.len > MAX_PATH_BYTES) {
        fail (file, "elements are nested too deeply");
        return;
    }
    if (file->wanted)
        return;
    file->wanted = find_element (file);
    file->wanted_depth = file->depth;
    strbuf_reset (&file->text);
    if (file->wanted
        && file->wanted->numbers == offsetof (struct qe_file, positions))
        note_symbol (file, attributes);
}

static void XMLCALL on_text (void *arg, const XML_Char *text, int len)
{
    struct qe_file *file = arg;

    if (file->wanted && file->depth == file->wanted_depth)
        strbuf_add (&file->text, text, (size_t)len);
}

/* Append the numbers of the element's text, which may have several lines. */
static void read_numbers (struct qe_file *file, struct numbers *numbers)
{
    const char *at = file->text.buf, *end = at + file->text.len;

    for (;;) {
        double value;

        while (at < end && memchr (" \t\r\n", *at, 4))
            at++;
        if (at == end)
            return;
        at = number_read (at, end, &value);
        if (!at || (at < end && !memchr (" \t\r\n", *at, 4))
            || !isfinite (value)) {
            fail (file, "expected finite numbers");
            return;
        }
        numbers->v = grow_array (numbers->v, numbers->n, &numbers->alloc,
                                 sizeof (*numbers->v));
        numbers->v[numbers->n++] = value;
    }
}

static void read_converged (struct qe_file *file)
{
    if (strcmp (file->text.buf, "true") == 0)
        file->converged = 1;
    else if (strcmp (file->text.buf, "false") == 0)
        file->converged = 0;
    else
        fail (file, "convergence_achieved: expected true or false");
}

static void XMLCALL on_end (void *arg, const XML_Char *name)
{
    struct qe_file *file = arg;

    if (file->wanted && file->depth == file->wanted_depth) {
        size_t offset = file->wanted->numbers;

        if (offset > 0)
            read_numbers (file, (struct numbers *)((char *)file + offset));
        else
            read_converged (file);
        file->wanted = NULL;
    }
    strbuf_truncate (&file->path, file->path.len - strlen (name) - 1);
    file->depth--;
}

/* pw.x writes none, and entities are how XML is made to explode. */
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

static int parse (struct qe_file *file, const char *text, size_t len,
                  struct error *err)
{
    enum XML_Status status = XML_STATUS_OK;

    if (len > INT32_MAX)
        return error_set (err, "%s: larger than 2 GiB", file->name);
    file->parser = XML_ParserCreate (NULL);
    if (!file->parser)
        alloc_failed (0);
    XML_SetUserData (file->parser, file);
    XML_SetElementHandler (file->parser, on_start, on_end);
    XML_SetCharacterDataHandler (file->parser, on_text);
    XML_SetStartDoctypeDeclHandler (file->parser, on_doctype);
    status = XML_Parse (file->parser, text, (int)len, 1);
    if (status != XML_STATUS_OK && !file->failed)
        fail (file, XML_ErrorString (XML_GetErrorCode (file->parser)));
    XML_ParserFree (file->parser);
    return file->failed ? -1 : 0;
}

/* Are all the parts there, and of the right length? */
static int check (const struct qe_file *file, struct error *err)
{
    size_t n = file->n_symbols;

    if (file->converged < 0 || n == 0 || file->positions.n != 3 * n
        || file->cell.n != 9)
        return error_set (err,
                          "%s: expected <output> with scf_conv, a cell and "
                          "three coordinates for each atom; did pw.x finish?",
                          file->name);
    if (!file->converged)
        return 0;
    if (file->energy.n != 1 || file->forces.n != 3 * n)
        return error_set (err,
                          "%s: expected etot and three forces for each of %zu "
                          "atoms; set tprnfor=.true. in the input",
                          file->name, n);
    if (file->stress.n != 0 && file->stress.n != 9)
        return error_set (err, "%s: expected 9 numbers of <stress>",
                          file->name);
    return 0;
}

static void set_labels (const struct qe_file *file, struct frame *frame)
{
    const double force_unit = hartree_ev / bohr_angstrom;
    const double stress_unit = force_unit / bohr_angstrom / bohr_angstrom;
    double volume = frame_volume (frame);

    frame->has_energy = true;
    frame->energy = file->energy.v[0] * hartree_ev;
    for (size_t i = 0; i < file->forces.n; i++)
        frame->forces[i] = file->forces.v[i] * force_unit;
    frame->has_virial = file->stress.n > 0;
    for (size_t i = 0; i < file->stress.n; i++)
        frame->virial[i] =
            file->stress.v[i] * stress_unit * (volume < 0 ? -volume : volume);
}

static int make_frame (const struct qe_file *file, struct frame *frame,
                       struct error *err)
{
    struct frame made = FRAME_INIT;

    if (check (file, err) < 0
        || frame_resize (&made, file->n_symbols, file->converged, err) < 0)
        return -1;
    memcpy (made.symbols, file->symbols, file->n_symbols * SYMBOL_SIZE);
    for (size_t i = 0; i < file->positions.n; i++)
        made.positions[i] = file->positions.v[i] * bohr_angstrom;
    for (int i = 0; i < 9; i++)
        made.cell[i] = file->cell.v[i] * bohr_angstrom;
    memset (made.periodic, true, sizeof (made.periodic));
    if (file->converged)
        set_labels (file, &made);
    frame_release (frame);
    *frame = made;
    return 0;
}

static void release (struct qe_file *file)
{
    strbuf_release (&file->path);
    strbuf_release (&file->text);
    free (file->symbols);
    free (file->positions.v);
    free (file->cell.v);
    free (file->forces.v);
    free (file->stress.v);
    free (file->energy.v);
}

int qe_xml_parse (const char *text, size_t len, const char *name,
                  struct frame *frame, bool *converged, struct error *err)
{
    struct qe_file file = { .name = name,
                            .err = err,
                            .path = STRBUF_INIT,
                            .text = STRBUF_INIT,
                            .converged = -1 };
    int rc = parse (&file, text, len, err);

    if (rc == 0)
        rc = make_frame (&file, frame, err);
    if (rc == 0)
        *converged = file.converged;
    release (&file);
    return rc;
}
