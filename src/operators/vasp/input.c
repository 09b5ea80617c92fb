/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - what VASP reads for one frame: INCAR, POSCAR, POTCAR, KPOINTS */
#include "base/base.h"

#include <strings.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/frame.h"
#include "formats/vasp/incar.h"
#include "formats/vasp/poscar.h"
#include "formats/vasp/potcar.h"
#include "operators/vasp/vasp.h"

/* What a label needs and the INCAR does not set. */
static void add_defaults (const char *text, size_t len, struct strbuf *out)
{
    static const char *const defaults[][2] = {
        { "NSW", "0" },         { "IBRION", "-1" },      { "ISIF", "2" },
        { "LWAVE", ".FALSE." }, { "LCHARG", ".FALSE." },
    };

    for (size_t i = 0; i < ARRAY_SIZE (defaults); i++) {
        if (!incar_sets (text, len, defaults[i][0]))
            strbuf_addf (out, "%s = %s\n", defaults[i][0], defaults[i][1]);
    }
}

/* How many atoms from this one on are of its element. */
static size_t count_alike (const struct frame *frame, size_t atom)
{
    size_t n = 1;

    while (atom + n < frame->n_atoms
           && strcmp (frame->symbols[atom], frame->symbols[atom + n]) == 0)
        n++;
    return n;
}

/* "MAGMOM = 2*5 3*0.6" has one for each atom, others for each kind. */
static int add_by_element (const char *tag, const struct json *values,
                           const struct frame *frame, struct strbuf *out,
                           struct error *err)
{
    strbuf_addf (out, "%s =", tag);
    for (size_t i = 0, n; i < frame->n_atoms; i += n) {
        const struct json *value = json_get (values, frame->symbols[i]);

        n = count_alike (frame, i);
        if (!value)
            return error_set (err, "by_element: %s has no value for %s", tag,
                              frame->symbols[i]);
        if (strcasecmp (tag, "MAGMOM") == 0)
            strbuf_addf (out, " %zu*%g", n, json_as_double (value));
        else
            strbuf_addf (out, " %g", json_as_double (value));
    }
    strbuf_add_char (out, '\n');
    return 0;
}

/* What is ours stands first: VASP takes a tag where it first occurs. */
static int write_incar (const struct label_input *input, struct error *err)
{
    const struct json *kspacing = json_get (input->inputs, "kspacing");
    const struct json *by_element = json_get (input->inputs, "by_element");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = 0;

    add_defaults (input->text, input->len, &text);
    if (!json_is_null (kspacing))
        strbuf_addf (
            &text, "KSPACING = %.17g\nKGAMMA = %s\n", json_as_double (kspacing),
            json_as_bool (json_get (input->inputs, "kgamma")) ? ".TRUE."
                                                              : ".FALSE.");
    JSON_FOREACH (by_element, it) {
        if (rc == 0)
            rc = add_by_element (json_iter_key (it), json_iter_value (it),
                                 input->frame, &text, err);
    }
    strbuf_add (&text, input->text, input->len);
    if (rc == 0)
        rc = file_write_atomic ("INCAR", text.buf, text.len, err);
    return rc;
}

static int write_poscar (const struct frame *frame, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (poscar_check (frame, err) < 0)
        return -1;
    poscar_format (frame, &text);
    return file_write_atomic ("POSCAR", text.buf, text.len, err);
}

static int write_potcar (const struct label_input *input, struct error *err)
{
    const struct frame *frame = input->frame;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *potcars;
    const char *dir;
    int rc = json_want_string (input->inputs, "potcar_dir", &dir, err);

    if (rc == 0)
        rc = json_want_object (input->inputs, "potcars", &potcars, err);
    for (size_t i = 0; rc == 0 && i < frame->n_atoms;
         i += count_alike (frame, i)) {
        const char *name = json_get_string (potcars, frame->symbols[i]);
        _cleanup_free_ char *path =
            potcar_path (input->task->campaign_dir, dir, name);

        rc = *name ? potcar_append (path, frame->symbols[i], &text, err)
                   : error_set (err, "potcars: none for '%s'; add %s: NAME",
                                frame->symbols[i], frame->symbols[i]);
    }
    if (rc == 0)
        rc = file_write_atomic ("POTCAR", text.buf, text.len, err);
    return rc;
}

static int write_kpoints (const struct label_input *input, struct error *err)
{
    const struct json *path = json_get (input->inputs, "kpoints");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc;

    if (json_is_null (path))
        return 0;
    rc = file_read (json_as_string (path), TEMPLATE_MAX_BYTES, &text, err);
    if (rc == 0)
        rc = file_write_atomic ("KPOINTS", text.buf, text.len, err);
    return rc;
}

int vasp_write_inputs (const struct label_input *input, struct error *err)
{
    if (write_incar (input, err) < 0 || write_poscar (input->frame, err) < 0
        || write_potcar (input, err) < 0)
        return -1;
    return write_kpoints (input, err);
}
