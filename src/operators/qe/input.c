/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - pw.x input for one frame, from the user's template */
#include "base/base.h"

#include "base/json.h"
#include "formats/element.h"
#include "formats/frame.h"
#include "formats/qe/pw_scan.h"
#include "operators/qe/k_points.h"
#include "operators/qe/qe.h"

/* --- keys, for template_check_keys --- */

struct teller {
    template_each_key *each;
    void *arg;
};

static int tell_key (enum pw_item item, const char *word, size_t line,
                     size_t end, void *arg, struct error *err)
{
    const struct teller *teller = arg;

    (void)end;
    return item == PW_NAMELIST ? 0
                               : teller->each (word, line, teller->arg, err);
}

int pw_keys (const char *text, size_t len, template_each_key *each, void *arg,
             struct error *err)
{
    struct teller teller = { .each = each, .arg = arg };

    return pw_scan (text, len, tell_key, &teller, err);
}

/* --- the input of a frame --- */

/* What is set unless the template sets it.  Less disk_io than 'low' leaves no
 * XML file to read the labels from.
 */
static const struct {
    const char *key;
    const char *line;
} control_defaults[] = {
    { "tprnfor", "  tprnfor = .true.\n" },
    { "tstress", "  tstress = .true.\n" },
    { "disk_io", "  disk_io = 'low'\n" },
};

/* What a template holds. */
struct template_parts {
    const char *name;
    size_t control; /* positions after "&CONTROL" and "&SYSTEM"; 0: none */
    size_t system;
    bool has_ibrav;
    bool has_default[ARRAY_SIZE (control_defaults)];
};

static void note_key (struct template_parts *parts, const char *word)
{
    if (strcmp (word, "ibrav") == 0)
        parts->has_ibrav = true;
    for (size_t i = 0; i < ARRAY_SIZE (control_defaults); i++) {
        if (strcmp (word, control_defaults[i].key) == 0)
            parts->has_default[i] = true;
    }
}

static int note_item (enum pw_item item, const char *word, size_t line,
                      size_t end, void *arg, struct error *err)
{
    struct template_parts *parts = arg;

    (void)line;
    (void)err;
    if (item == PW_KEY)
        note_key (parts, word);
    else if (item == PW_NAMELIST && strcmp (word, "control") == 0)
        parts->control = end;
    else if (item == PW_NAMELIST && strcmp (word, "system") == 0)
        parts->system = end;
    return 0;
}

static int read_parts (const char *lines, size_t len, const char *name,
                       struct template_parts *parts, struct error *err)
{
    *parts = (struct template_parts){ .name = name };
    pw_scan (lines, len, note_item, parts, NULL);
    if (parts->control == 0 || parts->system == 0)
        return error_set (err,
                          "%s: there is no namelist &%s; add it, and let each "
                          "namelist end in a line with a slash",
                          parts->name,
                          parts->control == 0 ? "CONTROL" : "SYSTEM");
    if (parts->system < parts->control)
        return error_set (err, "%s: &CONTROL must come before &SYSTEM",
                          parts->name);
    return 0;
}

/* Fortran doubles a quote inside quotes. */
static void add_quoted (const char *text, struct strbuf *out)
{
    strbuf_add_char (out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            strbuf_add_char (out, '\'');
        strbuf_add_char (out, *text);
    }
    strbuf_add_char (out, '\'');
}

static void add_control (const char *pseudo_dir,
                         const struct template_parts *parts, struct strbuf *out)
{
    strbuf_add_str (out, "\n  prefix = '" PW_PREFIX "'\n"
                         "  outdir = './" PW_SCRATCH_DIR "'\n"
                         "  pseudo_dir = ");
    add_quoted (pseudo_dir, out);
    strbuf_add_char (out, '\n');
    for (size_t i = 0; i < ARRAY_SIZE (control_defaults); i++) {
        if (!parts->has_default[i])
            strbuf_add_str (out, control_defaults[i].line);
    }
}

static bool frame_has (const struct frame *frame, const char *symbol)
{
    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (strcmp (frame->symbols[i], symbol) == 0)
            return true;
    }
    return false;
}

static size_t count_species (const struct json *pseudopotentials,
                             const struct frame *frame)
{
    size_t n = 0;

    JSON_FOREACH (pseudopotentials, it)
        n += frame_has (frame, json_iter_key (it));
    return n;
}

/* "starting_magnetization(2) = 0.5", with the number of the species among those
 * of the frame.  What is not given is left to pw.x.
 */
static void add_by_element (const char *key, const struct json *values,
                            const struct json *pseudos,
                            const struct frame *frame, struct strbuf *out)
{
    size_t species = 0;

    JSON_FOREACH (pseudos, it) {
        const struct json *value = json_get (values, json_iter_key (it));

        species += frame_has (frame, json_iter_key (it));
        if (!value || !frame_has (frame, json_iter_key (it)))
            continue;
        strbuf_addf (out, "  %s(%zu) = ", key, species);
        strbuf_add_double (out, json_as_double (value));
        strbuf_add_char (out, '\n');
    }
}

static void add_cards (const struct json *pseudos, const struct frame *frame,
                       struct strbuf *out)
{
    strbuf_add_str (out, "ATOMIC_SPECIES\n");
    JSON_FOREACH (pseudos, it) {
        const char *symbol = json_iter_key (it);

        if (frame_has (frame, symbol))
            strbuf_addf (out, " %s %g %s\n", symbol, element_mass (symbol),
                         json_as_string (json_iter_value (it)));
    }
    strbuf_add_str (out, "CELL_PARAMETERS angstrom\n");
    for (int i = 0; i < 3; i++)
        frame_add_vector (frame->cell + 3 * i, out);
    strbuf_add_str (out, "ATOMIC_POSITIONS angstrom\n");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        strbuf_addf (out, " %s", frame->symbols[i]);
        frame_add_vector (frame->positions + 3 * i, out);
    }
}

int pw_check_input (const char *lines, size_t len, const char *name,
                    struct error *err)
{
    struct template_parts parts;

    return read_parts (lines, len, name, &parts, err) < 0
               ? -1
               : pw_check_settings (lines, len, name, err);
}

int pw_format_input (const struct label_input *input, const char *pseudo_dir,
                     struct strbuf *out, struct error *err)
{
    const struct json *pseudos = json_get (input->inputs, "pseudopotentials");
    const char *lines = input->text;
    size_t len = input->len;
    struct template_parts parts;

    if (read_parts (lines, len, input->name, &parts, err) < 0)
        return -1;
    strbuf_add (out, lines, parts.control);
    add_control (pseudo_dir, &parts, out);
    strbuf_add (out, lines + parts.control, parts.system - parts.control);
    strbuf_addf (out, "\n%s  nat = %zu\n  ntyp = %zu\n",
                 parts.has_ibrav ? "" : "  ibrav = 0\n", input->frame->n_atoms,
                 count_species (pseudos, input->frame));
    JSON_FOREACH (json_get (input->inputs, "by_element"), it)
        add_by_element (json_iter_key (it), json_iter_value (it), pseudos,
                        input->frame, out);
    strbuf_add (out, lines + parts.system, len - parts.system);
    if (len > 0 && lines[len - 1] != '\n')
        strbuf_add_char (out, '\n');
    add_cards (pseudos, input->frame, out);
    return pw_add_k_points (json_get (input->inputs, "kspacing"), input->frame,
                            out, err);
}
