/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - CP2K input for one frame, from the user's template */
#include "base/base.h"

#include <strings.h>

#include "formats/element.h"
#include "formats/frame.h"
#include "operators/cp2k/input.h"

static const char force_eval[] = "FORCE_EVAL";
static const char subsys[] = "FORCE_EVAL/SUBSYS";

/* Values that leave no labels to read. */
static const struct {
    const char *path;
    const char *word;
    const char *value;
    const char *instead;
} useless[] = {
    { "GLOBAL", "PRINT_LEVEL", "SILENT",
      "no energy is printed then; write PRINT_LEVEL LOW" },
    { "FORCE_EVAL", "STRESS_TENSOR", "DIAGONAL_ANALYTICAL",
      "that is no whole tensor; write STRESS_TENSOR ANALYTICAL" },
    { "FORCE_EVAL", "STRESS_TENSOR", "DIAGONAL_NUMERICAL",
      "that is no whole tensor; write STRESS_TENSOR NUMERICAL" },
};

static int refuse_useless (const struct cp2k_line *line, const char *name,
                           struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE (useless); i++) {
        if (strcmp (line->path, useless[i].path) == 0
            && strcmp (line->word, useless[i].word) == 0
            && strcasecmp (line->value, useless[i].value) == 0)
            return error_set (err, "%s:%zu: %s %s: %s", name, line->number,
                              line->word, line->value, useless[i].instead);
    }
    return 0;
}

/* --- what a template holds --- */

/* Sections something is added to. */
enum place {
    PLACE_GLOBAL,
    PLACE_FORCE_EVAL,
    PLACE_PRINT, /* of FORCE_EVAL */
    PLACE_SUBSYS,
    PLACE_SUBSYS_PRINT,
    N_PLACES
};

static const struct {
    const char *path; /* around it */
    const char *word;
} places[N_PLACES] = {
    [PLACE_GLOBAL] = { "", "GLOBAL" },
    [PLACE_FORCE_EVAL] = { "", force_eval },
    [PLACE_PRINT] = { force_eval, "PRINT" },
    [PLACE_SUBSYS] = { force_eval, "SUBSYS" },
    [PLACE_SUBSYS_PRINT] = { subsys, "PRINT" },
};

struct template_parts {
    const char *name;
    size_t at[N_PLACES]; /* position after its first line; 0: it has none */
    bool has_stress_key;
};

static int note_section (struct template_parts *parts,
                         const struct cp2k_line *line, struct error *err)
{
    for (int i = 0; i < N_PLACES; i++) {
        if (strcmp (line->path, places[i].path) != 0
            || strcmp (line->word, places[i].word) != 0)
            continue;
        if (parts->at[i] > 0)
            return error_set (err, "%s:%zu: there is another &%s already",
                              parts->name, line->number, line->word);
        parts->at[i] = line->after;
    }
    return 0;
}

static int note_line (const struct cp2k_line *line, void *arg,
                      struct error *err)
{
    struct template_parts *parts = arg;

    if (line->item == CP2K_END)
        return 0;
    if (strcmp (line->word, "@INCLUDE") == 0)
        return error_set (err,
                          "%s:%zu: @INCLUDE: the file would not be in a task's "
                          "directory; put its lines here",
                          parts->name, line->number);
    if (line->item != CP2K_COMMAND
        && cp2k_check_spelling (line, parts->name, err) < 0)
        return -1;
    if (line->item == CP2K_SECTION)
        return note_section (parts, line, err);
    if (strcmp (line->path, force_eval) == 0
        && strcmp (line->word, "STRESS_TENSOR") == 0)
        parts->has_stress_key = true;
    return refuse_useless (line, parts->name, err);
}

static int read_parts (const char *text, size_t len, const char *name,
                       struct template_parts *parts, struct error *err)
{
    *parts = (struct template_parts){ .name = name };
    if (cp2k_scan (text, len, name, note_line, parts, err) < 0)
        return -1;
    if (parts->at[PLACE_FORCE_EVAL] == 0)
        return error_set (err, "%s: there is no section &FORCE_EVAL", name);
    return 0;
}

int cp2k_check_input (const char *text, size_t len, const char *name,
                      struct error *err)
{
    struct template_parts parts;

    return read_parts (text, len, name, &parts, err);
}

/* --- its keys --- */

struct key_teller {
    template_each_key *each;
    void *arg;
    struct error *err;
    int rc; /* of 'each' */
    struct strbuf key;
};

static int tell_key (const struct cp2k_line *line, void *arg, struct error *err)
{
    struct key_teller *teller = arg;

    (void)err;
    if (line->item != CP2K_KEY && line->item != CP2K_SECTION)
        return 0;
    strbuf_reset (&teller->key);
    strbuf_addf (&teller->key, "%s%s%s%s", line->path, *line->path ? "/" : "",
                 line->item == CP2K_SECTION ? "&" : "", line->word);
    teller->rc =
        teller->each (teller->key.buf, line->number, teller->arg, teller->err);
    return teller->rc;
}

/* Sections that are not closed are what cp2k_check_input complains of. */
int cp2k_keys (const char *text, size_t len, template_each_key *each, void *arg,
               struct error *err)
{
    struct key_teller teller = {
        .each = each, .arg = arg, .err = err, .key = STRBUF_INIT
    };

    cp2k_scan (text, len, "", tell_key, &teller, NULL);
    strbuf_release (&teller.key);
    return teller.rc;
}

/* --- the input of a frame --- */

static bool is_periodic (const struct frame *frame)
{
    return frame->periodic[0] && frame->periodic[1] && frame->periodic[2];
}

static void add_structure (const struct frame *frame, struct strbuf *out)
{
    strbuf_add_str (out, "&CELL\n");
    for (int i = 0; i < 3; i++) {
        strbuf_add_char (out, "ABC"[i]);
        frame_add_vector (frame->cell + 3 * i, out);
    }
    strbuf_add_str (out, "PERIODIC ");
    for (int i = 0; i < 3; i++) {
        if (frame->periodic[i])
            strbuf_add_char (out, "XYZ"[i]);
    }
    if (!frame->periodic[0] && !frame->periodic[1] && !frame->periodic[2])
        strbuf_add_str (out, "NONE");
    strbuf_add_str (out, "\n&END CELL\n&COORD\n");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        strbuf_add_str (out, frame->symbols[i]);
        frame_add_vector (frame->positions + 3 * i, out);
    }
    strbuf_add_str (out, "&END COORD\n");
}

static const char global_text[] =
    "PROJECT " CP2K_PROJECT "\nRUN_TYPE ENERGY_FORCE\n";
static const char print_text[] = "&FORCES ON\nNDIGITS 14\n&END FORCES\n"
                                 "&STRESS_TENSOR ON\n&END STRESS_TENSOR\n";
static const char subsys_print_text[] =
    "&ATOMIC_COORDINATES ON\n&END ATOMIC_COORDINATES\n"
    "&CELL ON\n&END CELL\n";

static void add_section (const char *name, const char *text, struct strbuf *out)
{
    strbuf_addf (out, "&%s\n%s&END %s\n", name, text, name);
}

/* What goes behind the first line of a section, or makes those it lacks.  The
 * stress is that of a crystal.
 */
static void add_to (enum place place, const struct template_parts *parts,
                    const struct frame *frame, struct strbuf *out)
{
    switch (place) {
    case PLACE_GLOBAL:
        strbuf_add_str (out, global_text);
        break;
    case PLACE_FORCE_EVAL:
        if (!parts->has_stress_key && is_periodic (frame))
            strbuf_add_str (out, "STRESS_TENSOR ANALYTICAL\n");
        if (parts->at[PLACE_PRINT] == 0)
            add_section ("PRINT", print_text, out);
        if (parts->at[PLACE_SUBSYS] > 0)
            break;
        strbuf_add_str (out, "&SUBSYS\n");
        add_to (PLACE_SUBSYS, parts, frame, out);
        strbuf_add_str (out, "&END SUBSYS\n");
        break;
    case PLACE_PRINT:
        strbuf_add_str (out, print_text);
        break;
    case PLACE_SUBSYS:
        add_structure (frame, out);
        if (parts->at[PLACE_SUBSYS_PRINT] == 0)
            add_section ("PRINT", subsys_print_text, out);
        break;
    case PLACE_SUBSYS_PRINT:
        strbuf_add_str (out, subsys_print_text);
        break;
    default:
        break;
    }
}

static int check_symbols (const struct frame *frame, struct error *err)
{
    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (!(element_mass (frame->symbols[i]) > 0))
            return error_set (err, "atom %zu: '%s' is no element", i + 1,
                              frame->symbols[i]);
    }
    return 0;
}

/* The place whose position comes next after 'at'; N_PLACES: none. */
static enum place next_place (const struct template_parts *parts, size_t at)
{
    enum place next = N_PLACES;

    for (int i = 0; i < N_PLACES; i++) {
        if (parts->at[i] > at
            && (next == N_PLACES || parts->at[i] < parts->at[next]))
            next = (enum place)i;
    }
    return next;
}

int cp2k_format_input (const char *text, size_t len, const char *name,
                       const struct frame *frame, struct strbuf *out,
                       struct error *err)
{
    struct template_parts parts;
    enum place place;
    size_t at = 0;

    if (read_parts (text, len, name, &parts, err) < 0
        || check_symbols (frame, err) < 0)
        return -1;
    if (parts.at[PLACE_GLOBAL] == 0)
        add_section ("GLOBAL", global_text, out);
    while ((place = next_place (&parts, at)) != N_PLACES) {
        strbuf_add (out, text + at, parts.at[place] - at);
        at = parts.at[place];
        add_to (place, &parts, frame, out);
    }
    strbuf_add (out, text + at, len - at);
    if (len > 0 && text[len - 1] != '\n')
        strbuf_add_char (out, '\n');
    return 0;
}
