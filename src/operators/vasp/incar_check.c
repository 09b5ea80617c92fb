/* SPDX-License-Identifier: BSD-3-Clause */
/* incar_check.c - what an INCAR and a KPOINTS of the user must be */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "formats/vasp/incar.h"
#include "operators/vasp/vasp.h"

static const struct rule {
    const char *tag;
    int64_t least, most;
    const char *instead;
} rules[] = {
    { "NSW", 0, 0,
      "write 0, or remove it: a label is of the atoms where they are" },
    { "IBRION", -1, -1,
      "write -1, or remove it: a label is of the atoms where they are" },
    { "ISIF", 2, 8, "write 2, or remove it: with less there is no stress" },
    { "ICHARG", 0, 9,
      "write 2, or remove it: from 10 on the density stays as it is read" },
};

static int check_range (const struct rule *rule, const struct incar_tag *tag,
                        const char *name, struct error *err)
{
    const char *after;
    int64_t value;

    after = integer_read (tag->value, tag->end, &value);
    if (!after || (after < tag->end && !strchr (" \t\r", *after)))
        return error_set (err, "%s:%zu: %s: expected a whole number", name,
                          tag->line, rule->tag);
    if (value < rule->least || value > rule->most)
        return error_set (err, "%s:%zu: %s = %lld: %s", name, tag->line,
                          rule->tag, (long long)value, rule->instead);
    return 0;
}

static int check_tag (const struct incar_tag *tag, const char *name,
                      struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE (rules); i++) {
        if (strcmp (rules[i].tag, tag->name) == 0)
            return check_range (&rules[i], tag, name, err);
    }
    if (strcmp (tag->name, "ML_LMLFF") == 0 && incar_is_true (tag))
        return error_set (err,
                          "%s:%zu: ML_LMLFF: remove it: what a force field "
                          "predicts is no label",
                          name, tag->line);
    return 0;
}

/* VASP passes over what it does not know.  A tag that is not known here may be
 * of another version, but not where it is one letter off.
 */
static int check_spelling (const struct incar_tag *tag,
                           const struct strvec *known, const char *name,
                           struct error *err)
{
    static const size_t shortest = 4;
    const char *meant =
        strvec_contains (known, tag->name) || strlen (tag->name) < shortest
            ? NULL
            : nearest_word (tag->name, known);

    if (!meant || word_distance (tag->name, meant) > 1)
        return 0;
    return error_set (err,
                      "%s:%zu: %s: VASP has no such tag, and would pass over "
                      "it; did you mean '%s'?",
                      name, tag->line, tag->name, meant);
}

/* --- how it is written --- */

/* Tags with one real number. */
static bool is_real (const char *name)
{
    static const char *const tags[] = { "ENCUT",    "EDIFF", "SIGMA",
                                        "KSPACING", "AMIX",  "BMIX",
                                        "TIME",     "AEXX",  "HFSCREEN",
                                        "ENAUG",    "DEPER", "SYMPREC" };

    for (size_t i = 0; i < ARRAY_SIZE (tags); i++) {
        if (strcmp (tags[i], name) == 0)
            return true;
    }
    return false;
}

/* "450", "1E-5", "1.d-5"; the word alone, whatever follows it. */
static bool begins_with_real (const struct incar_tag *tag)
{
    size_t len = 0;
    _cleanup_free_ char *word = NULL;
    char *end;
    bool good;

    while (tag->value + len < tag->end && !strchr (" \t\r\n,", tag->value[len]))
        len++;
    word = xstrndup (tag->value, len);
    for (char *d = word; *d; d++)
        *d = *d == 'd' || *d == 'D' ? 'e' : *d;
    strtod (word, &end);
    good = len > 0 && *end == '\0';
    return good;
}

/* VASP reads a value up to the end of the line: of a second tag on it without
 * a semicolon nothing is read.
 */
static int check_value (const struct incar_tag *tag, const struct strvec *known,
                        const char *name, struct error *err)
{
    const char *equals =
        memchr (tag->value, '=', (size_t)(tag->end - tag->value));
    const char *word_end = equals, *word;
    _cleanup_free_ char *second = NULL;
    int rc = 0;

    if (is_real (tag->name) && !begins_with_real (tag))
        return error_set (err, "%s:%zu: %s = %.*s; write a number", name,
                          tag->line, tag->name, (int)(tag->end - tag->value),
                          tag->value);
    if (!equals || memchr (tag->value, '"', (size_t)(tag->end - tag->value)))
        return 0;
    while (word_end > tag->value && strchr (" \t", word_end[-1]))
        word_end--;
    word = word_end;
    while (word > tag->value && !strchr (" \t", word[-1]))
        word--;
    second = xstrndup (word, (size_t)(word_end - word));
    for (char *c = second; *c; c++)
        *c = (char)toupper ((unsigned char)*c);
    if (strvec_contains (known, second))
        rc = error_set (err,
                        "%s:%zu: %s stands behind %s on one line, and VASP "
                        "does not read it; put a semicolon between them, or "
                        "write two lines",
                        name, tag->line, second, tag->name);
    return rc;
}

/* How many bytes there are before the first of these. */
static size_t span_to (const char *at, const char *end, const char *stops)
{
    size_t n = 0;

    while (at + n < end && !(at[n] && strchr (stops, at[n])))
        n++;
    return n;
}

/* "EDIFF 1E-6": VASP passes over it. */
static int check_equals (const char *text, size_t len, const char *name,
                         const struct strvec *known, struct error *err)
{
    size_t line = 1;
    int rc = 0;

    if (memchr (text, '"', len) || memchr (text, '{', len)
        || memchr (text, '\\', len))
        return 0; /* lines of a value are no tags */
    for (const char *at = text, *end = text + len; rc == 0 && at < end;
         line++) {
        const char *stop = memchr (at, '\n', (size_t)(end - at));
        size_t n, word;
        char *tag;

        stop = stop ? stop : end;
        while (at < stop && strchr (" \t", *at))
            at++;
        n = span_to (at, stop, "#!");
        word = span_to (at, stop, " \t\r#!=;");
        tag = xstrndup (at, word);
        for (char *c = tag; *c; c++)
            *c = (char)toupper ((unsigned char)*c);
        if (word > 0 && !memchr (at, '=', n) && strvec_contains (known, tag))
            rc = error_set (err, "%s:%zu: %s has no '='; write %s = VALUE",
                            name, line, tag, tag);
        free (tag);
        at = stop + 1;
    }
    return rc;
}

int vasp_check_incar (const char *text, size_t len, const char *name,
                      struct error *err)
{
    struct incar s = INCAR_OF (text, len);
    _cleanup_ (strvec_release) struct strvec known = STRVEC_INIT;
    struct incar_tag tag;
    size_t n = 0;

    incar_known_tags (&known);
    for (; incar_next (&s, &tag); n++) {
        if (check_tag (&tag, name, err) < 0
            || check_spelling (&tag, &known, name, err) < 0
            || check_value (&tag, &known, name, err) < 0)
            return -1;
    }
    if (check_equals (text, len, name, &known, err) < 0)
        return -1;
    if (n == 0 && strspn (text, " \t\r\n") < len)
        return error_set (err,
                          "%s has no line TAG = value; name an INCAR in its "
                          "place",
                          name);
    return 0;
}

/* --- KPOINTS --- */

/* A mesh, or a list of points: the second line says how many, 0 a mesh, and the
 * third how they are written.
 */
static int check_mesh (struct lines *lines, int64_t n, struct error *err)
{
    char how;
    int64_t points[3];

    if (lines_next (lines, err) != 1 || lines_at_end (lines))
        return lines_error (lines, err,
                            "expected how k-points are chosen; write Gamma or "
                            "Monkhorst-Pack");
    how = (char)tolower ((unsigned char)*lines->at);
    if (how == 'l')
        return lines_error (lines, err,
                            "points along lines are for bands, and have no "
                            "weights; write a mesh");
    if (n > 0 || (how != 'g' && how != 'm'))
        return 0;
    if (lines_next (lines, err) != 1 || !lines_take_integer (lines, &points[0])
        || !lines_take_integer (lines, &points[1])
        || !lines_take_integer (lines, &points[2]))
        return lines_error (lines, err,
                            "expected three whole numbers; write 4 4 4 or the "
                            "like");
    return 0;
}

int vasp_check_kpoints (const struct known_input *input, struct error *err)
{
    const char *path = json_as_string (input->value);
    struct strbuf text = STRBUF_INIT;
    struct lines lines;
    int64_t n;
    int rc = file_read (path, TEMPLATE_MAX_BYTES, &text, err);

    if (rc < 0)
        return error_prefix (err, "kpoints");
    lines_of_text (&lines, text.buf, text.len, path, 1);
    if (lines_next (&lines, err) != 1 || lines_next (&lines, err) != 1
        || !lines_take_integer (&lines, &n) || n < 0)
        rc = lines_error (&lines, err,
                          "expected the number of k-points; a KPOINTS begins "
                          "with a title, write 0 in the second line, Gamma in "
                          "the third, and 4 4 4 or the like in the fourth");
    else
        rc = check_mesh (&lines, n, err);
    lines_close (&lines);
    strbuf_release (&text);
    return rc < 0 ? error_prefix (err, "kpoints") : 0;
}
